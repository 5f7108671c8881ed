"""One chat: bubbles, the input bar, 发送."""

from __future__ import annotations

from functools import partial

from handeye import typeface
from handeye.geometry import Box
from handeye_phone.apps.messenger import parts
from handeye_phone.apps.messenger.book import Contact, Message
from handeye_phone.drawing.scene import FillPaint, IconPaint, Label, Node, Scroller, TextField
from handeye_phone.drawing.widgets import LayoutContext, RowBuilder

_ME = Contact("小手", "X", "xiaoshou", "#10aeff")
_TEXT_DP = 16.0
_MAX_INPUT_LINES = 4


class ChatScreen:
    """The chat with `contact`. The draft survives leaving the screen, as in a real messenger."""

    def __init__(self, app: parts.Navigation, contact: str, draft: TextField) -> None:
        self._app = app
        self.contact = contact
        self.draft = draft
        self.scroller = Scroller(pin_end=True)
        self.menu_for: tuple[int, Box] | None = None

    @property
    def name(self) -> str:
        return "chat"

    def back(self) -> bool:
        if self.menu_for is not None:
            self.menu_for = None
            return True
        return False

    def build(self, ui: LayoutContext) -> Node:
        bar = parts.title_bar(
            ui,
            self.contact,
            back=self._app.pop,
            actions=(("more", "聊天信息", "chat_info", lambda: self._app.open_card(self.contact)),),
        )
        input_bar = self._input_bar(ui)
        area = Box(0, bar.box.bottom, ui.size.width, max(bar.box.bottom, input_bar.box.top))
        rows: list[tuple[int, RowBuilder]] = [(ui.dp(8), lambda box: Node(box=box, dumped=False))]
        for index, message in enumerate(self._app.book.messages.get(self.contact, [])):
            if message.when:
                rows.append((ui.dp(36), partial(self._time, ui, message.when)))
            rows.append(self._bubble_row(ui, area.width, index, message))
        rows.append((ui.dp(8), lambda box: Node(box=box, dumped=False)))
        kids = [ui.column(area, self.scroller, rows, rid="messages"), bar, input_bar]
        kids.append(ui.divider(0, ui.size.width, bar.box.bottom))
        if self.menu_for is not None:
            kids.append(self._menu(ui, area, *self.menu_for))
        return ui.page(kids)

    def _time(self, ui: LayoutContext, when: str, box: Box) -> Node:
        return ui.text(box, when, 12, ui.theme.faint, rid="time", align="center")

    def _bubble_row(self, ui: LayoutContext, width: int, index: int, message: Message) -> tuple[int, RowBuilder]:
        px = ui.dp(_TEXT_DP)
        room = min(width - ui.dp(152), ui.dp(420))
        lines = tuple(typeface.wrap(message.text, px, room)) or ("",)
        step = round(px * 1.42)
        height = max(ui.dp(40), step * len(lines) + ui.dp(18))
        text_width = max(int(typeface.width(line, px)) for line in lines) + 1

        def build(box: Box) -> Node:
            return self._bubble(ui, box, index, message, lines, step, height, text_width)

        return height + ui.dp(16), build

    def _bubble(
        self,
        ui: LayoutContext,
        box: Box,
        index: int,
        message: Message,
        lines: tuple[str, ...],
        step: int,
        height: int,
        text_width: int,
    ) -> Node:
        mine = message.sender == "me"
        theme, side, top = ui.theme, ui.dp(40), box.top + ui.dp(8)
        if mine:
            picture = Box(box.right - ui.dp(12) - side, top, box.right - ui.dp(12), top + side)
            right = picture.left - ui.dp(10)
            bubble = Box(right - text_width - ui.dp(24), top, right, top + height)
            who, color, ink = _ME, theme.bubble, theme.on_bubble
        else:
            picture = Box(box.left + ui.dp(12), top, box.left + ui.dp(12) + side, top + side)
            left = picture.right + ui.dp(10)
            bubble = Box(left, top, left + text_width + ui.dp(24), top + height)
            who, color, ink = self._app.book.contact(self.contact), theme.other, theme.text
        size = ui.dp(10)
        edge = bubble.right if mine else bubble.left - size
        corner = Box(edge, top + ui.dp(15), edge + size, top + ui.dp(15) + size)
        label = Label(lines, ui.dp(_TEXT_DP), ink, line_height=step, inset=ui.dp(12))
        text = Node(
            box=bubble,
            cls="android.widget.TextView",
            rid="message",
            text=message.text,
            paint=(FillPaint(color, ui.dp(8)), label),
            on_long=lambda: self._open_menu(index, bubble),
            on_double=lambda: self._app.open_text(message.text),
        )
        tip = Node(box=corner, paint=(IconPaint("tail_right" if mine else "tail_left", size, color),), dumped=False)
        return Node(
            box=box,
            cls="android.widget.RelativeLayout",
            rid="mine" if mine else "theirs",
            kids=(parts.avatar(ui, picture, who), tip, text),
        )

    def _input_bar(self, ui: LayoutContext) -> Node:
        theme = ui.theme
        bottom, side = ui.body.bottom, ui.dp(44)
        filled = bool(self.draft.text.strip())
        right_width = ui.dp(72) if filled else side
        left = ui.dp(4) + side
        right = ui.size.width - ui.dp(6) - right_width - side
        step = round(ui.dp(_TEXT_DP) * 1.35)
        wide = max(ui.dp(_TEXT_DP), right - left - ui.dp(20))
        lines = min(_MAX_INPUT_LINES, len(typeface.wrap_spans(self.draft.text, ui.dp(_TEXT_DP), wide)))
        height = ui.dp(58) + step * (max(1, lines) - 1)
        # A keyboard in landscape leaves little room: the list above keeps at least one line.
        height = min(height, max(ui.dp(58), ui.body.height - ui.dp(parts.BAR_DP)))
        box = Box(0, bottom - height, ui.size.width, ui.size.height)
        field = Box(left, box.top + ui.dp(9), right, bottom - ui.dp(9))
        low = Box(0, bottom - ui.dp(58), 0, bottom)

        def cell(x: int, width: int) -> Box:
            return Box(x, low.top, x + width, low.bottom)

        kids = [
            ui.divider(0, ui.size.width, box.top),
            ui.icon(
                cell(ui.dp(2), side), "voice", 28, tint=theme.text, desc="切换到按住说话", rid="voice", on_tap=_no_op
            ),
            ui.edit(field, self.draft, _TEXT_DP, rid="input", paint=(FillPaint(theme.field, ui.dp(6)),)),
            ui.icon(cell(right, side), "smile", 28, tint=theme.text, desc="表情", rid="emoji", on_tap=_no_op),
        ]
        if filled:
            send = Box(right + side, low.top + ui.dp(11), right + side + right_width, low.bottom - ui.dp(11))
            kids.append(ui.button(send, "发送", self._send, fill=theme.accent, color=theme.on_accent, rid="send"))
        else:
            kids.append(
                ui.icon(
                    cell(right + side, side),
                    "plus_circle",
                    28,
                    tint=theme.text,
                    desc="更多功能按钮，已折叠",
                    rid="more",
                    on_tap=_no_op,
                )
            )
        return Node(
            box=box,
            cls="android.widget.LinearLayout",
            rid="input_bar",
            paint=(FillPaint(theme.bar),),
            kids=tuple(kids),
            block=True,
        )

    def _send(self) -> None:
        text = self.draft.text
        if text.strip():
            self._app.send(self.contact, text)
            self.draft.replace("")
            self.scroller.offset = self.scroller.limit

    def _open_menu(self, index: int, box: Box) -> None:
        self.menu_for = (index, box)

    def _menu(self, ui: LayoutContext, area: Box, index: int, bubble: Box) -> Node:
        entries = (("复制", self._close_menu), ("转发", self._close_menu), ("删除", lambda: self._delete(index)))
        width, height = ui.dp(64), ui.dp(46)
        left = min(
            max(ui.dp(8), bubble.center.x - width * len(entries) // 2), area.right - width * len(entries) - ui.dp(8)
        )
        top = bubble.top - height - ui.dp(6)
        if top < area.top:
            top = min(bubble.bottom + ui.dp(6), area.bottom - height)
        kids = []
        for number, (label, action) in enumerate(entries):
            box = Box(left + number * width, top, left + (number + 1) * width, top + height)
            kids.append(ui.button(box, label, action, color="#ffffff", size=14, weight=400))
        card = ui.card(Box(left, top, left + width * len(entries), top + height), kids, radius=8, fill="#4c4c4c")
        return Node(box=ui.screen, kids=(card,), on_tap=self._close_menu, rid="menu_outside")

    def _close_menu(self) -> None:
        self.menu_for = None

    def _delete(self, index: int) -> None:
        self._app.book.delete(self.contact, index)
        self.menu_for = None


def _no_op() -> None:
    """Ignore taps on voice, emoji and attachments, which are only drawn."""
