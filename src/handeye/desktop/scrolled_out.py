"""What a phrase means among the elements that are scrolled out of view: they have a name and a live handle, but no place."""

from __future__ import annotations

from dataclasses import replace

from handeye.desktop.objects import Identified
from handeye.desktop.state import WindowState
from handeye.elements import UIElement, UIState
from handeye.errors import DeviceError, DeviceLost
from handeye.locate.accessibility import TIE
from handeye.locate.chain import LEAST_CONFIDENCE
from handeye.locate.tree import Tree
from handeye.locate.tree_names import by_words, with_role
from handeye.perceive.base import Detection, RowHolder
from handeye.screen import Screen
from handeye.target import Target


def scrolled_out(target: Target, state: WindowState, screen: Screen) -> tuple[UIElement, ...]:
    """
    The elements out of view that `target` names; several when nobody can say which. None of them where a place is part of what
    is meant, or where something in view has the name as well: that may be what is meant, and covered.
    """
    words = target.text or ""
    if not words or target.chooses or target.id or target.path or target.region is not None:
        return ()
    tree = Tree(UIState(screen, state.elements))
    found = by_words(words, state.elements, exact=target.exact)
    if any(not _is_out(each.element) for each in found):
        return ()
    if target.role is not None:
        found = with_role(tree, target.role, found)
    sure = [each for each in found if each.confidence >= LEAST_CONFIDENCE and _is_out(each.element)]
    best = max((each.confidence for each in sure), default=0.0)
    named = list({each.element.id: each.element for each in sure if each.confidence >= best - TIE}.values())
    # Of a control and the words on it, the control.
    around = {above.id for each in named for above in tree.ancestors(each)}
    controls = {each.id for each in named if each.interactive and each.id in around}
    return tuple(
        each
        for each in named
        if each.id in controls or not (each.id in around or any(a.id in controls for a in tree.ancestors(each)))
    )


def with_rows(state: WindowState) -> tuple[WindowState, tuple[str, ...]]:
    """
    The state with the rows that could not be seen of lists, tables and trees, and why the rest was not read. Raises DeviceLost.
    """
    said = state.detection
    known = {each.object_id for each in said.controls if isinstance(each, Identified)}
    elements, controls, notes = list(said.targets), list(said.controls), list(state.notes)
    for holder, control in zip(said.targets, said.controls, strict=True):
        if not holder.metadata.get("unread") or not isinstance(control, RowHolder):
            continue
        try:
            rows = control.rows()
        except DeviceLost:
            raise
        except DeviceError as error:
            notes.append(str(error))
            continue
        notes = [note for note in notes if "children" not in note]
        for row, handle in rows:
            if not (isinstance(handle, Identified) and handle.object_id in known):
                elements.append(replace(row, id=len(elements) + 1, parent=holder.id))
                controls.append(handle)
    return replace(state, detection=Detection(tuple(elements), tuple(controls), state.notes)), tuple(notes)


def _is_out(element: UIElement) -> bool:
    return bool(element.metadata.get("offscreen"))
