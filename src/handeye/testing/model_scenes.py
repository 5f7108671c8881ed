"""
Scenes with known ground truth, and models that see them: they process the picture that was actually sent, find the
requested element, and answer in a family's format. Scripts for a `handeye.testing.model_server.ModelServer`:

>>> scene = draw_scene(Random(7), Size(400, 300))
>>> server = ModelServer(SceneModel([scene], profile_named("gemini")))

The controls have no text: only the scene knows their names, so that only the model can find them.
"""

from __future__ import annotations

import colorsys
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final

import cv2
import numpy as np
from PIL import Image

from handeye.geometry import Box, Size
from handeye.models import OUTLINE, Picture, Profile, SentImage
from handeye.ocr import CachedReader, PaddleReader
from handeye.screen import Pixels, Screen
from handeye.testing.model_replies import write_box
from handeye.testing.model_server import ModelRequest, ScriptedReply

_PAGE: Final = (244, 245, 247)
# Sides of a control as fractions of the frame's: from a small icon to a wide button.
_LEAST_SHARE, _MOST_SHARE = 0.05, 0.2
# Tolerance of a colour channel inside an area of one colour after resizing, and of an edge from its rounded position.
_SAME_COLOUR: Final = 3
_SAME_EDGE: Final = 1.5
_FIND: Final = re.compile(r'^\{"find": .*\}$', re.MULTILINE)
ABSENT: Final = '{"found": false, "reason": "I see no such thing", "suggestion": "scroll down"}'

Writes = Callable[[Profile, SentImage, Box, str], str]
"""Function that writes the model's answer for a box in frame pixels: `write_box`, or a wrong one."""


@dataclass(frozen=True, slots=True)
class Control:
    """A control in a scene: a filled area of one colour, `box` in pixels of the frame."""

    label: str
    box: Box
    colour: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Scene:
    """A frame and its controls. Labels must be unique among the scenes of a server."""

    screen: Screen
    controls: tuple[Control, ...]

    def control(self, label: str) -> Control | None:
        return next((control for control in self.controls if control.label == label), None)


def draw_scene(chance: Random, size: tuple[int, int], count: int = 6) -> Scene:
    """Draw `count` controls at random positions that do not touch, each with a different colour and an invented name."""
    width, height = size
    pixels = np.full((height, width, 3), _PAGE, np.uint8)
    controls: list[Control] = []
    turn = chance.random()
    while len(controls) < count:
        wide = max(4, round(width * chance.uniform(_LEAST_SHARE, _MOST_SHARE)))
        high = max(4, round(height * chance.uniform(_LEAST_SHARE, _MOST_SHARE)))
        left, top = chance.randint(0, width - wide), chance.randint(0, height - high)
        box = Box(left, top, left + wide, top + high)
        if any(box.expand(2).intersect(other.box) for other in controls):
            continue
        colour = _colour(turn + len(controls) / count)
        pixels[box.top : box.bottom, box.left : box.right] = colour
        controls.append(Control(made_up_word(chance), box, colour))
    return Scene(Screen(pixels), tuple(controls))


def made_up_word(chance: Random, syllables: int = 5) -> str:
    """Return a name that is practically unique: one of 75^5."""
    return "".join(chance.choice("bdfgklmnprstvwz") + chance.choice("aeiou") for _ in range(syllables)).capitalize()


def _colour(turn: float) -> tuple[int, int, int]:
    red, green, blue = (round(255 * part) for part in colorsys.hsv_to_rgb(turn % 1.0, 0.75, 0.8))
    return red, green, blue


class ReadingModel:
    """
    Finds labels by reading the picture with the bundled text reader, and answers in the format of the family `speaks`;
    needs no scene. Without a requested label, it returns the first line that it reads.
    """

    def __init__(self, speaks: Profile, writes: Writes = write_box) -> None:
        self.speaks = speaks
        self._writes = writes
        self._reader = CachedReader(PaddleReader())

    def __call__(self, asked: ModelRequest) -> ScriptedReply:
        if not asked.pictures:
            return ScriptedReply("I see no picture")
        picture = asked.pictures[-1]
        screen = Screen(decoded(picture).copy())
        lines = self._reader.read(screen)
        label = requested_label(asked.text)
        if not label:
            return ScriptedReply(lines[0].text if lines else "I see no text")
        sent = SentImage(picture, screen.size, screen.box, screen.size)
        box = next((line.box for line in lines if line.text == label), None)
        return ScriptedReply(ABSENT if box is None else self._writes(self.speaks, sent, box, label))


