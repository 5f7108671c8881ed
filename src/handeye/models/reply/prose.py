"""Check the text around the places of a reply for denials and for numbers that may correct them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from handeye.models.families.profile import Order
from handeye.models.reply.denials import Denial, denial
from handeye.models.reply.places import Unreadable, Written

MARK: Final = "\x1e"
"""Placeholder in a text for a place that was taken out of it."""
CONTRADICTED: Final = "it says that the thing is not there, and where it is"
DOUBTED: Final = "the model says something against the place beside it"

_NUMBER = r"[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})"
_RUN = re.compile(rf"(?<![\w.,]){_NUMBER}(?:[, ]{_NUMBER})+(?![\w%])")
_NAMED = re.compile(rf"\bx\w{{0,4}} ?[=:] ?({_NUMBER})[, ;]{{1,3}}(?:and )?y\w{{0,4}} ?[=:] ?({_NUMBER})")
_BRACKETED = re.compile(r"[\[(][^\[\]()]{1,200}[\])]")
_THOUGHT = re.compile(r"^thought\s?[:：][^\n]{0,4000}$", re.IGNORECASE | re.MULTILINE)


def around(text: str) -> tuple[str, str]:
    """Return the text before the first place, and all text after it."""
    before, _mark, after = text.partition(MARK)
    return before, after.replace(MARK, "\n")


def denial_around(before: str, after: str, asked: str, *, acted: bool = False) -> Denial:
    """
    Return how strongly the words around a place deny it; `asked` is the request. Before an action (`acted`), and on a
    line that begins with "Thought:", they are thoughts. Raises Unreadable for a refusal.
    """
    thoughts = before if acted else "\n".join(_THOUGHT.findall(before))
    said = f"{'' if acted else _THOUGHT.sub(' ', before)}\n{after}"
    found = max(denial(said, asked), denial(thoughts, asked, thought=True))
    if found is Denial.REFUSAL:
        raise Unreadable(CONTRADICTED)
    return found


def check_numbers(places: Sequence[Written], after: str, order: Order) -> None:
    """
    Raise Unreadable for numbers after the answer that are neither its own nor within it: they may be a correction.
    """
    even = re.sub(r" ?[,，;；] ?", ",", re.sub(r"[\s()\[\]{}<>]+", " ", after))
    runs = [[float(each) for each in re.split("[, ]", run.group())] for run in _RUN.finditer(even)]
    runs += [[float(x), float(y)] for x, y in _NAMED.findall(even)]
    if any(not _refers_to_place(run, places, order) for run in runs):
        raise Unreadable("it gives other numbers behind the place: a draft and a correction cannot be told apart")


def check_drafts(places: Sequence[Written], before: str, order: Order) -> None:
    """Raise Unreadable for a bracketed list before the answer with as many numbers: it could be another answer."""
    for bracketed in _BRACKETED.finditer(before):
        even = re.sub(r" ?, ?", ",", re.sub(r"\s+", " ", bracketed.group()[1:-1].replace("，", ",")).strip())
        if not re.fullmatch(rf"{_NUMBER}(?:[, ]{_NUMBER})+", even):
            continue
        numbers = [float(each) for each in re.split("[, ]", even)]
        alike = any(len(place.numbers) == len(numbers) for place in places)
        if alike and not _refers_to_place(numbers, places, order):
            raise Unreadable("it gives two lists of numbers: a draft and a correction cannot be told apart")


def _refers_to_place(numbers: list[float], places: Sequence[Written], order: Order) -> bool:
    """Return True if numbers in prose repeat a place, or are a point in it or a box around it."""
    for place in places:
        known = place.x_first(order)
        if tuple(numbers) in (known, place.numbers):
            return True
        said = Written(tuple(numbers), None).x_first(order) if len(numbers) in (2, 4) else ()
        point, box = sorted((known, said), key=len)
        if len(point) == 2 and len(box) == 4 and box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]:
            return True
    return False
