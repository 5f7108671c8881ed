"""Accessibility trees of screens: those that lie in a truth as their source told them, and such as an app would tell."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.roles import ANDROID, role_of_class
from training.icons.names import clean
from training.phrases.screen import concept_of, icon_words

Node = dict[
    str, Any
]  # role, box, and what is known of text, description, class, id, parent, interactive, enabled, states
STATES: Final = ("checked", "selected", "focused", "password")
MARKS: Final = {"checkbox": "CheckBox", "radio": "RadioButton", "switch": "Switch", "slider": "SeekBar"}
LEFT_OUT: Final = ("scroll bar",)  # an app's tree has none of them
SAME_ROW: Final = 0.5  # share of the lower height that two boxes have in common, from which they stand in a row
# Chromium's classes on Android; all others are plain views.
WEB_CLASSES: Final = {
    "text": "widget.TextView",
    "button": "widget.Button",
    "input": "widget.EditText",
    "checkbox": "widget.CheckBox",
    "radio": "widget.RadioButton",
    "switch": "widget.ToggleButton",
    "slider": "widget.SeekBar",
    "combo box": "widget.Spinner",
    "image": "widget.Image",
    "list": "widget.ListView",
    "table": "widget.GridView",
    "tab bar": "widget.TabWidget",
    "progress bar": "widget.ProgressBar",
    "document": "webkit.WebView",
}
# The first parts of ids that programmers give, by role.
PREFIXES: Final = {
    "button": ("btn", "button", ""),
    "link": ("tv", "link", ""),
    "tab": ("tab", "navigation", ""),
    "icon": ("iv", "ic", "icon", "img", ""),
    "image": ("iv", "img", "image", ""),
    "input": ("et", "edit", "input", ""),
    "text": ("tv", "text", "title", ""),
    "list item": ("item", "row", "cell"),
}


def as_nodes(elements: Iterable[UIElement]) -> list[Node]:
    """Elements of a tree as JSON has them; what is empty is left out. Parents are indices of the list."""
    elements = list(elements)
    places = {each.id: place for place, each in enumerate(elements) if each.id is not None}
    return [_as_node(each, places) for each in elements]


def _as_node(each: UIElement, places: Mapping[int | None, int]) -> Node:
    told = {
        "text": each.text,
        "description": each.description,
        **{key: each.metadata.get(key) for key in ("class", "id")},
    }
    node: Node = {
        "role": each.element_type,
        "box": list(each.bbox),
        **{key: value for key, value in told.items() if value},
    }
    node |= {"interactive": True} if each.interactive else {}
    node |= {"enabled": False} if each.enabled is False else {}
    node |= {"parent": places[each.parent]} if each.parent in places else {}
    states = [state for state in STATES if each.metadata.get(state)]
    return {**node, "states": states} if states else node


def from_nodes(nodes: Iterable[Node]) -> tuple[UIElement, ...]:
    """The elements that `as_nodes` wrote down, numbered from 1."""
    return tuple(
        UIElement(
            each["role"],
            each.get("description", ""),
            Box(*(round(edge) for edge in each["box"])),
            source="accessibility",
            text=each.get("text", ""),
            id=number,
            parent=each["parent"] + 1 if each.get("parent") is not None else None,
            enabled=each.get("enabled", True),
            interactive=each.get("interactive", False),
            metadata={key: each[key] for key in ("class", "id") if key in each}
            | dict.fromkeys(each.get("states", ()), True),
        )
        for number, each in enumerate(nodes, 1)
    )


def tree_of(truth: Mapping[str, Any]) -> tuple[UIElement, ...]:
    """The tree that a truth holds, else one made of its elements as an app of that kind would tell it."""
    told = truth.get("tree")
    if told and truth.get("kind") == "web" and truth.get("phone"):
        told = in_web_view(told)
    return from_nodes(told or made_tree(truth))


def in_web_view(nodes: list[Node]) -> list[Node]:
    """Chromium's tree of a page as Android tells it: classes instead of roles, and no parts of what says all by itself."""
    kids: dict[int | None, list[int]] = defaultdict(list)
    for place, node in enumerate(nodes):
        kids[node.get("parent")].append(place)
    found: list[Node] = []
    places: dict[int | None, int] = {}
    for place, node in enumerate(nodes):  # parents come first
        holder = node.get("parent")
        if holder is not None and holder not in places:
            continue
        whole = bool(node.get("text")) and all(nodes[kid]["role"] == "text" for kid in kids[place])
        cls = f"android.{WEB_CLASSES.get(node['role'], 'view.View')}"
        if not whole or not kids[place]:
            places[place] = len(found)  # its kids are told too
        parent = {"parent": places[holder]} if holder is not None else {}
        found.append({**node, **parent, "class": cls, "role": role_of_class(cls, ANDROID) or "element"})
    return found


