"""
A window of the tests whose keyboard is taken, in GTK 3, for the system's own Python (packages python3-gi, gir1.2-gtk-3.0).

    /usr/bin/python3 taking_bed.py --by dialog [--after-ms 20 | --after-letters 120] [--title Letter]

What takes it, so long after the window got it, or so many letters after its field was empty: a modal "dialog", a popup that
gets the "focus", or one that does a "grab", as menus do. Prints how many letters stand in its field, and in the other one, and
how often ctrl+s was pressed. With --slow-s each press of Ctrl keeps it busy so long.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import time
from typing import Any

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GdkX11, GLib, Gtk  # noqa: E402, F401

REVERT_TO_POINTER_ROOT = 1
TOLD_MS = 20


class Bed(Gtk.Window):
    def __init__(self, title: str, by: str, after_ms: int | None, after_letters: int | None, slow_s: float) -> None:
        super().__init__(title=title)
        self.by = by
        self.after_letters = after_letters
        self.slow_s = slow_s
        self.shortcuts = 0
        self.said = ""
        self.field = Gtk.Entry()
        self.field.get_accessible().set_name("Message")
        self.other = Gtk.Entry()
        self.add(self.field)
        self.set_default_size(500, 80)
        self.taker: Any = None
        self.connect("key-press-event", self.pressed)
        self.connect("destroy", Gtk.main_quit)
        if after_ms is not None:
            self.connect("focus-in-event", lambda *_: GLib.timeout_add(after_ms, self.take) and None)
        GLib.timeout_add(TOLD_MS, self.tell)

    def pressed(self, _window: Any, event: Any) -> bool:
        if self.after_letters is not None and len(self.field.get_text()) >= self.after_letters:
            self.take()
        if event.keyval == Gdk.KEY_Control_L:
            time.sleep(self.slow_s)
        control = event.state & Gdk.ModifierType.CONTROL_MASK
        self.shortcuts += bool(control) and Gdk.keyval_to_lower(event.keyval) == Gdk.KEY_s
        return False

    def take(self) -> bool:
        if self.taker is not None:
            return False
        if self.by == "dialog":
            self.taker = Gtk.Dialog(title="Really?", transient_for=self, modal=True)
            self.taker.get_content_area().add(self.other)
            self.taker.show_all()
            return False
        self.taker = Gtk.Window(type=Gtk.WindowType.POPUP, title="Notice")
        self.taker.add(self.other)
        self.taker.move(600, 400)
        self.taker.show_all()
        window = self.taker.get_window()
        if self.by == "grab":
            Gdk.Display.get_default().get_default_seat().grab(
                window, Gdk.SeatCapabilities.ALL, True, None, None, None, None
            )
            self.taker.grab_add()
        else:
            Gdk.Display.get_default().sync()
            server = ctypes.CDLL("libX11.so.6")
            server.XOpenDisplay.restype = ctypes.c_void_p
            display = ctypes.c_void_p(server.XOpenDisplay(None))
            server.XSetInputFocus(display, ctypes.c_ulong(window.get_xid()), REVERT_TO_POINTER_ROOT, 0)
            server.XSync(display, 0)
        self.other.grab_focus()
        return False

    def tell(self) -> bool:
        fields = {"field": len(self.field.get_text()), "other": len(self.other.get_text())}
        said = json.dumps(fields | {"shortcuts": self.shortcuts, "taken": self.taker is not None})
        if said != self.said:
            print(said, flush=True)
        self.said = said
        return True


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("--by", choices=("dialog", "focus", "grab"), required=True)
    ask.add_argument("--after-ms", type=int)
    ask.add_argument("--after-letters", type=int)
    ask.add_argument("--slow-s", type=float, default=0.0)
    ask.add_argument("--title", default="Letter")
    given = ask.parse_args()
    Bed(given.title, given.by, given.after_ms, given.after_letters, given.slow_s).show_all()
    Gtk.main()


if __name__ == "__main__":
    main()
