"""Pictures of crops with their targets: what to look at before a training. `python -m training.detector.look --help`."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from handeye.parse.decoding import CLASSES
from training.detector.crops import Cutter, Pixels
from training.detector.losses import centres
from training.detector.targets import Element, targets

COLOURS = [tuple(row) for row in np.random.default_rng(3).integers(60, 256, (len(CLASSES), 3)).tolist()]


def drawn(crop: Pixels, elements: list[Element]) -> Pixels:
    """The crop with each element's box and class, ignored ones in gray, and a dot on each cell that must speak."""
    picture = np.ascontiguousarray(crop[:, :, ::-1])
    size = crop.shape[1], crop.shape[0]
    for element in elements:
        corners = [round(value) for value in element.box]
        colour = (128, 128, 128) if element.ignored else COLOURS[element.kind]
        cv2.rectangle(picture, (corners[0], corners[1]), (corners[2] - 1, corners[3] - 1), colour, 1)
        cv2.putText(picture, CLASSES[element.kind], (corners[0], corners[1] + 8), 0, 0.3, colour, 1)
    made = targets(elements, size)
    places, strides = centres([(size[1] // stride, size[0] // stride) for stride in (8, 16, 32)])
    for cell, group in zip(*np.nonzero(made.kinds >= 0), strict=True):
        x, y = (round(value) for value in places[cell].tolist())
        cv2.circle(picture, (x, y), int(strides[cell]) // 8, COLOURS[made.kinds[cell, group]], -1)
    return np.asarray(picture, np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", default=[Path("out/training")])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--out", type=Path, default=Path("out/training/detector/targets"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    batches = Cutter(asked.data, asked.seed).batches(2)
    for number in range(asked.count):
        for place, (crop, elements) in enumerate(next(batches)):
            cv2.imwrite(str(asked.out / f"{number:03}-{place}.png"), drawn(crop, elements))


if __name__ == "__main__":
    main()
