"""Dialogs that block an app: a permission request, an advert, a crash report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from handeye.geometry import Box
from handeye_phone.apps.base import Dialog
from handeye_phone.drawing.scene import FillPaint, IconPaint, Label, Node
from handeye_phone.drawing.widgets import LayoutContext
from handeye_phone.system.texts import SystemWords

Row = tuple[str, str, str]
"""A button's text, its scope of permission (names of handeye.blockers.base.Grant; "" refuses), and its resource id."""

PERMISSION_PACKAGE: Final = "com.android.permissioncontroller"
_PERMISSION_ACTIVITY: Final = f"{PERMISSION_PACKAGE}/.permission.ui.GrantPermissionsActivity"
_CHOOSER: Final = "com.miui.securitycore/com.miui.xspace.ui.activity.XSpaceResolveActivity"
_PICKER_PACKAGE: Final = "com.google.android.providers.media.module"
_PICKER_ACTIVITY: Final = f"{_PICKER_PACKAGE}/com.android.providers.media.photopicker.PhotoPickerUserSelectActivity"
_PHOTOS: Final = 6
ADVERT_URL: Final = "https://ad.example/sale"


def _over_scrim(ui: LayoutContext, card: Node, on_outside: Callable[[], None] | None) -> Node:
    return Node(
        box=ui.screen,
        cls="android.widget.FrameLayout",
        paint=(FillPaint(ui.theme.scrim),),
        kids=(card,),
        block=True,
        on_tap=on_outside,
    )


def location(words: SystemWords, label: str, answer: Callable[[str], None]) -> Dialog:
    """Android's location request, over the app called `label`."""
    rows = (
        (words.while_in_use, "while-in-use", "permission_allow_foreground_only_button"),
        (words.once, "once", "permission_allow_one_time_button"),
        (words.deny, "", "permission_deny_button"),
    )
    return _permission(words.location.format(label), "location", rows, answer)


def photos(words: SystemWords, label: str, answer: Callable[[str], None]) -> Dialog:
    """Android 14's request for photos: chosen ones, all, or none."""
    rows = (
        (words.select_photos, "selected", "permission_allow_selected_button"),
        (words.allow_all, "all", "permission_allow_all_button"),
        (words.deny, "", "permission_deny_button"),
    )
    return _permission(words.photos.format(label), "gallery", rows, answer)