def made_tree(truth: Mapping[str, Any]) -> list[Node]:
    """
    A tree of what a truth names, the same for the same truth.

    Apps differ: one names every view, another none; one describes its icons, another tells nothing but texts. A phone's screen
    becomes an Android app's tree, others become one as desktops tell it.
    """
    size, elements = truth["size"], truth["elements"]
    chance = random.Random(f"tree {truth.get('library')} {truth.get('seed')} {size} {len(elements)}")
    maker = _Android if truth.get("phone") else _Desktop
    return maker(truth, chance).made()


@dataclass
class _Part:
    """An element of the truth with what it holds; `node` is how the tree tells it, None where it tells only the kids."""

    about: Mapping[str, Any]
    kids: list[_Part] = field(default_factory=list)

    @property
    def role(self) -> str:
        return str(self.about["role"])

    @property
    def text(self) -> str:
        return str(self.about.get("text") or "")

    @property
    def box(self) -> list[int]:
        return [round(edge) for edge in self.about["box"]]

    def held(self, *roles: str) -> list[_Part]:
        """The kids of these roles."""
        return [kid for kid in self.kids if kid.role in roles]


def parts_of(truth: Mapping[str, Any]) -> list[_Part]:
    """The uncovered elements that lie in no other one, with what they hold."""
    elements = truth["elements"]
    parts = [None if "covered" in str(each.get("state") or "").split() else _Part(each) for each in elements]
    roots: list[_Part] = []
    for number, part in enumerate(parts):
        if part is None or part.role in LEFT_OUT:
            continue
        holder, seen = part.about.get("parent"), {number}
        while holder is not None and parts[holder] is None and holder not in seen:
            seen.add(holder)
            holder = elements[holder].get("parent")
        found = parts[holder] if holder is not None and holder not in seen else None
        (roots if found is None or found.role in LEFT_OUT else found.kids).append(part)
    return roots


class _Maker:
    """Common parts of Android's and desktops' trees: names of icons, and rows."""

    def __init__(self, truth: Mapping[str, Any], chance: random.Random) -> None:
        self.truth, self.chance = truth, chance
        self.nodes: list[Node] = []
        self.counts: dict[str, int] = defaultdict(int)
        self.language = str(truth.get("language") or "en")[:2]
        self.described = chance.choice((0.2, 0.6, 0.9, 1.0))  # share of icons that say what they are
        self.named = chance.choice((0.0, 0.0, 0.1, 0.4, 0.85))  # share of what has an id

    def add(self, role: str, box: list[int], parent: int | None, **more: Any) -> int:
        """The index of a new node; what is empty is left out of it."""
        node = {
            "role": role,
            "box": box,
            **{key: value for key, value in more.items() if value not in ("", None, False)},
        }
        if parent is not None:
            node["parent"] = parent
        self.nodes.append(node)
        return len(self.nodes) - 1

    def called(self, icon: _Part | None) -> str:
        """Description of an icon, in the screen's language where words for it are known; "" if it has none."""
        name = str(icon.about.get("name") or "") if icon else ""
        if not name or self.chance.random() > self.described:
            return ""
        concept = concept_of(name)
        words = icon_words(concept, self.language)[:3] if concept else ()
        prefix, _, rest = name.partition(":")
        said = self.chance.choice(words) if words else clean(prefix, rest or prefix) if rest else name
        return said[:1].upper() + said[1:]

    def id_of(self, part: _Part, icon: _Part | None = None) -> str:
        """Id that a programmer may give a part: after its icon, or by its role and number. Most parts get none, ""."""
        if self.chance.random() > self.named:
            return ""
        role = "button" if part.role in MARKS or part.role == "combo box" else part.role
        first = self.chance.choice(PREFIXES.get(role, ("view",)))
        name = str(icon.about.get("name") or "").rpartition(":")[2].replace("-", "_") if icon else ""
        self.counts[role] += 1
        if not name and (not first or self.chance.random() < 0.5):
            name = str(self.counts[role])
            first = first or "view"
        return "_".join(each for each in (first, name) if each)

    def rows(self, parts: list[_Part]) -> list[list[_Part]]:
        """Parts that follow one another side by side, together."""
        found: list[list[_Part]] = []
        for part in parts:
            if found and all(_beside(part.box, other.box) for other in found[-1]):
                found[-1].append(part)
            else:
                found.append([part])
        return found

    def made(self) -> list[Node]:
        raise NotImplementedError


