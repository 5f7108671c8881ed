"""Reference images: cut from another version or theme of a desktop, and those of Sikuli's tests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from grounding.cases import Case, Question, refusal
from grounding.sets.lines import items, size_of
from handeye.geometry import Box, Point

QUBES: Final = "openqa_qubes"
SIKULI: Final = "sikuli_templates"
_CENTRE_PX: Final = 10  # how far from a template's true point an answer's centre may lie
_NOWHERE: Final = (-1, -1)


def qubes(data: Path) -> Iterator[Case]:
    """One case per template; a group is one tag, which is one state of one window in several versions."""
    home = data / QUBES
    for item in items(home / "items.jsonl"):
        question = Question(
            item["id"], "other version", "reference", (Box(*item["bbox"]),), "find", home / item["template"]
        )
        picture = home / item["image"]
        yield Case(QUBES, "pixels", item["tag"], item["image"], size_of(picture), (question,), picture)


def sikuli(data: Path) -> Iterator[Case]:
    """
    One case per screen. Where the set names several places, one of them or a refusal is right: they are alike, few are equal.

    The set's points are centres, of some templates corners: an answer that contains one is right too.
    """
    home = data / SIKULI
    for image, own in groupby(sorted(items(home / "items.jsonl"), key=itemgetter("image")), itemgetter("image")):
        questions = tuple(_question(home, item) for item in own)
        picture = home / image
        group = picture.parent.name
        yield Case(SIKULI, "pixels", group, image, size_of(picture), questions, picture)


def _question(home: Path, item: dict[str, Any]) -> Question:
    reference = home / item["template"]
    points = tuple(Point(*centre) for centre in item["centers"] if tuple(centre) != _NOWHERE)
    places = tuple(Box.at(point, _CENTRE_PX) for point in points)
    if len(places) == 1:
        return Question(item["id"], "one place", "reference", places, "find", reference, points)
    if places:
        return Question(item["id"], "several places", "reference", places, "either", reference, points)
    return refusal(item["id"], "forbidden", reference=reference)
