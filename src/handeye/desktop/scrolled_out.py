"""Search among the elements that are scrolled out of view: they have a name and a live handle, but no position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from handeye.desktop.native_ids import Identified
from handeye.desktop.state import WindowState
from handeye.elements import UIElement, UIState
from handeye.errors import DeviceError, DeviceLost
from handeye.locate import LEAST_CONFIDENCE, RELATION_TIE, Found, Tree, by_words, with_role
from handeye.perceive import Control, Detection, RowContainer
from handeye.screen import Screen
from handeye.target import Target


def scrolled_out(target: Target, state: WindowState, screen: Screen) -> tuple[UIElement, ...]:
    """
    Return the elements out of view that `target` names; several if it is ambiguous. Empty if the target depends on a position,
    or if an element in view has the name as well: that may be the target, and covered.
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
    named = list({each.id: each for each in most_confident(found) if _is_out(each)}.values())
    # Prefer a control to its label.
    around = {above.id for each in named for above in tree.ancestors(each)}
    controls = {each.id for each in named if each.interactive and each.id in around}
    return tuple(
        each
        for each in named
        if each.id in controls or not (each.id in around or any(a.id in controls for a in tree.ancestors(each)))
    )


def most_confident(found: Sequence[Found]) -> list[UIElement]:
    """Return the elements with sufficient confidence that is also close to the best one's."""
    best = max((each.confidence for each in found), default=0.0)
    return [each.element for each in found if each.confidence >= max(LEAST_CONFIDENCE, best - RELATION_TIE)]


def with_rows(state: WindowState) -> tuple[WindowState, tuple[str, ...]]:
    """
    Return the state with the invisible rows of lists, tables and trees added, and notes on which were read and which could not
    be. Raises DeviceLost.
    """
    detection = state.detection
    known = {_native_id(each) for each in detection.controls} - {None}
    elements, controls = list(detection.targets), list(detection.controls)
    notes: list[str] = []
    failed = False
    for holder, control in zip(detection.targets, detection.controls, strict=True):
        if not holder.metadata.get("unread") or not isinstance(control, RowContainer):
            continue
        try:
            rows = control.rows()
        except DeviceLost:
            raise
        except DeviceError as error:
            failed = True
            notes.append(f"not all was read: {error}")
            continue
        notes.append(
            f"{len(rows):,} names of the {holder.element_type} {holder.text!r} were looked through".replace(" ''", "")
        )
        for row, handle in rows:
            if _native_id(handle) not in known:
                elements.append(replace(row, id=len(elements) + 1, parent=holder.id))
                controls.append(handle)
    if failed or not notes:
        notes += [f"not all was read: {note}" for note in state.notes]
    return replace(state, detection=Detection(tuple(elements), tuple(controls), state.notes)), tuple(notes)


def _native_id(control: Control | None) -> str | None:
    return control.object_id if isinstance(control, Identified) else None


def _is_out(element: UIElement) -> bool:
    return bool(element.metadata.get("offscreen"))
