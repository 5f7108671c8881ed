"""
Cost and gain of the accuracy wrappers, with a simulated model that really looks at the pictures it is sent.

    python benchmarks/bench_wrappers.py [scenes [wrappers ...]]

The model finds a coloured button on the picture as it was resized, and errs the way models do: its place is off by some
pixels of the picture it sees, it takes a small thing for another one more often than a large one, it sees things that
are not there, and the confidence it states (0.9) carries no information. The rates are given below; they are chosen,
not measured on any model. The figures show what each wrapper does to such errors and what it costs, not how good a
certain model is.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import numpy as np
from PIL import Image

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.models import OUTLINE, VisionAgent
from handeye.models.families.lookup import profile_named
from handeye.models.grounding.vision_agent import Wrappers
from handeye.screen import Screen
from handeye.target import Target
from handeye.testing.perceiving import FakeProvider
from handeye.testing.seeing import SeeingModel

SIZE = (720, 1600)
BUTTONS = 12
SMALLEST, LARGEST = 16, 100
# The simulated model. Off by so many pixels of the picture it sees (standard deviation):
OFF = 5.0
# Share of things of 28 seen pixels and more, and of smaller ones, that it takes for another one:
MISTAKEN, MISTAKEN_SMALL = 0.05, 0.35
# Share of absent things that it sees all the same, and of confirmations that it gets wrong:
IMAGINED, MISJUDGED = 0.4, 0.1
# How often a model makes its mistake about one thing again when it looks again.
AGAIN = 0.7
PIECE = 28


def colour(index: int) -> tuple[int, int, int]:
    """Return a colour far enough from the others to be distinguished after resizing."""
    return (40 + 60 * (index % 4), 40 + 80 * (index // 4 % 3), 200 if index < 12 else 90)


@dataclass
class Scene:
    screen: Screen
    boxes: dict[str, Box]


def scene(random: np.random.Generator) -> Scene:
    pixels = np.full((SIZE[1], SIZE[0], 3), 250, np.uint8)
    boxes: dict[str, Box] = {}
    while len(boxes) < BUTTONS:
        side = int(random.integers(SMALLEST, LARGEST))
        x, y = int(random.integers(0, SIZE[0] - side)), int(random.integers(0, SIZE[1] - side))
        box = Box(x, y, x + side, y + side)
        if all(box.expand(30).intersect(other) is None for other in boxes.values()):
            name = str(len(boxes))
            boxes[name] = box
            pixels[box.top : box.bottom, box.left : box.right] = colour(int(name))
    return Scene(Screen(pixels), boxes)


@dataclass
class Sight:
    """The simulated errors on one scene: a thing is mostly taken for the same wrong one again (`AGAIN`)."""

    random: np.random.Generator
    mistakes: dict[str, tuple[float, np.ndarray]] = field(default_factory=dict)

    def look(self, picture: Image.Image, words: str) -> Box | None:
        pixels = np.asarray(picture.convert("RGB"), np.int16)
        wanted = _patch(pixels, int(words)) if int(words) < BUTTONS else None
        if wanted is None:
            return self._another(pixels, words) if self._chance(words) < IMAGINED else None
        small = min(wanted.width, wanted.height) < PIECE
        if self._chance(words) < (MISTAKEN_SMALL if small else MISTAKEN):
            return self._another(pixels, words)
        dx, dy = (round(value) for value in self.random.normal(0, OFF, 2))
        return wanted.translate(dx, dy).clip(picture.size)

    def _chance(self, words: str) -> float:
        if words not in self.mistakes:
            self.mistakes[words] = (self.random.random(), self.random.permutation(BUTTONS))
        return self.mistakes[words][0] if self.random.random() < AGAIN else self.random.random()

    def _another(self, pixels: np.ndarray, words: str) -> Box | None:
        for index in self.mistakes[words][1]:
            if str(index) != words and (box := _patch(pixels, int(index))) is not None:
                return box
        return None

    def confirm(self, picture: Image.Image, words: str) -> str:
        pixels = np.asarray(picture.convert("RGB"), np.int16)
        rows, columns = np.nonzero((pixels == OUTLINE).all(axis=2))
        inside = pixels[rows.min() + 4 : rows.max() - 3, columns.min() + 4 : columns.max() - 3]
        right = int(words) < BUTTONS and (np.abs(inside - np.int16(colour(int(words)))).max(axis=2) < 12).mean() > 0.2
        return "yes" if right != (self.random.random() < MISJUDGED) else "no"


def _patch(pixels: np.ndarray, index: int) -> Box | None:
    near = np.abs(pixels - np.int16(colour(index))).max(axis=2) < 12
    rows, columns = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
    return Box(columns[0], rows[0], columns[-1] + 1, rows[-1] + 1) if len(rows) else None


def only(**used: str) -> Wrappers:
    names = ("tiles", "zoom", "marks", "vote", "strong", "snap", "verify")
    return Wrappers(**{**dict.fromkeys(names, "off"), **used})  # type: ignore[arg-type]


SETTINGS = {
    "none": (only(), False),
    "zoom": (only(zoom="on"), False),
    "vote": (only(vote="on"), False),
    "verify": (only(verify="on"), False),
    "snap, elements known": (only(snap="on"), True),
    "zoom, vote, verify": (only(zoom="on", vote="on", verify="on"), False),
    "auto": (Wrappers(), False),
    "auto, verify on": (Wrappers(verify="on"), False),
    "auto, elements known": (Wrappers(), True),
}


def run(name: str, scenes: int) -> str:
    wrappers, with_elements = SETTINGS[name]
    random, errors = np.random.default_rng(4), np.random.default_rng(5)
    right = wrong = refused_right = absent = absent_wrong = calls = tokens = 0
    for _ in range(scenes):
        drawn, sight = scene(random), Sight(errors)
        tree = FakeProvider(
            [
                UIElement("button", "", box, source="accessibility", text=name, interactive=True)
                for name, box in drawn.boxes.items()
            ]
        )
        model = SeeingModel(profile_named("generic"), sight.look, confirm=sight.confirm)
        agent = VisionAgent(model, profile_named("generic"), wrappers=wrappers, state=tree if with_elements else None)
        for words in ("0", "1", "2", str(BUTTONS + 1)):
            target = Target(text=words) if with_elements else Target(description=words)
            found = agent.find(target, drawn.screen)
            best = found[0] if isinstance(found, tuple) and len(found) >= 1 and found[0].confidence >= 0.5 else None
            if int(words) >= BUTTONS:
                absent, absent_wrong = absent + 1, absent_wrong + (best is not None)
            elif best is None:
                refused_right += 1
            elif drawn.boxes[words].contains(best.center):
                right += 1
            else:
                wrong += 1
        calls, tokens = calls + agent.usage.calls, tokens + agent.usage.tokens_in
    there = right + wrong + refused_right
    return (
        f"| {name} | {right / there:.1%} | {wrong / there:.1%} | {absent_wrong / absent:.1%} "
        f"| {calls / (there + absent):.2f} | {tokens / (there + absent):,.0f} |"
    )


def main() -> None:
    scenes = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print("| wrappers | right | wrong, of what is there | found, of what is not | calls | tokens in |")
    print("|---|---|---|---|---|---|")
    for name in sys.argv[2:] or SETTINGS:
        print(run(name, scenes), flush=True)


if __name__ == "__main__":
    main()
