"""Detection of interactive elements on held-out screens, by role and by source."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from handeye.geometry import Box
from parser.tables import Table, share

LEAST_IOU: Final = 0.5
LEAST_VISIBLE: Final = 0.5  # an element that is less visible than this is not asked for, and finding it is no mistake
DRAWN: Final = frozenset({"icon", "image", "text"})
CONTROLS: Final = frozenset(
    ("button", "input", "checkbox", "radio", "switch", "slider", "tab", "link", "menu item", "list item", "combo box")
)
KINDS: Final = {"web": "Pages of component libraries:", "atspi": "Applications on a Linux desktop:"}
Found = tuple[Box, str, bool]


@dataclass(frozen=True)
class Element:
    """One element of the truth. `interactive`: a click does something."""

    box: Box
    role: str
    interactive: bool
    visible: float
    inside: bool
    """True for a part of an interactive element: an icon in its button."""


@dataclass(frozen=True)
class HeldScreen:
    name: str
    picture: Path
    source: str
    kind: str
    elements: tuple[Element, ...]


def held_screens(folder: Path, each: int) -> Iterator[HeldScreen]:
    """Yield `each` of the screens of every `folder`/<source>/<id>.json (0: all), each with its picture next to it."""
    for source in sorted(path for path in folder.glob("*") if path.is_dir()):
        left = each or -1
        for truth in shuffled(source):
            picture = picture_of(truth)
            if picture is not None and left:
                left -= 1
                values = json.loads(truth.read_text(encoding="utf-8"))
                drawn_by = str(values.get("library") or source.name)
                yield HeldScreen(
                    truth.stem, picture, drawn_by, values.get("kind", ""), tuple(_elements(values["elements"]))
                )


def shuffled(source: Path) -> list[Path]:
    """Return the truths of one source in an arbitrary order, which stays the same when more are made."""
    return sorted(source.glob("*.json"), key=lambda path: hashlib.sha1(path.name.encode()).digest())


def picture_of(truth: Path) -> Path | None:
    return next((path for end in (".png", ".jpg") if (path := truth.with_suffix(end)).exists()), None)


def _elements(listed: Sequence[Mapping]) -> Iterator[Element]:
    for each in listed:
        inside, above = False, each.get("parent")
        while above is not None and not inside:
            inside, above = bool(listed[above].get("interactive")), listed[above].get("parent")
        yield Element(
            Box(*each["box"]),
            each["role"],
            bool(each.get("interactive")) and each["role"] != "text",
            float(each.get("visible", 1)),
            inside,
        )


@dataclass
class Count:
    """
    Counts of interactive elements of the truth, of those found, of those found with the right role, and of false finds.

    `named` counts by truth, `false` what was called interactive and cannot be clicked; `shown` those of them that are
    drawn icons and pictures, for which no picture shows whether a click does something.
    """

    asked: int = 0
    found: int = 0
    named: int = 0
    claimed: int = 0
    false: int = 0
    shown: int = 0

    def add(self, other: Count) -> None:
        for name in ("asked", "found", "named", "claimed", "false", "shown"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def cells(self) -> tuple[str, ...]:
        return (
            share(self.found, self.asked),
            share(self.claimed - self.false, self.claimed),
            share(self.claimed - self.false + self.shown, self.claimed),
            share(self.named, self.found),
        )


@dataclass
class Score:
    whole: Count
    by_role: dict[str, Count]
    missed: list[Element]
    false: list[tuple[Box, str]]


def score(screen: HeldScreen, found: Sequence[Found]) -> Score:
    """
    Match what was found with the truth, best overlap first, one to one, from LEAST_IOU on.

    Asked for are interactive elements that are at least half visible, but for icons inside of others: they are found
    with their button. Whatever is claimed to be interactive and overlaps nothing that is asked for is false, unless it
    is a part of an interactive element, one that is mostly hidden, or a control that is disabled.
    """
    asked = [each for each in screen.elements if _is_asked(each)]
    claimed = [(box, role) for box, role, interactive in found if interactive]
    pairs = sorted(
        (
            (box.iou(each.box), number, index)
            for number, each in enumerate(asked)
            for index, (box, _) in enumerate(claimed)
        ),
        reverse=True,
    )
    of_truth: dict[int, int] = {}
    taken: set[int] = set()
    for overlap, number, index in pairs:
        if overlap >= LEAST_IOU and number not in of_truth and index not in taken:
            of_truth[number] = index
            taken.add(index)
    neutral = [each.box for each in screen.elements if _is_neutral(each)]
    false = [
        claim
        for index, claim in enumerate(claimed)
        if index not in taken and not any(claim[0].iou(box) >= LEAST_IOU for box in neutral)
    ]
    drawn = [each.box for each in screen.elements if each.role in DRAWN]
    shown = [claim for claim in false if any(claim[0].iou(box) >= LEAST_IOU for box in drawn)]
    return _scored(asked, claimed, of_truth, false, shown)


def _is_asked(each: Element) -> bool:
    return each.interactive and each.visible >= LEAST_VISIBLE and not (each.inside and each.role in DRAWN)


def _is_neutral(each: Element) -> bool:
    """Return True for a part of a control, a disabled control (it looks like one), or what is mostly hidden."""
    disabled = not each.interactive and each.role in CONTROLS
    return not _is_asked(each) and (each.inside or disabled or each.interactive)


def _scored(
    asked: Sequence[Element],
    claimed: Sequence[tuple[Box, str]],
    of_truth: Mapping[int, int],
    false: list[tuple[Box, str]],
    shown: list[tuple[Box, str]],
) -> Score:
    by_role: dict[str, Count] = {}
    for number, each in enumerate(asked):
        count = by_role.setdefault(each.role, Count())
        count.asked += 1
        if number in of_truth:
            count.found += 1
            count.named += claimed[of_truth[number]][1] == each.role
    roles = {index: asked[number].role for number, index in of_truth.items()}
    wrong, icons = {id(claim) for claim in false}, {id(claim) for claim in shown}
    for index, claim in enumerate(claimed):
        count = by_role.setdefault(roles.get(index, claim[1]), Count())
        count.claimed += 1
        count.false += id(claim) in wrong
        count.shown += id(claim) in icons
    whole = Count()
    for count in by_role.values():
        whole.add(count)
    missed = [each for number, each in enumerate(asked) if number not in of_truth]
    return Score(whole, by_role, missed, false)


@dataclass(frozen=True)
class Measured:
    """The counts of one way to parse the screens: in all, by role, by source."""

    way: str
    whole: Count
    by_role: Mapping[str, Count]
    by_source: Mapping[str, Count]
    screens: int


def summed(way: str, scores: Iterable[tuple[HeldScreen, Score]]) -> Measured:
    whole, by_role, by_source, screens = Count(), {}, {}, 0
    for screen, each in scores:
        screens += 1
        whole.add(each.whole)
        by_source.setdefault(screen.source, Count()).add(each.whole)
        for role, count in each.by_role.items():
            by_role.setdefault(role, Count()).add(count)
    return Measured(way, whole, by_role, by_source, screens)


def tables(measured: Sequence[Measured]) -> list[Table | str]:
    """Return the ways side by side, then the fused parser (the first way) by role and by source."""
    columns = (
        "found by",
        "recall (reach ≥ 90 %)",
        "precision (reach ≥ 80 %)",
        "precision, were every icon clickable",
        "named rightly",
        "elements",
        "screens",
    )
    rows = [(each.way, *each.whole.cells, str(each.whole.asked), str(each.screens)) for each in measured]
    first = measured[0]
    return [
        Table(columns, rows),
        f"By role, {first.way}:",
        _split("role", first.by_role),
        f"By library or application, {first.way}:",
        _split("source", first.by_source),
    ]


def _split(title: str, counts: Mapping[str, Count]) -> Table:
    rows = [
        (name, *count.cells, str(count.asked))
        for name, count in sorted(counts.items(), key=lambda item: -item[1].asked)
    ]
    return Table(
        (title, "recall", "precision", "precision, were every icon clickable", "named rightly", "elements"), rows
    )


def missed_words(scores: Iterable[tuple[HeldScreen, Score]], most: int = 12) -> str:
    """Return the kinds of elements that are missed and imagined most, for those who fix the parser."""
    missed, false = Counter(), Counter()
    for screen, each in scores:
        missed.update((screen.source, element.role) for element in each.missed)
        false.update((screen.source, role) for _, role in each.false)
    lines = [f"missed {count} {role} of {source}" for (source, role), count in missed.most_common(most)]
    lines += [f"imagined {count} {role} on {source}" for (source, role), count in false.most_common(most)]
    return "\n".join(lines)
