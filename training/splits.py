"""
Split of the screens into those to learn from and those for checking only.

    python -m training.splits DIR   # rewrite splits.json from the sets in DIR (../shared/data)

`splits.json` lists the groups (applications, libraries, sessions) of each set on either side; it was written before the
first training. Groups that it does not list, as those of sets that are rendered here, are placed by the same hash.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

Side = Literal["develop", "check"]

FILE: Final = Path(__file__).with_name("splits.json")
SEED: Final = "handeye-grounding-1"
CHECKED: Final[Mapping[str, float]] = {"uibert_refexp_tree": 1 / 3}
"""The share of a set's groups that is for checking only; half of every other set."""
_HALF: Final = 0.5
TRAINABLE: Final = frozenset({"uibert_refexp_tree"})
"""Recorded sets whose "develop" side may be trained on. Of all others it may only be looked at while developing."""
SAME_GROUPS: Final[Mapping[str, str]] = {"android_labels": "android_screens"}
"""Sets that ask about the screens of another set, and share its split."""


def split(set_name: str, group: str) -> Side:
    """The side of a group: by `splits.json`, else by a stable hash of its name."""
    name = SAME_GROUPS.get(set_name, set_name)
    listed = _listed().get(name, {}).get(group)
    if listed is not None:
        return listed
    return "check" if _fraction(name, group) < CHECKED.get(name, _HALF) else "develop"


def divided(set_name: str, groups: Iterable[str]) -> dict[Side, list[str]]:
    """The groups of a set on their sides, in exact shares: those with the lowest hashes are for checking."""
    ordered = sorted(set(groups), key=lambda group: _fraction(set_name, group))
    count = round(len(ordered) * CHECKED.get(set_name, _HALF))
    return {"develop": sorted(ordered[count:]), "check": sorted(ordered[:count])}


def _fraction(set_name: str, group: str) -> float:
    """A number from 0 to 1 that depends on nothing but the names and SEED."""
    digest = hashlib.sha256(f"{SEED}\n{set_name}\n{group}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


@cache
def _listed() -> dict[str, dict[str, Side]]:
    sets: dict[str, dict[Side, list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))["sets"]
    return {name: {group: side for side, groups in sides.items() for group in groups} for name, sides in sets.items()}


def write(data: Path) -> dict[str, Any]:
    """Write `splits.json` from the groups of the sets in `data`."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
    from grounding.sets.all import recorded

    groups: dict[str, set[str]] = {}
    for source in recorded(data):
        if source.name not in SAME_GROUPS:
            groups[source.name] = {case.group for case in source.load()}
    values = {"seed": SEED, "sets": {name: divided(name, own) for name, own in groups.items()}}
    FILE.write_text(json.dumps(values, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return values


if __name__ == "__main__":
    write(Path(sys.argv[1]))
