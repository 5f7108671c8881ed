"""Expansion of a word of the tree into a command's words: parameters, substitutions, splitting, patterns."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from handeye_phone.shell.tree import Parameter, Substitution, Text, Word

if TYPE_CHECKING:
    from handeye_phone.shell.interpreter import Shell
    from handeye_phone.shell.process import Streams

SEPARATORS = re.compile(r"[ \t\n]+")
PATTERN_CHARACTERS = frozenset("*?[")
MAX_MATCHES = 10_000


class ExpansionError(Exception):
    """A word cannot be expanded; the command does not run."""


Piece = tuple[str, bool]  # characters, and whether they were quoted


async def expand_words(shell: Shell, words: Sequence[Word], streams: Streams) -> list[str]:
    """Return the command's words."""
    out: list[str] = []
    for word in words:
        for field in await _fields(shell, word, streams):
            out += _matches(shell, field)
    return out


async def expand_assignment(shell: Shell, word: Word, streams: Streams) -> str:
    """Return the value of an assignment: neither split nor matched."""
    return "".join([text for part in word.parts for text, _ in await _pieces(shell, part, streams)])


async def expand_redirect(shell: Shell, word: Word, streams: Streams) -> str:
    """Return a redirection's target: never split or matched, as in mksh's scripts."""
    return await expand_assignment(shell, word, streams)


async def _pieces(shell: Shell, part: Text | Parameter | Substitution, streams: Streams) -> list[Piece]:
    if isinstance(part, Text):
        return [(part.value, part.quoted)]
    if isinstance(part, Substitution):
        return [(await shell.substitute(part.body, streams), part.quoted)]
    if part.name in "@*":
        return [(" ".join(shell.arguments), part.quoted)]
    return [(shell.value(part.name) or "", part.quoted)]


async def _fields(shell: Shell, word: Word, streams: Streams) -> list[list[Piece]]:
    """Return the word split at blanks of unquoted values."""
    fields: list[list[Piece]] = [[]]
    for part in word.parts:
        if isinstance(part, Parameter) and part.name == "@" and part.quoted:
            for index, argument in enumerate(shell.arguments):
                if index:
                    fields.append([])
                fields[-1].append((argument, True))
            continue
        for text, quoted in await _pieces(shell, part, streams):
            if quoted or isinstance(part, Text):
                fields[-1].append((text, quoted))
                continue
            chunks = SEPARATORS.split(text)
            for index, chunk in enumerate(chunks):
                if index:
                    fields.append([])
                if chunk:
                    fields[-1].append((chunk, False))
    return [field for field in fields if field]


def _matches(shell: Shell, field: list[Piece]) -> list[str]:
    """Return the files that an unquoted pattern matches, sorted; the text itself without a pattern or a match."""
    literal = "".join(text for text, _ in field)
    if not any(not quoted and PATTERN_CHARACTERS & set(text) for text, quoted in field):
        return [literal]
    pattern = "".join(_escaped(text) if quoted else text for text, quoted in field)
    found = _glob(shell, pattern)
    return sorted(found) if found else [literal]


def _escaped(text: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", text)


def _glob(shell: Shell, pattern: str) -> list[str]:
    """Return the matching paths, absolute or relative as the pattern is."""
    files = shell.phone.files
    parts = _split_path(pattern)
    found = ["/"] if pattern.startswith("/") else [""]
    for index, part in enumerate(parts):
        step: list[str] = []
        for base in found:
            step += _glob_step(shell, base, part, last=index == len(parts) - 1)
            if len(step) > MAX_MATCHES:
                raise ExpansionError("the pattern matches too many files")
        found = step
    return [path for path in found if files.exists(files.absolute(path, shell.cwd))]


def _split_path(pattern: str) -> list[str]:
    return [part for part in pattern.split("/") if part]


def _glob_step(shell: Shell, base: str, part: str, *, last: bool) -> list[str]:
    if not PATTERN_CHARACTERS & set(part):
        return [f"{base}{part}" if last else f"{base}{part}/"]
    try:
        entries = shell.phone.files.list(shell.phone.files.absolute(base or ".", shell.cwd))
    except OSError:
        return []
    names = [name for name, node in entries if last or node.is_dir or node.is_link]
    chosen = [name for name in names if fnmatch.fnmatchcase(name, part)]
    if not part.startswith("."):
        chosen = [name for name in chosen if not name.startswith(".")]
    return [f"{base}{name}" if last else f"{base}{name}/" for name in chosen]
