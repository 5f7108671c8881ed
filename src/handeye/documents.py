"""YAML with positions: whatever is wrong in a file is reported with its line and what was expected there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from handeye.errors import ConfigError
from handeye.files import open_regular, read_regular

SIZE_LIMIT: Final = 512 * 1024
"""Bytes of one file. The largest built-in module has under 20 kB; a larger one is not a module a person wrote."""

DEPTH_LIMIT: Final = 24
"""Lists and mappings within each other; a step's deepest value lies at 8."""

WIDTH: Final = 120
"""Columns of what is written: as wide as our own files."""

NAME: Final = "[A-Za-z_][A-Za-z0-9_]{0,63}"
"""What a name in a file is, as part of a pattern."""

TASK_NAME: Final = f"^({NAME}[.])?{NAME}$"
"""The name of a task, with its module's in front where that is another."""

Location = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,18}\Z")
_DECIMAL: Final = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][-+]?[0-9]{1,3})?\Z")
_WORDS: Final = {"true": True, "false": False, "null": None, "~": None, "": None}
_OWN_TAGS: Final = {"tag:yaml.org,2002:str", "!"}


@dataclass(frozen=True, slots=True)
class Document:
    """A file's value, and the line (from 1) of each part of it by its path of keys and indices."""

    path: Path
    value: Any
    lines: Mapping[Location, int]

    def line(self, where: Sequence[str | int]) -> int:
        """The line of that part, or of the innermost one around it that is in the file."""
        place = tuple(where)
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def error(self, problem: str, where: Sequence[str | int] = (), expected: str = "") -> ConfigError:
        """The error that says what is wrong at that part."""
        return ConfigError(problem, file=self.path, line=self.line(where), expected=expected)


def read_file(path: Path, limit: int = SIZE_LIMIT, *, within: Path | None = None) -> bytes:
    """
    The bytes of a file that somebody else may have written.

    Raises ConfigError for what is no regular file, is larger than `limit` bytes, or lies outside the folder `within` once
    links are followed. Never waits for a pipe, and opens no device.
    """
    with _told(path):
        return read_regular(path, limit, within=within)


def check_file(path: Path, limit: int, *, within: Path | None = None) -> None:
    """Raises the same errors, and reads nothing."""
    with _told(path):
        open_regular(path, within=within, limit=limit).close()


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why, expected = error.strerror or error, "a readable file of a usual size"
        raise ConfigError(f"cannot be read: {why}", file=path, expected=expected) from error


def read_text(path: Path, limit: int = SIZE_LIMIT, *, within: Path | None = None) -> str:
    """As `read_file`, for UTF-8 text."""
    raw = read_file(path, limit, within=within)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError("is not UTF-8 text", file=path, line=line, expected="a file saved as UTF-8") from error


def read_yaml(path: Path, *, within: Path | None = None) -> Document:
    """
    Read one YAML document with plain values. Raises ConfigError, also as `read_file` does.

    `true` and `false` are the only booleans, so that `on`, `off`, `yes` and `no` stay words (YAML 1.2). Anchors, aliases,
    tags, merge keys and repeated keys are refused: they hide what a file says, or blow it up.
    """
    return parse_yaml(read_text(path, within=within), path)


def parse_yaml(text: str, path: Path) -> Document:
    """As `read_yaml`, from text; `path` is only named in errors."""
    builder = _Builder(path)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise ConfigError(
            f"is not valid YAML: {error.problem or error.context}",
            file=path,
            line=mark.line + 1 if mark else None,
            expected="matching indentation and brackets, and quotes around text with { [ : or #",
        ) from error
    except yaml.YAMLError as error:
        raise ConfigError(f"is not valid YAML: {error}", file=path, expected="plain text") from error
    return Document(path, builder.value, builder.lines)


def validate(document: Document, model: type[Model]) -> Model:
    """The document as `model`. Raises ConfigError for the first problem, by line."""
    try:
        return model.model_validate(document.value)
    except ValidationError as error:
        raise _described(document, error)[0] from None


