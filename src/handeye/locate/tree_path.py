"""The elements of a tree at an XPath-like path; handeye.target.node_path has the grammar."""

from __future__ import annotations

from collections.abc import Iterable

from handeye.elements import UIElement
from handeye.locate.tree import Tree
from handeye.roles import role_of, role_of_class
from handeye.target.node_path import Step, steps_of


def id_matches(element: UIElement, wanted: str) -> bool:
    """Return True if the element's id is `wanted`: the whole (`com.x:id/ok`), or the part behind its last "/"."""
    known = str(element.metadata.get("id", ""))
    return bool(known) and wanted in (known, known.rpartition("/")[2])


def select(tree: Tree, path: str) -> list[UIElement]:
    """The elements at the path, in the tree's order. Raises UsageError for one that cannot be read, and says where."""
    steps = steps_of(path)
    if not steps[0].deep and steps[0].name == "hierarchy" and len(steps) > 1:
        steps = steps[1:]
    parents: list[UIElement | None] = [None]
    for step in steps:
        found: dict[int, UIElement] = {}
        for parent in _outermost(tree, parents) if step.deep else parents:
            for group in _groups(tree, parent, step.deep):
                for element in _chosen(step, group):
                    found[id(element)] = element
        parents = [element for element in tree.elements if id(element) in found]
    return [element for element in parents if element is not None]


def _groups(tree: Tree, parent: UIElement | None, deep: bool) -> Iterable[list[UIElement]]:
    """The lists of siblings among which a step looks."""
    yield tree.children(parent)
    if deep:
        below = tree.elements if parent is None else tree.descendants(parent)
        for element in below:
            if children := tree.children(element):
                yield children


def _outermost(tree: Tree, parents: list[UIElement | None]) -> list[UIElement | None]:
    """Those that are inside no other: what is below the others is below them too, and is looked through once."""
    known = {id(parent) for parent in parents if parent is not None}
    return [
        parent
        for parent in parents
        if parent is None or not any(id(above) in known for above in tree.ancestors(parent))
    ]


def _chosen(step: Step, siblings: list[UIElement]) -> list[UIElement]:
    chosen = [element for element in siblings if _is_named(element, step.name)]
    for predicate in step.predicates:
        if isinstance(predicate, int):
            at = len(chosen) - 1 if predicate < 0 else predicate - 1
            chosen = chosen[at : at + 1] if chosen else []
        else:
            chosen = [element for element in chosen if predicate(element)]
    return chosen


def _is_named(element: UIElement, name: str) -> bool:
    if name == "*":
        return True
    cls = str(element.metadata.get("class", "")).casefold()
    if name in (cls, cls.rpartition(".")[2]):
        return True
    return "." not in name and element.element_type in (name, role_of(name), role_of_class(name))
