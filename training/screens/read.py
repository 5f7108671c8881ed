"""
Run the product's reader on screens whose truth has no lines of text: `python -m training.screens.read --data DIR`.

An application's tree has labels and buttons, but neither the lines in an editor nor a menu's keys, and a text's box is
that of its widget. The rescorer is to see lines as the product will. They are written into the truth as `lines`:
`[text, l, t, r, b]`.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Final

from handeye.ocr import PaddleReader
from handeye.screen import Screen

KIND: Final = "atspi"


def read(folder: Path, reader: PaddleReader, share: tuple[int, int]) -> int:
    """Read the screens of `folder` that were not read before, `share[0]` of every `share[1]`; returns how many."""
    count = 0
    for number, path in enumerate(sorted(folder.glob("screens/*/*/*.json"))):
        if number % share[1] != share[0]:
            continue
        values = json.loads(path.read_text(encoding="utf-8"))
        picture = next((p for end in (".png", ".jpg") if (p := path.with_suffix(end)).exists()), None)
        if values["kind"] != KIND or "lines" in values or picture is None:
            continue
        values["lines"] = [[line.text, *line.box] for line in reader.read(Screen.open(picture))]
        written = path.with_suffix(".part")
        written.write_text(json.dumps(values, ensure_ascii=False), encoding="utf-8")
        written.replace(path)
        count += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("out/training"))
    parser.add_argument("--part", default="0/1", metavar="N/M", help="the N-th of M runs at the same time")
    asked = parser.parse_args()
    part, of = (int(each) for each in asked.part.split("/"))
    began = time.monotonic()
    print(f"{read(asked.data, PaddleReader(threads=1), (part, of))} screens in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
