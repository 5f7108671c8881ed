"""
Seed 002's decision tree: what a phrase means in a window, by the most exact source that knows it.

1. what the application says, also in other words than its labels; 1+ what follows from that; 2 what is seen, by the embedded
screen parser and the ranker, by a model or the bundled text reader; 3a what is drawn beside known elements. Where none knows
it, or one knows several, nothing is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from handeye.clock import Clock, Deadline, SystemClock
from handeye.desktop.drawn import drawn_things
from handeye.desktop.menus import OPENS_S, Entry, Hands, Menus, as_entry, menu_of
from handeye.desktop.open_menus import is_chosen_by_handle
from handeye.desktop.parts import PartPhrase, gap_between, is_text_area, part_named, parts_meant, text_areas
from handeye.desktop.scrolled_out import scrolled_out, with_rows
from handeye.desktop.sight import Sight, sight_of
from handeye.desktop.state import WindowState
from handeye.desktop.window_picture import own_menus
from handeye.devices.desktop.base import DesktopBackend, Window
from handeye.elements import UIElement
from handeye.errors import AmbiguousTarget, DeviceError, DeviceLost, HandeyeError, TargetNotFound
from handeye.geometry import Box
from handeye.locate.accessibility import AccessibilityStrategy
from handeye.locate.base import Strategy
from handeye.locate.chain import LocateChain
from handeye.locate.ocr import OcrStrategy
from handeye.locate.ranking import LEAST_FOR_ACTS, Parser, RankingStrategy, Sources, bundled_ranker
from handeye.ocr.base import TextReader
from handeye.perceive.base import Control, Detection, StateProvider
from handeye.perceive.inference import SOURCE
from handeye.perceive.layout import seen
from handeye.perceive.listing import name_of
from handeye.perceive.window_tree import WindowTree
from handeye.roles import role_named
from handeye.run.other_words import against_press
from handeye.screen import Screen
from handeye.target import Attempt, RelationKind, Target

TIERS: Final = ("1", "1+", "2", "3a")
"""In the order in which they are asked."""

LEAST_SEEN: Final = 20
"""Seed 002: what is only seen is clicked when it is larger than this, in pixels; a model is off by up to 35."""

# What may show more than its application says, and what may be drawn in it (tier 3a).
_HOLDERS: Final = frozenset({"group", "pane", "element", "image", "canvas", "document", "web view", "custom"})
# Browsers scroll smoothly for half a second; what has come to rest is at one place in two looks.
_SCROLLING_LOOKS: Final = 12
_SCROLLING_S: Final = 0.1
_IN_HOLDERS: Final = frozenset({"icon", "image", "button", "item"})
# Kinds that are drawn and not written: the picture may show some that the application does not tell.
_DRAWN_KINDS: Final = frozenset({"icon", "switch", "checkbox", "radio", "slider"})


@dataclass(frozen=True, slots=True)
class Decision:
    """
    The thing that is meant: an element with its box in desktop pixels, its live handle if there is one, and which `tier` knew
    it. `menus` are the titles of those that were opened to reach it, the outermost first; they are open, and `shut` closes what
    was opened.
    """

    state: WindowState
    element: UIElement
    control: Control | None
    tier: str
    attempts: tuple[Attempt, ...] = ()
    menus: tuple[UIElement, ...] = ()
    shut: Callable[[], None] | None = field(default=None, compare=False, repr=False)


class Said:
    """A WindowProvider that repeats what was read."""

    name = "said"

    def __init__(self, detection: Detection) -> None:
        self._detection = detection

    def detect(self, window: Window) -> Detection:
        return self._detection


def scroll_to(aim: Decision) -> None:
    """Have an application scroll to an element of it."""
    if aim.control is not None:
        aim.control.scroll_into_view()


class DecisionTree:
    """
    Decides within one window. `look` gives its state: (infer, vision) as in `DesktopSession`; `vision` says whether a model may
    look. `reader` reads what is only drawn, and `parser` sees icons and drawn controls; without them nobody does. `tiers` are
    those that may be asked. `hands` open menus; `bring` scrolls to what is out of view, or raises a DeviceError. What is found
    with less than `min_confidence` (0-1) is not chosen; None leaves each strategy its own bound.
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
        hands: Hands | None = None,
        bring: Callable[[Decision], object] = scroll_to,
        min_confidence: float | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._min_confidence = min_confidence
        self._backend = backend
        self._look = look
        self._vision = vision
        looks: list[Strategy] = [OcrStrategy(reader)] if reader is not None else []
        self._offline = self._chain(*looks, self._ranker(None, parser, reader)) if parser is not None else None
        self._reader = reader
        self._tiers = tiers
        self._hands = hands
        self._bring = bring
        self._clock = clock or SystemClock()

    def decide(self, phrase: str) -> Decision:
        """
        Bring into view what is scrolled out of it, and show what is in a closed menu. Raises TargetNotFound,
        which tells what every tier said, AmbiguousTarget when it fits several things, UsageError for what is no phrase,
        DeviceError for a menu that does not open, and what reading the window raises.
        """
        part, target = part_named(phrase), Target.parse(phrase)
        state = self._look("1+" in self._tiers, False)
        said = _only(state, lambda each: each.source != SOURCE)
        is_told = any(each.element_type != "window" and (each.interactive or name_of(each)) for each in said.elements)
        attempts = [Attempt("tier 1", "failed", note) for note in state.notes if not state.elements]
        sight = sight_of(state, self._backend)
        asked: list[tuple[str, Callable[[], Decision | None]]]
        if part is None:
            in_tree: list[Callable[[], Decision | None]] = [
                lambda: self._in_tree(said, target, sight, attempts),
                lambda: self._in_menu(said, target, attempts, Menus.find),
                lambda: self._scrolled_in(said, target, sight, attempts),
                lambda: self._in_menu(said, target, attempts, Menus.find_in_boxes),
                lambda: self._by_other_words(said, target, sight, attempts),
            ]
            asked = [("1", ask) for ask in in_tree if state.elements]
        else:
            asked = [("1+", lambda: self._part(part, state, said, sight, attempts))]
        by_picture = [("2", lambda: self._parsed(target, said, sight, attempts))] if part is None else []
        if is_drawn := role_named(target.role or "") in _DRAWN_KINDS:
            asked += by_picture
        asked.append(("2", lambda: self._seen(target, attempts)))
        if not is_told and part is None:  # its picture is all there is
            asked.append(("2", lambda: self._in_drawn_menu(target, said, sight, attempts)))
            asked += by_picture if not is_drawn else []
        if part is None:
            asked.append(("2", lambda: self._read(target, said, sight, attempts)))
            asked.append(("3a", lambda: self._drawn(target, said, sight, attempts)))
        else:
            asked.append(("3a", lambda: self._between(part, said, sight, attempts)))
        for tier, ask in asked:
            if tier in self._tiers and (found := ask()) is not None:
                return replace(found, attempts=tuple(attempts))
        raise TargetNotFound(target, attempts)

    def in_view(self, aim: Decision) -> Decision:
        """The same, once the page of an open menu is turned to that shows it; what is no entry of one is left as it is."""
        menus = self._menus()
        entry = menus.show(aim.state, aim.element) if menus is not None else None
        if entry is None or entry.element.id is None:
            return aim
        return replace(aim, state=entry.state, element=entry.element, control=entry.state.control(entry.element.id))

    # -- tier 1 and 1+

    def _in_tree(self, state: WindowState, target: Target, sight: Sight, attempts: list[Attempt]) -> Decision | None:
        if is_text_area(target.phrase or target.text or target.description or ""):
            areas = text_areas(state.elements)
            if len(areas) > 1:
                raise AmbiguousTarget(target, areas)
            element = areas[0] if areas else None
            attempts.append(Attempt("tier 1", "found" if areas else "absent", "the largest place to write in"))
        else:
            if sight.unseen and _judges_colour(target):
                attempts.append(Attempt("tier 1", "failed", f"nobody can tell its colour: {sight.unseen}"))
                return None
            try:
                chain = self._chain(self._strategy(state, sight))
                element = _chosen(chain, target, sight.screen, "tier 1", attempts)
            except AmbiguousTarget as error:
                element = _labelled(state, error.candidates)
                if element is None:
                    raise
        if element is None or element.id is None:
            return None
        return Decision(state, state.element(element.id), state.control(element.id), "1")

    def _strategy(self, state: WindowState, sight: Sight) -> AccessibilityStrategy:
        return AccessibilityStrategy(self._tree(state), pictured=not sight.unseen)

    def _tree(self, state: WindowState) -> WindowTree:
        return WindowTree(Said(state.detection), self._backend)

    def _chain(self, *strategies: Strategy) -> LocateChain:
        return LocateChain(strategies, least_confidence=self._min_confidence)

    def _ranker(
        self, tree: StateProvider | None, parser: Parser | None = None, reader: TextReader | None = None
    ) -> RankingStrategy:
        sources = Sources(tree, parser, reader)
        return RankingStrategy(bundled_ranker, sources, least=LEAST_FOR_ACTS, min_confidence=self._min_confidence)

    def _by_other_words(
        self, state: WindowState, target: Target, sight: Sight, attempts: list[Attempt]
    ) -> Decision | None:
        """Return the element that the ranker finds for other words than its label; None in a window that nobody sees."""
        if sight.unseen:
            attempts.append(Attempt("tier 1", "skipped", f"other words are not compared: {sight.unseen}"))
            return None
        ranker = self._ranker(self._tree(state), reader=self._reader)
        element = _chosen(self._chain(ranker), target, sight.screen, "tier 1", attempts)
        if element is None or element.id is None:
            return None
        return Decision(state, state.element(element.id), state.control(element.id), "1")

    def _in_menu(
        self,
        state: WindowState,
        target: Target,
        attempts: list[Attempt],
        search: Callable[[Menus, Target, WindowState], Entry | None],
    ) -> Decision | None:
        """Return the entry of a menu or combo box that a phrase names; a closed one is opened."""
        menus = self._menus()
        if menus is None:
            return None
        entry = search(menus, target, state)
        opened = ", then ".join(menus.looked_in)
        if entry is None or entry.element.id is None:
            attempts += [Attempt("tier 1", "absent", f"not in the menus that were opened: {opened}")] if opened else []
            return None
        attempts.append(Attempt("tier 1", "found", f"in {opened}, which was opened" if opened else "in an open menu"))
        control, shut = entry.state.control(entry.element.id), menus.close if opened else None
        return Decision(entry.state, entry.element, control, "1", menus=entry.menus, shut=shut)

    def _menus(self) -> Menus | None:
        def find(state: WindowState, target: Target) -> UIElement | None:
            found = self._in_tree(state, target, sight_of(state, self._backend), [])
            return found.element if found is not None else None

        if self._hands is None:
            return None
        return Menus(self._backend, lambda: self._look(False, False), find, self._hands, self._clock)

    def _scrolled_in(
        self, state: WindowState, target: Target, sight: Sight, attempts: list[Attempt]
    ) -> Decision | None:
        """Bring into view what is scrolled out of it, and look for it there."""
        out = scrolled_out(target, state, sight.screen)
        if not out and target.text:
            state, told = with_rows(state)
            attempts += [Attempt("tier 1", "absent", each) for each in told]
            out = scrolled_out(target, state, sight.screen)
        if len(out) > 1:
            raise AmbiguousTarget(target, out)
        control = state.control(out[0].id) if out and out[0].id is not None else None
        if control is None:
            return None
        about = f"{state.element(out[0].id or 0).element_type} {out[0].text!r} is scrolled out of view"
        if is_chosen_by_handle(state, out[0]):
            attempts.append(Attempt("tier 1", "found", f"{about}, and can be chosen there"))
            return Decision(state, out[0], control, "1")
        turned = self.in_view(Decision(state, out[0], control, "1"))
        if turned.element is not out[0]:
            attempts.append(Attempt("tier 1", "found", f"{about}, and its menu was turned to it"))
            return turned
        try:
            self._bring(Decision(state, out[0], control, "1"))
        except DeviceLost:
            raise
        except DeviceError as error:
            attempts.append(Attempt("tier 1", "absent", f"{about}, and stays there: {error}"))
            return None
        place: Box | None = None
        for _ in range(_SCROLLING_LOOKS):
            now = self._look(False, False)
            found = self._in_tree(now, target, sight_of(now, self._backend), [])
            if found is not None and found.element.bbox == place:
                attempts.append(Attempt("tier 1", "found", f"{about}, and was scrolled into it"))
                return found
            place = found.element.bbox if found is not None else None
            self._clock.sleep(_SCROLLING_S)
        attempts.append(Attempt("tier 1", "absent", f"{about}, and its application did not scroll it into view"))
        return None

    def _part(
        self, wanted: PartPhrase, state: WindowState, said: WindowState, sight: Sight, attempts: list[Attempt]
    ) -> Decision | None:
        def find(anchor: Target) -> UIElement | None:
            found = self._in_tree(said, anchor, sight, [])
            return found.element if found is not None else None

        meant = parts_meant(wanted, state.elements, find)
        if len(meant) > 1:
            raise AmbiguousTarget(f"the {wanted.role}", meant)
        if meant and meant[0].id is not None:
            derived = str(meant[0].metadata.get("derived_from", ""))
            attempts.append(Attempt("tier 1+", "found", derived, meant[0].confidence))
            return Decision(state, meant[0], None, "1+")
        attempts.append(Attempt("tier 1+", "absent", f"no {wanted.role} follows from what the application says"))
        return None

    # -- tier 2

    def _seen(self, target: Target, attempts: list[Attempt]) -> Decision | None:
        if not self._vision:
            attempts.append(Attempt("tier 2", "skipped", "no model may look (--vision)"))
            return None
        seen_state = _only(self._look(False, True), lambda each: each.source == "vision")
        sight = sight_of(seen_state, self._backend)
        chain = self._chain(self._strategy(seen_state, sight))
        element = _chosen(chain, target, sight.screen, "tier 2", attempts)
        if element is None or element.id is None:
            return None
        exact = seen_state.element(element.id)
        if min(exact.bbox.width, exact.bbox.height) < LEAST_SEEN:
            attempts.append(
                Attempt("tier 2", "absent", f"it is smaller than {LEAST_SEEN} pixels: too small to be sure")
            )
            return None
        return Decision(seen_state, exact, None, "2")

    def _parsed(self, target: Target, state: WindowState, sight: Sight, attempts: list[Attempt]) -> Decision | None:
        """An icon or a drawn control, by the embedded parser; its neighbours may be read."""
        if self._offline is None:
            return None
        return self._looked_at(self._offline, "screen parser", target, state, sight, attempts)

    def _read(self, target: Target, state: WindowState, sight: Sight, attempts: list[Attempt]) -> Decision | None:
        if self._reader is None:
            return None
        chain = self._chain(OcrStrategy(self._reader))
        return self._looked_at(chain, "text reader", target, state, sight, attempts)

    def _in_drawn_menu(
        self, target: Target, state: WindowState, sight: Sight, attempts: list[Attempt]
    ) -> Decision | None:
        """Find an entry that is named with its menu, in a window without a tree: press the menu's name, and read what opens."""
        target = as_entry(target)
        menu = menu_of(target)
        if self._hands is None or self._offline is None or menu is None or menu.role is None:
            return None
        held = self._in_drawn_menu(menu, state, sight, attempts)
        name = Target(menu.text)
        title = held or self._looked_at(self._offline, "text reader", name, state, sight, attempts)
        if title is None:
            return None
        shown = {each.id for each in own_menus(self._backend, state.window)}
        self._hands.press(state, title.element)
        deadline = Deadline(self._clock, OPENS_S)
        while not (opened := [each for each in own_menus(self._backend, state.window) if each.id not in shown]):
            if deadline.passed:
                attempts.append(Attempt("tier 2", "absent", f"a press on {menu.text!r} opened no menu"))
                return None
            deadline.pause(_SCROLLING_S)
        self._clock.sleep(_SCROLLING_S)  # until its entries are drawn
        found = self._looked_at(
            self._offline,
            f"in {menu.text!r}",
            replace(target, relations=tuple(each for each in target.relations if each.anchor is not menu), phrase=None),
            state,
            replace(sight_of(state, self._backend), shown=(opened[0].box,)),
            attempts,
        )
        if found is None:
            self._hands.escape()
            return None
        return replace(found, shut=lambda: self._shut_drawn(state.window, shown))

    def _shut_drawn(self, window: Window, known: set[int]) -> None:
        """Close the menus of a window that are new, the innermost first."""
        for _ in range(sum(each.id not in known for each in own_menus(self._backend, window))):
            if self._hands is not None:
                self._hands.escape()

    def _looked_at(
        self, chain: LocateChain, by: str, target: Target, state: WindowState, sight: Sight, attempts: list[Attempt]
    ) -> Decision | None:
        """Return the find on the window's picture."""
        if sight.unseen:
            attempts.append(Attempt(by, "failed", sight.unseen))
            return None
        picture = sight.of_window()
        element = _chosen(chain, target, picture, by, attempts)
        return None if element is None else Decision(state, _on_desktop(element, picture), None, "2")

    # -- tier 3a

    def _drawn(self, target: Target, state: WindowState, sight: Sight, attempts: list[Attempt]) -> Decision | None:
        """
        The one thing that is drawn in something that the application does name: "the icon in Sketch". Of a thing with a name of
        its own nobody here could say whether that is what is drawn.
        """
        relation = target.relations[0] if len(target.relations) == 1 else None
        if relation is None or relation.kind is not RelationKind.IN or target.role not in (None, *_IN_HOLDERS):
            attempts.append(
                Attempt("tier 3a", "skipped", "it does not say in what that the application knows it is drawn")
            )
            return None
        if sight.unseen:
            attempts.append(Attempt("tier 3a", "failed", sight.unseen))
            return None
        screen = sight.screen
        holders = [each for each in self._anchors(relation.anchor, state, screen) if each.element_type in _HOLDERS]
        if len(holders) != 1:
            attempts.append(Attempt("tier 3a", "absent", f"{len(holders)} places are called {relation.anchor}"))
            return None
        if target.text or target.description or target.ordinal or target.position or target.colour:
            why = f'nobody can say which drawing it is; "the icon in {relation.anchor.text}" means the only one'
            attempts.append(Attempt("tier 3a", "skipped", why))
            return None
        things = drawn_things(screen, _on_frame(seen(holders[0]), screen), self._known(state, screen))
        if len(things) != 1:
            attempts.append(Attempt("tier 3a", "absent", f"{len(things) or 'no'} things are drawn {relation}"))
            return None
        note = f"the only thing that is drawn in [{holders[0].id}]"
        attempts.append(Attempt("tier 3a", "found", note))
        drawn = UIElement("icon", "", things[0], source="drawn", metadata={"derived_from": note})
        return Decision(state, _on_desktop(drawn, screen), None, "3a")

    def _between(self, part: PartPhrase, state: WindowState, sight: Sight, attempts: list[Attempt]) -> Decision | None:
        """Seed 002's example: the border lies where one of two known neighbours ends and the other begins."""
        found = [self._in_tree(state, anchor, sight, attempts) for anchor in part.anchors]
        anchors = [each.element for each in found if each is not None]
        strip = gap_between(part.role, *anchors) if len(anchors) == len(part.anchors) == 2 else None
        if strip is None:
            attempts.append(Attempt("tier 3a", "absent", "it is not between two neighbours that the application knows"))
            return None
        note = f"between [{anchors[0].id}] and [{anchors[1].id}]"
        attempts.append(Attempt("tier 3a", "found", note))
        element = UIElement(part.role, "", strip, source="anchors", metadata={"derived_from": note})
        return Decision(state, element, None, "3a")

    def _anchors(self, anchor: Target, state: WindowState, screen: Screen) -> Sequence[UIElement]:
        """The elements that an anchor may mean: a label and what it labels have one name."""
        result = self._chain(AccessibilityStrategy(self._tree(state))).locate(anchor, screen)
        found = (result.element,) if result.element is not None else result.candidates
        return [state.element(each.id) for each in found if each.id is not None]

    def _known(self, state: WindowState, screen: Screen) -> list[Box]:
        """The boxes on the frame of what the application names."""
        parents = {each.parent for each in state.elements}
        named = (each for each in state.elements if each.id not in parents and each.element_type not in _HOLDERS)
        return [_on_frame(seen(each), screen) for each in named if each.text or each.interactive]


