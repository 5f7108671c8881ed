"""Tests of the parser benchmark's scoring on answers with known truth."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.target import LocateResult

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from parser import held_icons, icons, pages, questions, screens, tables
from parser.phrases import PHRASES


def element(left: int, role: str = "button", *, inside: bool = False, visible: float = 1.0, click: bool = True):
    return screens.Element(Box(left, 0, left + 40, 20), role, click, visible, inside)


def held(*elements: screens.Element) -> screens.HeldScreen:
    return screens.HeldScreen("one", Path("one.png"), "a library", "web", elements)


def counted(truth: Sequence[screens.Element], found: Sequence[screens.Found]) -> screens.Count:
    return screens.score(held(*truth), found).whole


def test_found_control_counts_for_recall_and_precision() -> None:
    count = counted([element(0), element(100)], [(Box(2, 1, 41, 20), "button", True)])
    assert (count.asked, count.found, count.named, count.claimed, count.false) == (2, 1, 1, 1, 0)


def test_second_detection_of_one_control_is_false() -> None:
    box = Box(0, 0, 40, 20)
    count = counted([element(0)], [(box, "button", True), (box, "link", True)])
    assert (count.found, count.claimed, count.false) == (1, 2, 1)


def test_wrong_role_counts_as_found_not_named() -> None:
    count = counted([element(0, "switch")], [(Box(0, 0, 40, 20), "button", True)])
    assert (count.found, count.named) == (1, 0)


def test_button_icon_and_hidden_control_are_not_false() -> None:
    truth = [element(0), element(100, "icon", inside=True), element(200, visible=0.3)]
    count = counted(truth, [(Box(100, 0, 140, 20), "icon", True), (Box(200, 0, 240, 20), "button", True)])
    assert (count.asked, count.found, count.claimed, count.false) == (1, 0, 2, 0)


def test_disabled_button_is_not_required_nor_false() -> None:
    count = counted([element(0, click=False)], [(Box(0, 0, 40, 20), "button", True)])
    assert (count.asked, count.claimed, count.false) == (0, 1, 0)


def test_decorative_icon_is_false_and_counted_as_shown() -> None:
    count = counted([element(0, "icon", click=False)], [(Box(0, 0, 40, 20), "icon", True)])
    assert (count.false, count.shown) == (1, 1)


def test_image_is_false_only_if_claimed_clickable() -> None:
    truth = [element(0, "image", click=False)]
    assert counted(truth, [(Box(0, 0, 40, 20), "button", True)]).false == 1
    assert counted(truth, [(Box(0, 0, 40, 20), "image", False)]).claimed == 0


class Pointing:
    """Answers everything with one box, or with nothing."""

    def __init__(self, box: Box | None, *, reliable: bool = True) -> None:
        self.box, self.reliable = box, reliable

    def find(self, screen: Screen, target: str) -> LocateResult:
        if self.box is None:
            return LocateResult(False, None, "none")
        return LocateResult(True, UIElement("icon", target, self.box, reliable=self.reliable), "ranker")


@pytest.mark.parametrize(
    ("finder", "meant", "verdict"),
    [
        (Pointing(Box(10, 10, 20, 20)), Box(8, 8, 24, 24), "right"),
        (Pointing(Box(30, 30, 40, 40)), Box(8, 8, 24, 24), "wrong"),
        (Pointing(Box(10, 10, 20, 20), reliable=False), Box(8, 8, 24, 24), "refused"),
        (Pointing(None), Box(8, 8, 24, 24), "refused"),
    ],
)
def test_answer_is_right_if_its_click_hits(finder: Pointing, meant: Box, verdict: str) -> None:
    screen = Screen(np.zeros((60, 60, 3), np.uint8))
    scene = questions.Scene("one", Path("one.png"), "a library", "en", ())
    question = questions.Question("the gear", (meant,))
    (answer,) = questions.ask(finder, scene, screen, "phrase", [question])
    assert answer.verdict == verdict


def test_any_box_for_absent_target_is_wrong() -> None:
    scene = questions.Scene("one", Path("one.png"), "a library", "en", ())
    question = questions.Question("the gear", ())
    screen = Screen(np.zeros((60, 60, 3), np.uint8))
    (answer,) = questions.ask(Pointing(Box(0, 0, 9, 9)), scene, screen, pages.kind_of(question), [question])
    assert (answer.kind, answer.verdict) == (pages.ABSENT, "wrong")


def test_saved_scene_is_loaded_unchanged(tmp_path: Path) -> None:
    asked = (questions.Question("返回箭头", (Box(1, 2, 3, 4),)), questions.Question("the gear", ()))
    icons = (questions.NamedIcon("bell", Box(5, 6, 7, 8)), questions.NamedIcon("bell", Box(9, 6, 12, 8)))
    scene = questions.Scene("one", tmp_path / "one.png", "a library", "zh", asked, icons)
    scene.save()
    assert questions.scenes_in(tmp_path) == [scene]
    assert not list(scene.unique_icons())


def test_distractor_icons_never_match_their_phrase() -> None:
    names = ("search", "zoom-in", "trash-2", "undo", "redo", "heart", "volume-x", "chevron-left", "wifi-off")
    for phrase in PHRASES:
        assert not any(phrase.names("lucide", name) and phrase.may_stand_beside("lucide", name) for name in names)
    (undo,) = (phrase for phrase in PHRASES if phrase.english == "undo arrow")
    assert undo.may_stand_beside("lucide", "redo"), "its mirror image is what it is easily taken for"


def test_phrases_are_unique_in_both_languages() -> None:
    assert len(PHRASES) >= 60
    for words in ([phrase.english for phrase in PHRASES], [phrase.chinese for phrase in PHRASES]):
        assert len(set(words)) == len(words)


class Knowing:
    """A grounding that knows every icon by its own number, and answers each phrase with the icon that it is given."""

    least = 0.5

    def __init__(self, best: int) -> None:
        self.best = best

    def vectors(self, icons: Sequence[object], chance: random.Random) -> np.ndarray:
        return np.arange(len(icons), dtype=np.float32)[:, None]

    def scores(self, phrase: str, vectors: np.ndarray) -> np.ndarray:
        return (vectors[:, 0] == self.best).astype(np.float32)


def asked_of(best: int) -> list[icons.Trial]:
    letters = [first + second for first in "abcdefghijk" for second in "abcdefghijk"]
    drawn = [held_icons.Icon("lucide", name, "", "0 0 24 24") for name in ("search", *letters)]
    grounding = Knowing(best)
    vectors = grounding.vectors(drawn, random.Random())
    asked = icons.trials(icons.HeldSet("lucide", drawn, vectors), grounding)
    return [trial for trial in asked if trial.asked == "magnifying glass"]


def test_best_icon_is_right_and_absent_is_refused() -> None:
    for trial in asked_of(0):
        assert trial.right == ("absent" not in trial.kind)
        assert (trial.score < Knowing.least) == ("absent" in trial.kind)


def test_tied_or_wrong_icon_is_not_right() -> None:
    asked = asked_of(5)
    assert not any(trial.right for trial in asked)
    assert any(trial.score >= Knowing.least for trial in asked)


def test_plain_name_strips_only_style_words() -> None:
    assert held_icons.plain_name("material-symbols", "home-outline-rounded") == "home"
    assert held_icons.plain_name("ic", "baseline-sharp-corner") == "sharp-corner"
    assert held_icons.plain_name("lucide", "round-table") == "round-table"


def test_tables_are_written_between_their_markers(tmp_path: Path) -> None:
    docs = tmp_path / "docs.md"
    docs.write_text(
        "before\n<!-- icons: python benchmarks/parser/run.py icons --docs -->\nold\n<!-- end of icons -->\nafter\n"
    )
    tables.write("icons", [tables.Table(("a", "b"), [("1", "x|y")]), "words"], docs)
    written = docs.read_text()
    assert "| 1 | x\\|y |" in written
    assert "old" not in written
    assert written.startswith("before\n")
    assert written.endswith("<!-- end of icons -->\nafter\n")
    with pytest.raises(SystemExit, match="no marks"):
        tables.write("pages", [], docs)
