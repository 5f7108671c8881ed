"""The messenger's four tabs: chats, contacts, discover, me."""

from __future__ import annotations

from functools import partial
from typing import Final

from handeye.geometry import Box
from handeye_phone.apps.messenger import parts
from handeye_phone.apps.messenger.book import Contact
from handeye_phone.drawing.scene import FillPaint, IconPaint, Node, Scroller
from handeye_phone.drawing.widgets import LayoutContext, RowBuilder

TABS: Final = (
    ("微信", "tab_chat", "chats"),
    ("通讯录", "tab_contacts", "contacts"),
    ("发现", "tab_discover", "discover"),
    ("我", "tab_me", "me"),
)
_DISCOVER: Final = (
    ("朋友圈", "shutter", "#4a90e2"),
    ("扫一扫", "scan", "#4a90e2"),
    ("听一听", "volume", "#e8704a"),
    ("看一看", "star", "#f0b429"),
    ("附近", "location", "#3b82f6"),
    ("小程序", "apps", "#7a6ff0"),
)
_ME: Final = (
    ("服务", "check", "#07c160"),
    ("收藏", "star", "#f0b429"),
    ("朋友圈", "shutter", "#4a90e2"),
    ("卡包", "tag", "#3b82f6"),
    ("表情", "smile", "#f0b429"),
    ("设置", "info", "#4a90e2"),
)
_TOP_ENTRIES: Final = (("新的朋友", "person", "#fa9d3b"), ("群聊", "group", "#07c160"), ("标签", "tag", "#2782d7"))
TAB_BAR_DP: Final = 56


