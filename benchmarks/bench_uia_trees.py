"""
Every named control of saved Windows UI Automation trees, asked for by name and role, by name alone, and by its path.

    python benchmarks/bench_uia_trees.py [FOLDER]

FOLDER holds pairs NAME.snapshot.json (as Accessibility Insights saves them) and NAME.png, its picture. Without a folder:
recorded trees at HANDEYE_UIA_TREES or in `shared/data/windows_uia` beside the checkout, else the tests' own, which is written
and drawn by hand. Right: the click point lies in the control's box. Where several controls have the name and role, "ambiguous"
is the right answer.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from handeye.elements import UIElement
from handeye.locate import AccessibilityStrategy, LocateChain
from handeye.perceive import Property
from handeye.perceive.uia.elements import element_of, place
from handeye.perceive.uia.vocabulary import control_types
from handeye.screen import Screen
from handeye.target import LocateResult, Target
from handeye.testing.perceiving import FakeProvider
from handeye.testing.uia_snapshots import read_snapshot

CHECKOUT = Path(__file__).parents[1]
RECORDED = Path(os.environ.get("HANDEYE_UIA_TREES", CHECKOUT.parent / "shared" / "data" / "windows_uia"))
WRITTEN_BY_HAND = CHECKOUT / "tests" / "perceive"
WINDOWS = control_types("Window")


def elements_of(file: Path) -> tuple[UIElement, ...]:
    """The window's elements as Handeye makes them of its nodes, boxes relative to its own corner, as its picture is."""
    top = read_snapshot(file)
    window = next(node for node in (top, *top.children) if node.get(Property.CONTROL_TYPE) in WINDOWS)
    assert window.box is not None
    x, y, _, _ = window.box
    return tuple(moved(element_of(placed), -x, -y) for placed in place([window]))


def picture_of(file: Path, elements: Sequence[UIElement]) -> Screen:
    """Its picture; where there is none, one with a frame and the name of each element at its place."""
    picture = file.with_name(file.name.replace(".snapshot.json", ".png"))
    if picture.exists():
        return Screen.open(picture)
    image = Image.new("RGB", elements[0].bbox[2:], "white")
    draw = ImageDraw.Draw(image)
    for each in elements:
        if not each.metadata.get("offscreen"):
            draw.rectangle(tuple(each.bbox), outline="gray")
            draw.text((each.bbox.left + 3, each.bbox.top + 2), each.text.encode("ascii", "replace"), "black")
    return Screen(np.asarray(image))


def moved(element: UIElement, dx: int, dy: int) -> UIElement:
    if element.metadata.get("offscreen"):
        return element
    region = element.visible_region.translate(dx, dy) if element.visible_region is not None else None
    return replace(element, bbox=element.bbox.translate(dx, dy), visible_region=region)


def verdict(found: LocateResult, meant: UIElement, twins: int) -> str:
    places = (found.element,) if found.element else found.candidates
    there = any(place.bbox == meant.bbox or place.bbox.contains(meant.center) for place in places)
    if found.element is None:
        return ("ambiguous, rightly" if there and twins > 1 else "ambiguous") if len(places) > 1 else "refused"
    return "right" if meant.bbox.contains(found.element.center) else "wrong"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        default=RECORDED if RECORDED.exists() else WRITTEN_BY_HAND,
        help="saved trees and their pictures",
    )
    options = parser.parse_args()
    print(f"trees of {options.folder}")
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in ("name and role", "name", "path")}
    for file in sorted(options.folder.glob("*.snapshot.json")):
        elements = elements_of(file)
        screen = picture_of(file, elements)
        chain = LocateChain([AccessibilityStrategy(FakeProvider(elements))])
        shown = [each for each in elements if each.bbox.intersect(screen.box) and not each.metadata.get("offscreen")]
        for meant in (each for each in shown if each.text):
            same = [each for each in shown if meant.text in (each.text, each.description)]
            kin = [each for each in same if each.element_type == meant.element_type]
            queries = {
                "name and role": (Target(text=meant.text, role=meant.element_type, exact=True), len(kin)),
                "name": (Target(text=meant.text, exact=True), len(same)),
                "path": (
                    Target(path=f'//{meant.element_type.title().replace(" ", "")}[@name="{meant.text}"]'),
                    len(kin),
                ),
            }
            for kind, (target, twins) in queries.items():
                found = chain.locate(target, screen)
                result = verdict(found, meant, twins)
                counts[kind][result] += 1
                if result not in ("right", "ambiguous, rightly"):
                    print(f"{file.stem}: {target}: {result}; {'; '.join(map(str, found.attempts))}")
    for kind, results in counts.items():
        print(f"{kind:14} " + "  ".join(f"{name} {count}" for name, count in results.most_common()))


if __name__ == "__main__":
    main()
