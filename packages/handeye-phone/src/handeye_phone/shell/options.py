"""Options of toybox commands: short ones joined, values attached or following, `--` ends them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class BadOption(Exception):
    """An option the command does not have, or one without its value."""


@dataclass(frozen=True, slots=True)
class Options:
    """Parsed options: `flags`, `values` by letter, and operands."""

    flags: frozenset[str]
    operands: list[str]
    values: dict[str, str] = field(default_factory=dict)

    def __contains__(self, flag: str) -> bool:
        return flag in self.flags or flag in self.values


def parse_options(
    args: list[str], flags: str = "", values: str = "", long: Mapping[str, str] | None = None, *, permute: bool = True
) -> Options:
    """Split `args`. `flags` and `values` are letters, `long` maps a long name to its letter.

    Without `permute` the first operand ends the options. Raises BadOption.
    """
    seen: set[str] = set()
    given: dict[str, str] = {}
    operands: list[str] = []
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if word == "--":
            operands += rest
            break
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            letter = (long or {}).get(name)
            if letter is None:
                raise BadOption(f"Unknown option '{word}'")
            if letter in values:
                given[letter] = value if equals else _next(rest, word)
            else:
                seen.add(letter)
        elif word.startswith("-") and word != "-":
            _short(word, rest, flags, values, seen, given)
        else:
            operands.append(word)
            if not permute:
                operands += rest
                break
    return Options(frozenset(seen), operands, given)


def _short(word: str, rest: list[str], flags: str, values: str, seen: set[str], given: dict[str, str]) -> None:
    letters = word[1:]
    for index, letter in enumerate(letters):
        if letter in flags:
            seen.add(letter)
        elif letter in values:
            given[letter] = letters[index + 1 :] or _next(rest, f"-{letter}")
            return
        else:
            raise BadOption(f"Unknown option '{letter}'")


def _next(rest: list[str], name: str) -> str:
    if not rest:
        raise BadOption(f"Missing argument to {name}")
    return rest.pop(0)
