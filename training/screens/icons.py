"""Icon sets for the pages: `@iconify/json` from npm, less what its licence or the held-out list keeps out."""

from __future__ import annotations

import json
import random
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

# Of these no picture may reach a training: what the shipped models say of them is measured on sets they never saw.
HELD_OUT: Final = re.compile(
    r"^(lucide.*|material-symbols.*|ant-design|ic|fa6-.*|fa7-.*|fa-.*|fa|la|radix-icons|ep|feather|fe|pepicons.*)$"
)
# Share-alike, non-commercial and GPL sets stay out altogether, as do sets that are no interface icons.
REFUSED_LICENCES: Final = re.compile(r"GPL|-SA|-NC|^CC-BY-ND", re.IGNORECASE)
PICTORIAL: Final = re.compile(
    r"emoji|flag|logos|^cif$|^circle-flags|cryptocurrency|^token|^meteocons|skill-icons|^twemoji|^noto"
)

# Sets that interfaces really use are drawn five times as often as the rest.
MAINSTREAM: Final = (
    "mdi", "tabler", "ph", "bi", "heroicons", "heroicons-outline", "heroicons-solid", "ri", "carbon", "octicon",
    "ion", "fluent", "uil", "iconoir", "icon-park-outline", "solar", "mingcute", "boxicons", "bx", "bxs", "codicon",
    "hugeicons", "tdesign", "weui", "f7", "vaadin", "eva", "remix", "clarity", "akar-icons", "iconamoon", "basil",
    "jam", "majesticons", "lets-icons", "system-uicons", "teenyicons", "zondicons", "css-gg", "gg", "uiw",
    "humbleicons", "famicons", "mynaui", "proicons",
)  # fmt: skip
# What an interface asks for, and the names that sets give it; the first that a set has is taken.
IDEAS: Final[dict[str, str]] = {
    "home": "home house",
    "search": "search magnify magnifying-glass magnifier",
    "settings": "settings setting gear cog cogwheel gear-six",
    "delete": "trash trash-can delete bin trash-2 recycle-bin",
    "edit": "edit pencil pen compose pencil-simple",
    "add": "plus add plus-circle",
    "minus": "minus subtract remove",
    "close": "close x cross times x-mark",
    "back": "arrow-left chevron-left left caret-left angle-left",
    "forward": "arrow-right chevron-right right caret-right angle-right",
    "down": "chevron-down arrow-down down caret-down angle-down",
    "up": "chevron-up arrow-up up caret-up",
    "user": "user person account profile",
    "people": "users people group team account-group",
    "bell": "bell notification notifications",
    "star": "star",
    "heart": "heart favorite like",
    "more": "more dots-horizontal ellipsis dots-three dots more-horizontal",
    "dots": "dots-vertical more-vertical ellipsis-vertical dots-three-vertical",
    "save": "save floppy content-save device-floppy floppy-disk diskette",
    "download": "download",
    "upload": "upload",
    "folder": "folder",
    "file": "file document",
    "menu": "menu hamburger list bars menu-2",
    "filter": "filter funnel",
    "sort": "sort arrows-sort sort-ascending swap-vertical",
    "refresh": "refresh reload sync arrow-clockwise rotate",
    "share": "share share-2 share-network",
    "copy": "copy content-copy duplicate",
    "cut": "cut scissors content-cut",
    "paste": "paste clipboard content-paste",
    "undo": "undo arrow-back-up arrow-counter-clockwise",
    "redo": "redo arrow-forward-up",
    "print": "print printer",
    "lock": "lock",
    "unlock": "unlock lock-open",
    "eye": "eye view visibility show",
    "eye-off": "eye-off eye-slash hide eye-closed",
    "calendar": "calendar",
    "clock": "clock time",
    "mail": "mail envelope email",
    "phone": "phone call telephone",
    "camera": "camera",
    "image": "image photo picture",
    "video": "video film video-camera",
    "music": "music music-note musical-note",
    "play": "play play-arrow",
    "pause": "pause",
    "stop": "stop player-stop square",
    "next": "skip-next player-skip-forward next skip-forward",
    "previous": "skip-previous player-skip-back previous skip-back",
    "shuffle": "shuffle arrows-shuffle",
    "repeat": "repeat loop",
    "volume": "volume volume-high speaker speaker-high volume-2",
    "mute": "volume-off mute volume-mute volume-x speaker-slash",
    "microphone": "microphone mic",
    "send": "send paper-plane paper-plane-tilt",
    "attach": "attach paperclip attachment",
    "smile": "smile smiley emoticon mood-smile emoji happy",
    "link": "link chain",
    "map": "map map-pin location pin map-marker",
    "compass": "compass",
    "cart": "cart shopping-cart",
    "bag": "bag shopping-bag briefcase",
    "card": "credit-card card",
    "gift": "gift",
    "tag": "tag label",
    "bookmark": "bookmark",
    "flag": "flag",
    "info": "info information info-circle",
    "warning": "warning alert alert-triangle",
    "help": "help question question-circle help-circle",
    "check": "check done tick checkmark",
    "wifi": "wifi wi-fi",
    "bluetooth": "bluetooth",
    "battery": "battery",
    "signal": "signal antenna-bars-5 cell-signal-full",
    "sun": "sun brightness",
    "moon": "moon",
    "cloud": "cloud",
    "chart": "chart bar-chart chart-bar analytics",
    "grid": "grid apps layout-grid squares-four",
    "scan": "scan qr-code qrcode",
    "expand": "expand fullscreen maximize arrows-out",
    "globe": "globe world earth language",
    "key": "key",
    "shield": "shield",
    "sign-out": "logout sign-out log-out exit",
    "bold": "bold format-bold text-b text-bold",
    "italic": "italic format-italic text-italic",
    "underline": "underline format-underline text-underline",
    "align-left": "align-left format-align-left text-align-left",
    "align-center": "align-center format-align-center text-align-center",
    "list-ordered": "list-ordered list-numbers format-list-numbered",
    "code": "code",
    "terminal": "terminal console",
    "bug": "bug",
    "archive": "archive",
    "backspace": "backspace delete-left",
    "power": "power",
    "alarm": "alarm alarm-clock",
    "trash-empty": "eraser",
    "crop": "crop",
    "palette": "palette color-palette",
    "zoom-in": "zoom-in magnifying-glass-plus magnify-plus",
    "zoom-out": "zoom-out magnifying-glass-minus magnify-minus",
}
STYLES: Final = (
    "",
    "-outline",
    "-outlined",
    "-line",
    "-filled",
    "-fill",
    "-solid",
    "-bold",
    "-linear",
    "-regular",
    "-16",
    "-20-regular",
    "-24-regular",
    "-20-filled",
    "-24",
    "-light",
    "-duotone",
    "-broken",
    "-rounded",
    "-round",
    "-sharp",
    "-thin",
    "-1",
)


