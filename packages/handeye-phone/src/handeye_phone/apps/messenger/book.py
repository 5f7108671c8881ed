"""The messenger's contacts and messages: the part of the phone's state that tests check."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Contact:
    """A person or service. `initial` is the letter it is filed under; `color` is its avatar's."""

    name: str
    initial: str
    pinyin: str
    color: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `sender` is `me` or the contact's name. `when` is the time shown above it, may be empty."""

    sender: str
    text: str
    when: str = ""


# Similar names are neighbours in the index, as on a real phone.
CONTACTS: Final = (
    Contact("Alice", "A", "alice", "#f08a5d"),
    Contact("Bob", "B", "bob", "#4d80e4"),
    Contact("陈晨", "C", "chenchen", "#3dc7be"),
    Contact("Carol", "C", "carol", "#b8629b"),
    Contact("David Müller", "D", "david", "#5c7cfa"),
    Contact("韩梅梅", "H", "hanmeimei", "#ff7096"),
    Contact("黄丽", "H", "huangli", "#f4a340"),
    Contact("李雷", "L", "lilei", "#2f9e8f"),
    Contact("李磊", "L", "lilei", "#8a6fdf"),
    Contact("刘洋", "L", "liuyang", "#e05780"),
    Contact("妈妈", "M", "mama", "#ef6f6c"),
    Contact("王小明", "W", "wangxiaoming", "#5aa469"),
    Contact("王晓明", "W", "wangxiaoming", "#3a86c8"),
    Contact("文件传输助手", "W", "wenjianchuanshuzhushou", "#2aae67"),
    Contact("张三", "Z", "zhangsan", "#4f7cff"),
    Contact("张三丰", "Z", "zhangsanfeng", "#7a5af8"),
    Contact("章三", "Z", "zhangsan", "#f2766b"),
    Contact("赵敏", "Z", "zhaomin", "#d1603d"),
)

# (contact, unread, messages): oldest first, as the chat shows them.
HISTORY: Final[tuple[tuple[str, int, tuple[Message, ...]], ...]] = (
    ("文件传输助手", 0, (Message("me", "会议纪要.docx", "昨天 21:07"),)),
    (
        "妈妈",
        2,
        (
            Message("me", "周末我回家", "昨天 19:30"),
            Message("妈妈", "好的，想吃什么？"),
            Message("妈妈", "记得带件厚衣服"),
        ),
    ),
    (
        "王小明",
        0,
        (
            Message("王小明", "明天下午的会改到三点了", "08:12"),
            Message("me", "收到，谢谢！"),
            Message("王小明", "会议室也换了，在二楼东侧的小会议室，投影需要提前十分钟去开。"),
            Message("me", "好，我去开"),
            Message("王小明", "👍"),
        ),
    ),
    (
        "Alice",
        1,
        (Message("me", "Are we still on for Friday?", "周四 18:20"), Message("Alice", "Sure, see you at 7 😊")),
    ),
    ("李雷", 0, (Message("李雷", "书我放你桌上了", "周四 10:02"), Message("me", "太好了"))),
    ("韩梅梅", 0, (Message("韩梅梅", "照片发我一份呗", "周三 22:41"), Message("me", "晚点发你"))),
    ("张三丰", 0, (Message("张三丰", "早起打太极吗？", "周三 05:58"),)),
    ("章三", 0, (Message("章三", "快递到了吗", "周二 16:30"), Message("me", "到了，谢谢"))),
    ("陈晨", 0, (Message("陈晨", "【转账】请确认收款", "周二 12:11"),)),
    ("David Müller", 0, (Message("David Müller", "Grüße aus Köln!", "周一 09:45"),)),
)


@dataclass(slots=True)
class ContactBook:
    """Contacts, messages and the order of the chat list."""

    messages: dict[str, list[Message]] = field(default_factory=dict)
    unread: dict[str, int] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    hidden: frozenset[str] = frozenset()
    sent: dict[str, list[str]] = field(default_factory=dict)  # messages that the phone's owner sent in this session

    @classmethod
    def with_history(cls) -> ContactBook:
        book = cls()
        for name, unread, messages in HISTORY:
            book.messages[name] = list(messages)
            book.order.append(name)
            if unread:
                book.unread[name] = unread
        return book

    @property
    def contacts(self) -> list[Contact]:
        """All contacts that are not removed, in index order."""
        return [contact for contact in CONTACTS if contact.name not in self.hidden]

    def contact(self, name: str) -> Contact:
        """Return the contact of this name. Raises KeyError."""
        for contact in CONTACTS:
            if contact.name == name:
                return contact
        raise KeyError(name)

    def chats(self) -> list[str]:
        """Names in the chat list, latest first."""
        return [name for name in self.order if name not in self.hidden]

    def search(self, query: str) -> list[Contact]:
        """Return contacts whose name or romanisation contains the query: prefix matches first, then shorter names."""
        wanted = query.strip().casefold()
        if not wanted:
            return []
        found = [c for c in self.contacts if wanted in c.name.casefold() or wanted in c.pinyin]
        return sorted(found, key=lambda c: (not c.name.casefold().startswith(wanted), len(c.name)))

    def search_messages(self, query: str) -> list[tuple[str, Message]]:
        """Return messages that contain the query, as (contact, message)."""
        wanted = query.strip().casefold()
        if not wanted:
            return []
        return [
            (name, message)
            for name in self.chats()
            for message in self.messages.get(name, [])
            if wanted in message.text.casefold()
        ]

    def send(self, name: str, text: str, when: str) -> None:
        """Add a message of the phone's owner and move the chat to the top."""
        self.messages.setdefault(name, []).append(Message("me", text, when))
        self.sent.setdefault(name, []).append(text)
        if name in self.order:
            self.order.remove(name)
        self.order.insert(0, name)

    def delete(self, name: str, index: int) -> None:
        """Remove one message from a chat."""
        del self.messages[name][index]
