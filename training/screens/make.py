"""`python -m training.screens.make --data DIR --screens N --seed S`: N screens with their truth, added to DIR/screens.

What is on a screen follows from the seed and its number. A run that was cut off goes on at the next number.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from training.screens.browser import Browser
from training.screens.icons import IconSets
from training.screens.libraries import LIBRARIES, Library
from training.screens.packages import install
from training.screens.save import save
from training.screens.truth import CLASSES, finish
from training.screens.words import LANGUAGES, SHARES

PER_LOAD: Final = 12  # screens from one loaded page: loading costs as much as two of them
VIEWS: Final = 3  # screens of one page: a page costs as much as two more looks at it
PNG_SHARE: Final = 0.2
SHARES_OF_KINDS: Final = {"web": 0.74, "qt": 0.18, "phone": 0.05, "desktop": 0.03}
QT_SCALES: Final = {1.0: 0.5, 1.25: 0.2, 1.5: 0.2, 2.0: 0.1}
LEAST_ELEMENTS: Final = 4  # fewer, and the page did not come about


def _sizes(text: str) -> list[tuple[int, int]]:
    return [(int(width), int(height)) for width, height in (each.split("x") for each in text.split())]


DESKTOP_SIZES: Final = _sizes(
    "1024x768 1152x720 1280x720 1280x800 1366x768 1440x900 1600x900 1680x1050 1920x1080 2560x1440"
)
PHONE_SIZES: Final = _sizes("320x568 360x640 360x720 360x800 375x667 390x844 393x852 412x915 430x932 480x960")


def view_of(chance: random.Random, phone: bool) -> dict[str, Any]:
    """A window's size in CSS pixels and its scale."""
    width, height = chance.choice(PHONE_SIZES if phone else DESKTOP_SIZES)
    if phone:
        scale = chance.choice((1.5, 2, 2, 2.5, 3))
    else:
        scale = chance.choices((1, 1.25, 1.5, 2), (70, 8, 10, 12))[0] if width < 1700 else 1
    return {"width": width, "height": height, "scale": scale}


def web_order(chance: random.Random, library: Library, seed: int) -> dict[str, Any]:
    """Everything that a page is made from but its icons and words."""
    phone = library.views == "phone" or (library.views == "both" and chance.random() < 0.3)
    language = chance.choices(list(SHARES), list(SHARES.values()))[0]
    dark = library.dark and chance.random() < 0.42
    return {"seed": seed, "phone": phone, "language": language, "dark": dark, **view_of(chance, phone)}


def web(
    folder: Path, packages: Path, numbers: Iterator[int], seed: int, split: str, only: str, drawn: str
) -> Iterator[str]:
    """Make the web screens of these numbers with icons of the split `drawn`; yields the name of each."""
    icons = IconSets(folder)
    held = split == "held"
    libraries = [each for each in LIBRARIES if each.held_out == held and (not only or each.name in only.split(","))]
    pages = folder / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    with Browser(packages, pages) as browser:
        library, left, page = libraries[0], 0, {}
        for number in numbers:
            chance = random.Random(f"{seed} {number}")
            if left == 0:
                library = chance.choices(libraries, [each.weight for each in libraries])[0]
                browser.load(library)
                left = PER_LOAD
            if left % VIEWS == 0:
                page = {**web_order(chance, library, chance.randrange(2**31)), **icons.order(chance, drawn == "held")}
            else:  # the same page, scrolled, with something over it or without, mostly in a window of another size
                size = view_of(chance, page["phone"]) if chance.random() < 0.7 else {}
                page = {**page, **size, "seed": chance.randrange(2**31), "again": True}
            order = page
            left -= 1
            name = f"{library.name}-{seed}-{number:06}"
            if _one(browser, library, order, chance, folder / "screens" / split / library.name, name):
                yield name


def _one(
    browser: Browser, library: Library, order: dict[str, Any], chance: random.Random, folder: Path, name: str
) -> bool:
    """Make and keep one screen; False where the page did not come about."""
    quality = None if chance.random() < PNG_SHARE else chance.choice((88, 92, 95, 95))
    picture, raw = browser.shot({**order, "words": LANGUAGES[order["language"]]}, quality)
    for fault in browser.faults[:2]:
        print(library.name, fault, flush=True)
    browser.faults.clear()
    pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    elements = finish(raw, pixels, order["scale"])
    if sum(each["role"] in CLASSES for each in elements) < LEAST_ELEMENTS:
        return False
    about = {"kind": "web", "library": library.name, "icon_set": order["set"]}
    about |= {key: order[key] for key in ("phone", "scale", "language", "dark", "seed")}
    save(folder, name, picture, ".jpg" if quality else ".png", pixels.shape, about, elements)
    return True


def qt(folder: Path, count: int, seed: int) -> None:
    """Qt windows, a process for each scale: Qt takes one scale for a process."""
    for scale, share in QT_SCALES.items():
        words = [sys.executable, "-m", "training.screens.qt_windows", "--data", str(folder), "--seed", str(seed)]
        words += ["--scale", str(scale), "--screens", str(max(1, round(count * share)))]
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(scale)}
        subprocess.run(words, env=environment, check=True)


def web_screens(choices: argparse.Namespace, count: int) -> None:
    """Web screens from where the last run with this seed stopped."""
    packages = install(choices.data)
    progress = choices.data / f"progress-{choices.split}-{choices.seed}.txt"
    first = int(progress.read_text()) if progress.exists() else 0
    numbers = iter(range(first, first + count))
    began, made = time.monotonic(), 0
    drawn = choices.icons or choices.split
    screens = web(choices.data, packages, numbers, choices.seed, choices.split, choices.libraries, drawn)
    for made, _ in enumerate(screens, 1):
        if made % 20 == 0:
            progress.write_text(str(first + made))
            print(f"{made} screens, {made / (time.monotonic() - began):.2f}/s", flush=True)
    progress.write_text(str(first + count))
    print(f"{made} screens in {time.monotonic() - began:.0f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("out/training"), help="where packages and screens lie")
    parser.add_argument("--screens", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--split", choices=("train", "held"), default="train")
    parser.add_argument(
        "--only", choices=tuple(SHARES_OF_KINDS), default=None, help="one kind of screens; all without it"
    )
    parser.add_argument("--icons", choices=("train", "held"), help="whose icon sets; those of the split without it")
    parser.add_argument("--libraries", default="", help="comma-separated names; all of the split without it")
    choices = parser.parse_args()
    kinds = {choices.only: 1.0} if choices.only else {"web": 1.0} if choices.split == "held" else SHARES_OF_KINDS
    for kind, share in kinds.items():
        count = round(choices.screens * share)
        if kind == "web":
            web_screens(choices, count)
        elif kind == "qt":
            qt(choices.data, count, choices.seed)
        elif kind == "phone":
            from training.screens import phone

            print(phone.make(choices.data, count, choices.seed), "screens of the virtual phone")
        else:
            from training.screens import desktop

            print(desktop.make(choices.data, count, choices.seed, choices.split), "screens of applications")


if __name__ == "__main__":
    main()
