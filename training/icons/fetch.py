"""Get the icon sets and the sets' own tags from npm, and write down what was got: `python -m training.icons.fetch`."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path
from typing import Final

from training.icons.places import Places, places_from_arguments
from training.icons.sets import usable_sets

# The drawings, and the packages whose metadata name them: synonyms, and icon-park's Chinese titles.
PACKAGES: Final = (
    "@iconify/json",
    "@mdi/svg",
    "@tabler/icons",
    "@phosphor-icons/core",
    "@primer/octicons",
    "@icon-park/svg",
)
TABLE: Final = Path(__file__).with_name("sets.csv")


def fetch(places: Places) -> None:
    """Install the packages; nothing of them is run."""
    places.npm.mkdir(parents=True, exist_ok=True)
    if not (places.npm / "package.json").exists():
        (places.npm / "package.json").write_text('{"name": "icons", "private": true}\n', "utf-8")
    subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES], cwd=places.npm, check=True
    )


def write_table(places: Places, table: Path = TABLE) -> int:
    """The sets in use with licence and size, for `training/DATA.md`. Returns how many."""
    sets = usable_sets(places.packages)
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("set", "licence", "icons", "category", "colours", "use"))
        for one in sets:
            writer.writerow(
                (one.prefix, one.licence, one.total, one.category, "many" if one.coloured else "one", one.use)
            )
    return len(sets)


if __name__ == "__main__":
    where = places_from_arguments(__doc__)
    fetch(where)
    print(f"{write_table(where)} sets, listed in {TABLE.name}")
