"""The tree of a command line: what `syntax` reads and `interpreter` runs."""

from __future__ import annotations

from dataclasses import dataclass


class ShellSyntaxError(Exception):
    """The line has a syntax error, or uses something that the virtual phone's shell does not support."""


class Incomplete(ShellSyntaxError):
    """The text ends inside a quote or a bracket: more lines may complete it."""


@dataclass(frozen=True, slots=True)
class Text:
    """Literal characters. Unquoted ones may form a pattern."""

    value: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Parameter:
    """`$NAME`. Unquoted, its value is split into words."""

    name: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$(...)`."""

    body: tuple[Item, ...]
    quoted: bool


Part = Text | Parameter | Substitution


@dataclass(frozen=True, slots=True)
class Word:
    """One word before expansion."""

    parts: tuple[Part, ...]

    @property
    def plain(self) -> str | None:
        """The word if it has only unquoted characters, as a reserved word or an assignment's name must have; else None."""
        texts = [part.value for part in self.parts if isinstance(part, Text) and not part.quoted]
        return "".join(texts) if len(texts) == len(self.parts) else None


@dataclass(frozen=True, slots=True)
class Redirect:
    """`fd` to or from `target`: operator `<`, `>`, `>>`, `>&`, or `<&`."""

    fd: int
    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Assignment:
    name: str
    value: Word
    append: bool


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """A command with its words."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """`{ ...; }`, or `( ... )` when `subshell`."""

    body: tuple[Item, ...]
    redirects: tuple[Redirect, ...]
    subshell: bool


@dataclass(frozen=True, slots=True)
class Pipeline:
    commands: tuple[SimpleCommand | Group, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Item:
    """Pipelines joined by `&&` and `||`: (operator, pipeline), the first operator is empty."""

    chain: tuple[tuple[str, Pipeline], ...]
    background: bool
