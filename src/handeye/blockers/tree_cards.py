"""
Detect dialogs by the accessibility tree: by the package of their window, and by the ids that platforms give to a dialog's
parts.
"""

from __future__ import annotations

from typing import Final

from handeye.blockers.card import Overlay
from handeye.blockers.dialog_vocabulary import PERMISSION_MESSAGE, PERMISSION_PARTS
from handeye.blockers.modal import Modal
from handeye.elements import UIElement, UIState
from handeye.geometry import Box
from handeye.locate import Tree, seen_box
from handeye.text import TextLine, bounding_box

# Packages whose windows are permission requests and installers: Android's own, and those of vendors.
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
# Those of them that show permission requests only: installers ask other questions as well.
_REQUESTING: Final = frozenset(name for name in ASKING_PACKAGES if "installer" not in name)
# Parts of Android's AlertDialog, its crash report, and the layouts of AppCompat and Material.
_PARTS: Final = frozenset(
    {
        *("android:id/alertTitle", "android:id/parentPanel", "android:id/buttonPanel", "android:id/aerr_close"),
        *("android:id/aerr_wait", "android:id/aerr_restart", "android:id/aerr_app_info"),
    }
)
_PART_NAMES: Final = frozenset(
    {"alertTitle", "parentPanel", "alert_title", "dialog_title", "bottom_sheet", "design_bottom_sheet"}
    | PERMISSION_PARTS
)
# Classes and roles of modal windows: Win32's dialog class, AT-SPI's roles, Android's and the web's.
_CLASSES: Final = frozenset(
    {"#32770", "dialog", "alert", "alertdialog", "android.app.dialog", "android.app.alertdialog"}
)
# Largest share of the screen that a dialog covers.
_MOST: Final = 0.95
# The box of a card that is detected in the picture may miss its rim by this share of its shorter side.
_RIM_TOLERANCE: Final = 0.04
_SURE: Final = 1.0


def overlay_in_tree(state: UIState, modal: Modal | None = None) -> Overlay | None:
    """
    Return the card of the dialog that the tree shows; where the tree has no sign of one, its elements on the card that the
    picture shows (`modal`). None without either.
    """
    tree = Tree(state)
    signs = [element for element in tree.shown if _is_sign(element)]
    if signs:
        whole = _dialog_root(tree, signs)
        members = [element for element in tree.shown if _is_in(tree, element, whole)]
    elif modal is not None:
        whole, room = None, modal.box.expand(round(_RIM_TOLERANCE * min(modal.box.width, modal.box.height)))
        members = [element for element in tree.shown if _encloses(room, seen_box(element))]
    else:
        return None
    texts = [(element, (element.text or element.description).strip()) for element in members]
    labels = {id(element): TextLine(text, seen_box(element), _SURE) for element, text in texts if text}
    named = _named(tree, members, labels)
    if not labels and not named:
        return None
    box = modal.box if modal is not None else bounding_box([line.box for line in (*labels.values(), *named.values())])
    if whole is not None and tree.share(whole) < _MOST:
        box = seen_box(whole)
    buttons = [labels[id(each)] for each in members if id(each) in labels and tree.control_of(each) is not None]
    ordered = sorted(labels.values(), key=lambda label: label.box.center.y)
    owners = {element.metadata.get("package") for element in signs}
    asks = not owners.isdisjoint(_REQUESTING)
    sentence = (PERMISSION_MESSAGE, "message") if asks else (PERMISSION_MESSAGE,)
    # Any app can use these ids for a text with any content.
    by_system = not owners.isdisjoint(ASKING_PACKAGES)
    request = " ".join(text for element, text in texts if by_system and id_of(element) in sentence)
    proved = bool(signs) or (modal is not None and modal.darkened)
    return Overlay(box, tuple(ordered), proved, tuple(buttons), named, request, asks)


def _named(tree: Tree, members: list[UIElement], labels: dict[int, TextLine]) -> dict[str, TextLine]:
    """Return the pressable elements by the last part of their id, with their text."""
    found: dict[str, TextLine] = {}
    for element in members:
        name = id_of(element)
        pressable = element.interactive or element.element_type == "button"
        if not name or not pressable or element.enabled is False:
            continue
        own = [labels[id(each)].text for each in (element, *tree.descendants(element)) if id(each) in labels]
        found.setdefault(name, TextLine(" ".join(own), seen_box(element), _SURE))
    return found


def id_of(element: UIElement) -> str:
    """Return the last part of the element's resource id; empty where it has none."""
    return str(element.metadata.get("id", "")).rpartition("/")[2]


def _encloses(outer: Box, inner: Box) -> bool:
    return outer.intersect(inner) == inner


def _is_sign(element: UIElement) -> bool:
    about = element.metadata
    name, cls = str(about.get("id", "")), str(about.get("class", ""))
    return (
        about.get("package") in ASKING_PACKAGES
        or name in _PARTS
        or id_of(element) in _PART_NAMES
        or cls.casefold() in _CLASSES
    )


def _dialog_root(tree: Tree, signs: list[UIElement]) -> UIElement | None:
    """Return the innermost element that contains all signs and has buttons; None when only the screen does."""
    first = signs[0]
    for each in (first, *tree.ancestors(first)):
        below = {id(element) for element in tree.descendants(each)} | {id(each)}
        if all(id(sign) in below for sign in signs) and any(element.interactive for element in tree.descendants(each)):
            return each
    return None


def _is_in(tree: Tree, element: UIElement, whole: UIElement | None) -> bool:
    return whole is None or element is whole or any(above is whole for above in tree.ancestors(element))
