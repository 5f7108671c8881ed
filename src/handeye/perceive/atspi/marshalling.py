"""
Questions as D-Bus writes them, and what is answered: the wire format of the D-Bus specification, as far as AT-SPI needs it.

A question is a few bytes that differ around many that do not, and an answer is read by the signature that is expected of it:
that takes 5 µs a question, where messages of dbus-fast, checked part by part, take 15.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from struct import Struct
from struct import error as StructError
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from dbus_fast.errors import InvalidMessageError

# All that is on one machine counts as the machine does.
_ORDER: Final = ord("l" if sys.byteorder == "little" else "B")
_CALL, _RETURN, _ERROR = 1, 2, 3
_VERSION: Final = 1
_PATH, _INTERFACE, _MEMBER, _ERROR_NAME, _REPLY_SERIAL, _DESTINATION, _SIGNATURE = 1, 2, 3, 4, 5, 6, 8
_HEAD: Final = Struct("=4BIII")  # order, kind, flags, version; length of the body, serial, length of the fields
_FIELDS_AT: Final = 16
_U32: Final = Struct("=I")
_LONGEST: Final = 1 << 27
"""Bytes of the longest message that the specification allows."""

_NUMBERS: Final[Mapping[str, Struct]] = MappingProxyType(
    {"y": Struct("=B"), "n": Struct("=h"), "q": Struct("=H"), "i": Struct("=i"), "u": Struct("=I")}
    | {"x": Struct("=q"), "t": Struct("=Q"), "d": Struct("=d"), "b": Struct("=I")}
)
_WIDE: Final = "({"
_CLOSING: Final = MappingProxyType({"(": ")", "{": "}"})


class Reply(NamedTuple):
    """An answer to the question of that serial; `error` is the name of what went wrong. The body is read by `value_of`."""

    serial: int
    error: str | None
    signature: str
    body: bytes


# -- writing


def call(
    serial: int, bus: str, path: str, interface: str, member: str, signature: str, arguments: tuple[object, ...]
) -> bytes:
    """A method call. Arguments are numbers, texts, and tuples of these; a dictionary is a tuple of pairs."""
    fields, body = _fields(bus, interface, member, signature), _body(signature, arguments)
    at = path.encode()
    length = len(fields) + 9 + len(at)  # its code and signature, its length, and the zero at its end
    head = _HEAD.pack(_ORDER, _CALL, 0, _VERSION, len(body), serial, length)
    return b"".join((head, fields, _PATH_FIELD, _U32.pack(len(at)), at, bytes(1 + -(_FIELDS_AT + length) % 8), body))


_PATH_FIELD: Final = bytes((_PATH, 1, ord("o"), 0))


@lru_cache(maxsize=512)
def _fields(bus: str, interface: str, member: str, signature: str) -> bytes:
    """The fields of a header that stand before the path, filled up to a multiple of eight bytes."""
    out = bytearray()
    for code, text in ((_INTERFACE, interface), (_MEMBER, member), (_DESTINATION, bus)):
        _align(out, 8)
        out += bytes((code, 1, ord("s"), 0))
        _put("s", 0, text, out)
    if signature:
        _align(out, 8)
        out += bytes((_SIGNATURE, 1, ord("g"), 0, len(signature))) + signature.encode() + b"\0"
    _align(out, 8)
    return bytes(out)


@lru_cache(maxsize=512)
def _body(signature: str, arguments: tuple[object, ...]) -> bytes:
    out = bytearray()
    at = 0
    for argument in arguments:
        at = _put(signature, at, argument, out)
    return bytes(out)


def _put(signature: str, at: int, value: Any, out: bytearray) -> int:
    """Append what the type at `at` of a signature describes; gives where the next type begins."""
    kind = signature[at]
    if kind in _NUMBERS:
        _align(out, _NUMBERS[kind].size)
        out += _NUMBERS[kind].pack(value)
    elif kind in "so":
        _align(out, 4)
        encoded = value.encode()
        out += _U32.pack(len(encoded)) + encoded + b"\0"
    elif kind == "a":
        _put_array(signature, at + 1, value, out)
    elif kind in _WIDE:
        _align(out, 8)
        inside = at + 1
        for part in value:
            inside = _put(signature, inside, part, out)
    else:
        raise ValueError(f"a question holds nothing of the type {kind!r}")
    return _end_of(signature, at)


def _put_array(signature: str, inside: int, values: Any, out: bytearray) -> None:
    _align(out, 4)
    length_at = len(out)
    out += bytes(4)
    _align(out, _alignment(signature[inside]))
    start = len(out)
    for value in values:
        _put(signature, inside, value, out)
    _U32.pack_into(out, length_at, len(out) - start)


def _align(out: bytearray, to: int) -> None:
    out += bytes(-len(out) % to)


def _alignment(kind: str) -> int:
    if kind in _NUMBERS:
        return _NUMBERS[kind].size
    return 8 if kind in _WIDE else 1 if kind in "gv" else 4


def _end_of(signature: str, at: int) -> int:
    """Where the type that begins at `at` ends."""
    kind = signature[at]
    if kind == "a":
        return _end_of(signature, at + 1)
    if kind in _WIDE:
        at += 1
        while signature[at] != _CLOSING[kind]:
            at = _end_of(signature, at)
    return at + 1


# -- reading


def replies_in(data: bytearray) -> tuple[list[Reply], int]:
    """
    The answers among the whole messages at the beginning of `data`, and how many bytes all of these take. Raises
    InvalidMessageError for what is no message.
    """
    found: list[Reply] = []
    at = 0
    while len(data) - at >= _FIELDS_AT:
        order, kind, _, _, body_length, _, fields_length = _HEAD.unpack_from(data, at)
        if order != _ORDER or body_length + fields_length > _LONGEST:
            raise InvalidMessageError("what was received is no D-Bus message")
        body = at + _FIELDS_AT + fields_length + -fields_length % 8
        if body + body_length > len(data):
            break
        if kind in (_RETURN, _ERROR):
            found.append(
                _reply(kind, data[at : at + _FIELDS_AT + fields_length], bytes(data[body : body + body_length]))
            )
        at = body + body_length
    return found, at


def _reply(kind: int, head: bytearray, body: bytes) -> Reply:
    serial, error, signature = 0, None, ""
    at = _FIELDS_AT
    try:
        while at < len(head):
            at += -at % 8
            code, written = head[at], head[at + 2]
            at += 4
            if written == _NUMBER_FIELD:
                if code == _REPLY_SERIAL:
                    (serial,) = _U32.unpack_from(head, at)
                at += 4
            elif written == _SIGNATURE_FIELD:
                length = head[at]
                if code == _SIGNATURE:
                    signature = head[at + 1 : at + 1 + length].decode("ascii")
                at += length + 2
            else:
                (length,) = _U32.unpack_from(head, at)
                if code == _ERROR_NAME and kind == _ERROR:
                    error = head[at + 4 : at + 4 + length].decode()
                at += length + 5
    except (IndexError, StructError, UnicodeDecodeError) as wrong:
        raise InvalidMessageError("a message was received whose head cannot be read") from wrong
    return Reply(serial, error or "" if kind == _ERROR else None, signature, body)


_NUMBER_FIELD: Final = ord("u")
_SIGNATURE_FIELD: Final = ord("g")


def value_of(reply: Reply, expects: str) -> Any:
    """
    What a reply says, when it is of the signature `expects`: "v" and a type is a variant that holds this. None for an error,
    for another signature, and for a body that is not what its signature says. True where nothing is expected.
    """
    if reply.error is not None:
        return None
    if not expects:
        return True
    body, at = reply.body, 0
    if expects[0] == "v" and len(expects) > 1:
        expects = expects[1:]
        if reply.signature != "v" or body[: len(expects) + 2] != b"%c%s\0" % (len(expects), expects.encode()):
            return None
        at = len(expects) + 2
    elif reply.signature != expects:
        return None
    try:
        return _reader(expects)(body, at)[0]
    except (IndexError, StructError, UnicodeDecodeError):
        return None


_Read = Callable[[bytes, int], tuple[Any, int]]
"""From a place in a body: the value there, and where it ends."""


@cache
def _reader(signature: str) -> _Read:
    """What reads one value of a type. Only of types that are expected somewhere: what is received chooses none."""
    kind = signature[0]
    if kind in _NUMBERS:
        return _number_reader(_NUMBERS[kind], bool if kind == "b" else None)
    if kind in "so":
        return _text
    if kind == "a" and signature[1] in _NUMBERS and signature[1] != "b":
        return _numbers_reader(_NUMBERS[signature[1]])
    if kind == "a":
        return _array_reader(signature[1:])
    if signature == "(so)":
        return _pair
    if kind in _WIDE:
        return _struct_reader(signature)
    raise ValueError(f"no answer of the type {signature!r} is expected anywhere")


def _text(body: bytes, at: int) -> tuple[str, int]:
    at += -at % 4
    (length,) = _U32.unpack_from(body, at)
    end = at + 4 + length
    if end >= len(body):
        raise IndexError("a text goes on beyond its message")
    return body[at + 4 : end].decode(), end + 1


def _pair(body: bytes, at: int) -> tuple[list[str], int]:
    """Two texts: an object's application and its path."""
    at += -at % 8
    (length,) = _U32.unpack_from(body, at)
    end = at + 4 + length
    first = body[at + 4 : end].decode()
    at = end + 1
    at += -at % 4
    (length,) = _U32.unpack_from(body, at)
    end = at + 4 + length
    if end >= len(body):
        raise IndexError("a text goes on beyond its message")
    return [first, body[at + 4 : end].decode()], end + 1


