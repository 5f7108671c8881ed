"""`python -m training.screens.count --data DIR`: how many screens and elements there are, as the tables of DATA.md."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from training.screens.truth import CLASSES
from training.screens.view import screens_in


def table(title: str, counts: dict[str, Counter[str]], names: Iterable[str]) -> str:
    lines = [f"| {title} | train | held out |", "| --- | ---: | ---: |"]
    lines += [f"| {name} | {counts['train'][name]:,} | {counts['held'][name]:,} |" for name in names]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("out/training"))
    choices = parser.parse_args()
    tables: dict[str, dict[str, Counter[str]]] = {}

    def add(title: str, split: str, name: Any, count: int = 1) -> None:
        tables.setdefault(title, {"train": Counter(), "held": Counter()})[split][str(name)] += count

    for path in screens_in(choices.data):
        truth, split = json.loads(path.read_text()), path.parents[1].name
        add("in all", split, "screens")
        add(
            "kind",
            split,
            {"web": "web page", "qt": "Qt window", "atspi": "application", "phone": "phone"}[truth["kind"]],
        )
        add("source", split, truth["library"])
        add("language", split, truth["language"])
        add("form", split, "phone" if truth["phone"] else "desktop")
        add("look", split, "dark" if truth["dark"] else "light")
        add("scale", split, f"{truth['scale']:g}" if truth["kind"] != "phone" else "phone's own")
        for element in truth["elements"]:
            add("elements", split, element["role"])
    for title, counts in tables.items():
        names = sorted(
            set(counts["train"]) | set(counts["held"]), key=lambda name: -counts["train"][name] - counts["held"][name]
        )
        print(table(title, counts, [*CLASSES, "text"] if title == "elements" else names), end="\n\n")


if __name__ == "__main__":
    main()
