"""Targets, expectations and results of a search."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from handeye.elements import UIElement
from handeye.errors import CommandFailed, HandeyeError, TreeFailed, UsageError
from handeye.geometry import Box, Size

if TYPE_CHECKING:
    from handeye.usage import Usage

DYNAMIC = "dynamic:"
TEXT = "text:"
ANOTHER_APP = "another"
HOME_APP = "home"
# Maximum characters of a person's words, and of a note about them, in a message, so that messages stay readable.
_WORDS: Final = 120
_NOTE: Final = 400


class Region(NamedTuple):
    """A part of the screen as fractions 0-1 of its width and height: left, top, right, bottom."""

    left: float
    top: float
    right: float
    bottom: float

    def box(self, size: Size) -> Box:
        """Return the region in pixels of a frame of that size; never empty."""
        return Box(
            round(self.left * size.width),
            round(self.top * size.height),
            round(self.right * size.width),
            round(self.bottom * size.height),
        ).clip(size)


# Names of the colours of a button or an icon.
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "gray", "white")


class Position(Enum):
    """The part of the screen, or of the anchor of an "in" relation, that contains the target: a third in each direction."""

    TOP_LEFT = "top-left"
    TOP = "top"
    TOP_RIGHT = "top-right"
    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM = "bottom"
    BOTTOM_RIGHT = "bottom-right"


class RelationKind(Enum):
    """
    The relation of a target to another element on the screen.

    BESIDE is left or right of it, else near it; BEFORE and AFTER follow the reading order: its neighbour in the row, else
    the one above or below it. BETWEEN comes in pairs: between the anchors of both. ROW and COLUMN mean the same row or
    column; an anchor that is only a row or a column with an ordinal ("the second row") counts the rows or columns of the
    matches themselves.
    """

    RIGHT_OF = "right of"
    LEFT_OF = "left of"
    ABOVE = "above"
    BELOW = "below"
    IN = "in"
    NEAR = "near"
    BESIDE = "beside"
    BEFORE = "before"
    AFTER = "after"
    BETWEEN = "between"
    ROW = "in the row of"
    COLUMN = "in the column of"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of the target to `anchor`, which is located first."""

    kind: RelationKind
    anchor: Target

    @property
    def counts_lines(self) -> bool:
        """True for "the second row", which is counted among the matches; not for "the row of the second image"."""
        line = (self.kind, self.anchor.role) in ((RelationKind.ROW, "table row"), (RelationKind.COLUMN, "column"))
        return line and self.anchor.ordinal is not None and not (self.anchor.text or self.anchor.reference)

    def __str__(self) -> str:
        return f"{self.kind.value} {self.anchor}"


@dataclass(frozen=True, slots=True)
class Target:
    """
    A description of the element to search for. At least one of `text`, `reference`, `description`, `role`, `id`, `path` is
    set.

    `text` is the visible text, `reference` the name or path of a reference image, `description` free words for a model
    (`dynamic:`), `role` the kind of control (handeye.roles). `id` and `path` name a node of the accessibility tree: its id,
    or an XPath-like path. `region` limits the search. `exact` disables fuzzy and substring matches of `text`; `literal`,
    for text in quotation marks, disables synonyms.

    `colour` (one of COLOURS), `relations`, `position` and `ordinal` filter the matches, in this order: the only one of that
    colour, those with the relations, those in that part of the screen, and the one with that number in reading order (1 is
    the first, -1 the last). `phrase` is the person's words if they were parsed as a phrase: a label with exactly these
    words takes precedence.
    """

    text: str | None = None
    reference: str | None = None
    description: str | None = None
    role: str | None = None
    region: Region | None = None
    exact: bool = False
    id: str | None = None
    path: str | None = None
    relations: tuple[Relation, ...] = ()
    position: Position | None = None
    ordinal: int | None = None
    phrase: str | None = None
    colour: str | None = None
    literal: bool = False

    def __post_init__(self) -> None:
        if not (self.text or self.reference or self.description or self.role or self.id or self.path):
            raise UsageError(
                "a target needs a text, a reference image, a description, a role, an id or a path; all are empty"
            )
        if self.colour is not None and self.colour not in COLOURS:
            raise UsageError(f"no colour is called {self.colour!r} here; there are: {', '.join(COLOURS)}")
        if self.ordinal == 0:
            raise UsageError("a target's ordinal counts from 1, or from -1 backwards; 0 is neither")

    @property
    def chooses(self) -> bool:
        """True if it selects among several matches."""
        return bool(self.relations or self.position or self.ordinal or self.colour)

    def __str__(self) -> str:
        if self.reference and self.text == self.reference:
            name = _quoted(self.reference)
        else:
            names = {"text": self.text, "image": self.reference, "id": self.id, "path": self.path}
            said = [f"{kind} {_quoted(name)}" for kind, name in names.items() if name]
            name = " or ".join([*said, *([f"“{short(self.description)}”"] if self.description else [])])
        words = [
            f"number {self.ordinal}" if self.ordinal else "",
            self.position.value if self.position else "",
            self.colour or "",
            short(self.role or ""),
            name,
            *map(str, self.relations),
        ]
        return " ".join(word for word in words if word)