def _number_reader(of: Struct, made: Callable[[Any], Any] | None) -> _Read:
    def read(body: bytes, at: int) -> tuple[Any, int]:
        at += -at % of.size
        (value,) = of.unpack_from(body, at)
        return (value if made is None else made(value)), at + of.size

    return read


def _numbers_reader(of: Struct) -> _Read:
    letter = of.format[-1]

    def read(body: bytes, at: int) -> tuple[Any, int]:
        (length,) = _U32.unpack_from(body, at + -at % 4)
        at += -at % 4 + 4
        at += -at % of.size
        count, more = divmod(length, of.size)
        if more or at + length > len(body):
            raise IndexError("numbers go on beyond their message")
        return list(Struct(f"={count}{letter}").unpack_from(body, at)), at + length

    return read


def _array_reader(inside: str) -> _Read:
    to = _alignment(inside[0])
    read_one = _reader(inside)

    def read(body: bytes, at: int) -> tuple[Any, int]:
        at += -at % 4
        (length,) = _U32.unpack_from(body, at)
        at += 4
        at += -at % to
        end = at + length
        if end > len(body):
            raise IndexError("an array goes on beyond its message")
        values = []
        while at < end:
            value, at = read_one(body, at)
            values.append(value)
        return (dict(values) if inside[0] == "{" else values), at

    return read


def _struct_reader(signature: str) -> _Read:
    parts = []
    at = 1
    while signature[at] != _CLOSING[signature[0]]:
        end = _end_of(signature, at)
        parts.append(_reader(signature[at:end]))
        at = end
    same = {signature[1:-1]} & {"i" * len(parts), "u" * len(parts)}
    if same:  # a box, read at once
        return _fixed_reader(Struct(f"={signature[1:-1]}"))

    def read(body: bytes, at: int) -> tuple[Any, int]:
        at += -at % 8
        values = []
        for part in parts:
            value, at = part(body, at)
            values.append(value)
        return values, at

    return read


def _fixed_reader(of: Struct) -> _Read:
    def read(body: bytes, at: int) -> tuple[Any, int]:
        at += -at % 8
        return list(of.unpack_from(body, at)), at + of.size

    return read
