"""Questions with known answers on committed pages and on the virtual phone: right, or refused, never wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus.measure import Answer, ask
from corpus.picture_queries import PictureAsker
from corpus.queries import questions_on
from corpus.trees import TruthTree
from corpus.truth import Scene, scenes_in

from handeye.locate.locator import VisualLocator
from handeye.ocr.cached import CachedReader
from handeye.ocr.paddle import PaddleReader

PAGES = sorted(path.stem for path in (Path(__file__).parent / "pages").glob("*.json"))
# Kinds of questions whose answer stands on the page in its own words. One page in ten holds a word that is misread.
PLAIN = {"text", "look-alike", "case or width", "other script"}
LEAST_FOUND = 0.8


@pytest.fixture(scope="module")
def locator() -> VisualLocator:
    return VisualLocator(reader=CachedReader(PaddleReader()))


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> list[Scene]:
    from corpus.phone_screens import render_page

    folder = tmp_path_factory.mktemp("phone")
    return [render_page("settings", "light", folder), render_page("contacts", "dark", folder)]


def check(answers: list[Answer]) -> None:
    """Nothing wrong, and what stands there plainly is found."""
    wrong = [
        f"{each.query.kind}: {each.query.words!r} at {each.element}" for each in answers if each.verdict == "wrong"
    ]
    assert not wrong
    plain = [each for each in answers if each.query.kind in PLAIN]
    assert plain
    assert sum(each.verdict == "right" for each in plain) >= LEAST_FOUND * len(plain)


@pytest.mark.parametrize("name", PAGES)
def test_text_on_pages_of_component_libraries(name: str, pages: Path, locator: VisualLocator) -> None:
    scene = Scene.load(pages / f"{name}.json")
    check(list(ask(locator, "ocr", questions_on(scene))))


def test_text_on_the_phone(phone: list[Scene], locator: VisualLocator) -> None:
    for scene in phone:
        check(list(ask(locator, "ocr", questions_on(scene))))


def test_the_tree_answers_the_same_questions(phone: list[Scene], pages: Path) -> None:
    tree = TruthTree()
    locator = VisualLocator(tree=tree)
    for scene in (*phone, *scenes_in(pages)):
        tree.show(scene)
        check(list(ask(locator, "accessibility", questions_on(scene))))


def test_pictures_cut_from_another_rendering(pages: Path, tmp_path: Path, locator: VisualLocator) -> None:
    scenes = [scene for scene in scenes_in(pages) if scene.library == "antd"]
    asker = PictureAsker(scenes, tmp_path / "cuts", tmp_path)
    answers = [answer for scene in scenes for answer in ask(locator, "template", asker.questions_on(scene))]
    assert not [answer for answer in answers if answer.verdict == "wrong"]
    there = [answer for answer in answers if answer.query.right]
    assert sum(answer.verdict == "right" for answer in there) >= LEAST_FOUND * len(there) > 0


def test_equal_places_are_all_named(pages: Path, locator: VisualLocator) -> None:
    """An ambiguous text is refused, with every place that has it as a candidate."""
    for scene in scenes_in(pages):
        for answer in ask(locator, "ocr", [each for each in questions_on(scene) if each.kind == "ambiguous"]):
            assert answer.verdict == "rightly refused"
            same = [thing for thing in scene.things if thing.text == answer.query.words]
            assert len(answer.candidates) == len(same)
