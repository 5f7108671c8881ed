"""Contents of a card over the page: its labels, and which of them are buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from handeye.blockers.dialog_vocabulary import ALL_BUTTONS, answer_of
from handeye.geometry import Box
from handeye.text import TextLine, normalize

# Labels whose vertical centres differ by less than this share of their height are in one row.
_SAME_ROW: Final = 0.6


@dataclass(frozen=True)
class Overlay:
    """
    `labels` are its texts from top to bottom, in frame pixels. `proved` is True if something surely covers the page, by its
    layout or by the tree; else its words have to decide. `buttons` are the pressable elements of the tree, None without a
    tree; `named` those of them that have a resource id, by its last part, and `request` a permission's own sentence. `asks`
    is True for a window of a package that shows permission requests.
    """

    box: Box
    labels: tuple[TextLine, ...]
    proved: bool
    buttons: tuple[TextLine, ...] | None = None
    named: Mapping[str, TextLine] = field(default_factory=dict)
    request: str = ""
    asks: bool = False

    @cached_property
    def said(self) -> dict[str, TextLine]:
        """The labels by their normalised text; of equal ones the last, which is the button under a title."""
        return {normalize(label.text): label for label in self.labels}

    @cached_property
    def words(self) -> str:
        """All text on the card, as it is written."""
        return " ".join(label.text for label in self.labels)

    @cached_property
    def plain(self) -> str:
        """All text on the card, normalised and without blanks between the labels."""
        return "".join(normalize(label.text) for label in self.labels)

    @cached_property
    def last_row(self) -> tuple[TextLine, ...]:
        """The labels of the lowest row, where a dialog has its buttons."""
        if not self.labels:
            return ()
        lowest = max(self.labels, key=lambda label: label.box.center.y)
        reach = _SAME_ROW * max(label.box.height for label in self.labels)
        return tuple(label for label in self.labels if abs(label.box.center.y - lowest.box.center.y) <= reach)

    @cached_property
    def pressed(self) -> tuple[TextLine, ...]:
        """The buttons: those of the tree, else known labels and all of the lowest row."""
        if self.buttons is not None:
            return self.buttons
        row = [label for label in self.last_row if len(self.last_row) > 1 or _is_known(label)]
        return tuple(dict.fromkeys([*(label for label in self.said.values() if _is_known(label)), *row]))

    @cached_property
    def known(self) -> tuple[TextLine, ...]:
        """Those of the buttons whose label is a known one."""
        return tuple(label for label in self.pressed if _is_known(label))

    @cached_property
    def message(self) -> str:
        """The text besides the buttons, normalised."""
        taken = {id(label) for label in self.pressed}
        return "".join(normalize(label.text) for label in self.labels if id(label) not in taken)

    def first(self, labels: Sequence[str]) -> TextLine | None:
        """Return the first of the labels that the card has, or None."""
        return next((self.said[label] for label in labels if label in self.said), None)

    def first_not_in_message(self, labels: Sequence[str]) -> TextLine | None:
        """
        Return the first of the labels that the card has and its message does not contain; else the button may do what the
        message asks.
        """
        return next((self.said[each] for each in labels if each in self.said and each not in self.message), None)

    def by_id(self, names: Sequence[str]) -> TextLine | None:
        """Return the button with the first of these resource ids that the card has."""
        return next((self.named[name] for name in names if name in self.named), None)

    def answer(self, which: str) -> TextLine | None:
        """Return the button that agrees, refuses or does something else (POSITIVE, NEGATIVE, NEUTRAL), by its id."""
        return next((label for name, label in self.named.items() if answer_of(name) == which), None)


def _is_known(label: TextLine) -> bool:
    return normalize(label.text) in ALL_BUTTONS
