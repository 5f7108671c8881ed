"""GTK 3: rows of every kind, which "Sort" turns round, beside what runs; tells what was pressed."""

import json
import sys
import time

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GdkPixbuf, GLib, Gtk  # noqa: E402

TINTS = {"a": 0xFF0000FF, "b": 0x00FF00FF, "c": 0x0000FFFF}


def told(what):
    print(json.dumps(what), flush=True)


def button(label, says):
    made = Gtk.Button(label=label, halign=Gtk.Align.START)
    made.connect("clicked", lambda _: told(says))
    return made


def square(name):
    pixels = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, True, 8, 24, 24)
    pixels.fill(TINTS[name])
    return Gtk.Image.new_from_pixbuf(pixels)


def label(text):
    return Gtk.Label(label=text, width_chars=10)


class Bed(Gtk.Window):
    def __init__(self, title):
        super().__init__(title=title)
        self.set_default_size(800, 500)
        self.connect("destroy", Gtk.main_quit)
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        self.add(page)
        self.names, self.rows = ["a", "b", "c"], Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        self.ticks, self.badge, self.share, self.clock = 0, label("0"), label("0 %"), label("0")
        page.add(self.line(button("Refresh", "Refresh"), self.clock, button("Stop", "Stop")))
        page.add(self.line(button("Inbox", "Inbox"), self.badge))
        sort = Gtk.Button(label="Sort", halign=Gtk.Align.START)
        sort.connect("clicked", self.sort)
        for part in (self.share, button("Cancel", "Cancel"), button("Next", "Next"), sort, self.rows):
            page.add(part)
        self.kept = [label("Alice"), label("Bobby")]
        page.add(self.line(*[self.card(each, self.keeping(each)) for each in self.kept], self.swapping()))
        self.alike = self.line(*[button("Open", f"Open {n}") for n in self.names])
        turn = Gtk.Button(label="Turn")
        turn.connect("clicked", self.turn)
        page.add(self.line(self.alike, turn))
        self.fill()
        self.tick()
        GLib.timeout_add(200, self.tick)

    def line(self, *parts, orientation=Gtk.Orientation.HORIZONTAL):
        made = Gtk.Box(orientation=orientation)
        for part in parts:
            made.add(part)
        return made

    def fill(self):
        for row in self.rows.get_children():
            self.rows.remove(row)
        for n in self.names:
            self.rows.add(self.line(*[label("x") for _ in range(7)], label(n), button("Eighth", f"Eighth {n}")))
        for n in self.names:
            self.rows.add(self.line(square(n), label("Guest"), button("Image", f"Image {n}")))
        self.rows.add(self.line(*[self.card(label(n), label("5 EUR"), button("Buy", f"Buy {n}")) for n in self.names]))
        self.rows.add(self.line(*[self.card(button("Below", f"Below {n}"), label(n)) for n in self.names]))
        self.rows.add(self.line(*[self.card(self.amount(n), button("Value", f"Value {n}")) for n in self.names]))
        self.rows.add(self.line(*[self.icon(n) for n in self.names]))
        self.show_all()

    def card(self, *parts):
        return self.line(*parts, orientation=Gtk.Orientation.VERTICAL)

    def amount(self, name):
        made = Gtk.SpinButton.new_with_range(0, 9, 1)
        made.set_value("abc".index(name))
        return made

    def icon(self, name):
        made = Gtk.Button()
        made.add(square(name))
        made.connect("clicked", lambda _: told(f"icon {name}"))
        return made

    def tick(self):
        self.ticks += 1
        self.clock.set_text(time.strftime("%H:%M:") + f"{self.ticks % 60:02}")
        self.badge.set_text(str(self.ticks))
        self.share.set_text(f"{self.ticks % 100} % of 100")
        return True

    def keeping(self, named):
        made = Gtk.Button(label="Keep")
        made.connect("clicked", lambda _: told(f"Keep {named.get_text()}"))
        return made

    def swapping(self):
        made = Gtk.Button(label="Swap")
        made.connect("clicked", self.swap)
        return made

    def swap(self, _):
        """Other words in the same widgets, as lists that are filled anew have them."""
        words = [each.get_text() for each in self.kept]
        for each, word in zip(self.kept, reversed(words), strict=True):
            each.set_text(word)
        GLib.idle_add(told, "swapped")

    def turn(self, _):
        """The last of what nothing tells apart comes first."""
        self.alike.reorder_child(self.alike.get_children()[-1], 0)
        GLib.idle_add(told, "turned")

    def sort(self, _):
        self.names.reverse()
        self.fill()
        GLib.idle_add(told, "sorted")


if __name__ == "__main__":
    Bed(sys.argv[1])
    Gtk.main()