class _Android(_Maker):
    """
    As uiautomator tells an app.

    "views": buttons say their text, icons are ImageViews. "drawn" (toolkits that draw all by themselves): whatever takes a
    touch is a plain View or ViewGroup around its texts, often with all of them as its description.
    """

    def __init__(self, truth: Mapping[str, Any], chance: random.Random) -> None:
        super().__init__(truth, chance)
        self.drawn = chance.random() < 0.5
        self.package = f"com.example.{chance.choice(('app', 'shop', 'mobile', 'main'))}"
        self.summed = chance.choice((0.2, 0.6, 0.9)) if self.drawn else 0.1  # share of holders that are described
        self.wrapped = chance.choice((0.4, 0.7, 0.95))  # share of rows that have a layout of their own
        self.nested = chance.choice(
            (0.1, 0.3, 0.6)
        )  # share of rows and lone views around which stands a further layout
        self.layouts = ("android.view.ViewGroup",) if self.drawn else tuple(
            f"android.widget.{name}Layout" for name in ("Linear", "Frame", "Relative")
        )  # fmt: skip

    def made(self) -> list[Node]:
        whole = [0, 0, *self.truth["size"]]
        root = self.view("android.widget.FrameLayout", whole, None)
        root = self.view("android.widget.LinearLayout", whole, root)
        root = self.view("android.widget.FrameLayout", whole, root, id="android:id/content")
        for _ in range(self.chance.randint(0, 3)):
            root = self.view(self.layout(), whole, root)
        self.put(parts_of(self.truth), root)
        return self.nodes

    def view(self, cls: str, box: list[int], parent: int | None, **more: Any) -> int:
        """A node of an Android class, with the role that Handeye gives it."""
        known = str(more.pop("id", ""))
        if known and ":" not in known:
            known = f"{self.package}:id/{known}"
        return self.add(role_of_class(cls, ANDROID) or "element", box, parent, **{"class": cls}, id=known, **more)

    def layout(self) -> str:
        return self.chance.choice(self.layouts)

    def put(self, parts: list[_Part], parent: int) -> None:
        """Parts below a node, rows of them in layouts."""
        for row in self.rows(parts):
            holder = parent
            if len(row) > 1 and self.chance.random() < self.wrapped:
                holder = self.view(self.layout(), _around(row), holder)
            while self.chance.random() < self.nested:
                holder = self.view(self.layout(), _around(row), holder)
            for part in row:
                self.one(part, holder)

    def one(self, part: _Part, parent: int) -> None:
        first = len(self.nodes)
        if part.role == "text":
            known = self.id_of(part) if self.named > self.chance.random() else ""
            self.view("android.widget.TextView", part.box, parent, text=part.text, id=known)
        elif part.role in ("icon", "image"):
            self.picture(part, parent)
        elif part.role == "window":
            self.put(part.kids, self.view(self.layout(), part.box, parent))
        elif part.role == "input":
            node = self.view(
                "android.widget.EditText", part.box, parent, text=part.text, interactive=True, id=self.id_of(part)
            )
            self.put(part.held("icon"), node if self.chance.random() < 0.2 else parent)
        elif part.role in MARKS:
            self.mark(part, parent)
        else:
            self.holder(part, parent)
        if "disabled" in str(part.about.get("state") or "").split() and len(self.nodes) > first:
            self.nodes[first]["enabled"] = False

    def mark(self, part: _Part, parent: int) -> None:
        on = str(part.about.get("state") or "").split()[:1] in (["on"], ["checked"])
        cls = "android.view.View" if self.drawn and self.chance.random() < 0.4 else f"android.widget.{MARKS[part.role]}"
        states = ["checked"] if on else []
        self.view(cls, part.box, parent, interactive=True, id=self.id_of(part), states=states or None)
        self.put(part.kids, parent)

    def picture(self, part: _Part, parent: int) -> None:
        touched = bool(part.about.get("interactive")) and not self.nodes[parent].get("interactive")
        if self.drawn and not touched and self.chance.random() < 0.5:
            cls = self.chance.choice(("com.horcrux.svg.SvgView", "android.view.View"))
        else:
            cls = "android.widget.ImageButton" if touched and not self.drawn else "android.widget.ImageView"
        said = self.called(part) if touched or self.chance.random() < 0.4 else ""
        self.view(cls, part.box, parent, description=said, interactive=touched, id=self.id_of(part, part))
        self.put(part.kids, parent)

    def holder(self, part: _Part, parent: int) -> None:
        """A button, link, tab, row or list: with its own text, or around the views that have it."""
        icons, text = part.held("icon"), part.text
        known = self.id_of(part, icons[0] if icons and not text else None)
        selected = {"states": ["selected"]} if "selected" in str(part.about.get("state") or "").split() else {}
        about: dict[str, Any] = {"interactive": bool(part.about.get("interactive", True)), "id": known, **selected}
        plain = not [kid for kid in part.kids if kid.role not in ("text", "icon")]
        if not text and icons and plain and (not self.drawn or self.chance.random() < 0.5):
            cls = "android.widget.Button" if self.drawn else "android.widget.ImageButton"
            self.view(cls, part.box, parent, description=self.called(icons[0]), **about)
            return
        if text and plain and not self.drawn and part.role in ("button", "link", "menu item"):
            cls = "android.widget.Button" if part.role == "button" else "android.widget.TextView"
            self.view(cls, part.box, parent, text=text, **about)
            return
        cls = "android.widget.Spinner" if part.role == "combo box" and not self.drawn else self.layout()
        if self.drawn and self.chance.random() < 0.5:
            cls = "android.widget.Button" if part.role == "button" else "android.view.View"
        whole = self.chance.random() < self.summed
        said = text if whole else self.called(icons[0]) if icons and not text else ""
        node = self.view(cls, part.box, parent, description=said, **about)
        # What is described as a whole often tells nothing of its parts.
        if said and whole and plain and self.chance.random() < 0.4:
            return
        if text and not part.held("text") and plain and not said:
            self.view("android.widget.TextView", part.box, node, text=text)
        self.put(part.kids, node)


