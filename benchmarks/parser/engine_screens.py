"""Named icons on the held-out screens that the data engine generates: random pages, truth by their DOM."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from handeye.geometry import Box
from parser.held_icons import plain_name
from parser.questions import NamedIcon, Scene
from parser.screens import picture_of, shuffled

SETS: Final = frozenset(
    (
        *("lucide", "material-symbols", "material-symbols-light", "ant-design", "ic", "radix-icons", "ep", "feather"),
        *("fa-solid", "fa-regular", "fa6-solid", "fa6-regular", "fa7-solid", "fa7-regular"),
    )
)
"""Sets of things; those of brands are no test of words."""
SEEN: Final = frozenset(
    ("mdi", "tabler", "ph", "bi", "heroicons", "ri", "carbon", "octicon", "ion", "fluent", "uil", "icon-park-outline")
)
"""Sets that training saw: on pages of unseen libraries, they tell what unseen drawings cost."""
SCREENS_EACH: Final = 12  # of one library
ICONS_EACH: Final = 8  # of one screen
# An icon's control takes the click for it, when it is not much larger: not a row of a list, but a button.
_BUTTON: Final = 4.0


def scenes(folder: Path, sets: frozenset[str] = SETS) -> Iterator[Scene]:
    """Some screens of each library of `folder`/<library>/ with icons of `sets`; of each, some that are alone in their name."""
    for library in sorted(path for path in folder.glob("*") if path.is_dir()):
        left = SCREENS_EACH
        for truth in shuffled(library):
            if not left:
                break
            values = json.loads(truth.read_text(encoding="utf-8"))
            picture = picture_of(truth)
            if values.get("icon_set") not in sets or picture is None:
                continue
            icons = tuple(_icons(values["elements"], truth.stem))
            if icons:
                left -= 1
                yield Scene(truth.stem, picture, library.name, values.get("language", ""), (), icons)


def _icons(elements: Sequence[Mapping[str, Any]], seed: str) -> Iterator[NamedIcon]:
    named = [each for each in elements if each["role"] == "icon" and ":" in (each.get("name") or "")]
    names = [plain_name(*each["name"].split(":", 1)) for each in named]
    shown = [
        (name, each)
        for name, each in zip(names, named, strict=True)
        if names.count(name) == 1 and each.get("visible", 1) >= 1 and not any(map(str.isdigit, name))
    ]
    for name, each in random.Random(seed).sample(shown, min(len(shown), ICONS_EACH)):
        box, above = Box(*each["box"]), each.get("parent")
        if above is not None and elements[above].get("interactive"):
            control = Box(*elements[above]["box"])
            box = control if control.area <= _BUTTON * box.area else box
        yield NamedIcon(name, box)
