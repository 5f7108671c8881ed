"""
An application of the tests in GTK 3, for the system's own Python (`/usr/bin/python3`, packages python3-gi, gir1.2-gtk-3.0).

    /usr/bin/python3 gtk_bed.py [--rows 8] [--title "Handeye GTK bed"] [--tab Table]

The same controls and the same JSON lines as `qt_bed`, where GTK has them: it has no rows that can be resized, and no size grip.
The handle of a pane and the heart on the canvas are not in the accessibility tree; a drag or click on them works.
"""

from __future__ import annotations

import argparse
from typing import Any

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402
from told import LOOK_MS, Told  # noqa: E402

COLUMNS = ("Name", "Size", "Modified", "Owner")
HEART = (60, 30)
HEART_RADIUS = 12


class Bed(Gtk.Window):
    def __init__(self, title: str, rows: int) -> None:
        super().__init__(title=title)
        self.told = Told(self.state)
        self.set_default_size(1000, 680)
        self.texts: dict[str, Any] = {}
        self.toggles: dict[str, Any] = {}
        self.columns: list[Any] = []
        self.note = Gtk.Label(label="Ready", xalign=0)
        self.connect("destroy", Gtk.main_quit)
        self.main = Gtk.Paned(orientation=Gtk.Orientation.HORIZONTAL, wide_handle=True)
        self.side = Gtk.Paned(orientation=Gtk.Orientation.VERTICAL, wide_handle=True)
        self.side.pack1(self._list(), True, False)
        self.side.pack2(self._tree(), True, False)
        self.side.set_position(220)
        self.tabs = Gtk.Notebook()
        for name, page in (("Form", self._form()), ("Table", self._table(rows)), ("Text", self._text())):
            self.tabs.append_page(page, Gtk.Label(label=name))
        self.main.pack1(self.side, False, False)
        self.main.pack2(self.tabs, True, False)
        self.main.set_position(240)
        status = Gtk.Statusbar()
        status.push(0, "Ready")
        self.status = status
        down = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for part, grows in ((self._menus(), False), (self._tools(), False), (self.main, True), (status, False)):
            down.pack_start(part, grows, grows, 0)
        self.add(down)
        GLib.timeout_add(LOOK_MS, self._tell)

    def _tell(self) -> bool:
        self.told.tell()
        return True

    # -- parts

    def _menus(self) -> Gtk.MenuBar:
        bar = Gtk.MenuBar()
        file = self._menu(bar, "File", ("New", "Open", "Save as"))
        self._menu(file, "Recent", ("report.txt", "照片.png"))
        self._menu(bar, "Edit", ("Copy", "Paste"))
        return bar

    def _menu(self, parent: Gtk.MenuShell, title: str, entries: tuple[str, ...]) -> Gtk.Menu:
        top = Gtk.MenuItem(label=title)
        menu = Gtk.Menu()
        top.set_submenu(menu)
        parent.append(top)
        for name in entries:
            entry = Gtk.MenuItem(label=name)
            entry.connect("activate", lambda _entry, name=name: self.told.menu.append(name))
            menu.append(entry)
        return menu

    def _tools(self) -> Gtk.Toolbar:
        bar = Gtk.Toolbar()
        for name in ("Refresh", "Print"):
            button = Gtk.ToolButton(label=name)
            button.connect("clicked", lambda _button, name=name: self._clicked(name))
            bar.insert(button, -1)
        return bar

    def _clicked(self, name: str) -> None:
        self.told.clicks[name] += 1
        self.status.push(0, f"{name} was clicked")

    def _list(self) -> Gtk.ListBox:
        self.list = Gtk.ListBox()
        self.list.get_accessible().set_name("Places")
        for name in ("Home", "Desktop", "Documents", "图片", "Downloads"):
            self.list.add(Gtk.Label(label=name, xalign=0))
        return self.list

    def _tree(self) -> Gtk.Widget:
        store = Gtk.TreeStore(str, str)
        for name, parts in (("Music", ("Jazz", "Rock")), ("Work", ("2024", "2025"))):
            top = store.append(None, [name, str(len(parts))])
            for part in parts:
                store.append(top, [part, "0"])
        self.tree = view = self._view(store, ("Folder", "Items"), 100)
        view.get_accessible().set_name("Folders")
        view.expand_all()
        return _scrolled(view)

    def _view(self, store: Any, names: tuple[str, ...], width: int) -> Gtk.TreeView:
        view = Gtk.TreeView(model=store)
        for index, name in enumerate(names):
            column = Gtk.TreeViewColumn(name, Gtk.CellRendererText(), text=index)
            column.set_resizable(True)
            column.set_sizing(Gtk.TreeViewColumnSizing.FIXED)
            column.set_fixed_width(width)
            view.append_column(column)
        # GTK gives what is left to the last column: a column of its own takes it, so that the others keep what they are given.
        view.append_column(Gtk.TreeViewColumn(""))
        return view

    def _form(self) -> Gtk.Widget:
        grid = Gtk.Grid(column_spacing=8, row_spacing=8, border_width=12)
        rows: list[tuple[str, Gtk.Widget]] = []
        for name in ("Name", "Password"):
            self.texts[name] = Gtk.Entry(visibility=name != "Password", hexpand=True)
            rows.append((name, self.texts[name]))
        for name in ("Remember me", "Send reports"):
            self.toggles[name] = Gtk.CheckButton(label=name)
            rows.append(("", self.toggles[name]))
        self.toggles["Low"] = Gtk.RadioButton(label="Low")
        self.toggles["High"] = Gtk.RadioButton(label="High", group=self.toggles["Low"])
        rows.append(("Quality", _across(self.toggles["Low"], self.toggles["High"])))
        self.volume = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
        self.colour = Gtk.ComboBoxText()
        for name in ("Red", "Green", "Blue", "蓝色"):
            self.colour.append_text(name)
        self.colour.set_active(0)
        self.copies = Gtk.SpinButton.new_with_range(0, 99, 1)
        rows += [("Volume", self.volume), ("Colour", self.colour), ("Copies", self.copies)]
        buttons = [Gtk.Button(label=name) for name in ("Save", "Cancel", "保存")]
        for button in buttons:
            button.connect("clicked", lambda button: self._clicked(button.get_label()))
        self.more = Gtk.Expander(label="More options")
        self.more.add(Gtk.CheckButton(label="Verbose"))
        rows += [("", _across(*buttons)), ("Sketch", self._canvas()), ("", self.more)]
        for down, (name, part) in enumerate(rows):
            if name:
                part.get_accessible().set_name(name)
            grid.attach(Gtk.Label(label=name, xalign=1), 0, down, 1, 1)
            grid.attach(part, 1, down, 1, 1)
        return grid

    def _canvas(self) -> Gtk.DrawingArea:
        """A drawing with a heart on it: a button that only the eye can find."""
        canvas = Gtk.DrawingArea(width_request=120, height_request=60, halign=Gtk.Align.START)
        canvas.add_events(Gdk.EventMask.BUTTON_PRESS_MASK)
        canvas.connect("draw", _draw)
        canvas.connect("button-press-event", self._pressed)
        return canvas

    def _pressed(self, _canvas: Gtk.DrawingArea, event: Any) -> None:
        if max(abs(event.x - HEART[0]), abs(event.y - HEART[1])) <= HEART_RADIUS:
            self.told.clicks["heart"] += 1

    def _table(self, rows: int) -> Gtk.Widget:
        store = Gtk.ListStore(str, str, str, str)
        for row in range(rows):
            store.append([f"{name} {row + 1}" for name in COLUMNS])
        self.table = self._view(store, COLUMNS, 120)
        self.table.get_accessible().set_name("Files")
        return _scrolled(self.table)

    def _text(self) -> Gtk.Widget:
        self.texts["Notes"] = Gtk.TextView()
        self.texts["Notes"].get_accessible().set_name("Notes")
        return _scrolled(self.texts["Notes"])

    # -- the world's own word

    def state(self) -> dict[str, Any]:
        width, height = self.get_size()
        row = self.list.get_selected_row()
        return {
            "window": [width, height],
            "columns": {
                name: column.get_width() for name, column in zip(COLUMNS, self.table.get_columns(), strict=False)
            },
            "tree_columns": {"Folder": self.tree.get_column(0).get_width()},
            "splitters": {"main": self.main.get_position(), "side": self.side.get_position()},
            "texts": {name: _text_of(part) for name, part in self.texts.items()},
            "checked": {name: part.get_active() for name, part in self.toggles.items()},
            "chosen": {
                "tab": ("Form", "Table", "Text")[self.tabs.get_current_page()],
                "colour": self.colour.get_active_text(),
                "list": row.get_child().get_text() if row else None,
            },
            "volume": int(self.volume.get_value()),
            "more": self.more.get_expanded(),
            "copies": self.copies.get_value_as_int(),
        }


