"""Icon sets that are used, their licences, and the sets that are held out for evaluation."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

# SPDX names of licences that allow shipping what was learned. Share-alike, non-commercial and GPL sets stay out.
PERMISSIVE: Final = frozenset(
    {"Apache-2.0", "BSD-3-Clause", "CC-BY-3.0", "CC-BY-4.0", "CC0-1.0", "ISC", "MIT", "OFL-1.1", "Unlicense"}
)

# Never trained on: families in wide use, each with its relatives (feather is lucide's ancestor, "fa" older Font Awesome).
HELD_OUT: Final = frozenset(
    {
        *("lucide", "lucide-lab", "feather", "ant-design", "ep", "radix-icons", "ic"),
        *("material-symbols", "material-symbols-light"),
        *("fa", "fa-solid", "fa-regular", "fa-brands"),
        *("fa6-solid", "fa6-regular", "fa6-brands", "fa7-solid", "fa7-regular", "fa7-brands"),
    }
)

# Kept out of training to learn from them how far a similarity can be believed; the figures are not taken on them.
CALIBRATION: Final = frozenset({"iconoir", "gravity-ui", "lsicon"})

# Permissive, and of no use: flags by country, coins, laundry, crowded repeats of one drawing, and sets of one service's logos.
UNUSED: Final = frozenset(
    {
        *(
            "cif",
            "circle-flags",
            "flag",
            "flagpack",
            "cryptocurrency",
            "cryptocurrency-color",
            "token",
            "token-branded",
        ),
        *("ginetex", "fluent-emoji", "emojione", "noto-v1", "thesvg", "selfhst", "svg-spinners", "meteocons"),
        *("academicons", "websymbol", "geo", "bitcoin-icons", "covid", "medical-icon", "k8s", "gcp"),
        *("vadivam", "keyline-icons"),  # drawn after lucide, which is held out
    }
)

# How often a category's icons are shown in training, against 1 for those of interfaces: logos and emoji are on screens too.
CATEGORY_WEIGHT: Final = {"Logos": 0.25, "Emoji": 0.25, "Flags / Maps": 0.4, "Thematic": 0.3, "Programming": 0.6}


@dataclass(frozen=True, slots=True)
class IconSet:
    """One set: its prefix at Iconify, licence, number of icons, category, and whether it is drawn in many colours."""

    prefix: str
    licence: str
    total: int
    category: str
    coloured: bool

    @property
    def held_out(self) -> bool:
        return self.prefix in HELD_OUT

    @property
    def use(self) -> str:
        """Purpose of the set: "training", "calibration" or "held out"."""
        return "held out" if self.held_out else "calibration" if self.prefix in CALIBRATION else "training"

    @property
    def weight(self) -> float:
        return CATEGORY_WEIGHT.get(self.category, 1.0)


def usable_sets(packages: Path) -> list[IconSet]:
    """The permissive sets of `@iconify/json` under a `node_modules` folder, by prefix; held-out ones included."""
    listed = json.loads((packages / "@iconify/json/collections.json").read_text("utf-8"))
    found = [
        IconSet(
            prefix=prefix,
            licence=about["license"].get("spdx", ""),
            total=int(about.get("total", 0)),
            category=about.get("category") or "",
            coloured=bool(about.get("palette")),
        )
        for prefix, about in sorted(listed.items())
    ]
    return [one for one in found if one.licence in PERMISSIVE and one.prefix not in UNUSED]


# Drawings that a set repeats at several sizes or in several cuts: one of each is enough.
_REPEATED: Final[dict[str, re.Pattern[str]]] = {
    "fluent": re.compile(r"-(?!20-|24-)\d+-(regular|filled|light|color)$|-light$"),
    "heroicons": re.compile(r"-(16|20)-solid$"),
    "octicon": re.compile(r"-(12|48|96)$"),
    "material-symbols": re.compile(r"-(rounded|sharp|outline-rounded|outline-sharp)$"),
    "material-symbols-light": re.compile(r"."),
    "ic": re.compile(r"^(round|sharp|twotone)-"),
    "fluent-emoji-flat": re.compile(r"-(light|medium|medium-light|medium-dark|dark)$"),
    "twemoji": re.compile(r"-skin-tone$|^flag-"),
    "noto": re.compile(r"-skin-tone$|^flag-"),
}
_ANIMATION: Final = re.compile(r"<(animate\w*|set)\b[^>]*/>|<(animate\w*|set)\b.*?</\2>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Drawing:
    """One icon as the set draws it: its own name, the other names it goes by, and a complete SVG."""

    name: str
    aliases: tuple[str, ...]
    svg: str


def drawings(packages: Path, prefix: str, side: int) -> list[Drawing]:
    """The icons of a set as SVG documents of `side` x `side` pixels, repeats left out."""
    book = json.loads((packages / f"@iconify/json/json/{prefix}.json").read_text("utf-8"))
    aliases: dict[str, list[str]] = {}
    for alias, about in book.get("aliases", {}).items():
        if not set(about) - {"parent", "hidden"}:  # one that also turns the drawing is another drawing
            aliases.setdefault(about["parent"], []).append(alias)
    repeated = _REPEATED.get(prefix)
    names = [name for name, icon in book["icons"].items() if not icon.get("hidden")]
    if prefix == "fluent":  # the same drawing at 20 and 24: the smaller, where there is one
        names = [n for n in names if not ("-24-" in n and n.replace("-24-", "-20-") in book["icons"])]
    return [
        Drawing(name, tuple(aliases.get(name, ())), _document(book, book["icons"][name], side))
        for name in names
        if not (repeated and repeated.search(name))
    ]


def _document(book: dict[str, Any], icon: dict[str, Any], side: int) -> str:
    left, top = (icon.get(key, book.get(key, 0)) for key in ("left", "top"))
    width, height = (icon.get(key, book.get(key, 16)) for key in ("width", "height"))
    body = _ANIMATION.sub("", icon["body"]).replace("currentColor", "#000")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="{left} {top} {width} {height}" width="{side}" height="{side}">{body}</svg>'
    )
