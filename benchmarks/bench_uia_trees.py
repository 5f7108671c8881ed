"""
Every named control of saved Windows UI Automation trees, asked for by name and role, by name alone, and by its path.

    python benchmarks/bench_uia_trees.py FOLDER

FOLDER holds pairs NAME.snapshot.json (as Accessibility Insights saves them) and NAME.png, the picture of the window. Right: the
click point lies in the control's box. Where several controls have the name and role, "ambiguous" is the right answer.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.accessibility import AccessibilityStrategy
from handeye.locate.chain import LocateChain
from handeye.roles import UIA, role_of_class
from handeye.screen import Screen
from handeye.target import LocateResult, Target
from handeye.testing.trees import FakeProvider

PRESSED = {"button", "menu item", "list item", "tab", "header item", "checkbox", "radio", "link", "input", "grip"}


def elements_of(snapshot: dict[str, Any]) -> tuple[UIElement, ...]:
    """The window's nodes, boxes relative to its own corner, as its picture is."""
    window = next(child for child in snapshot["Children"] if properties(child)["ControlType"] == 50032)
    left, top, _, _ = properties(window)["BoundingRectangle"]
    elements: list[UIElement] = []
    waiting: list[tuple[dict[str, Any], int | None]] = [(window, None)]
    while waiting:
        node, parent = waiting.pop()
        about = properties(node)
        role = role_of_class(about["ControlType"], UIA) or "element"
        x, y, width, height = about.get("BoundingRectangle") or (0, 0, 0, 0)
        box = Box(round(x - left), round(y - top), round(x - left + width), round(y - top + height))
        elements.append(
            UIElement(
                element_type=role,
                description="",
                bbox=box if width and height else Box(0, 0, 0, 0),
                source="accessibility",
                text=about.get("Name") or "",
                id=len(elements) + 1,
                parent=parent,
                enabled=bool(about.get("IsEnabled")),
                interactive=role in PRESSED,
                metadata={
                    "class": about.get("ClassName") or "",
                    "id": about.get("AutomationId") or "",
                    "offscreen": bool(about.get("IsOffscreen")),
                },
            )
        )
        waiting.extend((child, len(elements)) for child in reversed(node.get("Children") or []))
    return tuple(elements)


def properties(node: dict[str, Any]) -> dict[str, Any]:
    return {value["Name"]: value["Value"] for value in node["Properties"].values()}


def verdict(found: LocateResult, meant: UIElement, twins: int) -> str:
    places = (found.element,) if found.element else found.candidates
    there = any(place.bbox == meant.bbox or place.bbox.contains(meant.center) for place in places)
    if found.element is None:
        return ("ambiguous, rightly" if there and twins > 1 else "ambiguous") if len(places) > 1 else "refused"
    return "right" if meant.bbox.contains(found.element.center) else "wrong"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="the folder of saved trees and their screenshots")
    options = parser.parse_args()
    if options.folder is None:  # `make bench` has no such data
        print("nothing to measure: give the folder of saved trees and their screenshots")
        return
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in ("name and role", "name", "path")}
    for file in sorted(options.folder.glob("*.snapshot.json")):
        screen = Screen.open(file.with_name(file.name.replace(".snapshot.json", ".png")))
        elements = elements_of(json.loads(file.read_text(encoding="utf-8")))
        chain = LocateChain([AccessibilityStrategy(FakeProvider(elements))])
        shown = [each for each in elements if each.bbox.intersect(screen.box) and not each.metadata["offscreen"]]
        for meant in (each for each in shown if each.text):
            same = [each for each in shown if each.text == meant.text]
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
