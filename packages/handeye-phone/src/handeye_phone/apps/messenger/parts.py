"""Pieces that several screens of the messenger share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from handeye.geometry import Box
from handeye_phone.apps.messenger.book import Contact, ContactBook
from handeye_phone.drawing.scene import FillPaint, IconPaint, Label, Node, TapHandler
from handeye_phone.drawing.widgets import LayoutContext

BAR_DP = 52


class Navigation(Protocol):
    """The messenger, as far as its screens need it: its contacts, and the way to other screens."""

    @property
    def book(self) -> ContactBook: ...
    def send(self, name: str, text: str) -> None: ...
    def open_search(self) -> None: ...
    def open_chat(self, name: str) -> None: ...
    def open_card(self, name: str) -> None: ...
    def open_plain(self, title: str) -> None: ...
    def open_text(self, words: str) -> None: ...
    def pop(self) -> None: ...


def avatar(ui: LayoutContext, box: Box, contact: Contact, *, rid: str = "avatar") -> Node:
    """Return the contact's coloured square with its last character, or an icon for a service."""
    fill = FillPaint(contact.color, ui.dp(6))
    if contact.name == "文件传输助手":
        kids = (Node(box=box, paint=(IconPaint("folder", round(box.width * 0.58), "#ffffff"),), dumped=False),)
    else:
        letter = contact.name[-1] if not contact.name.isascii() and contact.initial != "D" else contact.name[0]
        label = Label((letter,), round(box.width * 0.44), "#ffffff", "center", 500)
        kids = (Node(box=box, paint=(label,), dumped=False),)
    return Node(box=box, cls="android.widget.ImageView", rid=rid, paint=(fill,), kids=kids, desc=f"{contact.name}头像")


def badge(ui: LayoutContext, x: int, y: int, count: int) -> Node:
    """Return the red badge with the number of unread messages, centred at (x, y)."""
    text, radius = str(count) if count < 100 else "99+", ui.dp(9)
    half = radius if len(text) < 2 else ui.dp(7 + 4 * len(text))
    box = Box(x - half, y - radius, x + half, y + radius)
    paint = (FillPaint(ui.theme.badge, radius), Label((text,), ui.dp(12), "#ffffff", "center", 500))
    return Node(box=box, cls="android.widget.TextView", rid="unread", text=text, paint=paint)


def title_bar(
    ui: LayoutContext,
    title: str,
    *,
    back: TapHandler | None = None,
    actions: Sequence[tuple[str, str, str, TapHandler]] = (),
) -> Node:
    """Return the bar below the status bar. `actions` are (icon, description, resource-id, handler), right to left."""
    height = ui.dp(BAR_DP)
    box = Box(0, 0, ui.size.width, ui.top + height)
    row = Box(0, ui.top, ui.size.width, box.bottom)
    side = ui.dp(48)
    kids = []
    reserved = side * max(1 if back else 0, len(actions)) + ui.dp(4)
    middle = Box(reserved, row.top, row.right - reserved, row.bottom)
    kids.append(ui.text(middle, title, 17, ui.theme.text, rid="title", align="center", weight=500))
    if back is not None:
        kids.append(
            ui.icon(
                Box(0, row.top, side, row.bottom), "back", 20, tint=ui.theme.text, desc="返回", rid="back", on_tap=back
            )
        )
    for index, (icon, desc, rid, handler) in enumerate(actions):
        right = row.right - ui.dp(4) - index * side
        place = Box(right - side, row.top, right, row.bottom)
        kids.append(ui.icon(place, icon, 22, tint=ui.theme.text, desc=desc, rid=rid, on_tap=handler))
    return Node(
        box=box, cls="android.view.ViewGroup", rid="action_bar", paint=(FillPaint(ui.theme.bar),), kids=tuple(kids)
    )


def row(
    ui: LayoutContext,
    box: Box,
    kids: Sequence[Node],
    on_tap: Callable[[], None] | None,
    *,
    rid: str = "row",
    line_from: int | None = None,
    on_long: Callable[[], None] | None = None,
) -> Node:
    """Return a list row with a hairline below it that starts at `line_from`."""
    line = () if line_from is None else (ui.divider(line_from, box.right, box.bottom - max(1, ui.dp(0.6))),)
    return Node(
        box=box,
        cls="android.widget.LinearLayout",
        rid=rid,
        paint=(FillPaint(ui.theme.surface),),
        kids=(*kids, *line),
        on_tap=on_tap,
        on_long=on_long,
    )


def icon_row(
    ui: LayoutContext,
    box: Box,
    icon: str,
    color: str,
    text: str,
    on_tap: Callable[[], None] | None,
    *,
    line: bool = True,
) -> Node:
    """Return a row of a menu page: coloured glyph, label, chevron."""
    left = box.left + ui.dp(16)
    glyph = Box(left, box.top, left + ui.dp(24), box.bottom)
    words = Box(glyph.right + ui.dp(16), box.top, box.right - ui.dp(40), box.bottom)
    arrow = Box(box.right - ui.dp(36), box.top, box.right - ui.dp(12), box.bottom)
    kids = (
        ui.icon(glyph, icon, 22, tint=color),
        ui.text(words, text, 16, ui.theme.text),
        Node(box=arrow, paint=(IconPaint("chevron", ui.dp(14), ui.theme.faint),), dumped=False),
    )
    return row(ui, box, kids, on_tap, line_from=words.left if line else None)
