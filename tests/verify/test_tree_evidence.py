"""Tests of messages that OCR cannot read, or that repeat earlier ones: proved by the tree before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from handeye.elements import UIElement, UIState
from handeye.errors import TreeFailed
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.target import Expectation, Region
from handeye.text import TextLine
from handeye.verify import ObservesBeforeTyping, ScreenVerifier

CHAT = Region(0, 0.1, 1, 1)
BEFORE, AFTER = (Screen(np.full((2400, 1080, 3), number, np.uint8)) for number in (1, 2))


def elements(*rows: str, kind: str = "text") -> tuple[UIElement, ...]:
    """One below the other, from the top of the chat."""
    return tuple(
        UIElement(kind, "", Box(100, 300 + 100 * at, 900, 360 + 100 * at), text=row, source="accessibility")
        for at, row in enumerate(rows)
    )


@dataclass
class Trees:
    """The tree of each of the two moments; `shown` is what the device shows now, and `asked` of what its tree was read."""

    trees: Mapping[int, tuple[UIElement, ...] | None]
    asked: list[int] = field(default_factory=list)
    name: str = field(default="trees", init=False)
    slow: bool = field(default=True, init=False)

    def detect(self, screen: Screen) -> UIState:
        moment = int(screen.pixels[0, 0, 0])
        self.asked.append(moment)
        if (told := self.trees[moment]) is None:
            raise TreeFailed("no tree")
        return UIState(screen, told)


@dataclass
class Reader:
    """Reads these texts on each of the two frames, surely."""

    read_on: Mapping[int, Sequence[str]]
    name: str = "reader"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return tuple(
            TextLine(each.text, each.bbox, 0.99) for each in elements(*self.read_on[int(screen.pixels[0, 0, 0])])
        )

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        return tuple(line for line in self.read(screen) if box.contains(line.box.center))


def holds(
    text: str,
    before: tuple[UIElement, ...] | None,
    after: tuple[UIElement, ...] | None,
    read: Mapping[int, Sequence[str]] = {1: (), 2: ("WO",)},
    *,
    looked: bool = True,
) -> bool | None:
    verifier = ScreenVerifier(Reader(read), state=Trees({1: before, 2: after}))
    assert isinstance(verifier, ObservesBeforeTyping)
    if looked:
        verifier.before_typing(text, BEFORE)
    return verifier.verify(Expectation(text=text, region=CHAT, exact=True, new=True), BEFORE, AFTER).matches_expected


@pytest.mark.parametrize("text", ["W0", "嗯", "?", "1", "🙂", "。。。", "l1"])
def test_unreadable_message_is_proved_by_the_tree(text: str) -> None:
    assert holds(text, elements("在吗"), elements("在吗", text)) is True


def test_new_tree_text_needs_a_tree_before_typing() -> None:
    assert holds("🙂", elements("在吗"), elements("在吗", "🙂"), looked=False) is None


def test_additional_equal_message_is_new() -> None:
    read = {1: ("好", "在吗"), 2: ("好", "在吗", "好")}
    assert holds("好", elements("好", "在吗"), elements("好", "在吗", "好"), read) is True
    # The reader sees one, as before; the tree sees both.
    read = {1: ("OK", "1"), 2: ("OK", "1")}
    assert holds("OK。", elements("OK", "1"), elements("OK", "1", "OK。"), read) is True


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (elements("🙂"), elements("🙂")),
        (elements("🙂", "在吗"), elements("在吗", "🙂", "在")[:1]),
        (elements("在吗", "好"), elements("🙂", "在吗", "好")),  # an older one comes back at the top
        (elements("在吗"), elements("在吗", "🙂🙂")),
        (elements("在吗"), elements("在吗", "🙃")),
        (elements("在吗"), (*elements("在吗"), *elements("", "🙂", kind="input")[1:])),  # it stands in its field yet
        (elements("在吗"), None),
        (None, elements("在吗", "🙂")),
    ],
)
def test_message_missing_from_tree_stays_undecided(
    before: tuple[UIElement, ...] | None, after: tuple[UIElement, ...] | None
) -> None:
    assert holds("🙂", before, after) is None


def test_different_case_or_punctuation_is_another_message() -> None:
    assert holds("OK", elements("在吗"), elements("在吗", "ok?"), {1: (), 2: ()}) is False


def test_text_outside_its_region_proves_nothing() -> None:
    title = UIElement("text", "", Box(400, 100, 600, 160), text="🙂", source="accessibility")
    assert holds("🙂", elements("在吗"), (title, *elements("在吗"))) is None


def test_readable_message_is_proved_without_the_tree() -> None:
    trees = Trees({1: (), 2: ()})
    verifier = ScreenVerifier(Reader({1: ("在吗",), 2: ("在吗", "明天早上见")}), state=trees)
    verifier.before_typing("明天早上见", BEFORE)
    expect = Expectation(text="明天早上见", region=CHAT, exact=True, new=True)
    assert verifier.verify(expect, BEFORE, AFTER).verified
    assert trees.asked == []


def test_tree_before_typing_applies_to_its_frame_only() -> None:
    trees = Trees({1: elements("在吗"), 2: elements("在吗", "🙂")})
    verifier = ScreenVerifier(Reader({1: (), 2: ()}), state=trees)
    verifier.before_typing("🙂", BEFORE)
    expect = Expectation(text="🙂", region=CHAT, exact=True, new=True)
    other = Screen(BEFORE.pixels.copy())
    assert verifier.verify(expect, other, AFTER).matches_expected is None
    assert verifier.verify(expect, BEFORE, AFTER).verified
    verifier.before_typing("明天早上见", BEFORE)
    assert verifier.verify(expect, BEFORE, AFTER).matches_expected is None


THIN = [
    ("I am here", "lam here"),
    ("I'll be late", "l'l be late"),
    ("Ill be late", "Il be late"),
    ("OK I'll do it", "OKl'll do it"),
]


@pytest.mark.parametrize(("text", "read"), THIN)
@pytest.mark.parametrize("looked", [True, False])
def test_misread_thin_letters_are_proved_by_the_tree(text: str, read: str, looked: bool) -> None:
    stood, sent = elements("hi"), elements("hi", text)
    assert holds(text, stood, sent, {1: ("hi",), 2: ("hi", read)}, looked=looked) is True
    assert holds(text, stood, elements("hi", read), {1: ("hi",), 2: ("hi", read)}, looked=looked) is False


@pytest.mark.parametrize(("text", "read"), THIN)
def test_misread_thin_letters_without_tree_are_undecided(text: str, read: str) -> None:
    assert holds(text, None, None, {1: ("hi",), 2: ("hi", read)}) is None


@pytest.mark.parametrize(("text", "read"), THIN)
def test_old_message_read_differently_is_not_new(text: str, read: str) -> None:
    stood = elements("hi", text)
    for then, now in ((text, read), (read, text), (read, read)):
        assert holds(text, stood, stood, {1: ("hi", then), 2: ("hi", now)}) is None


@pytest.mark.parametrize(
    ("text", "read"), [("I am here", "1 am there"), ("Will", "Bill"), ("I'll be late", "I'll be fate")]
)
def test_different_letters_are_another_message(text: str, read: str) -> None:
    assert holds(text, None, None, {1: ("hi",), 2: ("hi", read)}) is False


@pytest.mark.parametrize(("text", "other"), [("100", "1100"), ("bill", "bil"), ("we'll", "well"), ("110", "10")])
def test_similar_message_is_not_the_sent_one(text: str, other: str) -> None:
    """The text was visible before; sending failed, and another person wrote the similar one."""
    stood, now = elements("hi", text), elements("hi", text, other)
    assert holds(text, stood, now, {1: ("hi", text), 2: ("hi", text, other)}) is None
    assert holds(text, None, None, {1: ("hi", text), 2: ("hi", text, other)}) is None


@pytest.mark.parametrize(("text", "read"), THIN)
def test_second_message_with_same_words_is_new(text: str, read: str) -> None:
    stood, sent = elements("hi", text), elements("hi", text, text)
    assert holds(text, stood, sent, {1: ("hi", read), 2: ("hi", read, read)}) is True