def _draw(_canvas: Gtk.DrawingArea, context: Any) -> None:
    context.set_source_rgb(1, 1, 1)
    context.paint()
    context.set_source_rgb(0.86, 0.08, 0.24)
    (x, y), r = HEART, HEART_RADIUS
    for side in (-1, 1):
        context.arc(x + side * r / 2, y - r / 3, r / 2, 0, 6.3)
        context.fill()
    context.move_to(x - r, y - r / 8)
    context.line_to(x + r, y - r / 8)
    context.line_to(x, y + r)
    context.fill()


def _across(*parts: Gtk.Widget) -> Gtk.Box:
    box = Gtk.Box(spacing=8)
    for part in parts:
        box.pack_start(part, False, False, 0)
    return box


def _scrolled(part: Gtk.Widget) -> Gtk.ScrolledWindow:
    window = Gtk.ScrolledWindow()
    window.add(part)
    return window


def _text_of(part: Any) -> str:
    if isinstance(part, Gtk.TextView):
        buffer = part.get_buffer()
        return buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True)
    return part.get_text()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--title", default="Handeye GTK bed")
    parser.add_argument("--tab", default="Form")
    parser.add_argument("--rtl", action="store_true")
    wanted = parser.parse_args()
    if wanted.rtl:
        Gtk.Widget.set_default_direction(Gtk.TextDirection.RTL)
    bed = Bed(wanted.title, wanted.rows)
    bed.show_all()
    bed.tabs.set_current_page(("Form", "Table", "Text").index(wanted.tab))
    Gtk.main()


if __name__ == "__main__":
    main()
