"""The command line: `python benchmarks/grounding/pages/build.py [--data DIR] [--only NAME]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grounding.pages import instructions, packages
from grounding.pages.catalogue import PAGES, Page, read
from grounding.pages.questions import TRAINING, Question, questions
from grounding.pages.render import Rendered, chromium, render
from grounding.pages.sheets import draw

DATA: Final = Path(__file__).parents[3] / "out" / "grounding"


def main(arguments: list[str] | None = None) -> int:
    """Build the set and print how many questions of each kind it has."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the set and of the packages (%(default)s)")
    parser.add_argument("--only", default="", help="for a trial: only pages whose name holds this")
    parser.add_argument("--sheets", action="store_true", help="also draw the truths on copies of the pictures")
    parser.add_argument(
        "--pages", type=Path, help="another list of pages (JSON), which gets the questions for training"
    )
    chosen = parser.parse_args(arguments)
    count = build(chosen.data, chosen.only, chosen.sheets, read(chosen.pages) if chosen.pages else None)
    print(", ".join(f"{number} {kind}" for kind, number in sorted(count.items())))
    return 0


def build(data: Path, only: str = "", sheets: bool = False, training: Sequence[Page] | None = None) -> Counter[str]:
    """
    Render the pages into `data`/pages with their truths; return the number of pages and of questions by kind.

    Pages for `training` take the place of the public ones, and their absent labels are those of pages in the same language.
    They come with Chromium's accessibility tree.
    """
    wanted = packages.PACKAGES if training is None else sorted({page.package for page in training})
    root = packages.unpack(data / "packages", wanted)
    fonts = packages.font_configuration(data / "packages", root)
    folder = data / "pages"
    folder.mkdir(parents=True, exist_ok=True)
    versions = packages.versions(data / "packages")
    pages = [page for page in training or PAGES if only in page.name]
    with chromium(fonts) as browser:
        rendered = [render(browser, page, root / page.path, folder, with_tree=training is not None) for page in pages]
    written = instructions.read()
    count: Counter[str] = Counter(pages=len(rendered))
    for page in rendered:
        own = [instructions.ask(page, each) for each in written if each.page == page.page.name]
        if training is None:
            asked = [*questions(page, rendered), *own]
        else:
            others = [each for each in rendered if each.page.language == page.page.language]
            asked = questions(page, others, TRAINING)
        save(page, asked, versions.get(page.page.package, ""))
        count.update(each.kind for each in asked)
        if sheets:
            draw(page, asked, data / "sheets")
    return count


def save(page: Rendered, asked: list[Question], version: str) -> None:
    """Write the truth of a page next to its picture."""
    values = {
        "name": page.page.name,
        "group": page.page.package,
        "version": version,
        "language": page.page.language,
        "size": page.size,
        "questions": [{"words": each.words, "kind": each.kind, "boxes": each.boxes} for each in asked],
    }
    if page.tree:
        values |= {"kind": "web", "phone": page.page.view == "phone", "tree": page.tree}
    text = json.dumps(values, ensure_ascii=False, indent=1)
    page.picture.with_suffix(".json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