def validate_as_json(document: Document, model: type[Model], value: Any) -> Model:
    """
    As `validate`, for types that JSON writes in its own way (lists for tuples, words for enumerations), and for `value` in
    place of the document's own, which it was made of.
    """
    try:
        return model.model_validate_json(json.dumps(value))
    except ValidationError as error:
        raise _described(document, error)[0] from None


def problems_in(document: Document, model: type[BaseModel]) -> list[ConfigError]:
    """Everything that keeps the document from being a `model`, by line, what is missing last; empty when nothing does."""
    try:
        model.model_validate(document.value)
    except ValidationError as error:
        return _described(document, error)
    return []


def _described(document: Document, error: ValidationError) -> list[ConfigError]:
    # What is missing has no line of its own, and is often explained by a misspelt key that has one.
    found = [(detail["type"] == "missing", _describe(document, detail)) for detail in error.errors()]
    return [problem for _, problem in sorted(found, key=lambda each: (each[0], each[1].line or 0))]


def problem(text: str, *, expected: str = "", key: str | Location = ()) -> PydanticCustomError:
    """What a validator raises to say what is wrong with `key` (a key or a path) of its model, and what was expected."""
    path = (key,) if isinstance(key, str) else key
    return PydanticCustomError("handeye", "{problem}", {"problem": text, "expected": expected, "path": path})


def together(problems: Sequence[PydanticCustomError]) -> ValidationError:
    """What a validator raises to name several problems at once; at least one."""
    return ValidationError.from_exception_data(
        "file", [InitErrorDetails(type=each, loc=(), input=None) for each in problems]
    )


def nested(error: ValidationError, key: str) -> ValidationError:
    """A nested model's problems, as problems of `key` of the model around it."""
    found = map(_parts, error.errors())
    return together([problem(text, expected=expected, key=(key, *where)) for text, where, expected in found])


def _describe(document: Document, detail: ErrorDetails) -> ConfigError:
    text, where, expected = _parts(detail)
    return document.error(text, where, expected)


def _parts(detail: ErrorDetails) -> tuple[str, Location, str]:
    """What is wrong, where, and what was expected."""
    where = tuple(part for part in detail["loc"] if not str(part).startswith("<"))  # tags of unions are no keys
    context = detail.get("ctx", {})
    kind, value = detail["type"], detail["input"]
    if kind == "handeye":
        return context["problem"], (*where, *context["path"]), context["expected"]
    if kind == "missing" and isinstance(where[-1], int):
        return f"{_named(where[:-1])} has {where[-1]} values", where[:-1], "one more"
    if kind == "missing":
        return f"{where[-1]!r} is missing", where, f"the key {where[-1]!r}"
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return f"unknown key {where[-1]!r}", where, "a key that belongs here"
    if where and where[-1] == "[key]":
        return f"{_named(where[:-2])} has the key {value!r}", where[:-1], _expected(detail)
    if value is None:
        return f"{_named(where)} {'has no value' if where else 'is empty'}", where, _expected(detail)
    if kind == "too_long" and isinstance(value, list | dict):
        return f"{_named(where)} has {len(value)} entries", where, _expected(detail)
    if kind == "string_type" and isinstance(value, bool | int | float):
        return f"{_named(where)} is {_shown(value)}", where, f"a text: put it in quotes, '{_shown(value)}'"
    return f"{_named(where)} is {_shown(value)}", where, _expected(detail)


def _named(where: Location) -> str:
    return ".".join(str(part) for part in where) or "the file"


def _shown(value: Any) -> str:
    shown = str(value).lower() if isinstance(value, bool) else repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _expected(detail: ErrorDetails) -> str:
    """pydantic's message in the words of who writes a file."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "string_pattern_mismatch":
        return _FORMS.get(context["pattern"], f"a text of the form {context['pattern']}")
    if kind == "string_too_short" and context["min_length"] == 1:
        return "a text that is not empty"
    if (told := _EXPECTED.get(kind)) is not None:
        return told.format_map(context)
    return str(detail["msg"]).removeprefix("Value error, ").removeprefix("Input should be ").removeprefix("a valid ")


_FORMS: Final[Mapping[str, str]] = {
    f"^{NAME}$": "at most 64 letters, digits and _, not a digit first",
    TASK_NAME: "task, or module.task",
}
_EXPECTED: Final[Mapping[str, str]] = {
    "bool_type": "true or false",
    "dict_type": "keys and values",
    "float_type": "a number",
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "int_from_float": "a whole number",
    "int_type": "a whole number",
    "less_than_equal": "{le} or less",
    "list_type": "a list",
    "model_type": "keys and values",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} characters",
    "string_type": "a text",
    "too_long": "at most {max_length}",
    "too_short": "at least {min_length}",
    "tuple_type": "a list",
}


@dataclass(slots=True)
class _Open:
    """A list or mapping that is being filled; `key` is the mapping's key whose value comes next."""

    value: list[Any] | dict[str, Any]
    where: Location
    key: str | None = None


