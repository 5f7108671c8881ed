"""Crops of the rendered screens: cut, scaled and disturbed as the product would see them, with the elements they show."""

from __future__ import annotations

import itertools
import json
import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.parse.decoding import CLASSES
from handeye.parse.tiling import network_scale
from training.detector.targets import Element

# Width and height of crops, all sides multiples of 64. Batches are of parts; now and then one large part comes in between, for
# how far a row or a dialog reaches is not learned from pieces of it.
PARTS: Final = ((448, 448), (448, 448), (704, 320), (320, 704))
LARGE: Final = ((1408, 768), (1920, 512), (576, 1216))
LARGE_EVERY: Final = 3  # batches
UNIT: Final = 448 * 448  # pixels that a batch's size is counted in
# Each opened picture gives so many crops to a pool that batches are drawn from: those of one batch must not be of one screen,
# or every step unlearns what the one before learned from another.
CUTS: Final = 4
POOL: Final = 96
SCALES: Final = (0.72, 1.35)  # around the size that the product would show the frame at
VISIBLE: Final = 0.5  # of an element must be seen, or it is left alone
LONG_ENOUGH: Final = 160.0  # pixels of a side that is cut: what is seen of a row or a dialog is still one
DRAWN: Final = ("icon", "image")
LEAST_SIDE: Final = 4.0  # pixels; less cannot be told from a line
RELIST: Final = 100  # batches after which the folders are listed again: screens may still be made
KEPT_FOR_FLOORS: Final = 40  # one screen of so many is kept out of training: the floors of the scores are set on them

Pixels = npt.NDArray[np.uint8]
Crop = tuple[Pixels, list[Element]]


@dataclass(frozen=True)
class Truth:
    """
    Elements of one screen: boxes in frame pixels, classes, which are to be ignored, and which can be clicked.

    An icon counts as clicked only where no control around it does: within a button it is the button.
    """

    picture: Path
    boxes: npt.NDArray[np.float32]
    kinds: npt.NDArray[np.int64]
    ignored: npt.NDArray[np.bool_]
    interactive: npt.NDArray[np.bool_]
    source: str
    library: str

    @classmethod
    def read(cls, path: Path) -> Truth:
        """From the JSON file beside a picture; elements of other roles, such as text, are left out."""
        values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        chosen = [each for each in values["elements"] if each["role"] in CLASSES]
        boxes = np.array([each["box"] for each in chosen], np.float32).reshape(-1, 4)
        return cls(
            next(path.with_suffix(end) for end in (".png", ".jpg") if path.with_suffix(end).exists()),
            boxes,
            np.array([CLASSES.index(each["role"]) for each in chosen], np.int64),
            np.array([each.get("visible", 1.0) < VISIBLE for each in chosen], np.bool_),
            np.array([_clicked(each, values["elements"]) for each in chosen], np.bool_),
            path.parent.name,
            str(values.get("library") or path.parent.name),
        )


def _clicked(element: dict[str, Any], elements: list[dict[str, Any]]) -> bool:
    parent = element.get("parent")
    within = element["role"] in DRAWN and parent is not None and elements[parent].get("interactive")
    return bool(element.get("interactive")) and not within


def open_picture(path: Path) -> Pixels:
    """RGB pixels. Raises OSError for a file that is no picture."""
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if pixels is None:
        raise OSError(f"{path} is not a picture")
    return np.asarray(pixels[:, :, ::-1], np.uint8)


def screens(folders: list[Path], split: str) -> dict[str, list[Path]]:
    """The truth files by source (their folder). `split`: "train" without, "floors" with those kept for the floors, "held"."""
    found: dict[str, list[Path]] = {}
    for folder in folders:
        for path in sorted((folder / "screens" / ("held" if split == "held" else "train")).glob("*/*.json")):
            kept = zlib.crc32(path.stem.encode()) % KEPT_FOR_FLOORS == 0
            if split == "held" or kept == (split == "floors"):
                found.setdefault(path.parent.name, []).append(path)
    return found