class IconSets:
    """Random icons, in the words that a page's script expects."""

    def __init__(self, folder: Path) -> None:
        self._json = (
            next(
                (
                    each
                    for each in (folder / "npm", folder / "icons" / "npm")
                    if (each / "node_modules/@iconify/json").exists()
                ),
                folder / "npm",
            )
            / "node_modules/@iconify/json"
        )
        about = json.loads((self._json / "collections.json").read_text())
        usable = [
            name
            for name, info in about.items()
            if not REFUSED_LICENCES.search(info.get("license", {}).get("spdx", "") or "unknown-NC")
            and not PICTORIAL.search(name)
            and info.get("total", 0) >= 100
        ]
        self.held_out = sorted(name for name in usable if HELD_OUT.match(name))
        self.trained = sorted(name for name in usable if not HELD_OUT.match(name))
        self.licences = {name: about[name]["license"].get("spdx", "") for name in usable}

    def order(self, chance: random.Random, held_out: bool) -> dict[str, Any]:
        """One set's icons for a page: by idea, and 24 random ones."""
        sets = self.held_out if held_out else self.trained
        name = chance.choices(sets, [5 if name in MAINSTREAM else 1 for name in sets])[0]
        names, ordered, styles = _read(self._json / "json" / f"{name}.json")
        style = chance.choice(styles)
        ideas = {}
        for idea, spellings in IDEAS.items():
            found = next(
                (word + end for word in spellings.split() for end in (style, *STYLES[:8]) if word + end in names), None
            )
            if found:
                ideas[idea] = _icon(name, found, names)
        some = [_icon(name, each, names) for each in chance.sample(ordered, min(24, len(ordered)))]
        if chance.random() < 0.25:
            ideas = {}
        return {"set": name, "named": ideas, "icons": some}


def _icon(set_name: str, name: str, names: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {"name": name, "set": set_name, **names[name]}


@lru_cache(maxsize=48)
def _read(path: Path) -> tuple[dict[str, dict[str, Any]], list[str], list[str]]:
    """All icons of a set, their names in order, and the endings by which it names its styles."""
    held = json.loads(path.read_text())
    size = {key: held.get(key, 16 if key in ("width", "height") else 0) for key in ("left", "top", "width", "height")}
    names = {
        name: {**size, **{key: each[key] for key in size if key in each}, "body": each["body"]}
        for name, each in held["icons"].items()
        if not each.get("hidden")
        and "<animate" not in each["body"]
        and "<set" not in each["body"]
        and len(each["body"]) < 12_000
    }
    plain = names.keys()
    styles = [
        end for end in STYLES if sum(word + end in plain for words in IDEAS.values() for word in words.split()) >= 12
    ]
    return names, sorted(names), styles or [""]