@dataclass(slots=True)
class _Builder:
    """Values out of parser events, with a stack of its own: no file can make it recurse."""

    path: Path
    value: Any = None
    lines: dict[Location, int] = field(default_factory=dict)
    _stack: list[_Open] = field(default_factory=list)
    _documents: int = 0

    def take(self, event: yaml.Event) -> None:
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise self._error("anchors (&x) and aliases (*x) are not read", line, "the text itself, written out")
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise self._error("a second document begins", line, "one document, without further '---'")
        elif isinstance(event, yaml.ScalarEvent):
            self._scalar(event, line)
        elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
            self._open(event, line)
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            self._stack.pop()

    def _error(self, text: str, line: int, expected: str) -> ConfigError:
        return ConfigError(text, file=self.path, line=line, expected=expected)

    def _open(self, event: yaml.SequenceStartEvent | yaml.MappingStartEvent, line: int) -> None:
        if event.tag is not None:
            raise self._error(f"the tag {event.tag!r} is not read", line, "a plain list or mapping")
        if len(self._stack) >= DEPTH_LIMIT:
            raise self._error(f"lists and mappings are nested more than {DEPTH_LIMIT} deep", line, "fewer levels")
        top = self._stack[-1] if self._stack else None
        if top is not None and isinstance(top.value, dict) and top.key is None:
            raise self._error("a key is a list or a mapping", line, "a word as key")
        value: list[Any] | dict[str, Any] = [] if isinstance(event, yaml.SequenceStartEvent) else {}
        self._stack.append(_Open(value, self._add(value, line)))

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        if event.tag is not None and event.tag not in _OWN_TAGS:
            raise self._error(f"the tag {event.tag!r} is not read", line, "a plain value")
        plain = event.implicit[0]
        top = self._stack[-1] if self._stack else None
        if top is not None and isinstance(top.value, dict) and top.key is None:
            key = event.value
            if plain and key == "<<":
                raise self._error("merge keys (<<) are not read", line, "the keys themselves, written out")
            if key in top.value:
                first = self.lines[(*top.where, key)]
                raise self._error(f"the key {key!r} is there twice, first in line {first}", line, "each key once")
            top.key = key
            self.lines[(*top.where, key)] = line
            return
        self._add(_plain(event.value) if plain else event.value, line)

    def _add(self, value: Any, line: int) -> Location:
        """Put a value where it belongs, and note its line (a mapping's value keeps the line of its key)."""
        if not self._stack:
            self.value = value
            self.lines[()] = line
            return ()
        top = self._stack[-1]
        if isinstance(top.value, list):
            where: Location = (*top.where, len(top.value))
            top.value.append(value)
            self.lines[where] = line
            return where
        key = top.key or ""
        top.value[key] = value
        top.key = None
        return (*top.where, key)


def _plain(text: str) -> Any:
    """YAML 1.2's core types; what is not finite stays text."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text):
        return int(text)
    return float(text) if _DECIMAL.match(text) else text


class _Dumper(yaml.SafeDumper):
    """Writes so that `parse_yaml` reads the same again."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represented(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    quoted = None if _plain(text) == text and text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=quoted)


_Dumper.add_representer(str, _represented)


def write_yaml(value: Any) -> str:
    """Plain data as YAML for people: in the order it has, in any script, read by `parse_yaml` as it was."""
    return yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=WIDTH)


def strings(value: Any, where: Location = ()) -> Iterator[tuple[Location, str]]:
    """Every text inside nested lists and mappings, with its path."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from strings(item, (*where, key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from strings(item, (*where, index))
