"""What is asked of accessible objects: method calls and properties of D-Bus."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from dbus_fast import Message, MessageType, Variant

ACCESSIBLE: Final = "org.a11y.atspi.Accessible"
APPLICATION: Final = "org.a11y.atspi.Application"
COMPONENT: Final = "org.a11y.atspi.Component"
PROPERTIES: Final = "org.freedesktop.DBus.Properties"
REGISTRY: Final = "org.a11y.atspi.Registry"
ROOT: Final = "/org/a11y/atspi/accessible/root"
NOTHING: Final = "/org/a11y/atspi/null"
DAEMON: Final = "org.freedesktop.DBus"


class Ref(NamedTuple):
    """One accessible object: the application's name on the bus, and the path inside it."""

    bus: str
    path: str


# As the specification has them: whoever asks for another name or path is thrown off the bus, and all his readings with him.
# (dbus-fast's own checks let any name through that begins with a colon, and a line's end after either.)
_LONGEST_NAME: Final = 255
_NAME: Final = re.compile(r"(?::[\w-]+|[A-Za-z_-][\w-]*)(?:\.[\w-]+)+", re.ASCII)
_PATH: Final = re.compile(r"/|(?:/\w+)+", re.ASCII)


def ref_from(pair: Any) -> Ref | None:
    """A reference as an application gave it; None for the one that means nothing, and for what is no name or no path."""
    bus, path = pair
    if path == NOTHING or len(bus) > _LONGEST_NAME or not _NAME.fullmatch(bus) or not _PATH.fullmatch(path):
        return None
    return Ref(bus, path)


class Question(NamedTuple):
    """One method call. `expects` is the signature of the answer; another one counts as none."""

    of: Ref
    interface: str
    member: str
    expects: str
    signature: str = ""
    arguments: tuple[object, ...] = ()


def property_of(of: Ref, interface: str, name: str, expects: str) -> Question:
    """The question for a D-Bus property; `expects` is the signature inside the variant."""
    return Question(of, PROPERTIES, "Get", f"v{expects}", "ss", (interface, name))


def setting_of(of: Ref, interface: str, name: str, kind: str, value: object) -> Question:
    """The command that sets a D-Bus property of the type `kind`."""
    return Question(of, PROPERTIES, "Set", "", "ssv", (interface, name, Variant(kind, value)))


def message_of(question: Question) -> Message:
    return Message(
        destination=question.of.bus,
        path=question.of.path,
        interface=question.interface,
        member=question.member,
        signature=question.signature,
        body=list(question.arguments),
    )


def answer_of(reply: Message, expects: str) -> Any:
    """What was answered; None when it is an error or of another type. True where nothing is expected."""
    if reply.message_type is not MessageType.METHOD_RETURN:
        return None
    if not expects:
        return True
    if expects[0] == "v" and len(expects) > 1:
        inside = reply.body[0] if reply.signature == "v" else None
        return inside.value if isinstance(inside, Variant) and inside.signature == expects[1:] else None
    return reply.body[0] if reply.signature == expects and reply.body else None
