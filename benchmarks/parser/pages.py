"""Icons by name, and a person's phrases, end to end on pages and applications that training never saw."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from handeye.parse.vocabulary import is_term
from parser.questions import Answer, Question
from parser.tables import Table, share

NAME, NAME_MADE = "icon by its name, written pages", "icon by its name, generated pages"
NAME_KNOWN = "icon by a name that Handeye's vocabulary has, any page"
NAME_SEEN = "icon by its name, generated pages, sets that training saw"
ENGLISH, CHINESE, ABSENT = "English phrase", "Chinese phrase", "absent"
REACH: Final = {"icons by name": "≥ 97 % right", "all phrases": "≥ 75 % right, ≤ 8 % wrong", ABSENT: "≥ 90 % refused"}


def kind_of(question: Question) -> str:
    """Return ENGLISH or CHINESE by a phrase's language, or ABSENT if the thing it names is not there."""
    if not question.boxes:
        return ABSENT
    return CHINESE if any("一" <= letter <= "鿿" for letter in question.words) else ENGLISH


def tables(answers: Sequence[Answer]) -> list[Table | str]:
    """Return the figures by kind and by source, and the questions that failed."""
    phrases = [each for each in answers if each.kind in (ENGLISH, CHINESE)]
    kinds = {"icons by name": [*_of(answers, NAME), *_of(answers, NAME_MADE)]}
    kinds |= {kind: _of(answers, kind) for kind in (NAME, NAME_MADE, NAME_SEEN)}
    kinds[NAME_KNOWN] = [each for each in kinds["icons by name"] if is_term(each.question.words)]
    kinds |= {"all phrases": phrases} | {kind: _of(answers, kind) for kind in (ENGLISH, CHINESE, ABSENT)}
    columns = ("asked", "reach", "right", "wrong", "refused", "questions", "screens")
    rows = [(kind, REACH.get(kind, ""), *_cells(own), _screens(own)) for kind, own in kinds.items() if own]
    sources = sorted({each.scene.source for each in phrases})
    by_source = [(name, *_cells([each for each in phrases if each.scene.source == name])) for name in sources]
    return [
        Table(columns, rows),
        "Phrases by library or application:",
        Table(("drawn by", "right", "wrong", "refused", "questions"), by_source),
        "Every phrase that was answered wrongly:",
        Table(("screen", "phrase", "answered with"), [_line(each) for each in phrases if each.verdict == "wrong"]),
    ]


def _of(answers: Iterable[Answer], kind: str) -> list[Answer]:
    return [each for each in answers if each.kind == kind]


def _cells(own: Sequence[Answer]) -> tuple[str, ...]:
    verdicts = [each.verdict for each in own]
    return (*(share(verdicts.count(verdict), len(own)) for verdict in ("right", "wrong", "refused")), str(len(own)))


def _screens(own: Sequence[Answer]) -> str:
    return str(len({each.scene.name for each in own}))


def _line(answer: Answer) -> tuple[str, str, str]:
    at = f" at {tuple(answer.found.center)}" if answer.found else ""
    return answer.scene.name, answer.question.words, answer.note.replace("\n", " ")[:80] + at


def named(name: str) -> str:
    """Return the question for an icon by its own name."""
    return f"the {name.replace('-', ' ')} icon"
