"""Terms that mean the same, in several languages: the ranker's `terms.txt` and the parser's Chinese-English glossary."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from handeye.locate.ranker.vocabulary import table_rows
from handeye.parse import read_glossary
from training.phrases.matching import contains, fold, is_spaceless

_HERE: Final = Path(__file__).parent
LANGUAGES: Final = ("en", "zh", "es", "pt", "fr", "de", "ja", "ru")
LONGEST_LABEL: Final = 10  # characters of a script without blanks
WORDS_OF_LABEL: Final = 5
GLOSSARY_TERMS: Final = 2  # of a row of the glossary; later ones drift in meaning


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """Terms of one meaning by language, the usual label first. verb: something to do."""

    id: str
    verb: bool
    terms: dict[str, tuple[str, ...]]

    @property
    def all_terms(self) -> frozenset[str]:
        """Folded terms of all languages."""
        return frozenset(fold(term) for group in self.terms.values() for term in group)


@lru_cache(maxsize=1)
def meanings() -> dict[str, Meaning]:
    """All meanings by id."""
    own = {meaning.id: meaning for meaning in _own()}
    known = {
        (term, language) for each in own.values() for language, group in each.terms.items() for term in map(fold, group)
    }
    for number, (chinese, english) in enumerate(read_glossary()):
        terms = {"zh": tuple(chinese[:GLOSSARY_TERMS]), "en": tuple(english[:GLOSSARY_TERMS])}
        if not any((fold(term), language) in known for language, group in terms.items() for term in group):
            own[f"glossary-{number}"] = Meaning(f"glossary-{number}", False, terms)
    return own


def _own() -> Iterator[Meaning]:
    for (id_,), (kind,), *cells in table_rows("terms.txt"):
        groups = {name: tuple(filter(None, cell)) for name, cell in zip(LANGUAGES, cells, strict=False)}
        yield Meaning(id_, kind == "v", {name: group for name, group in groups.items() if group})


@lru_cache(maxsize=1)
def opposites() -> dict[str, frozenset[str]]:
    """For a meaning the ids of those that are mistaken for it."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in (_HERE / "opposites.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            ids = line.split()
            for id_ in ids:
                found[id_] |= set(ids) - {id_}
    return {id_: frozenset(others) for id_, others in found.items()}


@lru_cache(maxsize=1)
def _by_term() -> dict[str, tuple[tuple[str, str], ...]]:
    """(meaning, language) by folded term."""
    owners: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    for meaning in meanings().values():
        for language, group in meaning.terms.items():
            for term in group:
                owners[fold(term)][meaning.id, language] = None
    return {term: tuple(group) for term, group in owners.items()}


def meanings_of(text: str, language: str = "") -> tuple[Meaning, ...]:
    """The meanings that a whole text is a term of, in one language or any."""
    found = (id_ for id_, spoken in _by_term().get(fold(text), ()) if not language or spoken == language)
    return tuple(meanings()[id_] for id_ in dict.fromkeys(found))


@lru_cache(maxsize=200_000)
def inside(folded: str) -> tuple[tuple[str, str], ...]:
    """(term, meaning) for all terms that a folded text contains; single characters count as whole texts only."""
    found = []
    for term in _pieces(folded):
        if contains(folded, term) and (len(term) > 1 or term == folded):
            found += [(term, id_) for id_, _ in _by_term()[term]]
    return tuple(dict.fromkeys(found))


def _pieces(folded: str) -> list[str]:
    """The known terms among all runs of words and characters of a folded text."""
    units = re.findall(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\s\u3040-\u30ff\u4e00-\u9fff]+|\s", folded)
    runs = {
        "".join(units[start:stop])
        for start in range(len(units))
        for stop in range(start + 1, min(len(units), start + 16) + 1)
    }
    return sorted(run for run in runs if run in _by_term())


def ids_inside(text: str) -> frozenset[str]:
    """The meanings of all terms that a text contains."""
    return frozenset(id_ for _, id_ in inside(fold(text)))


def rephrased(text: str, language: str) -> list[str]:
    """
    A label with one known part of it replaced by another term of the same language, or the whole by one of its other terms.

    "Save settings": "store settings", "save preferences".
    """
    folded, found = fold(text), []
    if not is_label(text):
        return []
    covered = {term for term, _ in inside(folded)}
    longest = [term for term in covered if not any(term != other and contains(other, term) for other in covered)]
    for term in sorted(longest):
        for meaning in meanings_of(term, language):
            others = [other for other in meaning.terms[language] if fold(other) != term]
            whole = term == folded
            glue = "" if is_spaceless(term) else " "
            for other in others if whole or glue else [each for each in others if len(each) > 1]:
                start = folded.find(term)
                if whole or len(other.split()) <= 2:
                    parts = (folded[:start].strip(), other, folded[start + len(term) :].strip())
                    found.append(glue.join(part for part in parts if part))
    return [each for each in dict.fromkeys(found) if fold(each) != folded]


def is_label(text: str) -> bool:
    """Return True if a text is short enough that one other word in it leaves it a label."""
    return len(fold(text)) <= LONGEST_LABEL if is_spaceless(text) else len(text.split()) <= WORDS_OF_LABEL


def translated(text: str, source: str, target: str) -> list[str]:
    """Terms of another language for a text that is a term as a whole."""
    return [
        term
        for meaning in meanings_of(text, source)
        for term in meaning.terms.get(target, ())
        if fold(term) != fold(text)
    ]
