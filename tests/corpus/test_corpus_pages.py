"""Tests of questions with known answers on committed pages and the virtual phone: right or refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus.drawn_screens import LOOKS, render_page
from corpus.measure import CHAIN, Answer, ask
from corpus.picture_queries import PictureAsker
from corpus.queries import questions_on
from corpus.refusals import plain
from corpus.trees import TruthTree
from corpus.truth import Scene, scenes_in

from corpus import phone_screens
from handeye.locate import VisualLocator
from handeye.ocr import CachedReader, PaddleReader

PAGES = sorted(path.stem for path in (Path(__file__).parent / "pages").glob("*.json"))
# Kinds of questions whose answer stands on the page in its own words. On one page
# in ten a word is misread, and an icon read as a letter joins a label, which then is only a candidate in the other script.
PLAIN = {"text", "look-alike", "case or width", "other script", "name and role"}
LEAST_FOUND = 0.75


@pytest.fixture(scope="module")
def locator() -> VisualLocator:
    return VisualLocator(reader=CachedReader(PaddleReader()))


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> list[Scene]:
    folder = tmp_path_factory.mktemp("phone")
    return [phone_screens.render_page(*which, folder) for which in (("settings", "light"), ("contacts", "dark"))]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Scene]:
    """Opposites and labels within labels, keys, rows whose buttons say "Edit", and buttons that say nearly the same."""
    folder = tmp_path_factory.mktemp("drawn")
    pages = ("opposites-en", "opposites-zh", "keys-wide", "rows-en", "rows-zh", "alike-1", "alike-2")
    return {page: render_page(page, LOOKS[0], folder) for page in pages}


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
def test_texts_on_component_library_pages_are_located(name: str, pages: Path, locator: VisualLocator) -> None:
    scene = Scene.load(pages / f"{name}.json")
    check(list(ask(locator, "ocr", questions_on(scene))))


def test_texts_on_the_virtual_phone_are_located(phone: list[Scene], locator: VisualLocator) -> None:
    check([answer for scene in phone for answer in ask(locator, "ocr", questions_on(scene))])


def test_tree_answers_the_same_questions(phone: list[Scene], pages: Path) -> None:
    tree = TruthTree()
    locator = VisualLocator(tree=tree)
    for scene in (*phone, *scenes_in(pages)):
        tree.show(scene)
        check(list(ask(locator, "accessibility", questions_on(scene))))


def test_opposite_and_nested_labels_are_distinguished(drawn: dict[str, Scene], locator: VisualLocator) -> None:
    for page in ("opposites-en", "opposites-zh"):
        check(list(ask(locator, "ocr", questions_on(drawn[page]))))


def test_single_digits_on_keys_are_located(drawn: dict[str, Scene], locator: VisualLocator) -> None:
    answers = list(ask(locator, "ocr", questions_on(drawn["keys-wide"])))
    assert not [each.query.words for each in answers if each.verdict == "wrong"]
    assert [each for each in answers if each.query.kind == "digit" and each.verdict == "right"]


@pytest.mark.parametrize("page", ["rows-en", "rows-zh"])
def test_labels_equal_to_control_words_are_not_confused(
    page: str, drawn: dict[str, Scene], locator: VisualLocator
) -> None:
    """Each row has a field and a button labelled with a word for a field: the label is meant."""
    tree = TruthTree()
    tree.show(drawn[page])
    chain = VisualLocator(reader=PaddleReader(), tree=tree)
    for answers in (ask(locator, "ocr", questions_on(drawn[page])), ask(chain, CHAIN, questions_on(drawn[page]))):
        assert not [(each.query.words, each.element) for each in answers if each.verdict == "wrong"]


def test_buttons_with_similar_labels_are_distinguished(
    drawn: dict[str, Scene], tmp_path: Path, locator: VisualLocator
) -> None:
    scenes = [drawn["alike-1"], drawn["alike-2"]]
    asker = PictureAsker(scenes, tmp_path / "cuts", tmp_path)
    answers = [answer for scene in scenes for answer in ask(locator, "template", asker.questions_on(scene))]
    assert {"absent: button alike", "button, same screen"} <= {each.query.kind for each in answers}
    assert not [(each.query.words, each.element) for each in answers if each.verdict == "wrong"]


def test_refused_questions_match_no_visible_label(pages: Path, drawn: dict[str, Scene]) -> None:
    """A question without a right answer matches no visible label."""
    for scene in (*scenes_in(pages), *drawn.values()):
        labels = {plain(thing.text) for thing in scene.things}
        for query in questions_on(scene):
            if query.kind.startswith(("absent", "forbidden")):
                assert not query.right
                assert plain(query.words) not in labels


def test_images_from_another_rendering_are_located(pages: Path, tmp_path: Path, locator: VisualLocator) -> None:
    scenes = [scene for scene in scenes_in(pages) if scene.library == "antd"]
    asker = PictureAsker(scenes, tmp_path / "cuts", tmp_path)
    answers = [answer for scene in scenes for answer in ask(locator, "template", asker.questions_on(scene))]
    assert not [answer for answer in answers if answer.verdict == "wrong"]
    there = [answer for answer in answers if answer.query.right]
    assert sum(answer.verdict == "right" for answer in there) >= LEAST_FOUND * len(there) > 0


def test_ambiguous_text_lists_every_candidate(pages: Path, locator: VisualLocator) -> None:
    """An ambiguous text is refused, with every place that shows it as a candidate."""
    for scene in scenes_in(pages):
        for answer in ask(locator, "ocr", [each for each in questions_on(scene) if each.kind == "ambiguous"]):
            assert answer.verdict == "rightly refused"
            same = [thing for thing in scene.things if thing.text == answer.query.words]
            assert len(answer.candidates) == len(same)
