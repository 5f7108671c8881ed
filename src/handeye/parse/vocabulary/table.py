"""Read the vocabulary's tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

# A term with this prefix belongs first to another row: "~back" in the row of chevron-left.
SECOND_MEANING: Final = "~"
_FIELDS: Final = 4  # id | names | phrases | Chinese


@dataclass(frozen=True, slots=True, eq=False)
class Concept:
    """
    One meaning of an icon.

    names: the drawing's names in icon sets, the words of the id first: "trash", "bin". phrases: other English terms.
    chinese: Chinese terms. also: those of all these terms that mean another concept first. confusable: ids of concepts that
    look or sound alike and do something else, where a wrong click is harmful; the relation is symmetric.
    """

    id: str
    names: tuple[str, ...]
    phrases: tuple[str, ...]
    chinese: tuple[str, ...]
    also: frozenset[str]
    confusable: tuple[str, ...]

    @property
    def terms(self) -> tuple[str, ...]:
        """Names, phrases and Chinese terms, in this order."""
        return (*self.names, *self.phrases, *self.chinese)


def read_concepts() -> tuple[Concept, ...]:
    """Return all concepts, by file name and line. Raises ValueError if a table breaks its format."""
    rows = list(_rows("concepts", _FIELDS))
    ids = [row[0] for row in rows]
    if len(set(ids)) < len(ids):
        raise ValueError(f"ids that stand twice: {sorted({id_ for id_ in ids if ids.count(id_) > 1})}")
    confusable = _confusable(set(ids))
    return tuple(_concept(row, confusable.get(row[0], ())) for row in rows)


def read_glossary() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return the rows of the glossary: synonymous Chinese terms, and their English terms, best first."""
    return tuple((tuple(_terms(chinese)), tuple(_terms(english))) for chinese, english in _rows("glossary", 2))


def read_traditional() -> dict[int, str]:
    """Return the table from traditional characters' code points to simplified characters, for `str.translate`."""
    pairs = (pair for line in _lines(_HERE / "traditional.txt") for pair in line.split())
    return {ord(pair[0]): pair[1] for pair in pairs}


def _concept(row: list[str], confusable: tuple[str, ...]) -> Concept:
    id_, *fields = row
    marked = [term for field in fields for term in _terms(field)]
    own = id_.replace("-", " ")
    names, phrases, chinese = (tuple(term.lstrip(SECOND_MEANING) for term in _terms(field)) for field in fields)
    return Concept(
        id_,
        tuple(dict.fromkeys((own, *names))),
        tuple(dict.fromkeys(phrases)),
        tuple(dict.fromkeys(chinese)),
        frozenset(term[1:] for term in marked if term.startswith(SECOND_MEANING)),
        confusable,
    )


def _confusable(known: set[str]) -> dict[str, tuple[str, ...]]:
    """Return for each id the others of its groups: a group is a line of `confusable.txt`."""
    others: dict[str, dict[str, None]] = {}
    for line in _lines(_HERE / "confusable.txt"):
        group = line.split()
        if unknown := [id_ for id_ in group if id_ not in known]:
            raise ValueError(f"confusable.txt names concepts that are none: {unknown}")
        for id_ in group:
            others.setdefault(id_, {}).update(dict.fromkeys(other for other in group if other != id_))
    return {id_: tuple(group) for id_, group in others.items()}


def _rows(folder: str, fields: int) -> Iterator[list[str]]:
    for table in sorted((_HERE / folder).iterdir(), key=lambda entry: entry.name):
        for line in _lines(table):
            row = [field.strip() for field in line.split("|")]
            if len(row) != fields:
                raise ValueError(f"{table.name}: a row has {fields} fields, not {len(row)}: {line!r}")
            yield row


def _lines(table: Traversable) -> Iterator[str]:
    """Yield the lines that are neither empty nor comments; a comment begins with "# "."""
    for line in table.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("# "):
            yield line


def _terms(field: str) -> list[str]:
    return [term for part in field.split(",") if (term := part.strip())]


_HERE: Final = files(__package__ or "handeye.parse.vocabulary")