def _judges_colour(target: Target) -> bool:
    return target.colour is not None or any(_judges_colour(each.anchor) for each in target.relations)


def _chosen(chain: LocateChain, target: Target, screen: Screen, tier: str, attempts: list[Attempt]) -> UIElement | None:
    """Return the find of a chain. Raises AmbiguousTarget, and what kept it from looking."""
    result = chain.locate(target, screen)
    attempts += [replace(each, strategy=tier) for each in result.attempts]
    if result.failure is not None and isinstance(result.failure, HandeyeError):
        raise result.failure
    if result.success:
        doubt = against_press(target, result)
        attempts += [Attempt(tier, "absent", doubt)] if doubt else []
        return None if doubt else result.element
    if any(each.outcome == "ambiguous" for each in result.attempts) or _are_equal(result.candidates):
        raise AmbiguousTarget(target, result.candidates)
    return None


def _are_equal(candidates: Sequence[UIElement]) -> bool:
    """Return True if the ranker gave the best two of its candidates one probability: equal ones share it."""
    weighed = [each.confidence for each in candidates if each.source != "ocr"]
    return len(weighed) > 1 and weighed[0] == weighed[1]


def _labelled(state: WindowState, candidates: Sequence[object]) -> UIElement | None:
    """Of a control and the words beside it that it is called by, the control; None where they are something else."""
    found = [state.element(each.id) for each in candidates if isinstance(each, UIElement) and each.id is not None]
    controls = [each for each in found if each.element_type != "text"]
    words = [each.text for each in found if each.element_type == "text" and not each.interactive]
    if len(controls) != 1 or not words or len(controls) + len(words) != len(found):
        return None
    control = controls[0]
    is_called = all(word in (control.text, control.description) for word in words)
    return control if control.interactive and is_called else None


def _only(state: WindowState, keep: Callable[[UIElement], bool]) -> WindowState:
    """A state with some of its elements: inferred ones come last, so that the others keep their numbers."""
    pairs: Sequence[tuple[UIElement, Control | None]] = [
        (element, control)
        for element, control in zip(state.detection.targets, state.detection.controls, strict=True)
        if keep(element)
    ]
    detection = Detection(tuple(each for each, _ in pairs), tuple(control for _, control in pairs), state.notes)
    return WindowState(state.window, detection, state.infer, state.vision)


def _on_frame(box: Box, screen: Screen) -> Box:
    return box.translate(-round(screen.origin.x), -round(screen.origin.y))


def _on_desktop(element: UIElement, screen: Screen) -> UIElement:
    dx, dy = round(screen.origin.x), round(screen.origin.y)
    region = element.visible_region.translate(dx, dy) if element.visible_region is not None else None
    label = element.label_box.translate(dx, dy) if element.label_box is not None else None
    box = element.bbox.translate(dx, dy)
    return replace(element, bbox=box, visible_region=region, label_box=label, id=None, parent=None)
