"""Phrase frames of a language: noun phrases for what is meant, and the sentences around them (`frames/*.toml`)."""

from __future__ import annotations

import hashlib
import random
import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = Path(__file__).parent / "frames"
# A phrase has two frames, the noun phrase and the sentence; one in nine of each is kept for checking: a fifth of the pairs.
_CHECKED: Final = 9
_BARE: Final = ("{p}", "{x}", "{q}")  # they are no frames: a label as it is


@dataclass(frozen=True, slots=True)
class Noun:
    """A role in words. gender: "m" or "f"; definite: with its article."""

    gender: str
    definite: str
    bare: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A pattern and its identity: `language.section.group:pattern`."""

    id: str
    pattern: str


class Frames:
    """The frames of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        with (_FOLDER / f"{language}.toml").open("rb") as file:
            self._data: dict[str, Any] = tomllib.load(file)

    def has(self, section: str, group: str = "np") -> bool:
        """Return True if a section has frames of a group."""
        return bool(self._data.get(section, {}).get(group))

    def pick(self, chance: random.Random, section: str, group: str = "np") -> Frame:
        """A random frame of a section's group."""
        pattern = chance.choice(self._data[section][group])
        return Frame(f"{self.language}.{section}.{group}:{pattern}", pattern)

    def words(self, section: str, group: str) -> Any:
        """A list or table of words."""
        return self._data[section][group]

    def noun(self, chance: random.Random, role: str) -> Noun:
        """A role noun; the first of the list more often than the others."""
        nouns = self._data["roles"][role]
        return Noun(*chance.choice([nouns[0], *nouns]).split("|"))

    def plural(self, noun: str) -> str:
        """Several of a role."""
        ending = next(
            (after for before, after in self._data["extra"].get("plurals", {}).items() if noun.endswith(before)), None
        )
        if ending is not None:
            return f"{noun[:-1] if noun.endswith('y') else noun}{ending}"
        return str(self._data["ordinal"]["plural"]).replace("{role}", noun)

    def contracted(self, words: str) -> str:
        """A phrase with prepositions and articles drawn together: "en el" stays, "de el" is "del"."""
        for apart, together in self._data["extra"].get("contractions", {}).items():
            words = re.sub(rf"\b{apart}\b", together, words)
        return words

    def all_ids(self) -> set[str]:
        """The identities of all noun phrases and sentences."""
        skipped = ("roles", "extra")
        groups = {"ordinal": ("np", "named"), "place": ("np", "named"), "colour": ("np", "named")}
        return {
            f"{self.language}.{section}.{group}:{pattern}"
            for section, table in self._data.items()
            if section not in skipped
            for group, patterns in table.items()
            if group in groups.get(section, (group,))
            for pattern in patterns
        }


@lru_cache
def frames_of(language: str) -> Frames:
    """The frames of a language. Raises FileNotFoundError for one that has none."""
    return Frames(language)


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """The languages with frames."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@lru_cache(maxsize=100_000)
def for_checking(frame: str) -> bool:
    """Return True if a frame must not be used for training."""
    if frame.partition(":")[2] in _BARE:
        return False
    return int(hashlib.sha256(frame.encode()).hexdigest()[:8], 16) % _CHECKED == 0
