"""Full-screen advert at the start of an app: it counts down, and can be skipped shortly before its end."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from handeye.geometry import Box
from handeye_phone.apps.base import Dialog
from handeye_phone.drawing.scene import FillPaint, IconPaint, Label, Node
from handeye_phone.drawing.widgets import LayoutContext
from handeye_phone.system.texts import SystemWords

SKIPPABLE_S: Final = 3.0
"""Seconds before its end from which it can be skipped; until then its button shows the time left."""


def splash(
    words: SystemWords,
    package: str,
    component: str,
    ends: float,
    skip: Callable[[], None],
    follow: Callable[[], None],
    wake_at: Callable[[float], None],
) -> Dialog:
    """A full-screen advert until the clock time `ends`. A tap off its button opens the advertised page; BACK does nothing."""

    def build(ui: LayoutContext) -> Node:
        left = max(0.0, ends - ui.now)
        wake_at(ui.now + (left - math.floor(left) or 1.0))
        can_skip = left <= SKIPPABLE_S
        caption = (
            words.skip.format(math.ceil(left)) if can_skip else words.skip_later.format(math.ceil(left - SKIPPABLE_S))
        )
        width, middle = ui.dp(76 if can_skip else 104), ui.body.top + ui.dp(34)
        pill = Box(ui.size.width - ui.dp(16) - width, middle - ui.dp(15), ui.size.width - ui.dp(16), middle + ui.dp(15))
        picture = Box(0, ui.body.top + ui.dp(60), ui.size.width, ui.body.top + ui.body.height // 2)
        sale = Box(0, picture.bottom, ui.size.width, picture.bottom + ui.dp(48))
        mark = Box(ui.dp(12), ui.body.bottom - ui.dp(34), ui.dp(60), ui.body.bottom - ui.dp(12))
        button = Node(
            box=pill,
            cls="android.widget.TextView",
            rid="splash_skip",
            text=caption,
            on_tap=skip if can_skip else _ignore_tap,
            paint=(FillPaint("#00000070", pill.height // 2), Label((caption,), ui.dp(14), "#ffffff", "center", 500)),
        )
        kids = (
            Node(box=picture, paint=(IconPaint("shopping", min(ui.dp(220), picture.height)),), dumped=False),
            ui.text(sale, words.sale, 26, "#fff4d6", align="center", weight=600, rid="splash_title"),
            ui.text(mark, words.advert, 11, "#ffffffb0", align="center", rid="splash_mark"),
            button,
        )
        return Node(
            box=ui.screen,
            cls="android.widget.FrameLayout",
            rid="splash",
            paint=(FillPaint("#c8372d"),),
            kids=kids,
            block=True,
            on_tap=follow,
        )

    return Dialog(package, component, build, on_back=None, tag="splash")


def _ignore_tap() -> None:
    """Ignore a tap on the button while it still counts down."""
