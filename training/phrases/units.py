"""Units, as a person sees them on a screen: a control with its label, an icon with its button, a line of text."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Final

from training.phrases.matching import fold

Box = tuple[int, int, int, int]
Element = dict[str, Any]
LABELLED: Final = ("button", "link", "tab", "menu item")
FIELDS: Final = ("input", "combo box")
MARKS: Final = ("checkbox", "radio", "switch", "slider")
SEEN_WHOLE: Final = 0.85  # least visible share of what a phrase may mean
LARGE: Final = 1.45  # times the median text height: a heading
LINE: Final = 34  # pixels: a control's line of text is not higher, whatever its box
NARROW: Final = 0.5  # width of a Latin letter, of a Chinese one
SMALL: Final = 0.45  # size of the letters, of the height of their control


@dataclass
class Unit:
    """
    One thing.

    index: of its main element. boxes: all boxes of it, the main one first; each is a right answer. names: the texts that
    are its label. inner: texts inside a field (value, placeholder). icons: truth names of its icons.
    """

    index: int
    role: str
    boxes: list[Box]
    names: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    icons: list[str] = field(default_factory=list)
    state: frozenset[str] = frozenset()
    usable: bool = True
    holder: str = ""  # role of the control that an icon or a text lies in

    @property
    def box(self) -> Box:
        return self.boxes[0]

    @property
    def name(self) -> str:
        return self.names[0] if self.names else ""

    @property
    def folded(self) -> frozenset[str]:
        return frozenset(fold(text) for text in (*self.names, *self.inner))


def same_place(one: Unit, other: Unit) -> bool:
    """Return True if a click on one unit is a click on the other."""
    return any(left == right for left in one.boxes for right in other.boxes)


def read_units(truth: dict[str, Any]) -> list[Unit]:
    """The units of a screen, in the order of its truth."""
    return _Reader(truth["elements"]).read()


class _Reader:
    def __init__(self, elements: list[Element]) -> None:
        self.elements = elements
        self.children: dict[int | None, list[int]] = defaultdict(list)
        for number, each in enumerate(elements):
            self.children[each["parent"]].append(number)
        heights = sorted(self._height(number) for number in self._of_role("text"))
        self.text_height = heights[len(heights) // 2] if heights else 0
        self.taken: set[int] = set()
        self.units: list[Unit] = []

    def read(self) -> list[Unit]:
        for number in self._of_role(*LABELLED):
            self._labelled(number)
        for number in self._of_role(*FIELDS):
            self._field(number)
        self._mark_labels()
        for number in self._of_role("list item"):
            self._row(number)
        for number in self._of_role("text"):
            if number not in self.taken:
                self._text(number)
        for number in self._of_role("icon"):
            self._icon(number)
        for number in self._of_role("image"):
            self._add(number, "image")
        return sorted(self.units, key=lambda unit: unit.index)

    def _of_role(self, *roles: str) -> list[int]:
        return [number for number, each in enumerate(self.elements) if each["role"] in roles]

    def _height(self, number: int) -> int:
        box = self.elements[number]["box"]
        return int(box[3] - box[1])

    def _box(self, number: int) -> Box:
        left, top, right, bottom = self.elements[number]["box"]
        return (left, top, right, bottom)

    def _add(self, number: int, role: str, others: tuple[int, ...] = (), **more: Any) -> Unit:
        members = (number, *others)
        states = frozenset(self.elements[number]["state"].split())
        usable = all(
            self.elements[each]["visible"] >= SEEN_WHOLE and "covered" not in self.elements[each]["state"]
            for each in members
        )
        unit = Unit(number, role, [self._box(each) for each in members], state=states, usable=usable, **more)
        self.units.append(unit)
        return unit

    def _inside(self, number: int, role: str) -> list[int]:
        """The elements of a role below `number`, those below a control inside it left out."""
        found: list[int] = []
        for child in self.children[number]:
            if self.elements[child]["role"] == role:
                found.append(child)
            elif self.elements[child]["role"] not in (*LABELLED, *FIELDS, *MARKS, "list item"):
                found += self._inside(child, role)
        return found

    def _labelled(self, number: int) -> None:
        """A button, link, tab or menu item; a card that is one link has one unit for each of its texts too."""
        texts, icons = self._inside(number, "text"), self._inside(number, "icon")
        self.taken.update(texts)
        role = self.elements[number]["role"]
        icon_names = [self.elements[icon]["name"] for icon in icons]
        whole = self._joined(texts)
        if not texts and len(icons) == 1:
            return  # an icon button: `_icon` makes it
        if not texts:
            own = self._own_text(number)
            shown = bool(own) and not icons and self._fits(own[0], number)
            self._add(number, role, names=own if shown else [], inner=[] if shown else own, icons=icon_names)
            return
        if whole is not None:
            self._add(number, role, tuple(texts), names=[whole], icons=icon_names)
            return
        self._add(number, role, icons=icon_names)
        for text in texts:
            self._add(text, "text", (number,), names=[self.elements[text]["text"]], holder=role)

    def _own_text(self, number: int) -> list[str]:
        """The text of an element below which no line of text is told, as in applications."""
        text = self.elements[number]["text"].strip()
        below = any(self.elements[child]["role"] == "text" for child in self._inside_any(number))
        return [text] if text and not below and "\n" not in text else []

    def _fits(self, text: str, number: int) -> bool:
        """Return True if a text has room in a box; the name of a control that shows only a picture has none."""
        left, top, right, bottom = self._box(number)
        wide = sum(NARROW if character.isascii() else 1.0 for character in text)
        return right - left >= wide * min(bottom - top, LINE) * SMALL

    def _is_wrapped(self, number: int) -> bool:
        """Return True if a line belongs to a text of several lines."""
        box, high = self._box(number), self._height(number)
        for other in self.children[self.elements[number]["parent"]]:
            if (
                other == number
                or self.elements[other]["role"] != "text"
                or abs(self._height(other) - high) > 0.12 * high
            ):
                continue
            left, top, _, bottom = self._box(other)
            if abs(left - box[0]) <= 0.5 * high and -0.3 * high <= max(top - box[3], box[1] - bottom) <= 0.42 * high:
                return True
        return False

    def _joined(self, texts: list[int]) -> str | None:
        """The label that lines below each other make; None for no text or several."""
        if not texts:
            return None
        lines = [self.elements[text] for text in texts]
        for upper, lower in itertools.pairwise(lines):
            (_, top, _, bottom), high = upper["box"], upper["box"][3] - upper["box"][1]
            apart = lower["box"][1] - bottom
            alike = abs((lower["box"][3] - lower["box"][1]) - high) <= 0.15 * high
            centred = abs(sum(upper["box"][::2]) - sum(lower["box"][::2])) <= high
            flush = abs(upper["box"][0] - lower["box"][0]) <= 0.3 * high
            if not (alike and (centred or flush) and -0.3 * high <= apart <= 0.45 * high and lower["box"][1] > top):
                return None
        glue = "" if all(not each["text"].isascii() and fold(each["text"]).find(" ") < 0 for each in lines) else " "
        return glue.join(each["text"] for each in lines) if len(lines) <= 2 else None

    def _field(self, number: int) -> None:
        inside = self._inside(number, "text")
        self.taken.update(inside)
        label = self._field_label(number)
        self.taken.update(() if label is None else (label,))
        names = [] if label is None else [self.elements[label]["text"]]
        inner = [self.elements[text]["text"] for text in inside] or self._own_text(number)
        others = (*(() if label is None else (label,)), *inside)
        self._add(number, self.elements[number]["role"], others, names=names, inner=inner)

    def _free_texts(self) -> list[int]:
        holders = (*LABELLED, *FIELDS)
        return [
            number
            for number in self._of_role("text")
            if number not in self.taken
            and (
                self.elements[number]["parent"] is None
                or self.elements[self.elements[number]["parent"]]["role"] not in holders
            )
        ]

    def _field_label(self, number: int) -> int | None:
        """The text above a field or left of it; None where both are there or none."""
        left, top, _right, bottom = self._box(number)
        above: list[tuple[int, int]] = []
        beside: list[tuple[int, int]] = []
        for text in self._free_texts():
            box, high = self._box(text), self._height(text)
            if high >= LARGE * self.text_height:
                continue  # a heading
            gap = top - box[3]
            if abs(box[0] - left) <= 1.2 * high and -0.7 * high <= gap <= 0.9 * high and box[1] < top:
                above.append((gap, text))
            middle = (box[1] + box[3]) / 2
            if top < middle < bottom and 0 <= left - box[2] <= 3 * high:
                beside.append((left - box[2], text))
        if bool(above) == bool(beside):
            return None
        return min(above or beside)[1]

    def _mark_labels(self) -> None:
        """Units of checkboxes, radios, switches and sliders; a text is the label of its nearest mark."""
        marks = self._of_role(*MARKS)
        labels: dict[int, tuple[float, int]] = {}
        for mark in marks:
            found = self._mark_label(mark)
            if found is not None and (found[1] not in labels or found[0] < labels[found[1]][0]):
                labels[found[1]] = (found[0], mark)
        owners = {mark: text for text, (_, mark) in labels.items()}
        for mark in marks:
            label = owners.get(mark)
            self.taken.update(() if label is None else (label,))
            others, names = ((), self._own_text(mark)) if label is None else ((label,), [self.elements[label]["text"]])
            self._add(mark, self.elements[mark]["role"], others, names=names)

    def _mark_label(self, mark: int) -> tuple[float, int] | None:
        """(distance, text) of the label: close on the right, else on the left in the same row."""
        left, top, right, bottom = self._box(mark)
        parent = self.elements[mark]["parent"]
        row = self.elements[parent]["role"] == "list item" if parent is not None else False
        role = self.elements[mark]["role"]
        close: list[tuple[float, int]] = []
        far: list[tuple[float, int]] = []
        for text in self._free_texts():
            box, high = self._box(text), self._height(text)
            if row and self.elements[text]["parent"] != parent:
                continue
            level = abs(box[1] + box[3] - top - bottom) / 2 <= 0.6 * max(high, bottom - top)
            if level and role != "slider" and -2 <= box[0] - right <= 1.6 * max(high, right - left):
                close.append((box[0] - right, text))
            elif (level or row) and role in ("switch", "slider") and box[2] <= left + 2:
                far.append((left - box[2] + (box[1] if row else 0), text))
        if close or not far:
            return min(close, default=None)
        distance, text = min(far)
        return None if self._between(text, mark) else (distance, text)

    def _between(self, text: int, mark: int) -> bool:
        """Return True if another control or text lies between a label and its mark in the row."""
        start, end = self._box(text)[2], self._box(mark)[0]
        _, top, _, bottom = self._box(mark)
        for number, each in enumerate(self.elements):
            left, up, right, down = each["box"]
            inside = start <= left and right <= end and up < (top + bottom) / 2 < down
            if inside and number not in (text, mark) and each["role"] != "icon":
                return True
        return False

    def _row(self, number: int) -> None:
        """A list item; its texts are units of their own whose boxes hold the row too, if nothing else in it is clicked."""
        texts = [text for text in self._inside(number, "text") if text not in self.taken]
        self.taken.update(texts)
        controls = [
            child for child in self._inside_any(number) if self.elements[child]["role"] in (*LABELLED, *FIELDS, *MARKS)
        ]
        whole = self._joined(texts)
        own = [] if texts else self._own_text(number)
        if whole is not None or own:
            self._add(number, "list item", tuple(texts), names=own if whole is None else [whole])
            return
        self._add(number, "list item")
        for text in texts:
            others = () if controls else (number,)
            self._add(text, "text", others, names=[self.elements[text]["text"]], holder="list item")

    def _inside_any(self, number: int) -> list[int]:
        found = list(self.children[number])
        for child in self.children[number]:
            found += self._inside_any(child)
        return found

    def _text(self, number: int) -> None:
        parent = self.elements[number]["parent"]
        role = "heading" if self.text_height and self._height(number) >= LARGE * self.text_height else "text"
        holder = self.elements[parent]["role"] if parent is not None else ""
        unit = self._add(number, role, names=[self.elements[number]["text"]], holder=holder)
        unit.usable = unit.usable and not self._is_wrapped(number)

    def _icon(self, number: int) -> None:
        """An icon; the button, link, tab or menu item around it is part of it."""
        parent = self.elements[number]["parent"]
        held = parent is not None and self.elements[parent]["role"] in LABELLED
        others = (parent,) if held and parent is not None else ()
        named = [*self._own_text(number), *(self._own_text(parent) if held and parent is not None else ())]
        unit = self._add(number, "icon", others, icons=[self.elements[number]["name"]], inner=named)
        unit.state = (
            frozenset() if parent is None else frozenset(self.elements[parent]["state"].split()) if held else unit.state
        )
        unit.holder = "" if parent is None else self.elements[parent]["role"]
