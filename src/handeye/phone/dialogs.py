"""Dialogs that get in the way: a permission request, an advert, a crash report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from handeye.geometry import Box
from handeye.phone.apps.base import Dialog
from handeye.phone.scene import Art, Fill, Label, Node
from handeye.phone.ui import Ui

PERMISSION_PACKAGE: Final = "com.android.permissioncontroller"
_PERMISSION_ACTIVITY: Final = f"{PERMISSION_PACKAGE}/.permission.ui.GrantPermissionsActivity"
_CHOOSER: Final = "com.miui.securitycore/com.miui.xspace.ui.activity.XSpaceResolveActivity"
ADVERT_URL: Final = "https://ad.example/sale"


def _over_scrim(ui: Ui, card: Node, on_outside: Callable[[], None] | None) -> Node:
    return Node(
        box=ui.screen,
        cls="android.widget.FrameLayout",
        paint=(Fill(ui.theme.scrim),),
        kids=(card,),
        block=True,
        on_tap=on_outside,
    )


def permission(label: str, answer: Callable[[bool], None]) -> Dialog:
    """Android's own request for the location, over the app called `label`."""

    def build(ui: Ui) -> Node:
        width = min(ui.size.width - ui.dp(48), ui.dp(360))
        height = min(ui.dp(330), ui.body.height - ui.dp(12))
        left, top = (ui.size.width - width) // 2, ui.body.top + (ui.body.height - height) // 2
        box = Box(left, top, left + width, top + height)
        rows = (
            ("仅在使用中允许", True, "permission_allow_foreground_only_button"),
            ("仅限这一次", True, "permission_allow_one_time_button"),
            ("拒绝", False, "permission_deny_button"),
        )
        step = min(ui.dp(56), (height - ui.dp(100)) // 3)
        first = box.bottom - ui.dp(16) - step * len(rows)
        glyph = Box(box.left, box.top + ui.dp(14), box.right, box.top + ui.dp(50))
        message = Box(box.left + ui.dp(24), glyph.bottom, box.right - ui.dp(24), first - ui.dp(4))
        words = f"“{label}”想使用您的位置信息?"
        kids = [
            Node(box=glyph, paint=(Art("location", min(ui.dp(28), glyph.height), ui.theme.link),), dumped=False),
            ui.text(message, words, 18, ui.theme.text, rid="permission_message", align="center", lines=3),
        ]
        for index, (text, allow, rid) in enumerate(rows):
            y = first + index * step
            button = Box(box.left + ui.dp(20), y + ui.dp(3), box.right - ui.dp(20), y + step - ui.dp(3))
            kids.append(
                ui.button(
                    button,
                    text,
                    partial(answer, allow),
                    fill=ui.theme.tonal,
                    color=ui.theme.text,
                    radius=16,
                    rid=rid,
                )
            )
        return _over_scrim(ui, ui.card(box, kids, radius=28), None)

    return Dialog(PERMISSION_PACKAGE, _PERMISSION_ACTIVITY, build, on_back=lambda: answer(False), tag="permission")


def advert(package: str, component: str, close: Callable[[], None], follow: Callable[[], None]) -> Dialog:
    """A card with a large tempting button and a small ✕ in its corner; everything but the ✕ follows the advert."""

    def build(ui: Ui) -> Node:
        height = min(ui.dp(420), ui.body.height - ui.dp(16))
        width = min(ui.size.width - ui.dp(64), ui.dp(320), height if ui.landscape else ui.size.width)
        left, top = (ui.size.width - width) // 2, ui.body.top + (ui.body.height - height) // 2
        box = Box(left, top, left + width, top + height)
        button = Box(box.left + ui.dp(24), box.bottom - ui.dp(72), box.right - ui.dp(24), box.bottom - ui.dp(22))
        cross = Box(box.right - ui.dp(36), box.top, box.right, box.top + ui.dp(36))
        gift = Box(box.left, box.top + ui.dp(30), box.right, box.top + (box.height * 45) // 100)
        words = Box(box.left, gift.bottom, box.right, gift.bottom + ui.dp(40))
        more = Box(box.left, words.bottom, box.right, min(words.bottom + ui.dp(26), button.top))
        side = min(ui.dp(120), gift.height)
        kids = (
            Node(box=gift, paint=(Art("shopping", side),), dumped=False),
            ui.text(words, "限时特惠 满100减50", 22, "#fff4d6", align="center", weight=600, rid="ad_title"),
            ui.text(more, "仅剩 3 小时，先到先得", 14, "#ffe3cf", align="center"),
            ui.text(
                Box(box.left + ui.dp(10), box.top + ui.dp(8), box.left + ui.dp(44), box.top + ui.dp(26)),
                "广告",
                10,
                "#ffffffa0",
                align="center",
                rid="ad_mark",
            ),
            Node(
                box=button,
                cls="android.widget.Button",
                rid="ad_action",
                text="立即抢购",
                on_tap=follow,
                paint=(Fill("#ffd54a", button.height // 2), Label(("立即抢购",), ui.dp(18), "#b3261e", "center", 600)),
            ),
            ui.icon(cross, "close", 12, tint="#ffffffc0", desc="关闭", rid="ad_close", on_tap=close),
        )
        card = Node(
            box=box,
            cls="android.widget.FrameLayout",
            rid="ad_card",
            kids=kids,
            on_tap=follow,
            paint=(Fill("#e5483f", ui.dp(20), shadow=ui.dp(12)),),
        )
        return _over_scrim(ui, card, None)

    return Dialog(package, component, build, on_back=close, tag="advert")


def crash(label: str, package: str, close: Callable[[], None], reopen: Callable[[], None]) -> Dialog:
    """The dialog of Android's that says that an app died."""
    rows = (
        ("重新打开应用", reopen, "android:id/aerr_restart", "refresh"),
        ("关闭应用", close, "android:id/aerr_close", "close"),
    )
    return _of_error(f"{label} 已停止运行", f"Application Error: {package}", rows, on_back=close, tag="crash")


def chooser(label: str, users: Sequence[tuple[int, Callable[[], None]]], close: Callable[[], None]) -> Dialog:
    """The question whose app is to be opened: (user, what opens it for them)."""
    rows = [(label if user == 0 else f"{label}（{user}）", open_it, f"user_{user}", "apps") for user, open_it in users]
    return _of_error(
        "请选择要使用的应用", _CHOOSER, rows, on_back=close, tag="chooser", package=_CHOOSER.partition("/")[0]
    )


def not_responding(label: str, package: str, end: Callable[[], None], wait: Callable[[], None]) -> Dialog:
    """The dialog of Android's that asks what to do with an app that hangs."""
    rows = (("关闭应用", end, "android:id/aerr_close", "close"), ("等待", wait, "android:id/aerr_wait", "refresh"))
    return _of_error(
        f"{label}没有响应", f"Application Not Responding: {package}", rows, on_back=None, tag="not responding"
    )


def _of_error(
    title: str,
    window: str,
    rows: Sequence[tuple[str, Callable[[], None], str, str]],
    *,
    on_back: Callable[[], None] | None,
    tag: str,
    package: str = "android",
) -> Dialog:
    """A dialog of the system's with a title and rows of (text, action, resource id, icon)."""

    def build(ui: Ui) -> Node:
        width, height = min(ui.size.width - ui.dp(56), ui.dp(340)), ui.dp(196)
        left, top = (ui.size.width - width) // 2, ui.body.top + (ui.body.height - height) // 2
        box = Box(left, top, left + width, top + height)
        head = Box(box.left, box.top + ui.dp(14), box.right, box.top + ui.dp(62))
        kids = [ui.text(head, title, 20, ui.theme.text, inset=24, rid="android:id/alertTitle", weight=500)]
        for index, (text, action, rid, icon) in enumerate(rows):
            line = Box(box.left, head.bottom + index * ui.dp(56), box.right, head.bottom + (index + 1) * ui.dp(56))
            glyph = Box(line.left + ui.dp(20), line.top, line.left + ui.dp(52), line.bottom)
            kids.append(ui.button(line, text, action, rid=rid, size=16, weight=400, align="left", inset=64))
            kids.append(Node(box=glyph, paint=(Art(icon, ui.dp(20), ui.theme.dim),), dumped=False))
        return _over_scrim(ui, ui.card(box, kids, radius=28), None)

    return Dialog(package, window, build, on_back=on_back, tag=tag)