@dataclass(frozen=True, slots=True)
class Expectation:
    """
    The expected state after a step; all parts that are set must hold.

    `text` is on the screen (inside `region`, if given), `gone` is not, `reference` (an image) is. `app` is in the
    foreground: a package name, ANOTHER_APP for any but the one before the step, HOME_APP for the home screen; it is queried
    from the device. `changed` requires a visible change, which proves only that something moved. `new` requires that `text`
    occurs more often than before it was typed: an older equal message proves nothing. `description` describes the state in
    words; texts in quotation marks are searched for, a model judges the rest. `row` limits all of it to the row that
    contains this text, and `switch` requires that the switch in that row is on (True) or off (False).
    """

    text: str | None = None
    gone: str | None = None
    reference: str | None = None
    region: Region | None = None
    exact: bool = False
    changed: bool = False
    app: str | None = None
    new: bool = False
    description: str | None = None
    row: str | None = None
    switch: bool | None = None

    @property
    def is_evidence(self) -> bool:
        """True if a picture can prove this, and not only that something moved."""
        return bool(self.text or self.gone or self.reference or self.description or self.switch is not None)

    def __str__(self) -> str:
        parts = [
            f"text {self.text!r} is there{' anew' if self.new else ''}" if self.text else "",
            f"text {self.gone!r} is gone" if self.gone else "",
            f"image {self.reference!r} is there" if self.reference else "",
            f"its switch is {'on' if self.switch else 'off'}" if self.switch is not None else "",
            f"app {self.app!r} is in front" if self.app else "",
            "the screen changed" if self.changed else "",
            self.description or "",
        ]
        said = ", ".join(part for part in parts if part) or "nothing in particular"
        return f"in the row of {_quoted(self.row)}: {said}" if self.row else said


Outcome = Literal["found", "ambiguous", "absent", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One strategy that was tried: its outcome, reason and duration. `error` prevented it from searching."""

    strategy: str
    outcome: Outcome
    note: str = ""
    confidence: float | None = None
    elapsed_ms: float = 0.0
    error: HandeyeError | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.strategy}: {short(self.note or self.outcome, _NOTE)}"


@dataclass(frozen=True, slots=True)
class LocateResult:
    """
    The result of one search: the match, and how it was found (docs/spec/visual-locator.md).

    `success` is True for a single reliable match; with several equal ones it is False, `element` is None and `candidates`
    contains them. `attempts` lists every strategy that was tried, in order. `usage` is the model usage; None without a
    model call. `looked` is False if nothing is known about the target: every strategy except the cache was skipped or
    failed.
    """

    success: bool
    element: UIElement | None
    method_used: str
    candidates: tuple[UIElement, ...] = ()
    error: str | None = None
    attempts: tuple[Attempt, ...] = ()
    usage: Usage | None = field(default=None, compare=False)
    looked: bool = True

    @property
    def reliable(self) -> bool:
        return self.success and self.element is not None and self.element.reliable

    @property
    def failure(self) -> HandeyeError | None:
        """
        The first error that prevented a strategy from searching, if nothing was found: "could not search", not "not found".

        A tree that could not be read does not count if the picture was searched; the attempts report it. Candidates without
        an answering strategy count as nothing found.
        """
        if self.success or (self.candidates and self.method_used != "none"):
            return None
        errors = [each.error for each in self.attempts if each.error is not None]
        if any(each.outcome == "absent" for each in self.attempts):
            errors = [error for error in errors if not isinstance(error, CommandFailed | TreeFailed)]
        return next(iter(errors), None)

    @property
    def confidence(self) -> float:
        return self.element.confidence if self.element else 0.0


def short(text: str, most: int = _WORDS) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _quoted(text: str) -> str:
    return repr(short(text))
