"""Colours of the phone, light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Theme:
    """One palette; `#rrggbb` or `#rrggbbaa`."""

    dark: bool
    page: str  # behind lists
    surface: str  # rows and cards
    raised: str  # dialogs, menus
    bar: str  # app bars and tab bars
    text: str
    dim: str  # second lines, times
    faint: str  # hints, disabled
    line: str  # dividers
    field: str  # text fields on a bar
    accent: str  # the messenger's green
    on_accent: str
    link: str  # the system's blue
    system: str  # settings: switches, tonal buttons
    on_system: str
    tonal: str
    bubble: str  # one's own message
    on_bubble: str
    other: str  # the contact's message
    badge: str
    keyboard: str
    key: str
    key_special: str
    scrim: str


LIGHT: Final = Theme(
    dark=False,
    page="#ededed",
    surface="#ffffff",
    raised="#ffffff",
    bar="#ededed",
    text="#191919",
    dim="#8c8c8c",
    faint="#b4b4b4",
    line="#e4e4e4",
    field="#ffffff",
    accent="#07c160",
    on_accent="#ffffff",
    link="#2f5fd0",
    system="#2f5fd0",
    on_system="#ffffff",
    tonal="#dde5fb",
    bubble="#95ec69",
    on_bubble="#12210b",
    other="#ffffff",
    badge="#fa5151",
    keyboard="#e3e6ec",
    key="#ffffff",
    key_special="#c9ced8",
    scrim="#00000080",
)
DARK: Final = Theme(
    dark=True,
    page="#111111",
    surface="#191919",
    raised="#2b2b2d",
    bar="#191919",
    text="#d9d9d9",
    dim="#7d7d7d",
    faint="#5c5c5c",
    line="#262626",
    field="#2a2a2a",
    accent="#07b35a",
    on_accent="#ffffff",
    link="#8fb0ff",
    system="#8fb0ff",
    on_system="#10234f",
    tonal="#2b3c66",
    bubble="#2ea35f",
    on_bubble="#08180e",
    other="#2c2c2c",
    badge="#e64b4b",
    keyboard="#1d1f23",
    key="#3a3d43",
    key_special="#2a2d32",
    scrim="#000000a6",
)
