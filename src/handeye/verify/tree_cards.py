"""Dialogs by the accessibility tree: by whose window it is, and by the names that platforms give to a dialog's parts."""

from __future__ import annotations

from typing import Final

from handeye.elements import UIElement, UIState
from handeye.locate.labels import around
from handeye.locate.tree import Tree, seen_box
from handeye.ocr.base import TextLine
from handeye.verify.card import Card

# Packages whose windows are permission requests and installers: Android's own, and those of makers.
ASKING_PACKAGES: Final = frozenset(
    {
        "com.android.permissioncontroller",
        "com.google.android.permissioncontroller",
        "com.android.packageinstaller",
        "com.google.android.packageinstaller",
        "com.samsung.android.permissioncontroller",
        "com.lbe.security.miui",
        "com.coloros.securitypermission",
        "com.oplus.securitypermission",
        "com.vivo.permissionmanager",
    }
)
# Parts of Android's AlertDialog, its crash report, and the layouts of AppCompat and Material.
_PARTS: Final = frozenset(
    {
        *("android:id/alertTitle", "android:id/parentPanel", "android:id/buttonPanel", "android:id/aerr_close"),
        *("android:id/aerr_wait", "android:id/aerr_restart", "android:id/aerr_app_info"),
    }
)
_PART_NAMES: Final = frozenset(
    {"alertTitle", "parentPanel", "alert_title", "dialog_title", "bottom_sheet", "design_bottom_sheet"}
)
# Classes and roles of windows that wait for an answer: Win32's dialog class, AT-SPI's roles, Android's and the web's.
_CLASSES: Final = frozenset(
    {"#32770", "dialog", "alert", "alertdialog", "android.app.dialog", "android.app.alertdialog"}
)
# A dialog leaves some of the screen to the page.
_MOST: Final = 0.95
_SURE: Final = 1.0


def card_in(state: UIState) -> Card | None:
    """The card of the dialog that the tree shows; None when it shows none."""
    tree = Tree(state)
    signs = [element for element in tree.shown if _is_sign(element)]
    if not signs:
        return None
    whole = _whole(tree, signs)
    members = [element for element in tree.shown if _is_in(tree, element, whole)]
    labelled = [element for element in members if (element.text or element.description).strip()]
    if not labelled:
        return None
    box = (
        seen_box(whole)
        if whole is not None and tree.share(whole) < _MOST
        else around([seen_box(each) for each in labelled])
    )
    labels = {id(each): TextLine(each.text or each.description, seen_box(each), _SURE) for each in labelled}
    buttons = [labels[id(each)] for each in labelled if tree.control_of(each) is not None]
    ordered = sorted(labels.values(), key=lambda label: label.box.center.y)
    return Card(box, tuple(ordered), True, tuple(buttons))


def _is_sign(element: UIElement) -> bool:
    about = element.metadata
    name, cls = str(about.get("id", "")), str(about.get("class", ""))
    return (
        about.get("package") in ASKING_PACKAGES
        or name in _PARTS
        or name.rpartition("/")[2] in _PART_NAMES
        or cls.casefold() in _CLASSES
    )


def _whole(tree: Tree, signs: list[UIElement]) -> UIElement | None:
    """The innermost element that holds all signs and has buttons; None when only the screen does."""
    first = signs[0]
    for each in (first, *tree.ancestors(first)):
        below = {id(element) for element in tree.descendants(each)} | {id(each)}
        if all(id(sign) in below for sign in signs) and any(element.interactive for element in tree.descendants(each)):
            return each
    return None


def _is_in(tree: Tree, element: UIElement, whole: UIElement | None) -> bool:
    return whole is None or element is whole or any(above is whole for above in tree.ancestors(element))
