"""The messenger's screens as a stack, and the disturbances that come with opening it."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from handeye.geometry import Box
from handeye_phone.apps.base import App, Host, spinner
from handeye_phone.apps.messenger import parts
from handeye_phone.apps.messenger.book import ContactBook
from handeye_phone.apps.messenger.chat import ChatScreen
from handeye_phone.apps.messenger.home import HomeScreen
from handeye_phone.apps.messenger.search import SearchScreen
from handeye_phone.drawing.scene import Node, TextField
from handeye_phone.drawing.widgets import LayoutContext
from handeye_phone.system.intent import Intent


class Screen(Protocol):
    """One screen of the stack."""

    @property
    def name(self) -> str: ...
    def build(self, ui: LayoutContext) -> Node: ...
    def back(self) -> bool: ...


class PlainScreen:
    """A page with a title and one line: for entries that lead nowhere on this phone."""

    def __init__(self, app: Messenger, title: str, words: str) -> None:
        self._app, self._title, self._words = app, title, words

    @property
    def name(self) -> str:
        return "plain"

    def back(self) -> bool:
        return False

    def build(self, ui: LayoutContext) -> Node:
        box = Box(0, ui.body.center.y - ui.dp(20), ui.size.width, ui.body.center.y + ui.dp(20))
        words = ui.text(box, self._words, 15, ui.theme.dim, align="center")
        return ui.page([words, parts.title_bar(ui, self._title, back=self._app.pop)])


class TextScreen:
    """One message on a full page, opened by a double tap; a tap goes back."""

    name = "text"

    def __init__(self, app: Messenger, words: str) -> None:
        self._app, self._words = app, words

    def back(self) -> bool:
        return False

    def build(self, ui: LayoutContext) -> Node:
        words = ui.text(ui.body, self._words, 28, ui.theme.text, align="center", rid="full_text")
        page = ui.page([words])
        return replace(page, on_tap=self._app.pop)


class CardScreen:
    """A contact's page with 发消息."""

    name = "card"

    def __init__(self, app: Messenger, contact: str) -> None:
        self._app, self.contact = app, contact

    def back(self) -> bool:
        return False

    def build(self, ui: LayoutContext) -> Node:
        contact = self._app.book.contact(self.contact)
        top = ui.top + ui.dp(parts.BAR_DP)
        head = Box(0, top, ui.size.width, top + ui.dp(104))
        side = ui.dp(64)
        picture = Box(ui.dp(20), head.top + ui.dp(16), ui.dp(20) + side, head.top + ui.dp(16) + side)
        left = picture.right + ui.dp(16)
        profile = parts.row(
            ui,
            head,
            (
                parts.avatar(ui, picture, contact),
                ui.text(
                    Box(left, picture.top, head.right, picture.top + ui.dp(34)),
                    contact.name,
                    20,
                    ui.theme.text,
                    weight=500,
                    rid="name",
                ),
                ui.text(
                    Box(left, picture.top + ui.dp(34), head.right, picture.bottom),
                    f"微信号：{contact.pinyin}",
                    14,
                    ui.theme.dim,
                ),
            ),
            None,
        )
        button = Box(0, head.bottom + ui.dp(10), ui.size.width, head.bottom + ui.dp(64))
        message = parts.row(
            ui,
            button,
            (ui.text(button, "发消息", 16.5, ui.theme.link, align="center", weight=500),),
            lambda: self._app.open_chat(self.contact),
            rid="message_button",
        )
        return ui.page([profile, message, parts.title_bar(ui, "", back=self._app.pop)])


class Messenger(App):
    package = "com.tencent.mm"
    label = "微信"
    activity = ".ui.LauncherUI"
    icon = "wechat"
    version = "8.0.50"
    system = False

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.book = ContactBook.with_history()
        self.drafts: dict[str, TextField] = {}
        self.stack: list[Screen] = [HomeScreen(self)]

    # ---- navigation

    def open_search(self) -> None:
        screen = SearchScreen(self)
        self.stack.append(screen)
        self.host.set_focus(screen.query)

    def open_chat(self, name: str) -> None:
        """Show the chat and drop the other screens above the first one, as the real messenger does."""
        draft = self.drafts.setdefault(name, TextField(multiline=True))
        self.book.unread.pop(name, None)
        if self.stack and isinstance(self.stack[-1], CardScreen):
            self.stack.pop()
        if not (isinstance(self.stack[-1], ChatScreen) and self.stack[-1].contact == name):
            self.stack.append(ChatScreen(self, name, draft))
        self.host.set_focus(None)
        self.load()

    def open_card(self, name: str) -> None:
        self.stack.append(CardScreen(self, name))
        self.host.set_focus(None)

    def open_plain(self, title: str) -> None:
        self.stack[0].back()
        self.stack.append(PlainScreen(self, title, "这里什么都没有"))
        self.host.set_focus(None)

    def open_text(self, words: str) -> None:
        """Show one message on a full page."""
        self.stack.append(TextScreen(self, words))
        self.host.set_focus(None)

    def pop(self) -> None:
        if len(self.stack) > 1:
            self.stack.pop()
            self.host.set_focus(None)

    def back(self) -> bool:
        if self.stack[-1].back():
            return True
        if len(self.stack) > 1:
            self.pop()
            return True
        return False

    def opened(self, intent: Intent | None, fresh: bool) -> None:
        if fresh:
            self.stack = [HomeScreen(self)]
        self.load()

    def clear_data(self) -> None:
        earlier, self.book = self.book, ContactBook.with_history()
        self.book.hidden, self.book.sent = earlier.hidden, earlier.sent
        self.drafts = {}
        self.stack = [HomeScreen(self)]

    def screen_name(self) -> str:
        return self.stack[-1].name

    # ---- contents

    @property
    def chat(self) -> str | None:
        """Contact whose chat is open, or None."""
        top = self.stack[-1]
        return top.contact if isinstance(top, ChatScreen) else None

    @property
    def query(self) -> str:
        top = self.stack[-1]
        return top.query.text if isinstance(top, SearchScreen) else ""

    def send(self, name: str, text: str) -> None:
        self.book.send(name, text, self.host.wall_clock())

    def build(self, ui: LayoutContext) -> Node:
        if self.loading:
            return spinner(ui, self.host)
        return self.stack[-1].build(ui)
