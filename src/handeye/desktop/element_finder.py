"""
Decision tree that resolves a phrase to an element of a window (docs/spec/perception-tiers.md).

The tiers, the most exact first: 1 the accessibility tree, also by other words than its labels; 1+ parts inferred from the tree;
2 the picture, by the embedded screen parser and the ranker, by a model or the bundled OCR; 3a drawn things within or between
known elements. If no tier finds the element, or a tier finds several, nothing is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from handeye.clock import Clock, Deadline, SystemClock
from handeye.desktop.capture_view import CaptureView, capture_view_of, own_menus
from handeye.desktop.effects import DEADLINE_S, POLL_S
from handeye.desktop.menus import RESPONDS_S, Decision, MenuInput, Menus, as_entry, menu_of
from handeye.desktop.open_menus import is_chosen_by_handle
from handeye.desktop.parts import (
    PartPhrase,
    border_between,
    drawn_things,
    is_text_area,
    part_named,
    parts_meant,
    text_areas,
)
from handeye.desktop.scrolled_out import scrolled_out, with_rows
from handeye.desktop.state import WindowState
from handeye.devices import DesktopBackend, Surface, Window
from handeye.elements import UIElement
from handeye.errors import AmbiguousTarget, DeviceError, DeviceLost, HandeyeError, TargetNotFound
from handeye.geometry import Box
from handeye.locate import (
    LEAST_FOR_ACTS,
    AccessibilityStrategy,
    LocateChain,
    OcrStrategy,
    Parser,
    RankingStrategy,
    Sources,
    Strategy,
    bundled_ranker,
)
from handeye.ocr import TextReader
from handeye.perceive import STRUCTURE_SOURCE, Detection, StateProvider, WindowTree, element_name, visible_box
from handeye.roles import role_named
from handeye.run import press_objection
from handeye.screen import Screen
from handeye.target import Attempt, Outcome, RelationKind, Target, parse_target

TIERS: Final = ("1", "1+", "2", "3a")
"""All tiers, in the order in which they are tried."""

LEAST_SEEN: Final = 20
"""
Least width and height in pixels of an element that only a model sees, else it is not clicked; a model is off by up to 35
(docs/spec/perception-tiers.md).
"""

# Roles that may contain drawn things missing in the tree, and roles of such things (tier 3a).
_HOLDERS: Final = frozenset({"group", "pane", "element", "image", "canvas", "document", "web view", "custom"})
_IN_HOLDERS: Final = frozenset({"icon", "image", "button", "item"})
# Roles without text: the picture may show some that the tree lacks.
_DRAWN_KINDS: Final = frozenset({"icon", "switch", "checkbox", "radio", "slider"})
# Names of the picture strategies in messages.
_BY_PICTURE: Final = {"ocr": "text reader", "ranker": "screen parser"}


@dataclass(frozen=True, slots=True)
class _Question:
    """A target, the state and the picture of its window, and the attempts of the tiers so far."""

    target: Target
    state: WindowState
    sight: CaptureView
    attempts: list[Attempt]

    def record(self, tier: str, outcome: Outcome, note: str) -> None:
        self.attempts.append(Attempt(f"tier {tier}", outcome, note))

    def decided(self, element: UIElement | None, tier: str = "1") -> Decision | None:
        """Return the decision for an element, given by its id in the state; None for no element."""
        if element is None or element.id is None:
            return None
        return Decision(self.state, self.state.element(element.id), self.state.control(element.id), tier)


class FixedProvider:
    """A WindowProvider that returns a fixed detection."""

    name = "said"

    def __init__(self, detection: Detection) -> None:
        self._detection = detection

    def detect(self, window: Window) -> Detection:
        return self._detection


def scroll_to(aim: Decision) -> None:
    """Scroll an element into view by its application."""
    if aim.control is not None:
        aim.control.scroll_into_view()


class DecisionTree:
    """
    Resolves phrases within one window. `look(infer, vision)` returns its state, as for `DesktopSession`; `vision` allows a
    model to look. `reader` is the OCR for drawn text, `parser` detects icons and drawn controls; without them these are not
    found. `tiers` are those that may be tried. `hands` opens menus; `bring` scrolls an element into view, or raises a
    DeviceError. An element found with less than `min_confidence` (0-1) is not chosen; None keeps each strategy's own threshold.
    """

    def __init__(
        self,
        backend: DesktopBackend,
        look: Callable[[bool, bool], WindowState],
        *,
        vision: bool = False,
        reader: TextReader | None = None,
        parser: Parser | None = None,
        tiers: Collection[str] = TIERS,
        hands: MenuInput | None = None,
        bring: Callable[[Decision], object] = scroll_to,
        min_confidence: float | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._min_confidence = min_confidence
        self._backend = backend
        self._look = look
        self._vision = vision
        reads: list[Strategy] = [OcrStrategy(reader)] if reader is not None else []
        self._reads = self._chain(*reads) if reads else None
        self._parses = self._chain(*reads, self._ranker(None, parser, reader)) if parser is not None else self._reads
        self._reader = reader
        self._tiers = tiers
        self._hands = hands
        self._bring = bring
        self._clock = clock or SystemClock()

    def decide(self, phrase: str) -> Decision:
        """
        Return the element that a phrase means; scroll it into view, or open its menu, if needed. Raises TargetNotFound with the
        attempts of all tiers, AmbiguousTarget if several elements fit, UsageError for an invalid phrase, DeviceError for a menu
        that does not open, and what reading the window raises.
        """
        part, target = part_named(phrase), parse_target(phrase)
        state = self._look("1+" in self._tiers, False)
        tree_state = _only(state, lambda each: each.source != STRUCTURE_SOURCE)
        has_tree = any(
            each.element_type != "window" and (each.interactive or element_name(each)) for each in tree_state.elements
        )
        attempts = [Attempt("tier 1", "failed", note) for note in state.notes if not state.elements]
        asks = _Question(target, tree_state, capture_view_of(state, self._backend), attempts)
        asked: list[tuple[str, Callable[[], Decision | None]]]
        if part is None:
            in_tree: list[Callable[[], Decision | None]] = [
                lambda: self._in_tree(asks),
                lambda: self._in_menu(asks, Menus.find),
                lambda: self._scrolled_in(asks),
                lambda: self._in_menu(asks, Menus.find_in_boxes),
                lambda: self._by_other_words(asks),
            ]
            is_drawn = role_named(target.role or "") in _DRAWN_KINDS
            asked = [
                *(("1", ask) for ask in in_tree if state.elements),
                ("2", lambda: self._on_picture(asks, self._parses) if is_drawn else None),
                ("2", lambda: self._seen(asks)),
                ("2", lambda: None if has_tree else self._in_drawn_menu(asks)),
                ("2", lambda: self._on_picture(asks, self._reads if has_tree or is_drawn else self._parses)),
                ("3a", lambda: self._drawn(asks)),
            ]
        else:
            asked = [
                ("1+", lambda: self._part(part, state, asks)),
                ("2", lambda: self._seen(asks)),
                ("3a", lambda: self._between(part, asks)),
            ]
        for tier, ask in asked:
            if tier in self._tiers and (found := ask()) is not None:
                return replace(found, attempts=tuple(attempts))
        raise TargetNotFound(target, attempts)

    def in_view(self, aim: Decision) -> Decision:
        """Page an open menu to an entry that it does not show; return any other element unchanged."""
        menus = self._menus()
        return (menus.show(aim) if menus is not None else None) or aim

    # -- tier 1 and 1+

    def _in_tree(self, asks: _Question) -> Decision | None:
        target, element = asks.target, None
        if is_text_area(target.phrase or target.text or target.description or ""):
            areas = text_areas(asks.state.elements)
            if len(areas) > 1:
                raise AmbiguousTarget(target, areas)
            element = areas[0] if areas else None
            asks.record("1", "found" if areas else "absent", "the largest place to write in")
        elif asks.sight.unseen and _uses_colour(target):
            asks.record("1", "failed", f"nobody can tell its colour: {asks.sight.unseen}")
        else:
            try:
                strategy = self._strategy(asks.state, asks.sight)
                element = _chosen(self._chain(strategy), target, asks.sight.screen, asks.attempts, "tier 1")
            except AmbiguousTarget as error:
                element = _labelled(asks.state, error.candidates)
                if element is None:
                    raise
        return asks.decided(element)

    def _found_in(self, state: WindowState, target: Target, sight: CaptureView) -> UIElement | None:
        found = self._in_tree(_Question(target, state, sight, []))
        return found.element if found is not None else None

    def _strategy(self, state: WindowState, sight: CaptureView) -> AccessibilityStrategy:
        return AccessibilityStrategy(self._tree(state), pictured=not sight.unseen)

    def _tree(self, state: WindowState) -> WindowTree:
        return WindowTree(FixedProvider(state.detection), self._backend)

    def _chain(self, *strategies: Strategy) -> LocateChain:
        return LocateChain(strategies, least_confidence=self._min_confidence)

    def _ranker(
        self, tree: StateProvider | None, parser: Parser | None = None, reader: TextReader | None = None
    ) -> RankingStrategy:
        sources = Sources(tree, parser, reader)
        return RankingStrategy(bundled_ranker, sources, least=LEAST_FOR_ACTS, min_confidence=self._min_confidence)

    def _by_other_words(self, asks: _Question) -> Decision | None:
        """Return the element that the ranker finds by other words than its label; None if there is no picture."""
        if asks.sight.unseen:
            asks.record("1", "skipped", f"other words are not compared: {asks.sight.unseen}")
            return None
        chain = self._chain(self._ranker(self._tree(asks.state), reader=self._reader))
        return asks.decided(_chosen(chain, asks.target, asks.sight.screen, asks.attempts, "tier 1"))

    def _in_menu(
        self, asks: _Question, search: Callable[[Menus, Target, WindowState], Decision | None]
    ) -> Decision | None:
        """Return the entry that `search` finds in a menu or combo box, which it may open; else None."""
        menus = self._menus()
        if menus is None:
            return None
        entry = search(menus, asks.target, asks.state)
        opened = ", then ".join(menus.opened_menus)
        if entry is None:
            if opened:
                asks.record("1", "absent", f"not in the menus that were opened: {opened}")
            return None
        asks.record("1", "found", f"in {opened}, which was opened" if opened else "in an open menu")
        return replace(entry, shut=menus.close if opened else None)

    def _menus(self) -> Menus | None:
        def find(state: WindowState, target: Target) -> UIElement | None:
            return self._found_in(state, target, capture_view_of(state, self._backend))

        if self._hands is None:
            return None
        return Menus(self._backend, lambda: self._look(False, False), find, self._hands, self._clock)

    def _scrolled_in(self, asks: _Question) -> Decision | None:
        """Scroll an element that is out of view into view, and return it as found there; else None."""
        target, state, screen = asks.target, asks.state, asks.sight.screen
        out = scrolled_out(target, state, screen)
        if not out and target.text:
            state, notes = with_rows(state)
            for each in notes:
                asks.record("1", "absent", each)
            out = scrolled_out(target, state, screen)
        if len(out) > 1:
            raise AmbiguousTarget(target, out)
        aim = replace(asks, state=state).decided(out[0]) if out else None
        if aim is None or aim.control is None:
            return None
        about = f"{aim.element.element_type} {aim.element.text!r} is scrolled out of view"
        if is_chosen_by_handle(state, aim.element):
            asks.record("1", "found", f"{about}, and can be chosen there")
            return aim
        turned = self.in_view(aim)
        if turned is not aim:
            asks.record("1", "found", f"{about}, and its menu was turned to it")
            return turned
        try:
            self._bring(aim)
        except DeviceLost:
            raise
        except DeviceError as error:
            asks.record("1", "absent", f"{about}, and stays there: {error}")
            return None
        place: Box | None = None
        for _ in Deadline(self._clock, DEADLINE_S).looks(POLL_S):
            now = self._look(False, False)
            found = self._in_tree(_Question(target, now, capture_view_of(now, self._backend), []))
            if found is not None and found.element.bbox == place:  # browsers scroll smoothly
                asks.record("1", "found", f"{about}, and was scrolled into it")
                return found
            place = found.element.bbox if found is not None else None
        asks.record("1", "absent", f"{about}, and its application did not scroll it into view")
        return None

    def _part(self, wanted: PartPhrase, state: WindowState, asks: _Question) -> Decision | None:
        meant = parts_meant(wanted, state.elements, lambda anchor: self._found_in(asks.state, anchor, asks.sight))
        if len(meant) > 1:
            raise AmbiguousTarget(f"the {wanted.role}", meant)
        if not meant:
            asks.record("1+", "absent", f"no {wanted.role} follows from what the application says")
            return None
        asks.record("1+", "found", str(meant[0].metadata.get("derived_from", "")))
        return replace(asks, state=state).decided(meant[0], "1+")

    # -- tier 2

    def _seen(self, asks: _Question) -> Decision | None:
        if not self._vision:
            asks.record("2", "skipped", "no model may look (--vision)")
            return None
        state = _only(self._look(False, True), lambda each: each.source == "vision")
        sight = capture_view_of(state, self._backend)
        chain = self._chain(self._strategy(state, sight))
        element = _chosen(chain, asks.target, sight.screen, asks.attempts, "tier 2")
        found = replace(asks, state=state).decided(element, "2")
        if found is None or min(found.element.bbox.width, found.element.bbox.height) >= LEAST_SEEN:
            return found
        asks.record("2", "absent", f"it is smaller than {LEAST_SEEN} pixels: too small to be sure")
        return None

    def _in_drawn_menu(self, asks: _Question) -> Decision | None:
        """Find an entry that is named with its menu, in a window without a tree: press the menu's name, and read the popup."""
        target = as_entry(asks.target)
        menu = menu_of(target)
        hands = self._hands
        if hands is None or menu is None or menu.role is None:
            return None
        outer = self._in_drawn_menu(replace(asks, target=menu))
        title = outer or self._on_picture(replace(asks, target=Target(menu.text)), self._parses)
        if title is None:
            return None
        window = asks.state.window
        shown = {each.id for each in own_menus(self._backend, window)}

        def new() -> list[Surface]:
            return [each for each in own_menus(self._backend, window) if each.id not in shown]

        def shut() -> None:
            for _ in new():
                hands.key("escape")

        hands.press(asks.state, title.element)
        opened: list[Surface] = []
        for _ in Deadline(self._clock, RESPONDS_S).looks(POLL_S):
            if opened:
                break  # one more look, so that its entries are drawn
            opened = new()
        if not opened:
            asks.record("2", "absent", f"a press on {menu.text!r} opened no menu")
            return None
        entry = replace(
            asks,
            target=replace(
                target, relations=tuple(each for each in target.relations if each.anchor is not menu), phrase=None
            ),
            sight=replace(capture_view_of(asks.state, self._backend), shown=(opened[0].box,)),
        )
        found = self._on_picture(entry, self._parses, f"in {menu.text!r}")
        if found is None:
            shut()
        return replace(found, shut=shut) if found is not None else None

    def _on_picture(self, asks: _Question, chain: LocateChain | None, by: str = "") -> Decision | None:
        """Return the element found on the window's picture without a model, or None."""
        if chain is None:
            return None
        if asks.sight.unseen:
            asks.attempts.append(Attempt("text reader", "failed", asks.sight.unseen))
            return None
        picture = asks.sight.of_window()
        element = _chosen(chain, asks.target, picture, asks.attempts, by)
        return None if element is None else Decision(asks.state, _on_desktop(element, picture), None, "2")

    # -- tier 3a

    def _drawn(self, asks: _Question) -> Decision | None:
        """
        Return the only thing drawn in a named element of the tree: "the icon in Sketch". A drawn thing cannot be checked
        against a name, so a target with its own name is not found here.
        """
        target, screen = asks.target, asks.sight.screen
        relation = target.relations[0] if len(target.relations) == 1 else None
        if relation is None or relation.kind is not RelationKind.IN or target.role not in (None, *_IN_HOLDERS):
            asks.record("3a", "skipped", "it does not say in what that the application knows it is drawn")
            return None
        if asks.sight.unseen:
            asks.record("3a", "failed", asks.sight.unseen)
            return None
        result = self._chain(self._strategy(asks.state, asks.sight)).locate(relation.anchor, screen)
        anchors = (result.element,) if result.element is not None else result.candidates  # a label and what it labels
        named = [asks.state.element(each.id) for each in anchors if each.id is not None]
        holders = [each for each in named if each.element_type in _HOLDERS]
        things = self._drawn_in(holders[0], asks.state, screen) if len(holders) == 1 else []
        if len(holders) != 1:
            why = f"{len(holders)} places are called {relation.anchor}"
        elif target.text or target.description or target.ordinal or target.position or target.colour:
            why = f'nobody can say which drawing it is; "the icon in {relation.anchor.text}" means the only one'
        elif len(things) != 1:
            why = f"{len(things) or 'no'} things are drawn {relation}"
        else:
            note = f"the only thing that is drawn in [{holders[0].id}]"
            asks.record("3a", "found", note)
            drawn = UIElement("icon", "", things[0], source="drawn", metadata={"derived_from": note})
            return Decision(asks.state, _on_desktop(drawn, screen), None, "3a")
        asks.record("3a", "absent", why)
        return None

    def _drawn_in(self, holder: UIElement, state: WindowState, screen: Screen) -> list[Box]:
        """Return the boxes, in frame pixels, of separate things drawn in an element, without those that the tree names."""
        parents = {each.parent for each in state.elements}
        named = [each for each in state.elements if each.id not in parents and each.element_type not in _HOLDERS]
        known = [_on_frame(visible_box(each), screen) for each in named if each.text or each.interactive]
        things = drawn_things(screen, _on_frame(visible_box(holder), screen))
        return [each for each in things if not any(box.contains(each.center) for box in known)]

    def _between(self, part: PartPhrase, asks: _Question) -> Decision | None:
        """Return the border between two known neighbours (the example of docs/spec/perception-tiers.md), or None."""
        found = [self._found_in(asks.state, each, asks.sight) for each in part.anchors]
        anchors = [each for each in found if each is not None]
        at = border_between(part.role, anchors) if len(anchors) == len(part.anchors) == 2 else None
        if at is None:
            asks.record("3a", "absent", "it is not between two neighbours that the application knows")
            return None
        note = f"between [{anchors[0].id}] and [{anchors[1].id}]"
        asks.record("3a", "found", note)
        element = UIElement(part.role, "", at[1], source="anchors", metadata={"derived_from": note})
        return Decision(asks.state, element, None, "3a")