@dataclass
class Cutter:
    """
    Makes crops from a seed, for ever.

    Sources are drawn by the square root of their number of screens, places by how rare the element there is, so that thousands
    of pages of one library do not drown the others, nor links the sliders.
    """

    folders: list[Path]
    seed: int
    seen: dict[int, int] = field(default_factory=dict)
    pools: dict[tuple[int, int], list[Crop]] = field(default_factory=dict)

    def batches(self, size: int) -> Iterator[list[Crop]]:
        """Batches of one shape, with the pixels of `size` crops of 448x448, or a single large one. Notices new screens."""
        draw = random.Random(self.seed)
        for count in itertools.count():
            if count % RELIST == 0:
                found = screens(self.folders, "train")
            if count % LARGE_EVERY == 0:
                yield self._cuts(found, draw.choice(LARGE), 1, draw)
                continue
            shape = draw.choice(PARTS)
            pool = self.pools.setdefault(shape, [])
            wanted = max(2, round(size * UNIT / (shape[0] * shape[1])))
            while len(pool) < POOL + wanted:
                pool += self._cuts(found, shape, CUTS, draw)
            yield _mosaics([pool.pop(draw.randrange(len(pool))) for _ in range(wanted)], draw)

    def _cuts(
        self, found: dict[str, list[Path]], shape: tuple[int, int], count: int, draw: random.Random
    ) -> list[Crop]:
        """Crops of one screen; of another one where a screen is still being written, or has been withdrawn."""
        while True:
            weights = [len(paths) ** 0.5 for paths in found.values()]
            path = draw.choice(draw.choices(list(found.values()), weights)[0])
            try:
                truth = Truth.read(path)
                pixels = open_picture(truth.picture)
            except (OSError, ValueError, StopIteration):
                continue
            return [self._crop(pixels, truth, shape, draw) for _ in range(count)]

    def _crop(self, pixels: Pixels, truth: Truth, shape: tuple[int, int], draw: random.Random) -> Crop:
        height, width = pixels.shape[:2]
        scale = network_scale((width, height)) * np.exp(draw.uniform(*np.log(SCALES)))
        span = min(width, round(shape[0] / scale)), min(height, round(shape[1] / scale))
        left, top = self._corner(truth, (width, height), span, draw)
        part = pixels[top : top + span[1], left : left + span[0]]
        size = min(shape[0], round(span[0] * scale)), min(shape[1], round(span[1] * scale))
        shrunk = cv2.resize(part, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        crop = np.zeros((shape[1], shape[0], 3), np.uint8)
        crop[: size[1], : size[0]] = disturbed(np.asarray(shrunk, np.uint8), draw)
        boxes = (truth.boxes - np.array([left, top, left, top], np.float32)) * np.float32(scale)
        found = [
            element
            for box, kind, ignored in zip(boxes.tolist(), truth.kinds.tolist(), truth.ignored.tolist(), strict=True)
            if (element := cut(Element(tuple(box), kind, ignored), size))
        ]
        return crop, found

    def _corner(
        self, truth: Truth, size: tuple[int, int], span: tuple[int, int], draw: random.Random
    ) -> tuple[int, int]:
        """A random place, or one around an element that has been drawn by its rarity so far."""
        free = size[0] - span[0], size[1] - span[1]
        if not len(truth.kinds) or draw.random() < 0.4:
            return draw.randint(0, free[0]), draw.randint(0, free[1])
        kinds = truth.kinds.tolist()
        for kind in kinds:
            self.seen[kind] = self.seen.get(kind, 0) + 1
        chosen = draw.choices(range(len(kinds)), [self.seen[kind] ** -0.7 for kind in kinds])[0]
        left, top, right, bottom = truth.boxes[chosen].tolist()
        place = []
        for low, high, length, most in ((left, right, span[0], free[0]), (top, bottom, span[1], free[1])):
            middle = (low + high) / 2 - length * draw.uniform(0.15, 0.85)
            place.append(min(max(0, round(middle)), most))
        return place[0], place[1]


def cut(element: Element, size: tuple[int, int]) -> Element | None:
    """An element as a crop of `size` shows it; ignored when too little of it is left, None when nothing is."""
    left, top, right, bottom = element.box
    seen = max(0.0, left), max(0.0, top), min(float(size[0]), right), min(float(size[1]), bottom)
    width, height = seen[2] - seen[0], seen[3] - seen[1]
    if width < 1 or height < 1:
        return None
    whole = all(
        part >= VISIBLE * length or part >= LONG_ENOUGH
        for part, length in ((width, right - left), (height, bottom - top))
    )
    return Element(seen, element.kind, element.ignored or not whole or min(width, height) < LEAST_SIDE)


def disturbed(pixels: Pixels, draw: random.Random) -> Pixels:
    """Other colours, inverted, paler or darker, blurred, or pressed by JPEG: as themes and captures differ."""
    values = pixels
    if draw.random() < 0.3:
        values = values[:, :, draw.sample([0, 1, 2], 3)]
    if draw.random() < 0.2:
        values = 255 - values
    if draw.random() < 0.5:
        gain = np.array([draw.uniform(0.75, 1.1) for _ in range(3)], np.float32)
        values = np.clip(values * gain + draw.uniform(-12, 25), 0, 255).astype(np.uint8)
    if draw.random() < 0.1:
        values = cv2.GaussianBlur(values, (3, 3), draw.uniform(0.3, 0.9))
    if draw.random() < 0.2:
        pressed = cv2.imencode(".jpg", np.ascontiguousarray(values), [cv2.IMWRITE_JPEG_QUALITY, draw.randint(45, 92)])[
            1
        ]
        values = cv2.imdecode(pressed, cv2.IMREAD_COLOR)
    return np.asarray(values, np.uint8)


def _mosaics(crops: list[tuple[Pixels, list[Element]]], draw: random.Random) -> list[tuple[Pixels, list[Element]]]:
    """One crop in eight is made of two: the left part of one screen beside, or above, another's."""
    made = list(crops)
    for index in range(len(made)):
        if draw.random() >= 0.125:
            continue
        (first, of_first), (second, of_second) = made[index], crops[draw.randrange(len(crops))]
        height, width = first.shape[:2]
        across = draw.random() < 0.5
        edge = round((width if across else height) * draw.uniform(0.3, 0.7))
        joined = first.copy()
        if across:
            joined[:, edge:] = second[:, : width - edge]
            one, rest, move = (edge, height), (width - edge, height), (edge, 0)
        else:
            joined[edge:] = second[: height - edge]
            one, rest, move = (width, edge), (width, height - edge), (0, edge)
        elements = [element for each in of_first if (element := cut(each, one))]
        elements += [_moved(element, move) for each in of_second if (element := cut(each, rest))]
        made[index] = joined, elements
    return made


def _moved(element: Element, by: tuple[int, int]) -> Element:
    left, top, right, bottom = element.box
    return element._replace(box=(left + by[0], top + by[1], right + by[0], bottom + by[1]))
