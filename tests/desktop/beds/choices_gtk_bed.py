"""A window of choices in GTK 3: combo boxes of every kind, one longer than the screen. Tells what was chosen."""

import json
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402


def told(what):
    print(json.dumps(what, ensure_ascii=False), flush=True)


class Bed(Gtk.Window):
    def __init__(self, title):
        super().__init__(title=title)
        self.set_default_size(640, 420)
        self.connect("destroy", Gtk.main_quit)
        self.grid = Gtk.Grid(column_spacing=8, row_spacing=6, border_width=8)
        self.add(self.grid)
        self.down = 0
        for name in ("Name", "Password"):
            entry = Gtk.Entry(hexpand=True)
            entry.connect("changed", lambda entry, name=name: told(f"{name}: {entry.get_text()}"))
            self.row(name, entry)
        for name, entries in (
            ("Size", [f"Option {n}" for n in range(1, 7)]),
            ("Colour", ["Red", "Green", "Blue", "蓝色"]),
            ("Border", ["Red", "None"]),
            ("Country", [f"Country {n}" for n in range(1, 121)]),
        ):
            self.combo(name, Gtk.ComboBoxText(), entries)
        self.combo("Font", Gtk.ComboBoxText.new_with_entry(), ["Serif", "Sans", "Mono"])
        self.combo("Locked", Gtk.ComboBoxText(), ["Never", "Always"]).set_sensitive(False)
        save = Gtk.Button(label="Save")
        save.connect("clicked", lambda _: told("Save"))
        self.row("", save)

    def row(self, name, part):
        label = Gtk.Label(label=name, xalign=1)
        label.set_mnemonic_widget(part)
        self.grid.attach(label, 0, self.down, 1, 1)
        self.grid.attach(part, 1, self.down, 1, 1)
        self.down += 1

    def combo(self, name, made, entries):
        for each in entries:
            made.append_text(each)
        made.set_active(0)
        made.connect("changed", lambda _: told(f"{name}: {made.get_active_text()}"))
        self.row(name, made)
        return made


if __name__ == "__main__":
    Bed(sys.argv[1]).show_all()
    Gtk.main()
