"""Words of an icon set's names, without the set's own marks: "bxs-bell-ring", "bell-ring-24-filled" -> "bell ring"."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

_STYLES: Final = frozenset(
    {
        *("outline", "outlined", "filled", "fill", "solid", "sharp", "rounded", "round", "twotone", "duotone"),
        *("duo", "linear", "broken", "regular", "rtl", "ltr", "o", "f", "baseline", "multicolor", "color", "colored"),
        *("24px", "16px", "32px", "glyph", "remix", "flat", "block", "stroke", "wordmark", "plain", "negative"),
        *("frf", "expressive", "alt"),
    }
)
# A style in some sets, a meaning in others: "chart-line", "text-bold", "sun-light", "thin".
_STYLES_OF: Final = {
    "line": frozenset({"ri", "mingcute", "clarity", "si", "majesticons", "lets-icons", "uim", "gravity-ui", "solar"}),
    "bold": frozenset({"ph", "solar", "glyphs", "iconmind", "iconamoon", "streamline-ultimate", "lets-icons"}),
    "light": frozenset({"ph", "iconamoon", "lets-icons", "skill-icons"}),
    "thin": frozenset({"ph", "iconmind"}),
}
_LEADING: Final = frozenset({"bx", "bxs", "bxl", "ios", "md", "sc", "vis", "ic"})
_GLUED_NUMBER: Final = re.compile(r"(?<=[a-z]{3})\d{1,2}$")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
MAX_TEXT: Final = 40  # characters; longer is a description, not a name


@cache
def clean(prefix: str, name: str) -> str:
    """The words of an icon's name without style, size and counting."""
    words = [word for word in re.split(r"[-_\s]+", _CAMEL.sub("-", name).lower()) if word]
    while len(words) > 1 and words[0] in _LEADING:
        words = words[1:]
    while len(words) > 1 and _is_style(prefix, words[-1]):
        words = words[:-1]
    if prefix in ("f7", "akar-icons", "bi", "mage"):
        words = [word for word in words if word != "fill"] or words
    words[-1] = _GLUED_NUMBER.sub("", words[-1])
    return " ".join(words)


def _is_style(prefix: str, word: str) -> bool:
    return word in _STYLES or (word.isdigit() and len(word) < 3) or prefix in _STYLES_OF.get(word, ())


Tags = dict[str, list[str]]


def tags_of_sets(packages: Path) -> dict[str, Tags]:
    """The synonyms that sets publish beside their drawings, by prefix and icon name; icon-park's are Chinese."""
    read: dict[str, Callable[[Path], Tags]] = {
        "mdi": _mdi,
        "tabler": _tabler,
        "ph": _phosphor,
        "octicon": _octicons,
        "icon-park": _icon_park,
    }
    tags = {prefix: reader(packages) for prefix, reader in read.items()}
    for style in ("outline", "solid", "twotone"):
        tags[f"icon-park-{style}"] = tags["icon-park"]
    return tags


def _json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def _mdi(packages: Path) -> Tags:
    return {one["name"]: one["aliases"] for one in _json(packages / "@mdi/svg/meta.json")}


def _tabler(packages: Path) -> Tags:
    return {
        name: [str(tag) for tag in one.get("tags", ())]
        for name, one in _json(packages / "@tabler/icons/icons.json").items()
    }


def _octicons(packages: Path) -> Tags:
    return {name: one.get("keywords", []) for name, one in _json(packages / "@primer/octicons/build/data.json").items()}


def _icon_park(packages: Path) -> Tags:
    return {one["name"]: [one["title"], *one.get("tag", ())] for one in _json(packages / "@icon-park/svg/icons.json")}


def _phosphor(packages: Path) -> Tags:
    source = (packages / "@phosphor-icons/core/dist/index.mjs").read_text("utf-8")
    found = re.finditer(r'name:\s*"([a-z0-9-]+)".{0,300}?tags:\s*\[(.*?)\]', source, re.DOTALL)
    return {one[1]: [tag for tag in re.findall(r'"([^"]*)"', one[2]) if not tag.startswith("*")] for one in found}


def plain_tags(tags: list[str]) -> list[str]:
    """Tags as texts: lower case, blanks for hyphens, too short and too long ones left out."""
    texts = (tag.lower().replace("-", " ").strip() for tag in tags)
    return list(
        dict.fromkeys(text for text in texts if (len(text) > 1 or _CHINESE.search(text)) and len(text) <= MAX_TEXT)
    )


def base_name(prefix: str, name: str) -> str:
    """The name under which a set's metadata list an icon."""
    name = re.sub(r"-\d+$", "", name) if prefix == "octicon" else name
    return re.sub(r"-(fill|filled|bold|thin|light|duotone)$", "", name) if prefix in ("ph", "tabler") else name


def is_chinese(text: str) -> bool:
    return bool(_CHINESE.search(text))
