"""Finding a target among what the embedded screen parser sees: an icon by what it shows, a control by its kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol

from handeye.elements import UIElement
from handeye.locate.base import Match
from handeye.locate.colours import Shows, shows_colour
from handeye.locate.containers import container_of, standing_in
from handeye.locate.match_text import match_text
from handeye.locate.relate import narrow
from handeye.locate.round_signs import is_drawing, letters_of
from handeye.locate.text_forms import is_ideograph, normalize
from handeye.ocr.base import TextLine
from handeye.parse.parser import Parsed
from handeye.parse.vocabulary import is_term
from handeye.roles import role_named, role_of
from handeye.screen import Screen
from handeye.target import COLOURS, LocateResult, Target

# What people call each other's names: a link, a tab or a row that looks like a button is one to them.
_PRESSED: Final = frozenset({"button", "link", "tab", "menu item", "list item"})
_ALIKE: Final = {
    "button": _PRESSED,
    "link": frozenset({"link", "button"}),
    "tab": frozenset({"tab"}),
    "menu item": frozenset({"menu item", "list item", "tab"}),
    "menu": frozenset({"menu item", "button"}),
    "list item": frozenset({"list item", "menu item"}),
    "table row": frozenset({"list item"}),
    "card": frozenset({"list item"}),
    "icon": frozenset({"icon"}),
    "image": frozenset({"image", "icon"}),
    "input": frozenset({"input", "combo box"}),
    "spinner": frozenset({"input", "combo box"}),
}
# Kinds that are drawn and not written. They are asked of the parser before a text that reads so is looked for.
DRAWN_KINDS: Final = frozenset({"icon", "switch", "checkbox", "radio", "slider"})
# Marks that are taken for one another: what stands beside the words is what is meant.
_MARKS: Final = frozenset({"checkbox", "radio", "switch"})
# What finds a text or a picture itself.
_EXACT: Final = frozenset({"template", "ocr", "accessibility"})
# Kinds whose words stand beside them.
_LABELLED: Final = frozenset({"checkbox", "radio", "switch", "slider", "input", "combo box", "spinner"})
# Kinds on which an icon may be, so that they are what is meant by its name.
_WITH_ICONS: Final = _PRESSED | {"icon", "image", "item", "menu", "card", "toolbar", "logo"}

# An icon is what the words name from this probability on, where it has twice the second one's. Below it the best is told and
# not clicked. On pages of training's libraries with icons of sets that only set the calibration, 66 of 100 designers' names are
# answered rightly from here on and 1 wrongly, and 93 of 100 absent ones refused; 67, 1 and 91 from 0.1 on.
LEAST_SCORE: Final = 0.15
# Words that do not say that an icon is meant ("Search", not "the search icon") are a text where they can be read, or where the
# vocabulary knows no icon of that name; an icon has to fit better then.
_LEAST_AGAINST_TEXT: Final = 0.7
# A name of an icon that does not say so ("the gear") might still be something else.
_LEAST_WITHOUT_KIND: Final = 0.25
# Fields say what belongs into them, in either language; a search field may show no more than a magnifier.
_MAGNIFIER: Final = "search"
_FIELD_HINTS: Final = (
    (_MAGNIFIER, "搜索", "查找"),
    ("password", "密码"),
    ("username", "user name", "用户名"),
    ("comment", "评论"),
    ("message", "消息"),
)
_BOX: Final = "框"
# A field that says the words among others, and below which a label that is much more than the words is not believed.
_HINTED: Final = 0.85
_LEAST_FIELD: Final = 0.5
# Icons whose probabilities are closer are equally good; and so are those with more than a share of a low one.
TIE: Final = 0.15
# Letters whose heights differ by no larger share are of one size.
_ONE_SIZE: Final = 0.15
_SURE: Final = 0.5
_SHARE: Final = 0.5
# Two places that share so much of the smaller one are one place, seen twice.
_SAME_PLACE: Final = 0.6
# A kind alone, where nothing else was said of it, is as sure as the parser is; but never sure.
_KIND_ONLY: Final = 0.79
# Half of what is called a row is none; of every other kind, three in five at least are (docs/parser-accuracy.md).
_DOUBTED: Final = frozenset({"list item"})
_TOLD: Final = 3  # candidates in a note
_MOST_BEFORE: Final = 4  # words; more are a sentence
_FREE: Final = "free words are for a model"


def drawn_kind(target: Target) -> bool:
    """Return True if a target names a kind that is drawn and not written."""
    return _role(target) in DRAWN_KINDS


class Parser(Protocol):
    """What this asks: `handeye.locate.screen_parser.ScreenParser`."""

    def look(self, screen: Screen) -> Parsed: ...

    def icon_scores(self, phrase: str, parsed: Parsed) -> dict[int, float]: ...


@dataclass(frozen=True, slots=True)
class _Candidate:
    element: UIElement
    score: float
    why: str
    is_icon: bool = False

    @property
    def confidence(self) -> float:
        """How sure it is that the best of all is the right one: an icon that leads is so far oftener than its score says."""
        return _raised(self.score) if self.is_icon else min(1.0, self.score)

    def __str__(self) -> str:
        box = self.element.bbox
        return f"{self.why} {self.score:.2f} at {box.center.x},{box.center.y}"


class ParserStrategy:
    """
    Looks among the elements that `parser` sees.

    A kind ("the switch", "the second checkbox") is found by the kind; words are held against what icons show, and against the
    labels of controls whose words stand beside them (a check box, a switch, a field). Words without a kind are meant for an
    icon only where it fits well: a text is the reader's affair. Several that fit equally well are all returned; none that fits
    well enough is a Match without elements, whose note names the best. A description is looked for where it reads like a target
    ("dynamic:the green button"); that it is not found says nothing. With `only_kinds`, targets that name no kind are left to
    the others. Raises what the parser raises.
    """

    def __init__(self, parser: Parser, *, only_kinds: bool = False) -> None:
        self._parser = parser
        self._only_kinds = only_kinds

    @property
    def name(self) -> str:
        return "parser"

    @property
    def reads_phrases(self) -> Literal[True]:
        return True

    @property
    def guesses(self) -> Literal[True]:
        return True

    def place(self, target: Target, others: Sequence[str], usual: int) -> int:
        """
        What is drawn and not written is looked for before it is read: "the search icon" is not the word beside it. Words that
        name no kind are a text first, wherever it is found.
        """
        role = _role(target)
        if (drawn_kind(target) or _is_box(target)) and "ocr" in others:
            return min(usual, others.index("ocr"))
        exact = [index + 1 for index, name in enumerate(others) if name in _EXACT]
        return max(usual, *exact) if exact and role is None else usual

    def accepts(self, target: Target) -> str | None:
        if target.id or target.path:
            return "a picture has no ids"
        words = _words(target)
        if not target.role and (target.exact or self._only_kinds):
            return "a text is asked for, which the text reader finds"
        return None if target.role or words else "there are no words for a kind of control or an icon"

    def locate(self, target: Target, screen: Screen) -> Match | None:
        if target.text or target.role or not target.description:
            return self._contained(target, screen) or self._find(target, screen)
        meant = _plain(target.description)
        if meant.description or meant.exact or meant.relations:
            return Match((), _FREE, looked=False)
        match = self._find(replace(meant, region=target.region), screen)
        if match is not None and match.elements and meant.chooses:
            match = narrow(meant, match, screen, _nowhere)
        if match is None or not match.elements:
            said = f": {match.note}" if match is not None and match.note else ""
            return Match((), _FREE + said, looked=False)
        return match

    def _contained(self, target: Target, screen: Screen) -> Match | None:
        """What is meant in a part of the screen that is no element; None where no such part is named, or nothing is in it."""
        container = container_of(target, self._parser.look(screen).state.elements) if target.relations else None
        if container is None:
            return None
        free = replace(target, relations=())
        if container == "menu":
            return self._entry(free, screen)
        match = self._find(free, screen, container)
        if match is None or not match.elements:
            return None
        if free.chooses:
            match = narrow(free, match, screen, _nowhere)
        return replace(match, settled=True)

    def _entry(self, target: Target, screen: Screen) -> Match | None:
        """The one thing on the screen that reads as an entry of an open menu is called; several are all told."""
        wanted = normalize(_words(target))
        within = target.region.box(screen.size) if target.region else screen.box
        elements = [each for each in self._parser.look(screen).state.elements if within.contains(each.center)]
        pool = standing_in("menu", elements, screen.size)
        found = [each for each in pool if wanted and each.text and normalize(each.text).rstrip(".…") == wanted]
        if not found:
            return None
        match = Match(tuple(replace(each, confidence=_believed(each)) for each in _apart(found)), "in an open menu")
        if target.chooses:
            match = narrow(target, match, screen, _nowhere)
        return replace(match, settled=True)

    def _find(self, target: Target, screen: Screen, container: str | None = None) -> Match | None:
        parsed = self._parser.look(screen)
        within = target.region.box(screen.size) if target.region else screen.box
        pool = [each for each in parsed.state.elements if within.contains(each.center)]
        if container is not None:
            pool = standing_in(container, pool, screen.size)
        words, role = _words(target), _role(target)
        if not words:
            return _of_kind(role, pool, target)
        if role is None:
            role, words = _kind_first(words)
        if role is None and (_is_number(words) or _is_letter(words)):
            return Match((), "numbers and letters are the text reader's", looked=False)
        found = self._labelled(words, role, pool) if role in _LABELLED else []
        if role == "input" and not any(each.score >= _LEAST_FIELD for each in found):
            found = self._hinted(words, pool, parsed) or found
        if not found and (role is None or role in _PRESSED):
            found = self._written(words, role, pool, screen)
        if not found and (role is None or role in _WITH_ICONS):
            found = self._icons(words, role, pool, parsed)
        match = _chosen(found, LEAST_SCORE if role else _least_for(words, parsed.state.elements), target)
        if match is None or len(match.elements) != 1:
            match = self._coloured(words, role, pool, parsed, screen, target) or match
        return match or Match((), _nothing(role, words, pool))

    def _coloured(
        self, words: str, role: str | None, pool: Sequence[UIElement], parsed: Parsed, screen: Screen, target: Target
    ) -> Match | None:
        """
        What a colour before the name tells: "the green send button" is the one that shows a paper plane and is green.

        Only where not one thing is called "green send" itself; the Red Hat button need not be red.
        """
        colour, _, name = words.partition(" ")
        if role is None or target.colour or colour not in COLOURS or not name:
            return None
        wanted = normalize(name)
        found = [
            _Candidate(each, _HINTED * _believed(each), f"{each.element_type} {each.text!r}")
            for each in _alike(role, pool)
            if each.text and normalize(each.text) == wanted
        ]
        found += self._icons(name, role, pool, parsed) if role in _WITH_ICONS else []
        shown = [each for each in found if shows_colour(screen, each.element.bbox, colour) is Shows.SURELY]
        return _chosen(shown, LEAST_SCORE, target)

    def _labelled(self, words: str, role: str | None, pool: Sequence[UIElement]) -> list[_Candidate]:
        """The controls of a kind whose label the words are; else the marks of another kind, which are taken for one another."""
        found = self._beside(words, _alike(role, pool))
        if not found and role in _MARKS:
            found = self._beside(words, [each for each in pool if each.element_type in _MARKS])
        return found

    def _beside(self, words: str, controls: Iterable[UIElement]) -> list[_Candidate]:
        found = []
        for each in controls:
            for label in (each.text, str(each.metadata.get("label", ""))):
                matches = match_text(words, [TextLine(label, each.label_box or each.bbox, 1.0)]) if label else []
                if matches:
                    found.append(
                        _Candidate(each, matches[0].confidence * _believed(each), f"{each.element_type} {label!r}")
                    )
                    break
        return found

    def _written(self, words: str, role: str | None, pool: Sequence[UIElement], screen: Screen) -> list[_Candidate]:
        """
        What is pressed and says the words and no others: a reader took it and its neighbour for one line.

        All of them fit equally well, however sure the detector is of each; where no kind is said, so do texts with letters of
        that size: of equal entries only the one under the pointer may look like a button. What looks more like a drawing than
        like the words that were read is left out.
        """
        wanted = normalize(words)
        same = [
            each for each in pool if each.text and normalize(each.text) == wanted and not is_drawing(each, pool, screen)
        ]
        pressed = [each for each in _alike(role, same) if each.element_type in _PRESSED]
        score = max((_HINTED * _believed(each) for each in pressed), default=0.0)
        texts = [] if role else [each for each in same if each.element_type == "text" and _is_as_large(each, pressed)]
        return [_Candidate(each, score, f"{each.element_type} {each.text!r}") for each in (*pressed, *texts)]

    def _hinted(self, words: str, pool: Sequence[UIElement], parsed: Parsed) -> list[_Candidate]:
        """The fields that say the words among others, in English or Chinese; for a search field, those with a magnifier too."""
        wanted = normalize(words)
        hints = next((each for each in _FIELD_HINTS if wanted in each), (wanted,))
        fields = _alike("input", pool)
        found = []
        for each in fields:
            said = normalize(f"{each.text} {each.metadata.get('label', '')}")
            if any(hint in said for hint in hints):
                found.append(_Candidate(each, _HINTED * _believed(each), f"input {each.text!r}"))
        if not found and _MAGNIFIER in hints:
            scores = self._parser.icon_scores(_MAGNIFIER, parsed)
            signs = [each for each in pool if scores.get(each.id or 0, 0.0) >= _SURE]
            found = [
                _Candidate(each, _HINTED * _believed(each), "input with a magnifier")
                for each in fields
                if any(_at_side(sign, each) for sign in signs)
            ]
        return found

    def _icons(self, words: str, role: str | None, pool: Sequence[UIElement], parsed: Parsed) -> list[_Candidate]:
        """The icons by how probably they are what the words name; for a kind that is pressed, what they stand on."""
        scores = {} if _is_number(words) else self._parser.icon_scores(words, parsed)
        by_id = {each.id: each for each in parsed.state.elements}
        found = []
        for each in pool:
            if each.id in scores:
                holder = by_id.get(each.parent)
                place = holder if role in _PRESSED and holder is not None and holder.element_type in _PRESSED else each
                if place.element_type == "list item":
                    place = each  # a row is more than its icon
                shown = str(each.metadata.get("icon", "")) or "icon"
                found.append(_Candidate(place, scores[each.id], f"{shown!r}", is_icon=True))
        return found


def _kind_first(words: str) -> tuple[str | None, str]:
    """A kind that is said before its label (勾选框 记住我) or at its end (密码框), and the label; else None and the words."""
    if words.endswith(_BOX) and len(words) > len(_BOX):  # 密码框
        return "input", words.removesuffix(_BOX)
    kind, _, label = words.partition(" ")
    role = role_of(kind)
    return (role, label) if label and role in _LABELLED else (None, words)


def _is_number(words: str) -> bool:
    """Return True for a number, an amount or a time, which no icon shows."""
    return any(map(str.isdigit, words)) and not any(map(str.isalpha, words))


def _is_letter(words: str) -> bool:
    """Return True for one letter; an ideograph is a word."""
    return len(words) == 1 and words.isalpha() and not is_ideograph(words)


def _least_for(words: str, elements: Iterable[UIElement]) -> float:
    """How well an icon has to fit words without a kind: they may be a text, the more so where they stand on the screen."""
    wanted = normalize(words)
    if not is_term(words) or any(wanted in normalize(each.text) for each in elements if each.text):
        return _LEAST_AGAINST_TEXT
    return _LEAST_WITHOUT_KIND


def _plain(description: str) -> Target:
    """Free words as a target; where no grammar knows them, but their last word is a kind, as that kind of what is before it."""
    meant = Target.parse(description)
    *before, kind = description.split() or [""]
    role = role_of(kind)
    if meant.text or role is None or not before or len(before) > _MOST_BEFORE:
        return meant
    return Target(text=" ".join(before), role=role)


def _nowhere(anchor: Target) -> LocateResult:
    return LocateResult(False, None, "none", looked=False)


def _words(target: Target) -> str:
    """What is asked for, on one line; "" where it is nothing but blanks and dots."""
    text = target.text or target.description or ""
    return " ".join(text.split()) if normalize(text) else ""


def _role(target: Target) -> str | None:
    if _is_box(target):
        return "input"
    return (role_named(target.role) or target.role) if target.role else None


def _is_box(target: Target) -> bool:
    """Return True if it is "the comment box", which is where a comment is written; a box without a name may be anything."""
    return target.role == "item" and bool(target.text) and (target.phrase or "").casefold().rstrip().endswith(" box")


def _at_side(sign: UIElement, field: UIElement) -> bool:
    """Return True if a sign stands in a field or right beside it."""
    box, reach = field.bbox, field.bbox.height
    level = box.top <= sign.center.y < box.bottom
    return level and box.left - reach <= sign.center.x < box.right + reach


def _nothing(role: str | None, words: str, pool: Sequence[UIElement]) -> str:
    """Why there was not even anything that could be compared with the words."""
    if role in _LABELLED:
        count = len(_alike(role, pool))
        return f"{count} of the kind {role}, none beside {words!r}" if count else f"no {role} is seen"
    return "no icon is seen, and words alone are the text reader's"


def _alike(role: str | None, pool: Iterable[UIElement]) -> list[UIElement]:
    """The elements that a person may call so; all, but for texts, where no kind is said or it says nothing."""
    if role is None or role == "item":
        return [each for each in pool if each.element_type != "text"]
    kinds = _ALIKE.get(role, frozenset({role}))
    return [each for each in pool if each.element_type in kinds]


def _of_kind(role: str | None, pool: Sequence[UIElement], target: Target) -> Match | None:
    """All elements of a kind, for a target that says no more than that, and which of them is meant."""
    exact = [each for each in pool if each.element_type == role]
    found = exact if exact and not target.relations else _alike(role, pool)
    if not found:
        return Match((), f"no {role} is seen")
    sure = _believed if target.chooses or role in DRAWN_KINDS else _sure
    placed = tuple(replace(each, confidence=min(_KIND_ONLY, sure(each))) for each in _apart(found))
    return Match(placed, f"{len(placed)} of the kind {role}" if len(placed) > 1 else f"the kind {role}")


def _apart(found: Sequence[UIElement]) -> list[UIElement]:
    """The elements without those that lie in another of them: a button and its icon are one place."""
    ids = {each.id for each in found}
    return [each for each in found if each.parent not in ids] or list(found)


def _chosen(found: Sequence[_Candidate], least: float, target: Target) -> Match | None:
    """The candidates that fit well enough and equally well; those of a target that chooses itself: all that fit."""
    if not found:
        return None
    ordered = sorted(found, key=lambda each: (-each.score, each.element.id or 0))
    told = "; ".join(str(each) for each in ordered[:_TOLD])
    best = ordered[0].score
    if not best >= least:
        return Match((), f"nothing fits well enough (least {least:.2f}): {told}")
    near = best - TIE if best >= _SURE else best * _SHARE
    floor = least if target.chooses else near
    places: list[UIElement] = []
    for each in (one for one in ordered if one.score >= floor):
        if not any(_same_place(each.element, place) for place in places):
            places.append(replace(each.element, confidence=round(each.confidence, 3)))
    return Match(tuple(places), told)


def _is_as_large(text: UIElement, others: Iterable[UIElement]) -> bool:
    """Return True if the letters of a text are as high as those of one of the others, which say the same."""
    high = letters_of(text).height
    return any(abs(high - letters_of(each).height) <= _ONE_SIZE * high for each in others)


def _same_place(one: UIElement, other: UIElement) -> bool:
    """Return True if two elements are one: the same, or one that lies for the most part in the other."""
    if one.id == other.id:
        return True
    shared = one.bbox.intersect(other.bbox)
    return shared is not None and shared.area >= _SAME_PLACE * min(one.bbox.area, other.bbox.area)


def _believed(element: UIElement) -> float:
    """
    How sure it is that an element is there, once something more than its kind speaks for it: its words, its place.

    What is below its class's floor is not told at all, so that a detector's low score is still more right than wrong.
    """
    sure = _sure(element)
    return sure if element.element_type in _DOUBTED else _raised(sure)


def _raised(score: float) -> float:
    return (1 + min(1.0, score)) / 2


def _sure(element: UIElement) -> float:
    return element.confidence if 0 <= element.confidence <= 1 else 0.0