def _permission(asks: str, art: str, rows: Sequence[Row], answer: Callable[[str], None]) -> Dialog:
    def build(ui: LayoutContext) -> Node:
        width = min(ui.size.width - ui.dp(48), ui.dp(360))
        height = min(ui.dp(330), ui.body.height - ui.dp(12))
        left, top = (ui.size.width - width) // 2, ui.body.top + (ui.body.height - height) // 2
        box = Box(left, top, left + width, top + height)
        step = min(ui.dp(56), (height - ui.dp(100)) // 3)
        first = box.bottom - ui.dp(16) - step * len(rows)
        glyph = Box(box.left, box.top + ui.dp(14), box.right, box.top + ui.dp(50))
        message = Box(box.left + ui.dp(24), glyph.bottom, box.right - ui.dp(24), first - ui.dp(4))
        kids = [
            Node(
                box=glyph,
                paint=(IconPaint(art, min(ui.dp(28), glyph.height), ui.theme.link if art == "location" else ""),),
                dumped=False,
            ),
            ui.text(message, asks, 18, ui.theme.text, rid="permission_message", align="center", lines=3),
        ]
        for index, (text, grant, rid) in enumerate(rows):
            y = first + index * step
            button = Box(box.left + ui.dp(20), y + ui.dp(3), box.right - ui.dp(20), y + step - ui.dp(3))
            kids.append(
                ui.button(
                    button,
                    text,
                    partial(answer, grant),
                    fill=ui.theme.tonal,
                    color=ui.theme.text,
                    radius=16,
                    rid=rid,
                )
            )
        return _over_scrim(ui, ui.card(box, kids, radius=28), None)

    return Dialog(PERMISSION_PACKAGE, _PERMISSION_ACTIVITY, build, on_back=lambda: answer(""), tag="permission")


def photo_picker(words: SystemWords, choose: Callable[[], None], leave: Callable[[], None]) -> Dialog:
    """A sheet of photos: a tap chooses one; the button appears once one is chosen. BACK closes it without a choice."""
    chosen: set[int] = set()

    def toggle(number: int) -> None:
        chosen.symmetric_difference_update({number})

    def build(ui: LayoutContext) -> Node:
        side = min(ui.dp(110), (ui.body.height - ui.dp(150)) // 2, (ui.size.width - ui.dp(32)) // 3)
        height = min(ui.body.height, 2 * side + ui.dp(140))
        box = Box(0, ui.screen.bottom - height, ui.size.width, ui.screen.bottom)
        head = Box(0, box.top + ui.dp(8), box.right, box.top + ui.dp(52))
        kids = [ui.text(head, words.picker, 18, ui.theme.text, align="center", rid="title", weight=500)]
        first = (ui.size.width - 3 * side) // 2
        for number in range(_PHOTOS):
            left, top = first + number % 3 * side, head.bottom + number // 3 * side
            tile = Box(left, top, left + side, top + side).expand(-ui.dp(3))
            fill = FillPaint(ui.theme.accent if number in chosen else ui.theme.tonal, ui.dp(6))
            kids.append(
                ui.icon(tile, "gallery", 40, rid="icon_thumbnail", on_tap=partial(toggle, number), paint=(fill,))
            )
        if chosen:
            end = head.bottom + 2 * side
            button = Box(box.right - ui.dp(150), end + ui.dp(8), box.right - ui.dp(16), end + ui.dp(52))
            kids.append(ui.button(button, words.done, choose, fill=ui.theme.tonal, rid="button_add", radius=20))
        return _over_scrim(ui, ui.card(box, kids, radius=16), leave)

    return Dialog(_PICKER_PACKAGE, _PICKER_ACTIVITY, build, on_back=leave, tag="photo picker")


def advert(
    words: SystemWords, package: str, component: str, close: Callable[[], None], follow: Callable[[], None]
) -> Dialog:
    """A card with a large tempting button and a small ✕ in its corner; a tap elsewhere opens the advertised page."""

    def build(ui: LayoutContext) -> Node:
        height = min(ui.dp(420), ui.body.height - ui.dp(16))
        width = min(ui.size.width - ui.dp(64), ui.dp(320), height if ui.landscape else ui.size.width)
        left, top = (ui.size.width - width) // 2, ui.body.top + (ui.body.height - height) // 2
        box = Box(left, top, left + width, top + height)
        button = Box(box.left + ui.dp(24), box.bottom - ui.dp(72), box.right - ui.dp(24), box.bottom - ui.dp(22))
        cross = Box(box.right - ui.dp(36), box.top, box.right, box.top + ui.dp(36))
        gift = Box(box.left, box.top + ui.dp(30), box.right, box.top + (box.height * 45) // 100)
        offer = Box(box.left, gift.bottom, box.right, gift.bottom + ui.dp(40))
        more = Box(box.left, offer.bottom, box.right, min(offer.bottom + ui.dp(26), button.top))
        side = min(ui.dp(120), gift.height)
        kids = (
            Node(box=gift, paint=(IconPaint("shopping", side),), dumped=False),
            ui.text(offer, words.offer, 22, "#fff4d6", align="center", weight=600, rid="ad_title"),
            ui.text(more, words.hurry, 14, "#ffe3cf", align="center"),
            ui.text(
                Box(box.left + ui.dp(10), box.top + ui.dp(8), box.left + ui.dp(44), box.top + ui.dp(26)),
                words.advert,
                10,
                "#ffffffa0",
                align="center",
                rid="ad_mark",
            ),
            Node(
                box=button,
                cls="android.widget.Button",
                rid="ad_action",
                text=words.buy,
                on_tap=follow,
                paint=(
                    FillPaint("#ffd54a", button.height // 2),
                    Label((words.buy,), ui.dp(18), "#b3261e", "center", 600),
                ),
            ),
            ui.icon(cross, "close", 12, tint="#ffffffc0", desc=words.close, rid="ad_close", on_tap=close),
        )
        card = Node(
            box=box,
            cls="android.widget.FrameLayout",
            rid="ad_card",
            kids=kids,
            on_tap=follow,
            paint=(FillPaint("#e5483f", ui.dp(20), shadow=ui.dp(12)),),
        )
        return _over_scrim(ui, card, None)

    return Dialog(package, component, build, on_back=close, tag="advert")


def crash(
    words: SystemWords, label: str, package: str, close: Callable[[], None], reopen: Callable[[], None]
) -> Dialog:
    """Android's dialog after an app crashed."""
    rows = (
        (words.reopen, reopen, "android:id/aerr_restart", "refresh"),
        (words.close_app, close, "android:id/aerr_close", "close"),
    )
    return _error_dialog(words.crashed.format(label), f"Application Error: {package}", rows, on_back=close, tag="crash")


def chooser(title: str, entries: Sequence[tuple[str, Callable[[], None]]], close: Callable[[], None]) -> Dialog:
    """A chooser between apps: (name, function that opens it)."""
    rows = [(name, open_it, f"entry_{number}", "apps") for number, (name, open_it) in enumerate(entries)]
    return _error_dialog(title, _CHOOSER, rows, on_back=close, tag="chooser", package=_CHOOSER.partition("/")[0])


def not_responding(
    words: SystemWords, label: str, package: str, end: Callable[[], None], wait: Callable[[], None]
) -> Dialog:
    """Android's dialog for an app that is not responding."""
    rows = (
        (words.close_app, end, "android:id/aerr_close", "close"),
        (words.wait, wait, "android:id/aerr_wait", "refresh"),
    )
    window = f"Application Not Responding: {package}"
    return _error_dialog(words.not_responding.format(label), window, rows, on_back=None, tag="not responding")


def _error_dialog(
    title: str,
    window: str,
    rows: Sequence[tuple[str, Callable[[], None], str, str]],
    *,
    on_back: Callable[[], None] | None,
    tag: str,
    package: str = "android",
) -> Dialog:
    """A system dialog with a title and rows of (text, action, resource id, icon)."""

    def build(ui: LayoutContext) -> Node:
        width, height = min(ui.size.width - ui.dp(56), ui.dp(340)), ui.dp(196)
        left, top = (ui.size.width - width) // 2, ui.body.top + (ui.body.height - height) // 2
        box = Box(left, top, left + width, top + height)
        head = Box(box.left, box.top + ui.dp(14), box.right, box.top + ui.dp(62))
        kids = [ui.text(head, title, 20, ui.theme.text, inset=24, rid="android:id/alertTitle", weight=500)]
        for index, (text, action, rid, icon) in enumerate(rows):
            line = Box(box.left, head.bottom + index * ui.dp(56), box.right, head.bottom + (index + 1) * ui.dp(56))
            glyph = Box(line.left + ui.dp(20), line.top, line.left + ui.dp(52), line.bottom)
            kids.append(ui.button(line, text, action, rid=rid, size=16, weight=400, align="left", inset=64))
            kids.append(Node(box=glyph, paint=(IconPaint(icon, ui.dp(20), ui.theme.dim),), dumped=False))
        return _over_scrim(ui, ui.card(box, kids, radius=28), None)

    return Dialog(package, window, build, on_back=on_back, tag=tag)
