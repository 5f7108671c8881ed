"""Phrases about how a thing looks: its colour, measured from the pixels, and its state."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phrases.drafts import Draft, Writer, spoken
from training.phrases.named import name_of
from training.phrases.screen import Screen, picture_of
from training.phrases.spatial import equal_groups, of_class
from training.phrases.units import Unit

# Hues of OpenCV (0 to 179) that everybody calls so; the rest lies between names.
HUES: Final = {
    "red": (0, 5),
    "orange": (11, 17),
    "yellow": (23, 31),
    "green": (45, 75),
    "blue": (98, 118),
    "purple": (128, 143),
    "pink": (155, 168),
}
COLOURED, GREY = 120, 60  # saturation from which a face has a colour, below which it has none
BRIGHT: Final = 90
LIGHT: Final = ("orange", "yellow", "pink")  # darker they are brown or purple
LIGHT_VALUE: Final = 180
STATES: Final = {
    "selected": ("tab", "menu item", "list item"),
    "on": ("switch",),
    "off": ("switch",),
    "checked": ("checkbox", "radio"),
    "unchecked": ("checkbox", "radio"),
    "disabled": ("button", "input", "checkbox", "switch", "radio"),
}


def drafts(screen: Screen, chance: random.Random) -> Iterator[Draft]:
    """All phrases about looks for a screen."""
    yield from _states(screen, chance)
    yield from _colours(screen, chance)


def _states(screen: Screen, chance: random.Random) -> Iterator[Draft]:
    for state, roles in STATES.items():
        for role in roles:
            units = of_class(screen, role)
            found = [unit for unit in units if state in unit.state]
            if len(found) == 1 and len(units) > 1 and all(unit.usable for unit in units):
                writer = Writer(chance, spoken(chance, screen.language))
                words, frame = writer.written("state", state, role=role)
                yield Draft("state", "control", writer.language, words, frame, found[0].boxes, found[0].index)


def _colours(screen: Screen, chance: random.Random) -> Iterator[Draft]:
    buttons = of_class(screen, "button")
    if not buttons:
        return
    picture = cv2.imread(str(picture_of(screen.path)))
    if picture is None:
        raise ValueError(f"no picture in {picture_of(screen.path)}")
    faces = {id(unit): face_colour(picture, unit) for unit in buttons}
    groups = equal_groups(screen)
    for unit in buttons:
        colour = faces[id(unit)]
        if colour not in HUES or not unit.usable:
            continue
        rivals = [other for other in buttons if other is not unit and faces[id(other)] in (colour, "unsure")]
        twins = next((group for group in groups if unit in group), [unit])
        about: dict[str, Any] = {"boxes": unit.boxes, "element": unit.index}
        writer = Writer(chance, spoken(chance, screen.language))
        shade = chance.choice(writer.frames.words("colour", colour))
        if not rivals:
            words, frame = writer.written("colour", role="button", colour=shade)
            yield Draft("colour", "control", writer.language, words, frame, **about)
        if (
            name_of(unit)
            and not any(other in twins for other in rivals)
            and (len(twins) > 1 or screen.is_only(unit, name_of(unit)))
        ):
            words, frame = writer.written("colour", "named", role=unit.role, colour=shade, name=name_of(unit))
            yield Draft("colour", "control", writer.language, words, frame, **about)


def face_colour(picture: NDArray[Any], unit: Unit) -> str:
    """The colour name of a button's face; "" for a grey one, "unsure" for one between two names."""
    left, top, right, bottom = unit.boxes[-1] if unit.role == "icon" else unit.box
    across, down = max(2, (right - left) // 12), max(2, (bottom - top) // 6)
    crop = picture[top + down : bottom - down, left + across : right - across]
    if crop.size == 0:
        return "unsure"
    pixels = crop.reshape(-1, 3)
    face = np.median(pixels, axis=0)
    if np.mean(np.abs(pixels.astype(np.int16) - face).max(axis=1) < 24) < 0.55:
        return "unsure"  # no plain face
    hue, saturation, value = (
        int(each) for each in cv2.cvtColor(face.astype(np.uint8).reshape(1, 1, 3), cv2.COLOR_BGR2HSV)[0, 0]
    )
    if saturation < GREY or value < 50:
        return ""
    if saturation < COLOURED or value < BRIGHT:
        return "unsure"
    name = next(
        (name for name, (low, high) in HUES.items() if low <= hue <= high or (name == "red" and hue >= 175)), "unsure"
    )
    return "unsure" if name in LIGHT and value < LIGHT_VALUE else name