class SceneModel:
    """
    Answers requests in either wire format about `scenes`, in the format of the family `speaks`: a script for a
    `ModelServer`.

    It relies only on the picture: its size, and the position of the requested control's colour on it (a frame, or a
    part of one). If the picture shows the whole frame, the answer is the scene's ground truth, exact to the pixel. It
    reports what it does not see; "is that it?" is answered by the colour inside the box. `writes` may return wrong
    answers, `before` may answer instead (None passes).
    """

    def __init__(
        self,
        scenes: Sequence[Scene],
        speaks: Profile,
        *,
        writes: Writes = write_box,
        before: Callable[[ModelRequest], ScriptedReply | None] = lambda asked: None,
    ) -> None:
        self.scenes = tuple(scenes)
        self.speaks = speaks
        self._writes = writes
        self._before = before

    def __call__(self, asked: ModelRequest) -> ScriptedReply:
        reply = self._before(asked)
        return reply if reply is not None else ScriptedReply(self._answer(asked))

    def _answer(self, asked: ModelRequest) -> str:
        label = requested_label(asked.text)
        named = next(((scene, found) for scene in self.scenes if (found := scene.control(label)) is not None), None)
        if named is None or not asked.pictures:
            return ABSENT
        scene, control = named
        picture = asked.pictures[-1]
        pixels = decoded(picture)
        if '"answer"' in asked.text:
            return json.dumps({"answer": "yes" if _has_colour_at_centre(pixels, control) else "no"})
        seen = _extent(pixels, control.colour)
        if seen is None:
            return ABSENT
        size = Size(pixels.shape[1], pixels.shape[0])
        whole = SentImage(picture, size, scene.screen.box, scene.screen.size)
        if _is_on_whole_frame(seen, control.box, whole):
            return self._writes(self.speaks, whole, control.box, label)
        part = SentImage(picture, size, Box(0, 0, *size), size)
        return self._writes(self.speaks, part, seen, label)


def requested_label(text: str) -> str:
    """Return the words that a prompt asks for; "" if it asks for none."""
    lines = _FIND.findall(text)
    return str(json.loads(lines[-1]).get("find", "")) if lines else ""


@lru_cache(maxsize=64)
def decoded(picture: Picture) -> Pixels:
    """
    Return the pixels of a picture, RGB of shape (height, width, 3). Cached, as families with the same budget are sent
    the same pictures.
    """
    with Image.open(io.BytesIO(picture.data)) as image:
        return np.asarray(image.convert("RGB"))


def _extent(pixels: Pixels, colour: tuple[int, int, int]) -> Box | None:
    """Return the bounding box of all pixels of that colour."""
    left, top, width, height = cv2.boundingRect(_of_colour(pixels, colour))
    return Box(left, top, left + width, top + height) if width else None


def _of_colour(pixels: Pixels, colour: tuple[int, int, int]) -> Pixels:
    """Return a mask: 255 where a pixel has that colour, 0 elsewhere."""
    low, high = np.subtract(colour, _SAME_COLOUR), np.add(colour, _SAME_COLOUR)
    return np.asarray(cv2.inRange(pixels, np.clip(low, 0, 255), np.clip(high, 0, 255)), np.uint8)


def _is_on_whole_frame(seen: Box, truth: Box, whole: SentImage) -> bool:
    """Return True if the box seen is where a picture of the whole frame would have it; blended edges are not seen."""
    scales = (whole.size.width / whole.frame.width, whole.size.height / whole.frame.height)
    slack = [_SAME_EDGE + max(scale, 1) for scale in scales]
    return all(
        abs(edge - exact * scales[at % 2]) <= slack[at % 2]
        for at, (edge, exact) in enumerate(zip(seen, truth, strict=True))
    )


def _has_colour_at_centre(pixels: Pixels, control: Control) -> bool:
    """Return True if the box drawn on the picture has the control's colour at its centre."""
    drawn = _extent(pixels, OUTLINE)
    if drawn is None:
        return False
    x, y = drawn.center
    return bool(_of_colour(pixels[y : y + 1, x : x + 1], control.colour).all())
