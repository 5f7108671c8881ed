"""
A window of choices in GTK 3: combo boxes and a menu, some longer than the screen; tells what was chosen, a line of JSON for
each.
"""

import json
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

BOXES = {
    "Size": [f"Option {n}" for n in range(1, 7)],
    "Paint": ["Red", "Teal", "蓝色"],
    "Border": ["Thin", "Lime", "Teal"],
    "Country": [f"Country {n}" for n in range(1, 121)],
    "Font": ["Serif", "Sans", "Mono"],
    "Locked": ["Never", "Always"],
}


def told(what):
    print(json.dumps(what, ensure_ascii=False), flush=True)


class Bed(Gtk.Window):
    def __init__(self, title):
        super().__init__(title=title)
        self.set_default_size(640, 420)
        self.connect("destroy", Gtk.main_quit)
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        page.add(self.menu_bar())
        self.grid, self.down = Gtk.Grid(column_spacing=8, row_spacing=6, border_width=8), 0
        page.add(self.grid)
        self.add(page)
        for name in ("Name", "Password"):
            self.row(name, Gtk.Entry(hexpand=True))
        for name, entries in BOXES.items():
            made = Gtk.ComboBoxText.new_with_entry() if name == "Font" else Gtk.ComboBoxText()
            self.box(name, made, entries)
        save = Gtk.Button(label="Save")
        save.connect("clicked", lambda _: told("Save"))
        self.row("", save)

    def menu_bar(self):
        bar, cities, menu = Gtk.MenuBar(), Gtk.MenuItem(label="Cities"), Gtk.Menu()
        for number in range(1, 121):
            entry = Gtk.MenuItem(label=f"City {number}")
            entry.connect("activate", lambda _, number=number: told(f"menu: City {number}"))
            menu.append(entry)
        cities.set_submenu(menu)
        bar.append(cities)
        return bar

    def row(self, name, part):
        label = Gtk.Label(label=name, xalign=1)
        label.set_mnemonic_widget(part)
        self.grid.attach(label, 0, self.down, 1, 1)
        self.grid.attach(part, 1, self.down, 1, 1)
        self.down += 1

    def box(self, name, made, entries):
        for each in entries:
            made.append_text(each)
        made.set_active(0)
        made.set_sensitive(name != "Locked")
        made.connect("changed", lambda _: told(f"{name}: {made.get_active_text()}"))
        self.row(name, made)


if __name__ == "__main__":
    Bed(sys.argv[1]).show_all()
    Gtk.main()
