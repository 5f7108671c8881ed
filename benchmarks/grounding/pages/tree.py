"""The accessibility tree that Chromium itself makes of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

Node = dict[str, Any]
# Handeye's roles and Chromium's names of them. What is not here holds others and is a "group", or says nothing.
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "text": ("StaticText", "LabelText", "Legend", "Figcaption", "caption", "time", "code", "term"),
    "button": ("button", "DisclosureTriangle", "PopUpButton", "ToggleButton"),
    "input": ("textbox", "searchbox", "TextField", "DateTime"),
    "combo box": ("combobox", "ComboBoxSelect", "ComboBoxMenuButton", "ComboBoxGrouping"),
    "list": ("list", "listbox", "DescriptionList", "directory"),
    "list item": ("listitem", "option"),
    "menu item": ("menuitem", "menuitemcheckbox", "menuitemradio", "MenuListOption"),
    "table": ("table", "grid", "LayoutTable"),
    "table row": ("row", "LayoutTableRow"),
    "cell": ("cell", "gridcell", "LayoutTableCell"),
    "header item": ("columnheader", "rowheader"),
    "image": ("image", "img", "SvgRoot", "Canvas", "graphics-document", "figure"),
    "window": ("dialog", "alertdialog"),
    "document": ("RootWebArea", "document"),
    "spinner": ("spinbutton",),
    "tree item": ("treeitem",),
    "tab bar": ("tablist",),
    "menu bar": ("menubar",),
    "scroll bar": ("scrollbar",),
    "progress bar": ("progressbar",),
    "status bar": ("status",),
    **{
        name: (name,)
        for name in ("heading", "link", "checkbox", "radio", "switch", "slider", "tab", "menu", "tree", "toolbar")
    },
    **{name: (name,) for name in ("separator", "tooltip")},
}
ROLES: Final[Mapping[str, str]] = {name: role for role, names in _NAMES.items() for name in names}
SILENT: Final = ("none", "InlineTextBox", "LineBreak", "ListMarker", "presentation")
USED: Final = (
    "button",
    "input",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "tab",
    "link",
    "menu item",
    "combo box",
    "spinner",
)
SAID_BY_KIDS: Final = ("group", "document", "list", "table", "table row", "menu", "menu bar", "tab bar", "toolbar")
LONGEST: Final = 200


def read_tree(session: Any, scale: float) -> list[Node]:
    """
    The nodes that lie in the viewport, parents first, of the page that a session of the developer tools is attached to.

    A node has "role" and "box" in pixels of the picture, and where there are any "text", "description", "id", "parent" (an
    index), "interactive", "enabled" and "states". `scale` is how many pixels of the picture a CSS pixel has.
    """
    session.send("Accessibility.enable")
    told = session.send("Accessibility.getFullAXTree")["nodes"]
    placed, ids = _layout(session)
    metrics = session.send("Page.getLayoutMetrics")["cssVisualViewport"]
    view = (metrics["clientWidth"], metrics["clientHeight"])
    by_id = {each["nodeId"]: each for each in told}
    nodes: list[Node] = []

    def visit(each: Mapping[str, Any], parent: int | None) -> None:
        role = str(each.get("role", {}).get("value", ""))
        if role in SILENT and role != "none":
            return
        number = each.get("backendDOMNodeId")
        box = _seen(placed.get(number), view)
        mine = parent
        if not each.get("ignored") and role != "none" and box is not None:
            whole = [0.0, 0.0, *view] if parent is None else box
            node = _node(
                each, ROLES.get(role, "group"), [round(edge * scale) for edge in whole], parent, ids.get(number)
            )
            if node["role"] != "text" or node.get("text"):
                mine = len(nodes)
                nodes.append(node)
        for kid in each.get("childIds", ()):
            if kid in by_id:
                visit(by_id[kid], mine)

    for root in (each for each in told if "parentId" not in each):
        visit(root, None)
    return nodes


def _node(each: Mapping[str, Any], role: str, box: Sequence[int], parent: int | None, known: str | None) -> Node:
    name = str(each.get("name", {}).get("value", "")).strip()[:LONGEST]
    properties = {own["name"]: own["value"].get("value") for own in each.get("properties", ())}
    value = (
        str(each.get("value", {}).get("value", "")).strip()[:LONGEST]
        if role in ("input", "combo box", "spinner")
        else ""
    )
    about: Node = {"role": role, "box": list(box)}
    described = str(each.get("description", {}).get("value", "")).strip()[:LONGEST]
    if role in ("input", "combo box", "spinner"):
        about |= {"text": value, "description": name or described}
    elif role not in SAID_BY_KIDS or "aria-label" in _sources(each):
        about |= {"text": name, "description": described if described != name else ""}
    states = [state for state in ("checked", "selected", "focused") if properties.get(state) in (True, "true")]
    about |= {
        "id": known,
        "parent": parent,
        "states": states,
        "interactive": role in USED or bool(properties.get("editable")),
    }
    if properties.get("disabled"):
        about["enabled"] = False
    return {key: held for key, held in about.items() if held not in (None, "", [], False) or key == "enabled"}


def _sources(each: Mapping[str, Any]) -> set[str]:
    return {str(source.get("attribute")) for source in each.get("name", {}).get("sources", ()) if source.get("value")}


def _layout(session: Any) -> tuple[dict[int, list[float]], dict[int, str]]:
    """The boxes of nodes in the viewport, in CSS pixels, and their ids, by the developer tools' number."""
    taken = session.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    strings, placed, ids = taken["strings"], {}, {}
    document = taken["documents"][0]  # pages in frames have others
    across, down = document.get("scrollOffsetX", 0), document.get("scrollOffsetY", 0)
    numbers = document["nodes"]["backendNodeId"]
    for number, attributes in zip(numbers, document["nodes"]["attributes"], strict=True):
        names = dict(zip(attributes[::2], attributes[1::2], strict=True))
        known = [strings[value] for name, value in names.items() if strings[name] == "id"]
        if known:
            ids[number] = known[0]
    layout = document["layout"]
    for place, (left, top, width, height) in zip(layout["nodeIndex"], layout["bounds"], strict=True):
        placed[numbers[place]] = [left - across, top - down, left - across + width, top - down + height]
    return placed, ids


def _seen(box: Sequence[float] | None, view: Sequence[float]) -> list[float] | None:
    if box is None:
        return None
    left, top, right, bottom = max(0.0, box[0]), max(0.0, box[1]), min(view[0], box[2]), min(view[1], box[3])
    return [left, top, right, bottom] if right - left >= 1 and bottom - top >= 1 else None
