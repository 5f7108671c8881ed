"""Draw each icon once, 80x80: `python -m training.icons.render`. Coloured sets keep their colours."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import resvg_py
from PIL import Image

from training.icons.places import Places, places_from_arguments
from training.icons.sets import IconSet, drawings, usable_sets

SIDE: Final = 80  # the largest an icon is on most screens; smaller sizes are made from it
MIN_INK: Final = 40  # visible pixels; fewer and there is nothing to see
INK: Final = 60  # the alpha from which a pixel is visible


@dataclass(slots=True)
class Collected:
    """Icons drawn so far; `colour` in a row is its index in `colours`, or -1."""

    rows: list[dict[str, object]]
    masks: list[npt.NDArray[np.uint8]]
    colours: list[npt.NDArray[np.uint8]]


def draw(svg: str) -> npt.NDArray[np.uint8] | None:
    """The icon as (SIDE, SIDE, 4) RGBA, None where the drawing is broken or empty."""
    try:
        encoded = bytes(resvg_py.svg_to_bytes(svg_string=svg))
        picture = np.asarray(Image.open(io.BytesIO(encoded)).convert("RGBA"))
    except (ValueError, OSError):
        return None
    if picture.shape != (SIDE, SIDE, 4) or int((picture[:, :, 3] > INK).sum()) < MIN_INK:
        return None
    return picture


def draw_set(places: Places, one: IconSet, into: Collected) -> int:
    """Draw one set; returns how many icons it gave."""
    before = len(into.rows)
    for drawing in drawings(places.packages, one.prefix, SIDE):
        picture = draw(drawing.svg)
        if picture is None:
            continue
        colour = len(into.colours) if one.coloured else -1
        if one.coloured:
            into.colours.append(picture)
        into.rows.append({"set": one.prefix, "name": drawing.name, "aliases": drawing.aliases, "colour": colour})
        into.masks.append(picture[:, :, 3])
    return len(into.rows) - before


def main(places: Places) -> None:
    places.drawn.mkdir(parents=True, exist_ok=True)
    collected = Collected([], [], [])
    for one in usable_sets(places.packages):
        print(f"{one.prefix:28} {draw_set(places, one, collected):6} {len(collected.rows):7}", flush=True)
    np.save(places.drawn / "masks.npy", np.stack(collected.masks))
    np.save(places.drawn / "colours.npy", np.stack(collected.colours))
    (places.drawn / "icons.json").write_text(json.dumps(collected.rows, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main(places_from_arguments(__doc__))
