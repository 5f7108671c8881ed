"""Icons of sets that training never saw: their names and their look on a screen."""

from __future__ import annotations

import io
import json
import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from handeye.geometry import Box

SETS: Final = ("lucide", "material-symbols", "ant-design", "ic", "fa6-solid", "radix-icons", "ep", "feather")
PACKAGES: Final = (
    "@iconify-json/lucide@1.2.137",
    "@iconify-json/material-symbols@1.2.98",
    "@iconify-json/ant-design@1.2.9",
    "@iconify-json/ic@1.2.4",
    "@iconify-json/fa6-solid@1.2.4",
    "@iconify-json/radix-icons@1.2.6",
    "@iconify-json/ep@1.2.4",
    "@iconify-json/feather@1.2.1",
)
# Styles of one and the same drawing, as the sets write them before and after a name.
_STYLE_BEFORE = re.compile(r"^(baseline|outline|round|sharp|twotone)-(?=.)")
_STYLE_AFTER = re.compile(r"-(outline|outlined|rounded|sharp|fill|filled|twotone)$")
SIZES: Final = (16, 18, 20, 24, 28, 32, 40, 48)
# Backgrounds of icons: pages and panels, light and dark, and buttons of a strong colour. And the colours of icons.
_LOOKS: Final = (
    ("#ffffff", "#1f1f1f"),
    ("#ffffff", "#757575"),
    ("#f3f4f6", "#374151"),
    ("#ffffff", "#1677ff"),
    ("#1677ff", "#ffffff"),
    ("#e53935", "#ffffff"),
    ("#07c160", "#ffffff"),
    ("#121212", "#e0e0e0"),
    ("#1e1e1e", "#9e9e9e"),
    ("#263238", "#80cbc4"),
    ("#fff8e1", "#ff8f00"),
)
_MARGIN: Final = 12  # pixels of the picture around an icon
_LOOSE: Final = 2  # pixels that a box may be larger than the drawing; a detector's boxes are


@dataclass(frozen=True)
class Icon:
    """One icon of a held-out set. `name` is plain; `body` is the content of <svg>, `view` its viewBox."""

    icon_set: str
    name: str
    body: str
    view: str


@dataclass(frozen=True)
class Cut:
    """A piece of a screen with one icon on it, and the box in which it would be found."""

    pixels: NDArray[np.uint8]
    box: Box


def install(folder: Path) -> Path:
    """Install the held-out sets from npm into `folder` and return the folder of their packages."""
    packages = folder / "node_modules" / "@iconify-json"
    if not all((packages / name / "icons.json").exists() for name in SETS):
        add(folder, PACKAGES)
    return packages


def add(folder: Path, packages: Sequence[str]) -> None:
    """Add packages from npm to `folder`/node_modules. Raises SystemExit where npm is missing."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is missing, which brings libraries and icon sets; on Debian: apt-get install npm")
    folder.mkdir(parents=True, exist_ok=True)
    about = folder / "package.json"  # npm removes what is not listed in it
    if not about.exists():
        about.write_text('{"private": true}')
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", *packages]
    subprocess.run(command, cwd=folder, check=True)


def plain_name(icon_set: str, name: str) -> str:
    """Return an icon's name without the style it is drawn in: "home-outline-rounded" is "home"."""
    if icon_set == "ic":  # elsewhere a name may begin with such a word
        name = _STYLE_BEFORE.sub("", name)
    shorter = _STYLE_AFTER.sub("", name)
    return name if shorter == name else plain_name("", shorter)


def icons_of(packages: Path, icon_set: str) -> list[Icon]:
    """Return one drawing of each plain name, in a style that the seed picks, in the order of their names."""
    held = json.loads((packages / icon_set / "icons.json").read_text(encoding="utf-8"))
    styles: dict[str, list[str]] = {}
    for name, values in held["icons"].items():
        if not values.get("hidden"):
            styles.setdefault(plain_name(icon_set, name), []).append(name)
    chance = random.Random(icon_set)
    chosen = {plain: chance.choice(sorted(names)) for plain, names in sorted(styles.items())}
    return [_icon(icon_set, plain, held, held["icons"][name]) for plain, name in chosen.items()]


def _icon(icon_set: str, plain: str, held: dict, values: dict) -> Icon:
    left, top = values.get("left", held.get("left", 0)), values.get("top", held.get("top", 0))
    width = values.get("width", held.get("width", 16))
    height = values.get("height", held.get("height", 16))
    return Icon(icon_set, plain, values["body"], f"{left} {top} {width} {height}")


def drawn(icon: Icon, chance: random.Random) -> Cut:
    """Return the icon as a screen shows it, in a size, colours and a place that `chance` picks."""
    under, ink = chance.choice(_LOOKS)
    alpha = coverage(icon, chance.choice(SIZES))
    page = "#ffffff" if chance.random() < 0.5 else "#181818"
    height, width = (side + 2 * _MARGIN for side in alpha.shape)
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = _rgb(page)
    inset = chance.randrange(0, _MARGIN // 2)  # distance of the button's edge from the picture's
    canvas[inset : height - inset, inset : width - inset] = _rgb(under)
    inner = canvas[_MARGIN : height - _MARGIN, _MARGIN : width - _MARGIN]
    inner += alpha[..., None] * (_rgb(ink) - inner)
    rows, columns = (np.flatnonzero((alpha > 0.1).any(axis)) for axis in (1, 0))
    if not len(rows):
        rows, columns = (np.arange(side) for side in alpha.shape)
    loose = [chance.randint(0, _LOOSE) for _ in range(4)]
    box = Box(
        int(columns[0]) + _MARGIN - loose[0],
        int(rows[0]) + _MARGIN - loose[1],
        int(columns[-1]) + 1 + _MARGIN + loose[2],
        int(rows[-1]) + 1 + _MARGIN + loose[3],
    )
    return Cut(canvas.round().astype(np.uint8), box)


def coverage(icon: Icon, size: int) -> NDArray[np.float32]:
    """Return the share of each pixel that the icon covers, 0-1, drawn `size` pixels high."""
    import resvg_py

    body = icon.body.replace("currentColor", "#000")
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    svg = f'<svg {spaces} viewBox="{icon.view}">{body}</svg>'
    png = resvg_py.svg_to_bytes(svg_string=svg, height=size, skip_system_fonts=True)
    with Image.open(io.BytesIO(bytes(png))) as picture:
        return np.asarray(picture.convert("RGBA"))[..., 3].astype(np.float32) / 255


def sheet(rows: Sequence[tuple[str, Sequence[Icon]]], side: int = 40, names: int = 190) -> Image.Image:
    """Return a picture for review: each row's words and its icons."""
    from PIL import ImageDraw, ImageFont

    font = ImageFont.load_default()
    width = names + side * max(len(icons) for _, icons in rows)
    picture = Image.new("RGB", (width, side * len(rows)), "white")
    draw = ImageDraw.Draw(picture)
    for number, (words, icons) in enumerate(rows):
        draw.text((4, number * side + side // 3), words.encode("ascii", "replace").decode(), "black", font)
        for column, icon in enumerate(icons):
            alpha = coverage(icon, side - 8)
            ink = Image.fromarray(((1 - alpha) * 255).astype(np.uint8)).resize((side - 8, side - 8))
            picture.paste(ink, (names + column * side + 4, number * side + 4))
    return picture


def _rgb(colour: str) -> NDArray[np.float32]:
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)], np.float32)
