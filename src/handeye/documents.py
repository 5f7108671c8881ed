"""Read and write YAML with line numbers: every problem is reported with its line and what was expected there."""

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
"""Maximum bytes of a file. The largest built-in module has under 20 kB; a larger file is not a hand-written module."""

DEPTH_LIMIT: Final = 24
"""Maximum nesting of lists and mappings; a step's deepest value is at level 8."""

WIDTH: Final = 120
"""Line width of written YAML, as in Handeye's own files."""

NAME: Final = "[A-Za-z_][A-Za-z0-9_]{0,63}"
"""Pattern of a name in a file."""

TASK_NAME: Final = f"^({NAME}[.])?{NAME}$"
"""Pattern of a task's name, optionally prefixed with its module's."""

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
        """Return the line of a part, or of the innermost enclosing part that is in the file."""
        place = tuple(where)
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def error(self, problem: str, where: Sequence[str | int] = (), expected: str = "") -> ConfigError:
        """Return an error for the problem at a part."""
        return ConfigError(problem, file=self.path, line=self.line(where), expected=expected)


def read_file(path: Path, limit: int = SIZE_LIMIT, *, within: Path | None = None) -> bytes:
    """
    Read a file that another user may have written.

    Raises ConfigError for a file that is not regular, is larger than `limit` bytes, or lies outside the folder `within`
    once links are resolved. Never waits for a pipe, and opens no device.
    """
    with _as_config_error(path):
        return read_regular(path, limit, within=within)


def check_file(path: Path, limit: int, *, within: Path | None = None) -> None:
    """Raise the same errors as `read_file` without reading."""
    with _as_config_error(path):
        open_regular(path, within=within, limit=limit).close()


@contextmanager
def _as_config_error(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why, expected = error.strerror or error, "a readable file of a usual size"
        raise ConfigError(f"cannot be read: {why}", file=path, expected=expected) from error


def read_text(path: Path, limit: int = SIZE_LIMIT, *, within: Path | None = None) -> str:
    """Read UTF-8 text, otherwise as `read_file`."""
    raw = read_file(path, limit, within=within)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError("is not UTF-8 text", file=path, line=line, expected="a file saved as UTF-8") from error


def read_yaml(path: Path, *, within: Path | None = None) -> Document:
    """
    Read one YAML document with plain values. Raises ConfigError, also as `read_file` does.

    Only `true` and `false` are booleans, so that `on`, `off`, `yes` and `no` stay words (YAML 1.2). Anchors, aliases,
    tags, merge keys and duplicate keys are rejected: they obscure a file's content, or expand it excessively.
    """
    return parse_yaml(read_text(path, within=within), path)


def parse_yaml(text: str, path: Path) -> Document:
    """Parse text, otherwise as `read_yaml`; `path` is only used in errors."""
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
    """Return the document as `model`. Raises ConfigError for the first problem, by line."""
    try:
        return model.model_validate(document.value)
    except ValidationError as error:
        raise _described(document, error)[0] from None


def validate_as_json(document: Document, model: type[Model], value: Any) -> Model:
    """
    As `validate`, for types with a JSON representation (lists for tuples, words for enumerations), and for `value`,
    which was derived from the document, instead of the document's own value.
    """
    try:
        return model.model_validate_json(json.dumps(value))
    except ValidationError as error:
        raise _described(document, error)[0] from None


def problems_in(document: Document, model: type[BaseModel]) -> list[ConfigError]:
    """
    Return all problems that prevent the document from being a `model`, by line, missing keys last; empty if there are
    none.
    """
    try:
        model.model_validate(document.value)
    except ValidationError as error:
        return _described(document, error)
    return []


def _described(document: Document, error: ValidationError) -> list[ConfigError]:
    # A missing key has no line, and is often explained by a misspelt key that has one.
    found = [(detail["type"] == "missing", _describe(document, detail)) for detail in error.errors()]
    return [problem for _, problem in sorted(found, key=lambda each: (each[0], each[1].line or 0))]


def problem(text: str, *, expected: str = "", key: str | Location = ()) -> PydanticCustomError:
    """Return an error for a validator to raise about `key` (a key or a path) of its model, with what was expected."""
    path = (key,) if isinstance(key, str) else key
    return PydanticCustomError("handeye", "{problem}", {"problem": text, "expected": expected, "path": path})


def combined_error(problems: Sequence[PydanticCustomError]) -> ValidationError:
    """Return an error for a validator to raise that combines several problems; at least one."""
    return ValidationError.from_exception_data(
        "file", [InitErrorDetails(type=each, loc=(), input=None) for each in problems]
    )


def nested(error: ValidationError, key: str) -> ValidationError:
    """Return a nested model's problems as problems of `key` of the enclosing model."""
    found = map(_parts, error.errors())
    return combined_error([problem(text, expected=expected, key=(key, *where)) for text, where, expected in found])


def _describe(document: Document, detail: ErrorDetails) -> ConfigError:
    text, where, expected = _parts(detail)
    return document.error(text, where, expected)


def _parts(detail: ErrorDetails) -> tuple[str, Location, str]:
    """Return the problem, its location, and what was expected."""
    where = tuple(part for part in detail["loc"] if not str(part).startswith("<"))  # tags of unions are not keys
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
    """Return pydantic's message in words for the author of a file."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "string_pattern_mismatch":
        return _FORMS.get(context["pattern"], f"a text of the form {context['pattern']}")
    if kind == "string_too_short" and context["min_length"] == 1:
        return "a text that is not empty"
    if (template := _EXPECTED.get(kind)) is not None:
        return template.format_map(context)
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
    """A list or mapping that is being filled; `key` is the mapping key whose value comes next."""

    value: list[Any] | dict[str, Any]
    where: Location
    key: str | None = None


@dataclass(slots=True)
class _Builder:
    """Builds values from parser events with an explicit stack: no file can make it recurse."""

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
        """Add a value to the open list or mapping, and record its line (a mapping's value keeps the line of its key)."""
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
    """Parse a scalar by YAML 1.2's core types; non-finite numbers stay text."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text):
        return int(text)
    return float(text) if _DECIMAL.match(text) else text


class _Dumper(yaml.SafeDumper):
    """Writes YAML that `parse_yaml` reads back unchanged."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represented(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    quoted = None if _plain(text) == text and text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=quoted)


_Dumper.add_representer(str, _represented)


def write_yaml(value: Any) -> str:
    """Return plain data as readable YAML: in its order, in any script, and read back unchanged by `parse_yaml`."""
    return yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=WIDTH)


def strings(value: Any, where: Location = ()) -> Iterator[tuple[Location, str]]:
    """Yield every text inside nested lists and mappings, with its path."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from strings(item, (*where, key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from strings(item, (*where, index))
