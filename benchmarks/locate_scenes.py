"""Rendered scenes with known truth for `bench_locate.py`: a phone's launcher with one icon to find, or without it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from handeye.geometry import Box
from handeye.matching import Reference
from handeye.screen import Screen
from handeye_phone.artwork import APP_ICONS, icon, wallpaper

WIDTH, HEIGHT, SIDE = 1080, 2400, 96
KINDS = ("plain", "scaled", "dark", "covered", "absent", "absent dark")


@dataclass(frozen=True)
class Scene:
    kind: str
    screen: Screen
    reference: Reference
    truth: Box | None


def scenes(per_kind: int, seed: int = 1, *, alpha: bool = False) -> Iterator[Scene]:
    """`per_kind` scenes of each kind, always the same ones for a seed; `alpha` keeps the references' transparency."""
    chance = random.Random(seed)
    for kind in KINDS:
        for _ in range(per_kind):
            yield _scene(kind, chance, alpha)


def _scene(kind: str, chance: random.Random, alpha: bool) -> Scene:
    names = chance.sample(list(APP_ICONS), len(APP_ICONS))
    wanted, others = names[0], names[1:]
    dark = kind.endswith("dark")
    image = wallpaper(WIDTH, HEIGHT, dark=dark).convert("RGB") if chance.random() < 0.5 else _plain(dark)
    scale = 1.0 if kind == "plain" else chance.uniform(0.55, 1.5)
    side = round(SIDE * scale)
    places = [(60 + 250 * column, 140 + 300 * row) for row in range(6) for column in range(4)]
    chance.shuffle(places)
    truth = None
    for index, (left, top) in enumerate(places[:20]):
        present = index == 0 and not kind.startswith("absent")
        name = wanted if present else others[index % len(others)]
        drawn = icon(name, side, dark=dark).convert("RGBA")
        image.paste(drawn, (left, top), drawn)
        if present:
            truth = Box(left, top, left + side, top + side)
            if kind == "covered":
                _cover(image, truth, chance)
    reference = picture = icon(wanted, SIDE).convert("RGBA")
    if not alpha:
        reference = Image.new("RGB", (SIDE, SIDE), (240, 240, 240))
        reference.paste(picture, (0, 0), picture)
    return Scene(kind, Screen.from_image(image), Reference(wanted, np.asarray(reference).copy()), truth)


def _plain(dark: bool) -> Image.Image:
    return Image.new("RGB", (WIDTH, HEIGHT), (18, 18, 18) if dark else (245, 245, 245))


def _cover(image: Image.Image, box: Box, chance: random.Random) -> None:
    """A third of the icon is hidden, from a random side."""
    third = box.width // 3
    parts = (
        (box.left, box.top, box.left + third, box.bottom),
        (box.right - third, box.top, box.right, box.bottom),
        (box.left, box.top, box.right, box.top + third),
        (box.left, box.bottom - third, box.right, box.bottom),
    )
    ImageDraw.Draw(image).rectangle(chance.choice(parts), fill=(128, 128, 128))
