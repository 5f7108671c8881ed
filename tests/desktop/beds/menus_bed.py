"""GTK 3: a list that sorts itself anew, a menu, a combo box, a popover; tells what was pressed, a line of JSON for each."""

import json
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GdkPixbuf, GLib, Gtk  # noqa: E402


def told(what):
    print(json.dumps(what), flush=True)


class Bed(Gtk.Window):
    def __init__(self, title):
        super().__init__(title=title)
        self.set_default_size(420, 420)
        self.connect("destroy", Gtk.main_quit)
        self.page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        self.add(self.page)
        self.names = ["Alice", "Bobby", "Carol"]
        self.rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for part in (self.menu_bar(), self.rows, self.combo(), self.popover(), self.entry(), self.icons()):
            self.page.pack_start(part, False, False, 0)
        for name, enabled in (("Low", True), ("Old", False), ("Sort", True)):
            self.page.pack_start(self.button(name, name, enabled), False, False, 0)
        self.fill()

    def icons(self):
        """Two buttons without a name: a cross and a bar, in the order of the rows."""
        row, self.pictures = Gtk.Box(), []
        for at in range(2):
            made, picture = Gtk.Button(), Gtk.Image()
            made.add(picture)
            made.connect("clicked", lambda _, at=at: told(f"icon {self.is_cross(at)}"))
            row.add(made)
            self.pictures.append(picture)
        return row

    def is_cross(self, at):
        return (at == 0) == (self.names[0] == "Alice")

    def draw(self, picture, cross):
        lines = [x in (y, 23 - y) if cross else y in (11, 12) for y in range(24) for x in range(24)]
        pixels = b"".join(b"\0\0\0" if black else b"\xff\xff\xff" for black in lines)
        held = GLib.Bytes.new(pixels)
        picture.set_from_pixbuf(GdkPixbuf.Pixbuf.new_from_bytes(held, GdkPixbuf.Colorspace.RGB, False, 8, 24, 24, 72))

    def menu_bar(self):
        bar, file, menu = Gtk.MenuBar(), Gtk.MenuItem(label="File"), Gtk.Menu()
        for name in ("New", "Open", "Close", "Save", "Quit"):
            entry = Gtk.MenuItem(label=name)
            entry.connect("activate", lambda _, name=name: told(name))
            menu.append(entry)
        file.set_submenu(menu)
        bar.append(file)
        return bar

    def button(self, label, says, enabled=True):
        made = Gtk.Button(label=label, halign=Gtk.Align.START, sensitive=enabled)
        made.connect("clicked", lambda _: self.sort() if label == "Sort" else told(says))
        return made

    def combo(self):
        made = Gtk.ComboBoxText()
        for word in ("one", "two", "three", "four"):
            made.append_text(word)
        made.set_active(0)
        made.connect("changed", lambda _: told(made.get_active_text()))
        return made

    def popover(self):
        opener, over, inside = Gtk.MenuButton(label="Pop"), Gtk.Popover(), self.button("Inside", "Inside")
        over.add(inside)
        inside.show()
        opener.set_popover(over)
        return opener

    def entry(self):
        made = Gtk.Entry()
        made.get_accessible().set_name("Word")
        return made

    def fill(self):
        for row in self.rows.get_children():
            self.rows.remove(row)
        for name in self.names:
            row = Gtk.Box()
            row.add(Gtk.Label(label=name, width_chars=20))
            row.add(self.button("Delete", f"Delete {name}"))
            self.rows.add(row)
        for at, picture in enumerate(self.pictures):
            self.draw(picture, self.is_cross(at))
        self.show_all()

    def sort(self):
        self.names.reverse()
        self.fill()
        GLib.idle_add(told, "sorted")


if __name__ == "__main__":
    Bed(sys.argv[1])
    Gtk.main()
