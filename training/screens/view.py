"""`python -m training.screens.view --data DIR --sample 60`: random screens with their boxes, as a page and a contact sheet."""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

# BGR, one per role; texts are thin and grey, since they are many and no detector class.
COLOURS: Final = {
    "button": (40, 40, 230),
    "input": (0, 160, 0),
    "checkbox": (230, 60, 230),
    "radio": (200, 0, 140),
    "switch": (255, 120, 0),
    "slider": (200, 200, 0),
    "tab": (0, 140, 255),
    "link": (255, 0, 0),
    "menu item": (0, 200, 255),
    "list item": (120, 200, 60),
    "combo box": (60, 120, 60),
    "icon": (180, 0, 255),
    "image": (130, 90, 30),
    "scroll bar": (90, 30, 130),
    "window": (0, 0, 0),
    "text": (170, 170, 170),
}


def screens_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("screens/*/*/*.json"))


def drawn(truth_file: Path, text: bool = True) -> NDArray[np.uint8]:
    truth = json.loads(truth_file.read_text())
    picture = next(path for ending in (".jpg", ".png") if (path := truth_file.with_suffix(ending)).exists())
    pixels = cv2.imread(str(picture))
    thick = max(1, round(pixels.shape[1] / 1400))
    for element in sorted(truth["elements"], key=_area, reverse=True):
        left, top, right, bottom = element["box"]
        if element["role"] == "text":
            if text:
                cv2.rectangle(pixels, (left, top), (right, bottom), COLOURS["text"], 1)
            continue
        cv2.rectangle(pixels, (left, top), (right - 1, bottom - 1), COLOURS[element["role"]], thick)
        if "covered" in element["state"]:
            cv2.line(pixels, (left, top), (right, bottom), COLOURS[element["role"]], 1)
    label = f"{truth_file.stem} {truth['language']} x{truth['scale']} {truth.get('icon_set', '')}"
    cv2.putText(pixels, label, (4, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 255), 1)
    return pixels


def _area(element: dict[str, Any]) -> int:
    left, top, right, bottom = element["box"]
    return (right - left) * (bottom - top)


def sheet(files: list[Path], across: int, edge: int) -> NDArray[np.uint8]:
    """A contact sheet with `across` screens a row, each at most `edge` pixels wide and high."""
    cells = []
    for each in files:
        pixels = drawn(each)
        shrink = min(edge / pixels.shape[1], edge / pixels.shape[0], 1)
        small = cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        cell = np.full((edge, edge, 3), 90, np.uint8)
        cell[: small.shape[0], : small.shape[1]] = small
        cells.append(cell)
    while len(cells) % across:
        cells.append(np.full((edge, edge, 3), 90, np.uint8))
    return np.vstack([np.hstack(cells[start : start + across]) for start in range(0, len(cells), across)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("out/training"))
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--match", default="", help="only screens whose path holds this")
    parser.add_argument("--across", type=int, default=4)
    parser.add_argument("--edge", type=int, default=640)
    parser.add_argument("--out", type=Path, default=None, help="folder of the page; DIR/view without it")
    choices = parser.parse_args()
    out = choices.out or choices.data / "view"
    out.mkdir(parents=True, exist_ok=True)
    files = [each for each in screens_in(choices.data) if choices.match in str(each)]
    files = random.Random(choices.seed).sample(files, min(choices.sample, len(files)))
    legend = " ".join(f'<b style="color:rgb{colour[::-1]}">{role}</b>' for role, colour in COLOURS.items())
    lines = [
        "<!doctype html><meta charset=utf-8><title>Screens</title><body style='background:#888'><p>",
        legend,
        "</p>",
    ]
    for each in files:
        cv2.imwrite(str(out / f"{each.stem}.jpg"), drawn(each), [cv2.IMWRITE_JPEG_QUALITY, 85])
        lines.append(
            f'<figure><img src="{each.stem}.jpg" style="max-width:100%"><figcaption>{each.stem}</figcaption></figure>'
        )
    (out / "index.html").write_text("\n".join(lines))
    if files:
        cv2.imwrite(str(out / "sheet.png"), sheet(files, choices.across, choices.edge))
    print(f"{len(files)} screens in {out}/index.html and sheet.png")


if __name__ == "__main__":
    main()