def _uses_colour(target: Target) -> bool:
    return target.colour is not None or any(_uses_colour(each.anchor) for each in target.relations)


def _chosen(
    chain: LocateChain, target: Target, screen: Screen, attempts: list[Attempt], by: str = ""
) -> UIElement | None:
    """Return the element that a chain finds, or None. Raises AmbiguousTarget, and the error that stopped the search."""
    result = chain.locate(target, screen)
    attempts += [replace(each, strategy=by or _BY_PICTURE.get(each.strategy, "tier 2")) for each in result.attempts]
    if result.failure is not None and isinstance(result.failure, HandeyeError):
        raise result.failure
    if result.success:
        doubt = press_objection(target, result)
        attempts += [Attempt(by or "tier 2", "absent", doubt)] if doubt else []
        return None if doubt else result.element
    if any(each.outcome == "ambiguous" for each in result.attempts):
        raise AmbiguousTarget(target, result.candidates)
    return None


def _labelled(state: WindowState, candidates: Sequence[object]) -> UIElement | None:
    """Return the control if the candidates are one control and its label texts; else None."""
    found = [state.element(each.id) for each in candidates if isinstance(each, UIElement) and each.id is not None]
    controls = [each for each in found if each.interactive and each.element_type != "text"]
    words = [each for each in found if each.element_type == "text" and not each.interactive]
    names = {name for each in controls for name in (each.text, each.description)}
    is_one = len(controls) == 1 and len(words) == len(found) - 1 and all(each.text in names for each in words)
    return controls[0] if is_one else None


def _only(state: WindowState, keep: Callable[[UIElement], bool]) -> WindowState:
    """Return the state with the elements that `keep` accepts. Inferred ones come last, so the others keep their numbers."""
    pairs = zip(state.detection.targets, state.detection.controls, strict=True)
    kept = [(element, control) for element, control in pairs if keep(element)]
    detection = Detection(tuple(each for each, _ in kept), tuple(control for _, control in kept), state.notes)
    return replace(state, detection=detection)


def _on_frame(box: Box, screen: Screen) -> Box:
    return box.translate(-round(screen.origin.x), -round(screen.origin.y))


def _on_desktop(element: UIElement, screen: Screen) -> UIElement:
    dx, dy = round(screen.origin.x), round(screen.origin.y)
    region = element.visible_region.translate(dx, dy) if element.visible_region is not None else None
    label = element.label_box.translate(dx, dy) if element.label_box is not None else None
    box = element.bbox.translate(dx, dy)
    return replace(element, bbox=box, visible_region=region, label_box=label, id=None, parent=None)
