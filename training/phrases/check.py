"""`python -m training.phrases.check`: whether the written phrases are sound, and how many there are of each kind.

With `--pictures DIR` the pictures in DIR are compared with those that the boxes were drawn on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import cv2

WRITTEN: Final = Path(__file__).parent / "written"
KINDS: Final = ("text", "icon", "control", "relation", "absent")


def phrases(folder: Path = WRITTEN) -> list[dict[str, Any]]:
    """All written phrases that two readings agree on."""
    return [json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]


def pictures(folder: Path = WRITTEN) -> dict[str, dict[str, Any]]:
    """Source, licence, language, size and digest of each picture by its name."""
    found: dict[str, dict[str, Any]] = json.loads((folder / "pictures.json").read_text())
    return found


def faults(found: Iterable[Mapping[str, Any]], about: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Phrases whose picture is unknown, whose box is outside of it or missed by the second reader, and repeated phrases."""
    wrong: list[str] = []
    seen: set[tuple[str, str]] = set()
    for each in found:
        where = f"{each['picture']}: {each['words']}"
        if each["picture"] not in about or each["kind"] not in KINDS:
            wrong.append(f"{where}: unknown picture or kind")
            continue
        width, height = about[each["picture"]]["size"]
        box, second = each["box"], each["second"]
        if (box is None) != (each["kind"] == "absent") or (box is None) != (second is None):
            wrong.append(f"{where}: a box where nothing is, or none where something is")
        elif box is not None:
            left, top, right, bottom = box
            if not (0 <= left < right <= width and 0 <= top < bottom <= height):
                wrong.append(f"{where}: the box is not in the picture")
            elif not (left <= second[0] <= right and top <= second[1] <= bottom):
                wrong.append(f"{where}: the second reader's point is not in the box")
        if (each["picture"], each["words"]) in seen:
            wrong.append(f"{where}: twice")
        seen.add((each["picture"], each["words"]))
    return wrong


def changed(folder: Path, about: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Names of pictures that are missing in the folder or differ from those that the boxes were drawn on."""
    names: list[str] = []
    for name, each in about.items():
        pixels = cv2.imread(str(folder / f"{name}.{each.get('ending', 'png')}"))
        if pixels is None or hashlib.sha256(pixels.tobytes()).hexdigest() != each["sha256"]:
            names.append(name)
    return names


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path, default=None, help="the folder with NAME.png")
    choices = parser.parse_args(arguments)
    found, about = phrases(), pictures()
    wrong = faults(found, about)
    print("\n".join(wrong), end="\n" if wrong else "")
    other = sum(each["language"][:2] != about[each["picture"]]["language"][:2] for each in found)
    print(
        f"{len(found)} phrases on {len(about)} pictures, {100 * other / len(found):.0f} % in another language than the screen's"
    )
    for key in ("kind", "language"):
        counted = Counter(each[key] for each in found)
        print(", ".join(f"{name} {count} ({100 * count / len(found):.0f} %)" for name, count in counted.most_common()))
    if choices.pictures is not None:
        differ = changed(choices.pictures, about)
        print(f"{len(differ)} pictures are missing or differ:", *differ)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
