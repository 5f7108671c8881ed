"""GTK 3: a list with more rows than are shown, `TITLE KIND ROWS`; it says which row was chosen. KIND: tree, box or icons."""

import json
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402


def told(row):
    print(json.dumps({"chosen": row}), flush=True)


def tree(rows):
    store = Gtk.ListStore(str, str)
    for row in rows:
        store.append([row, f"about {row}"])
    view = Gtk.TreeView(model=store)
    for index, title in enumerate(("Name", "Notes")):
        view.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=index))

    def chosen(selection):
        model, at = selection.get_selected()
        told(model[at][0] if at else None)

    view.get_selection().connect("changed", chosen)
    return view


def box(rows):
    view = Gtk.ListBox()
    for row in rows:
        view.add(Gtk.Label(label=row, xalign=0))
    view.connect("row-selected", lambda _, row: told(row.get_child().get_text() if row else None))
    return view


def main():
    title, kind, count = sys.argv[1:4]
    rows = [f"Item {number}" for number in range(1, int(count) + 1)]
    window = Gtk.Window(title=title)
    window.set_default_size(420, 320)
    window.connect("destroy", Gtk.main_quit)
    scrolled = Gtk.ScrolledWindow()
    scrolled.add({"tree": tree, "box": box}[kind](rows))
    window.add(scrolled)
    window.show_all()
    told(None)
    Gtk.main()


main()