class _Desktop(_Maker):
    """As browsers and desktops tell it: controls have names, and what draws them is not told."""

    def __init__(self, truth: Mapping[str, Any], chance: random.Random) -> None:
        super().__init__(truth, chance)
        self.own = truth.get("kind") in ("atspi", "qt")  # applications have no ids, and tell no picture in a button
        if self.own:
            self.named = 0.0
        self.leaves = (
            0.0 if self.own else chance.choice((0.0, 0.5, 1.0))
        )  # share of named controls whose texts are told too
        self.wrapped = chance.choice((0.2, 0.5, 0.8))

    def made(self) -> list[Node]:
        whole = [0, 0, *self.truth["size"]]
        root = self.add("window" if self.own else "document", whole, None)
        self.put(parts_of(self.truth), root)
        return self.nodes

    def put(self, parts: list[_Part], parent: int) -> None:
        for row in self.rows(parts):
            holder = parent
            if self.chance.random() < (self.wrapped if len(row) > 1 else self.wrapped / 4):
                holder = self.add("pane" if self.own else "group", _around(row), parent)
            for part in row:
                self.one(part, holder)

    def one(self, part: _Part, parent: int) -> None:
        role, text, icons = part.role, part.text, part.held("icon")
        state = str(part.about.get("state") or "").split()
        if role == "text":
            self.add("text", part.box, parent, text=text)
            return
        about: dict[str, Any] = {"interactive": bool(part.about.get("interactive"))}
        about["states"] = [
            each for each in ("checked", "selected") if each in state or (each == "checked" and "on" in state)
        ]
        about = {key: value for key, value in about.items() if value}
        if role in ("icon", "image"):
            said = self.called(part) if role == "icon" else text
            if said or about.get("interactive") or self.chance.random() < 0.3:
                self.add("image", part.box, parent, text=said, id=self.id_of(part, part), **about)
            self.put(part.kids, parent)
            return
        if self.own and role == "button" and not text and part.about.get("parent") is None:
            return  # the window manager's own, which no tree tells
        known = self.id_of(part, icons[0] if icons and not text else None)
        said = text or ("" if self.own else self.called(icons[0] if icons else None))
        described = {"description": said} if role == "input" and self.chance.random() < 0.5 else {"text": said}
        node = self.add(role, part.box, parent, id=known, **described, **about)
        if "disabled" in state:
            self.nodes[node]["enabled"] = False
        leaves = not said or role in ("list item", "window") or self.chance.random() < self.leaves
        self.put(
            [kid for kid in part.kids if kid.role not in ("text", "icon") or (leaves and kid.role == "text")], node
        )


def _beside(one: list[int], other: list[int]) -> bool:
    down = min(one[3], other[3]) - max(one[1], other[1])
    across = min(one[2], other[2]) - max(one[0], other[0])
    return down > SAME_ROW * min(one[3] - one[1], other[3] - other[1]) and across <= 2


def _around(parts: list[_Part]) -> list[int]:
    lefts, tops, rights, bottoms = zip(*(part.box for part in parts), strict=True)
    return [min(lefts), min(tops), max(rights), max(bottoms)]
