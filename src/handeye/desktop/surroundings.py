"""
What tells an element from its likes, and an answer from the same answer to something else: "Delete" beside 'Alice' is another
button than "Delete" beside 'Carol', though it stands at the same place, and "Yes" below 'Delete Alice?' is another one than
below 'Delete everything?'. What is the only one of its role and name is itself, whatever stands around it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from handeye.desktop.descent import Descent
from handeye.desktop.running import is_answer
from handeye.desktop.tellings import UNSTEADY, Told, shortened
from handeye.desktop.twins import MOST_LEVELS, Twins
from handeye.elements import UIElement
from handeye.geometry import Box

_ANSWERING: Final = frozenset({"button", "link"})
_ALERTS: Final = frozenset({"alert", "alert dialog", "message box"})
_DIALOGS: Final = _ALERTS | {"dialog"}
# What stands in a column of its own, away from the names of its rows.
_COLUMNS: Final = _ANSWERING | {"checkbox", "radio", "switch", "input", "spinner", "combo box", "menu", "icon", "image"}
# A question is short: a dialog with more texts is a form.
_MOST_ASKED: Final = 6
# Lists and pages: what they show is not what is asked beside them.
_SHOWING: Final = frozenset({"list", "table", "tree", "document", "web view"})
_WHOLE: Final = frozenset({"window", "document", "web view"})
# What stands farther above is another matter.
_FARTHEST_PX: Final = 240


class Surroundings:
    """
    Of `elements`, boxes in desktop pixels, parents by `id`; `names` are what they are called, in their order, `path_of` says by
    index where in the tree one is. `among` has for each the words that it is known by, `sayers` who says them, `realm` the
    largest thing that holds it and no like of it.
    """

    def __init__(self, elements: Sequence[UIElement], names: Sequence[str], path_of: Callable[[int], object]) -> None:
        self._elements = elements
        self._tree = Descent(elements)
        self._told = Told(elements, names, self._tree)
        self._texts = [
            index for index in self._tree.order if self._told.is_text(index) and self._told.boxes[index].area
        ]
        self.among: list[tuple[str, ...]] = [()] * len(elements)
        self.sayers: list[tuple[int, ...]] = [()] * len(elements)
        self.realm = list(range(len(elements)))
        likes: dict[tuple[str, str], list[int]] = defaultdict(list)
        for index, each in enumerate(elements):
            if each.element_type not in UNSTEADY and each.element_type != "window":
                likes[each.element_type, names[index]].append(index)
        for (role, name), members in likes.items():
            self._tell(members, name, MOST_LEVELS if name and role in _COLUMNS else 1, path_of)

    def box(self, index: int) -> Box:
        """What is drawn nearer to an element than to its likes: its row, where that is one thing; else the element."""
        box, row = self._told.boxes[index], self._told.boxes[self.realm[index]]
        return row if row.intersect(box) == box else box

    def _tell(self, members: Sequence[int], name: str, levels: int, path_of: Callable[[int], object]) -> None:
        paths = defaultdict(list)
        for each in members:
            paths[path_of(each)].append(each)
        if len(paths) < len(members):
            twins = Twins(members, self._tree, self._told)
            for each, words in twins.told_apart(path_of, levels=levels).items():
                if len(paths[path_of(each)]) > 1:
                    self.among[each] = words
                    self.sayers[each] = tuple(near for near in twins.near[each] if self._told.steady[near])
                    self.realm[each] = twins.realm[each]
        for each in members:
            if len(paths[path_of(each)]) == 1 and (self._is_answer(each, name) or (name and len(members) > 1)):
                self.sayers[each] = tuple(self._asked(each))
                self.among[each] = shortened(dict.fromkeys(self._told.names[text] for text in self.sayers[each]))

    def _is_answer(self, index: int, name: str) -> bool:
        if self._elements[index].element_type not in _ANSWERING:
            return False
        return is_answer(name) or self._is_alerted(index)

    def _is_alerted(self, index: int) -> bool:
        """Whether it is in a dialog that does nothing but ask."""
        dialog = self._dialog_of(index)
        if dialog is None:
            return False
        return self._class(dialog) in _ALERTS or len(list(self._texts_in(dialog))) <= _MOST_ASKED

    def _asked(self, index: int) -> Iterator[int]:
        """The texts that stand in the dialog of an element, else in the smallest thing around it with texts above it."""
        dialog = self._dialog_of(index)
        if dialog is not None:
            yield from self._texts_in(dialog)
            return
        box = self._told.boxes[index]
        for holder in self._tree.above(index):
            shown = self._shown_in(holder)
            texts = [text for text in self._texts_in(holder) if self._shown_in(text) == shown]
            if self._elements[holder].element_type in _WHOLE or self._tree.parent[holder] is None:
                texts = [text for text in texts if self._is_close(self._told.boxes[text], box)]
            if any(self._told.boxes[text].bottom <= box.top + 1 for text in texts):
                yield from (text for text in texts if self._is_close(self._told.boxes[text], box))
                return

    def _is_close(self, text: Box, box: Box) -> bool:
        """Whether it stands above or beside."""
        return box.top - _FARTHEST_PX < text.bottom and text.top < box.bottom

    def _texts_in(self, holder: int) -> Iterator[int]:
        return (text for text in self._texts if self._tree.holds(holder, text))

    def _dialog_of(self, index: int) -> int | None:
        return next((above for above in self._tree.above(index) if self._class(above) in _DIALOGS), None)

    def _shown_in(self, index: int) -> int | None:
        """The list or page that an element is, or is in."""
        if self._elements[index].element_type in _SHOWING:
            return index
        return next((each for each in self._tree.above(index) if self._elements[each].element_type in _SHOWING), None)

    def _class(self, index: int) -> object:
        return self._elements[index].metadata.get("class")
