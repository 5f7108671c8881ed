"""
Human expressions for elements of Android screens, resolved by the tree alone: right, wrong, refused, ambiguous.

    python benchmarks/bench_refexp.py ITEMS.jsonl [--show right|wrong|refused|ambiguous] [--limit N]

ITEMS holds one JSON object a line: `instruction`, `target_bbox` and `view_hierarchy` (`bbox`, `class`, `text`, `desc`, `id`),
boxes as fractions 0-1, as the UIBert referring-expression set has them. No picture belongs to them, so the frame is noise, and
colours are not looked for.
An answer is right by "centre" when its click point lies in the target's box, by "IoU" when the boxes share half of their union.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from handeye.elements import UIElement
from handeye.geometry import Box, Size
from handeye.locate.accessibility import AccessibilityStrategy
from handeye.locate.chain import LocateChain
from handeye.roles import ANDROID, role_of_class
from handeye.screen import Screen
from handeye.target import LocateResult, Target
from handeye.testing.trees import FakeProvider

SIZE = Size(1440, 2560)  # Rico's screens
PRESSED = {"button", "checkbox", "radio", "switch", "input", "combo box", "slider", "tab", "menu item"}
LEAST_IOU = 0.5
SURE = 0.8


def box_of(fractions: list[float]) -> Box:
    left, top, right, bottom = fractions
    return Box(
        round(left * SIZE.width), round(top * SIZE.height), round(right * SIZE.width), round(bottom * SIZE.height)
    )


def elements_of(nodes: list[dict[str, Any]]) -> tuple[UIElement, ...]:
    """A flat list: this set says nothing about parents."""
    elements = []
    for number, node in enumerate(nodes, 1):
        role = role_of_class(node["class"], ANDROID) or "element"
        elements.append(
            UIElement(
                element_type=role,
                description=node["desc"].strip(),
                bbox=box_of(node["bbox"]),
                source="accessibility",
                text=node["text"].strip(),
                id=number,
                interactive=True if role in PRESSED else None,
                metadata={"class": node["class"], "id": node["id"]},
            )
        )
    return tuple(elements)


def without_colours(target: Target) -> Target:
    relations = tuple(replace(each, anchor=without_colours(each.anchor)) for each in target.relations)
    return replace(target, colour=None, relations=relations)


def judge(found: LocateResult, truth: Box) -> tuple[str, str]:
    """The verdicts by centre and by IoU."""
    if found.element is None:
        refused = "ambiguous" if len(found.candidates) > 1 else "refused"
        return refused, refused
    by_centre = "right" if truth.contains(found.element.center) else "wrong"
    return by_centre, "right" if found.element.bbox.iou(truth) >= LEAST_IOU else "wrong"


def results(items: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Target, LocateResult, float]]:
    screen = Screen(np.random.default_rng(1).integers(0, 255, (SIZE.height, SIZE.width, 3), np.uint8))
    provider = FakeProvider()
    chain = LocateChain([AccessibilityStrategy(provider)])
    for item in items:
        provider.elements = elements_of(item["view_hierarchy"])
        start = time.thread_time()
        target = without_colours(Target.parse(item["instruction"]))
        found = chain.locate(target, screen)
        yield item, target, found, (time.thread_time() - start) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("items", type=Path, nargs="?", help="the JSON lines of UIBert's referring expressions")
    parser.add_argument("--show", choices=["right", "wrong", "refused", "ambiguous"])
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    if options.items is None:  # `make bench` has no such data
        print("nothing to measure: give the JSON lines of UIBert's referring expressions")
        return
    items = [json.loads(line) for line in options.items.read_text(encoding="utf-8").splitlines() if line.strip()]
    centre: Counter[str] = Counter()
    overlap: Counter[str] = Counter()
    sure: Counter[str] = Counter()
    spent: list[float] = []
    for item, target, found, ms in results(items[: options.limit]):
        truth = box_of(item["target_bbox"])
        by_centre, by_overlap = judge(found, truth)
        centre[by_centre] += 1
        overlap[by_overlap] += 1
        spent.append(ms)
        if found.confidence > SURE:
            sure[by_centre] += 1
        if by_centre == options.show:
            report(item, target, found, truth)
    print(f"{len(spent)} expressions, {np.median(spent):.1f} ms each (median CPU), {max(spent):.0f} at most")
    for name, counts in (("centre", centre), ("IoU >= 0.5", overlap), (f"centre, confidence > {SURE}", sure)):
        total = sum(counts.values()) or 1
        cells = "  ".join(f"{kind} {counts[kind]} ({counts[kind] / total:.1%})" for kind in ("right", "wrong"))
        print(f"{name:28} {cells}  refused {counts['refused']}  ambiguous {counts['ambiguous']}")


def report(item: dict[str, Any], target: Target, found: LocateResult, truth: Box) -> None:
    meant = max(item["view_hierarchy"], key=lambda node: box_of(node["bbox"]).iou(truth))
    print(f"{item['instruction']!r}\n   as {target}")
    print(f"   meant {meant['class']} {meant['text'][:40]!r} {meant['desc'][:30]!r} {meant['id']} {tuple(truth)}")
    for element in (found.element,) if found.element else found.candidates[:4]:
        about = (
            f"{element.element_type} {element.text[:40]!r} {element.description[:30]!r} {element.metadata.get('id')}"
        )
        print(f"   found {about} {tuple(element.bbox)} {element.confidence:.2f}")
    print("   " + "; ".join(map(str, found.attempts)))


if __name__ == "__main__":
    main()
