"""From what the DOM says to what the picture shows: pixels, tight icons, no doubles."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

CLASSES: Final = ("button", "input", "checkbox", "radio", "switch", "slider", "tab", "link", "menu item", "list item",
                  "combo box", "icon", "image", "scroll bar", "window")  # fmt: skip
# Where two boxes are one thing, the surer word for it stays.
RANK: Final = ("window", "combo box", "input", "switch", "checkbox", "radio", "slider", "tab", "menu item", "list item",
               "button", "link", "scroll bar", "image", "icon")  # fmt: skip
SAME = 0.72  # intersection over union from which two nested controls are one
SAME_INNER = 0.25  # the same for the bare link or button inside an entry that is clicked as a whole
TRIVIAL: Final = ("link", "button")
SWALLOWS: Final = ("tab", "menu item", "button", "link")
MARKS: Final = ("checkbox", "radio", "switch", "slider", "scroll bar")
LEAST_VISIBLE = 0.12
LEAST_EDGE = 4  # frame pixels
INK = 26  # difference from the ground, of 255, from which a pixel is drawn; JPEG's noise stays below it
Element = dict[str, Any]


def finish(raw: list[Element], pixels: NDArray[np.uint8], scale: float) -> list[Element]:
    """The elements of a screen in frame pixels, in the written format. `raw` is what truth.js read."""
    high, wide = pixels.shape[:2]
    kept: list[tuple[int, Element]] = []
    for number, each in enumerate(raw):
        box = [edge * scale for edge in each["box"]]
        left, top = max(0, round(box[0])), max(0, round(box[1]))
        right, bottom = min(wide, round(box[2])), min(high, round(box[3]))
        if each["tight"] and right - left >= 2 and bottom - top >= 2:
            inked = _ink(pixels, left, top, right, bottom)
            if inked is None:
                continue
            left, top, right, bottom = inked
        least = 2 if each["role"] == "text" else LEAST_EDGE
        if right - left < least or bottom - top < least or each["visible"] < LEAST_VISIBLE:
            continue
        if each["role"] == "icon" and each["parent"] is not None and raw[each["parent"]]["role"] in MARKS:
            continue  # the tick of a checkbox is no icon
        kept.append((number, {**each, "box": [left, top, right, bottom]}))
    dropped = _doubles([each for _, each in kept], [number for number, _ in kept])
    final = [(number, each) for number, each in kept if number not in dropped]
    place = {number: index for index, (number, _) in enumerate(final)}
    return [_written(each, _parent(number, raw, place)) for number, each in final]


def _written(each: Element, parent: int | None) -> Element:
    state = " ".join(part for part in (each["state"], "covered" if each["covered"] else "") if part)
    return {
        "box": each["box"],
        "role": each["role"],
        "text": each["text"].strip()[:200],
        "name": f"{each['set']}:{each['name']}" if each.get("set") else each["name"],
        "interactive": bool(
            (each["interactive"] or (each["role"] == "icon" and each["pointer"])) and not each["covered"]
        ),
        "visible": round(each["visible"], 3),
        "state": state,
        "parent": parent,
    }


def _parent(number: int, raw: list[Element], place: dict[int, int]) -> int | None:
    seen = set()
    parent = raw[number]["parent"]
    while parent is not None and parent not in place and parent not in seen:
        seen.add(parent)
        parent = raw[parent]["parent"]
    found = place.get(parent) if parent is not None else None
    return None if found == place[number] else found


def _doubles(elements: list[Element], numbers: list[int]) -> set[int]:
    """
    Return the numbers of the controls to drop: one of two nested ones that are one thing on the screen.

    Icons and images are compared only with their own role.
    """
    gone: set[int] = set()
    controls = [(number, each) for number, each in zip(numbers, elements, strict=True) if each["role"] in CLASSES]
    for position, (number, each) in enumerate(controls):
        for other_number, other in controls[position + 1 :]:
            roles = {each["role"], other["role"]}
            if {number, other_number} & gone or (len(roles) == 2 and roles & {"icon", "image"}):
                continue
            share = _iou(each["box"], other["box"])
            inner = other["role"] in TRIVIAL and each["role"] in SWALLOWS and _inside(other["box"], each["box"])
            if share >= SAME or (inner and share > SAME_INNER):
                gone.add(number if RANK.index(each["role"]) > RANK.index(other["role"]) else other_number)
    return gone


def _inside(inner: list[int], outer: list[int]) -> bool:
    return (
        inner[0] >= outer[0] - 2 and inner[1] >= outer[1] - 2 and inner[2] <= outer[2] + 2 and inner[3] <= outer[3] + 2
    )


def _iou(one: list[int], other: list[int]) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    if across <= 0 or down <= 0:
        return 0.0
    both = across * down
    return both / ((one[2] - one[0]) * (one[3] - one[1]) + (other[2] - other[0]) * (other[3] - other[1]) - both)


def _ink(pixels: NDArray[np.uint8], left: int, top: int, right: int, bottom: int) -> tuple[int, int, int, int] | None:
    """The box of what differs from the ground around it; the box as it came where the ground is no plain one."""
    high, wide = pixels.shape[:2]
    x0, y0 = max(0, left - 2), max(0, top - 2)
    crop = pixels[y0 : min(high, bottom + 2), x0 : min(wide, right + 2)].astype(np.int16)
    ring = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]])
    ground = np.median(ring, axis=0)
    if np.mean(np.abs(ring - ground).max(axis=1) > INK) > 0.35:
        return left, top, right, bottom
    drawn = np.abs(crop - ground).max(axis=2) > INK
    drawn[: max(0, top - y0 - 1)] = drawn[bottom - y0 + 1 :] = False
    drawn[:, : max(0, left - x0 - 1)] = drawn[:, right - x0 + 1 :] = False
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    if not len(rows):
        return None
    return x0 + int(columns[0]), y0 + int(rows[0]), x0 + int(columns[-1]) + 1, y0 + int(rows[-1]) + 1