class HomeScreen:
    """The first screen. `tab` is an index of TABS."""

    def __init__(self, app: parts.Navigation) -> None:
        self._app = app
        self.tab = 0
        self.scrollers = [Scroller() for _ in TABS]
        self.menu_open = False

    @property
    def name(self) -> str:
        return TABS[self.tab][2]

    def back(self) -> bool:
        if self.menu_open:
            self.menu_open = False
            return True
        return False

    def build(self, ui: LayoutContext) -> Node:
        title = TABS[self.tab][0] if self.tab != 3 else "我"
        unread = sum(self._app.book.unread.values())
        if self.tab == 0 and unread:
            title = f"微信({unread})"
        bar = parts.title_bar(
            ui,
            title,
            actions=(
                ("plus_circle", "更多功能按钮", "more", self._toggle_menu),
                ("search", "搜索", "search", self._app.open_search),
            ),
        )
        tabs = self._tab_bar(ui)
        area = Box(0, bar.box.bottom, ui.size.width, max(bar.box.bottom, tabs.box.top))
        rows = (self._chats, self._contacts, self._discover, self._me)[self.tab](ui)
        kids = [ui.column(area, self.scrollers[self.tab], rows), bar, tabs]
        if self.tab == 1:
            kids.append(self._letters(ui, area))
        if self.menu_open:
            kids.append(self._menu(ui, bar.box.bottom))
        return ui.page(kids)

    def _toggle_menu(self) -> None:
        self.menu_open = not self.menu_open

    def _select(self, tab: int) -> None:
        self.tab, self.menu_open = tab, False

    def _tab_bar(self, ui: LayoutContext) -> Node:
        height = ui.dp(TAB_BAR_DP if not ui.landscape else 46)
        bottom = ui.body.bottom
        box = Box(0, bottom - height, ui.size.width, ui.size.height)
        width = ui.size.width // len(TABS)
        tabs = []
        for index, (label, icon, _) in enumerate(TABS):
            cell = Box(index * width, box.top, index * width + width, bottom)
            chosen = index == self.tab
            color = ui.theme.accent if chosen else ui.theme.dim
            picture = Box(cell.left, cell.top + ui.dp(5), cell.right, cell.bottom - ui.dp(20))
            words = Box(cell.left, cell.bottom - ui.dp(20), cell.right, cell.bottom - ui.dp(3))
            kids = [
                Node(box=picture, paint=(IconPaint(icon, min(ui.dp(25), picture.height), color),), dumped=False),
                ui.text(words, label, 11, color, rid="tab_label", align="center"),
            ]
            unread = sum(self._app.book.unread.values())
            if index == 0 and unread:
                kids.append(parts.badge(ui, cell.center.x + ui.dp(15), cell.top + ui.dp(11), unread))
            tabs.append(
                Node(
                    box=cell,
                    cls="android.widget.RelativeLayout",
                    rid=f"tab_{index}",
                    desc=label,
                    kids=tuple(kids),
                    selected=chosen,
                    on_tap=partial(self._select, index),
                )
            )
        tabs.append(ui.divider(0, ui.size.width, box.top))
        return Node(
            box=box,
            cls="android.view.ViewGroup",
            rid="tabs",
            paint=(FillPaint(ui.theme.bar),),
            kids=tuple(tabs),
            block=True,
        )

    def _chats(self, ui: LayoutContext) -> list[tuple[int, RowBuilder]]:
        return [(ui.dp(72), partial(self._chat_row, ui, name)) for name in self._app.book.chats()]

    def _chat_row(self, ui: LayoutContext, name: str, box: Box) -> Node:
        book, theme = self._app.book, ui.theme
        said = book.messages.get(name, [])
        side = ui.dp(48)
        picture = Box(ui.dp(16), box.top + ui.dp(12), ui.dp(16) + side, box.top + ui.dp(12) + side)
        left, right = picture.right + ui.dp(12), box.right - ui.dp(16)
        when = next((m.when for m in reversed(said) if m.when), "")
        half = box.top + ui.dp(37)
        kids = [
            parts.avatar(ui, picture, book.contact(name)),
            ui.text(Box(left, box.top + ui.dp(13), right - ui.dp(80), half), name, 16.5, theme.text, rid="name"),
            ui.text(
                Box(right - ui.dp(78), box.top + ui.dp(13), right, half),
                when,
                12,
                theme.faint,
                rid="time",
                align="right",
            ),
            ui.text(
                Box(left, half, right, box.bottom - ui.dp(11)),
                said[-1].text if said else "",
                13.5,
                theme.dim,
                rid="last",
            ),
        ]
        if book.unread.get(name):
            kids.append(parts.badge(ui, picture.right - ui.dp(1), picture.top + ui.dp(1), book.unread[name]))
        return parts.row(ui, box, kids, lambda: self._app.open_chat(name), rid="chat", line_from=left)

    def _contacts(self, ui: LayoutContext) -> list[tuple[int, RowBuilder]]:
        rows: list[tuple[int, RowBuilder]] = []
        for label, icon, color in _TOP_ENTRIES:
            rows.append((ui.dp(58), partial(self._entry, ui, label, icon, color)))
        initial = ""
        for contact in self._app.book.contacts:
            if contact.initial != initial:
                initial = contact.initial
                rows.append((ui.dp(30), partial(self._letter_row, ui, initial)))
            rows.append((ui.dp(58), partial(self._contact_row, ui, contact)))
        count = len(self._app.book.contacts)
        rows.append(
            (
                ui.dp(56),
                lambda box: ui.text(box, f"{count} 个朋友", 14, ui.theme.dim, align="center", rid="count"),
            )
        )
        return rows

    def _entry(self, ui: LayoutContext, label: str, icon: str, color: str, box: Box) -> Node:
        side = ui.dp(40)
        picture = Box(ui.dp(16), box.top + ui.dp(9), ui.dp(16) + side, box.top + ui.dp(9) + side)
        left = picture.right + ui.dp(12)
        kids = (
            Node(
                box=picture,
                cls="android.widget.ImageView",
                paint=(FillPaint(color, ui.dp(6)), IconPaint(icon, ui.dp(24), "#ffffff")),
            ),
            ui.text(Box(left, box.top, box.right - ui.dp(40), box.bottom), label, 16, ui.theme.text, rid="name"),
        )
        return parts.row(ui, box, kids, lambda: self._app.open_plain(label), line_from=left)

    def _letter_row(self, ui: LayoutContext, letter: str, box: Box) -> Node:
        return ui.text(box, letter, 12.5, ui.theme.dim, rid="initial", inset=16)

    def _contact_row(self, ui: LayoutContext, contact: Contact, box: Box) -> Node:
        side = ui.dp(40)
        picture = Box(ui.dp(16), box.top + ui.dp(9), ui.dp(16) + side, box.top + ui.dp(9) + side)
        left = picture.right + ui.dp(12)
        kids = (
            parts.avatar(ui, picture, contact),
            ui.text(Box(left, box.top, box.right - ui.dp(40), box.bottom), contact.name, 16, ui.theme.text, rid="name"),
        )
        return parts.row(ui, box, kids, lambda: self._app.open_card(contact.name), rid="contact", line_from=left)

    def _letters(self, ui: LayoutContext, area: Box) -> Node:
        letters = sorted({contact.initial for contact in self._app.book.contacts})
        step = min(ui.dp(16), area.height // max(1, len(letters)))
        top = area.center.y - step * len(letters) // 2
        kids = []
        for index, letter in enumerate(letters):
            box = Box(area.right - ui.dp(22), top + index * step, area.right - ui.dp(4), top + (index + 1) * step)
            kids.append(
                ui.text(box, letter, 10.5, ui.theme.dim, align="center", on_tap=partial(self._jump, ui, letter))
            )
        box = Box(area.right - ui.dp(22), top, area.right - ui.dp(4), top + step * len(letters))
        return Node(box=box, cls="android.view.View", rid="index", kids=tuple(kids))

    def _jump(self, ui: LayoutContext, letter: str) -> None:
        offset = len(_TOP_ENTRIES) * ui.dp(58)
        initial = ""
        for contact in self._app.book.contacts:
            if contact.initial == letter:
                break
            offset += ui.dp(58) + (ui.dp(30) if contact.initial != initial else 0)
            initial = contact.initial
        self.scrollers[1].offset = float(offset)

    def _discover(self, ui: LayoutContext) -> list[tuple[int, RowBuilder]]:
        return self._menu_rows(ui, _DISCOVER, gap_after=(0, 1, 3, 4))

    def _me(self, ui: LayoutContext) -> list[tuple[int, RowBuilder]]:
        return [(ui.dp(112), lambda box: self._profile(ui, box)), *self._menu_rows(ui, _ME, gap_after=(0, 4))]

    def _menu_rows(
        self, ui: LayoutContext, entries: tuple[tuple[str, str, str], ...], gap_after: tuple[int, ...]
    ) -> list[tuple[int, RowBuilder]]:
        rows: list[tuple[int, RowBuilder]] = [(ui.dp(8), lambda box: Node(box=box, dumped=False))]
        for index, (label, icon, color) in enumerate(entries):

            def build(box: Box, label: str = label, icon: str = icon, color: str = color) -> Node:
                return parts.icon_row(ui, box, icon, color, label, lambda: self._app.open_plain(label))

            rows.append((ui.dp(56), build))
            if index in gap_after:
                rows.append((ui.dp(8), lambda box: Node(box=box, dumped=False)))
        return rows

    def _profile(self, ui: LayoutContext, box: Box) -> Node:
        side = ui.dp(62)
        picture = Box(ui.dp(24), box.center.y - side // 2, ui.dp(24) + side, box.center.y - side // 2 + side)
        left = picture.right + ui.dp(18)
        kids = (
            parts.avatar(ui, picture, Contact("小手", "X", "xiaoshou", "#10aeff")),
            ui.text(Box(left, picture.top, box.right, box.center.y + ui.dp(2)), "小手", 20, ui.theme.text, weight=500),
            ui.text(Box(left, box.center.y, box.right, picture.bottom), "微信号：handeye_001", 14, ui.theme.dim),
        )
        return parts.row(ui, box, kids, None, rid="profile")

    def _menu(self, ui: LayoutContext, top: int) -> Node:
        entries = (
            ("发起群聊", "tab_chat"),
            ("添加朋友", "person"),
            ("扫一扫", "scan"),
            ("收付款", "tag"),
        )
        height, width = ui.dp(52), ui.dp(160)
        right = ui.size.width - ui.dp(10)
        box = Box(right - width, top + ui.dp(2), right, top + ui.dp(2) + height * len(entries))
        kids = []
        for index, (label, icon) in enumerate(entries):
            line = Box(box.left, box.top + index * height, box.right, box.top + (index + 1) * height)
            glyph = Box(line.left + ui.dp(14), line.top, line.left + ui.dp(40), line.bottom)
            kids.append(
                Node(
                    box=line,
                    cls="android.widget.LinearLayout",
                    on_tap=partial(self._app.open_plain, label),
                    kids=(
                        ui.icon(glyph, icon, 20, tint="#ffffff"),
                        ui.text(
                            Box(glyph.right + ui.dp(12), line.top, line.right, line.bottom), label, 15.5, "#ffffff"
                        ),
                    ),
                )
            )
        card = ui.card(box, kids, radius=8, fill="#4c4c4c")
        return Node(box=ui.screen, kids=(card,), on_tap=self._toggle_menu, rid="menu_outside")
