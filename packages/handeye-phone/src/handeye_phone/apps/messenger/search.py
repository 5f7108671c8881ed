"""The messenger's search: contacts first, then chat records."""

from __future__ import annotations

from functools import partial

from handeye.geometry import Box
from handeye_phone.apps.messenger import parts
from handeye_phone.apps.messenger.book import Contact, Message
from handeye_phone.drawing.scene import FillPaint, IconPaint, Node, Scroller, TextField
from handeye_phone.drawing.widgets import LayoutContext, RowBuilder


class SearchScreen:
    """A text field and grouped results that follow every character."""

    name = "search"

    def __init__(self, app: parts.Navigation) -> None:
        self._app = app
        self.query = TextField(hint="搜索", changed=self._changed)
        self.scroller = Scroller()

    def back(self) -> bool:
        return False

    def _changed(self) -> None:
        self.scroller.offset = 0.0

    def build(self, ui: LayoutContext) -> Node:
        bar = self._bar(ui)
        area = Box(0, bar.box.bottom, ui.size.width, max(bar.box.bottom, ui.body.bottom))
        return ui.page([ui.column(area, self.scroller, self._rows(ui), rid="results"), bar])

    def _bar(self, ui: LayoutContext) -> Node:
        theme = ui.theme
        box = Box(0, 0, ui.size.width, ui.top + ui.dp(parts.BAR_DP))
        cancel = Box(box.right - ui.dp(60), ui.top, box.right, box.bottom)
        shell = Box(ui.dp(10), ui.top + ui.dp(7), cancel.left, box.bottom - ui.dp(7))
        lens = Box(shell.left + ui.dp(6), shell.top, shell.left + ui.dp(32), shell.bottom)
        clear = Box(shell.right - ui.dp(38), shell.top, shell.right, shell.bottom)
        field = Box(lens.right, shell.top, clear.left, shell.bottom)
        kids = [
            Node(box=shell, paint=(FillPaint(theme.field, ui.dp(7)),), dumped=False),
            Node(box=lens, paint=(IconPaint("search", ui.dp(17), theme.faint),), dumped=False),
            ui.edit(field, self.query, 16, rid="search_input", inset=4),
            ui.button(cancel, "取消", self._app.pop, color=theme.link, size=15.5, rid="cancel", weight=400),
        ]
        if self.query.text:
            kids.append(
                ui.icon(
                    clear,
                    "close_circle",
                    18,
                    tint=theme.faint,
                    desc="清除",
                    rid="clear",
                    on_tap=lambda: self.query.replace(""),
                )
            )
        return Node(
            box=box,
            cls="android.view.ViewGroup",
            rid="search_bar",
            paint=(FillPaint(theme.bar),),
            kids=tuple(kids),
            block=True,
        )

    def _rows(self, ui: LayoutContext) -> list[tuple[int, RowBuilder]]:
        query = self.query.text
        if not query.strip():
            return [(ui.dp(130), lambda box: self._suggestions(ui, box))]
        contacts, records = self._app.book.search(query), self._app.book.search_messages(query)
        rows: list[tuple[int, RowBuilder]] = []
        if contacts:
            rows.append((ui.dp(38), lambda box: self._heading(ui, box, "联系人")))
            rows.extend((ui.dp(64), partial(self._contact, ui, c, query)) for c in contacts)
        if records:
            rows.append((ui.dp(8), lambda box: Node(box=box, dumped=False)))
            rows.append((ui.dp(38), lambda box: self._heading(ui, box, "聊天记录")))
            rows.extend((ui.dp(64), partial(self._record, ui, n, m)) for n, m in records)
        if not rows:
            rows.append((ui.dp(120), lambda box: self._nothing_found(ui, box, query)))
        return rows

    def _heading(self, ui: LayoutContext, box: Box, text: str) -> Node:
        return ui.text(box, text, 13, ui.theme.dim, inset=16, rid="group", paint=(FillPaint(ui.theme.surface),))

    def _contact(self, ui: LayoutContext, contact: Contact, query: str, box: Box) -> Node:
        side = ui.dp(44)
        picture = Box(ui.dp(16), box.center.y - side // 2, ui.dp(16) + side, box.center.y - side // 2 + side)
        left = picture.right + ui.dp(12)
        same = contact.name.casefold() == query.strip().casefold()
        color = ui.theme.accent if same else ui.theme.text
        kids = (
            parts.avatar(ui, picture, contact),
            ui.text(Box(left, box.top, box.right - ui.dp(16), box.bottom), contact.name, 16.5, color, rid="name"),
        )
        return parts.row(ui, box, kids, lambda: self._app.open_chat(contact.name), rid="result", line_from=left)

    def _record(self, ui: LayoutContext, name: str, message: Message, box: Box) -> Node:
        side = ui.dp(44)
        picture = Box(ui.dp(16), box.center.y - side // 2, ui.dp(16) + side, box.center.y - side // 2 + side)
        left, right = picture.right + ui.dp(12), box.right - ui.dp(16)
        kids = (
            parts.avatar(ui, picture, self._app.book.contact(name)),
            ui.text(Box(left, box.top + ui.dp(9), right, box.center.y + ui.dp(2)), name, 16, ui.theme.text, rid="name"),
            ui.text(
                Box(left, box.center.y + ui.dp(2), right, box.bottom - ui.dp(9)),
                message.text,
                13,
                ui.theme.dim,
                rid="record",
            ),
        )
        return parts.row(ui, box, kids, lambda: self._app.open_chat(name), rid="record_row", line_from=left)

    def _suggestions(self, ui: LayoutContext, box: Box) -> Node:
        words = ("朋友圈", "文章", "公众号", "小程序", "音乐", "表情")
        width = box.width // 3
        kids = [
            ui.text(
                Box(box.left, box.top + ui.dp(12), box.right, box.top + ui.dp(40)),
                "搜索指定内容",
                13,
                ui.theme.dim,
                align="center",
            )
        ]
        for index, word in enumerate(words):
            left, top = box.left + index % 3 * width, box.top + ui.dp(44) + index // 3 * ui.dp(40)
            kids.append(ui.text(Box(left, top, left + width, top + ui.dp(40)), word, 15, ui.theme.link, align="center"))
        return Node(box=box, cls="android.view.ViewGroup", kids=tuple(kids))

    def _nothing_found(self, ui: LayoutContext, box: Box, query: str) -> Node:
        return ui.text(box, f"无“{query.strip()}”相关结果", 15, ui.theme.dim, align="center", rid="empty", inset=24)
