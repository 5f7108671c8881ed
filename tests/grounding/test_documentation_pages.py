"""Tests of the builder of documentation pages on a small page, and of its instruction file."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from grounding.pages import instructions
from grounding.pages.catalogue import PAGES, VIEWS, Page, read
from grounding.pages.instructions import Instruction
from grounding.pages.packages import PACKAGES
from grounding.pages.questions import Counts, is_absent, is_contained, questions
from grounding.pages.render import Rendered, chromium, render

TRAINING_PAGES = Path(__file__).parents[2] / "training" / "ranker" / "pages.json"
DOCUMENT = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<body style="margin:20px;font:16px sans-serif">
<h1>Garden tools</h1><p><a href="#a">Spade</a></p><p><a href="#b">Rake</a></p><p><a href="#c">Rake</a></p>
<p style="position:relative"><a href="#d">Hidden hoe</a><i style="position:absolute;inset:0;background:#fff"></i></p>
<p><input placeholder="Find a tool"><button>Look up</button></p><p>浇水壶在 <a href="#e">第 3 页</a></p>
<p>A long wooden handle breaks sooner.</p><p style="margin-top:2000px"><a href="#f">Far below</a></p>"""


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Rendered:
    pytest.importorskip("playwright", reason="needs Playwright: pip install -r benchmarks/parser/requirements.txt")
    if not (shutil.which("chromium") or shutil.which("google-chrome")):
        pytest.skip("needs chromium: apt-get install chromium")
    folder = tmp_path_factory.mktemp("pages")
    document = folder / "garden.html"
    document.write_text(DOCUMENT, encoding="utf-8")
    with chromium() as browser:
        return render(browser, Page("garden", "none", "garden.html", "en", "phone"), document, folder, with_tree=True)


@pytest.mark.may_skip
def test_label_questions_have_boxes_of_visible_labels(rendered: Rendered) -> None:
    asked = {each.words: each.boxes for each in questions(rendered, [rendered]) if each.kind == "label"}
    assert set(asked) == {"Garden tools", "Spade", "Find a tool", "Look up", "第 3 页"}
    ((left, top, right, bottom),) = asked["Spade"]
    scale = VIEWS["phone"][2]
    assert left == 20 * scale
    assert 60 * scale < top < bottom < 110 * scale
    assert right < 80 * scale


@pytest.mark.may_skip
def test_absent_questions_name_no_text_on_page(rendered: Rendered) -> None:
    absent = [each.words for each in questions(rendered, [rendered]) if each.kind == "absent"]
    assert len(absent) == 1
    assert absent[0].startswith("第 ")
    assert absent[0] != "第 3 页"
    assert is_absent(rendered, "Wheelbarrow")
    assert not is_absent(rendered, "spade")
    assert not is_absent(rendered, "garden TOOL")


@pytest.mark.may_skip
def test_instruction_must_match_one_visible_element(rendered: Rendered) -> None:
    second = instructions.ask(rendered, Instruction("garden", "the lower rake", "link", "Rake", 1))
    first = instructions.ask(rendered, Instruction("garden", "the upper rake", "link", "Rake", 0))
    assert second.boxes[0][1] > first.boxes[0][3]
    assert instructions.ask(rendered, Instruction("garden", "the axe")).kind == "absent"
    for text in ("Rake", "Hidden hoe", "Far below"):  # two of them, covered, and outside of the picture
        with pytest.raises(SystemExit, match="visible elements"):
            instructions.ask(rendered, Instruction("garden", "it", "link", text))


def test_written_instructions_are_well_formed() -> None:
    written = instructions.read()
    names = {page.name for page in PAGES}
    assert {each.page for each in written} <= names
    assert len({(each.page, each.words) for each in written}) == len(written)
    assert len([each for each in written if each.role]) >= 100
    assert all(each.words.strip() == each.words and each.words for each in written)
    assert {each.role for each in written} <= {"", "link", "heading", "image", "button", "input"}


def test_catalogue_has_pages_in_both_languages() -> None:
    assert len(PAGES) == len({page.name for page in PAGES}) >= 40
    assert len([page for page in PAGES if page.language == "zh"]) >= 15


@pytest.mark.may_skip
def test_contained_questions_use_words_that_are_no_label(rendered: Rendered) -> None:
    assert {each.text for each in rendered.elements if each.part} == {"Find a tool", "第 3 页"}
    asked = [each for each in questions(rendered, [rendered], Counts(contained=2)) if each.kind == "contained"]
    from_text = {"wooden", "handle", "breaks", "wooden handle", "handle breaks"}
    assert len([each for each in asked if each.words in from_text]) == 1
    assert [each.words for each in asked if each.words not in from_text] == ["水壶"]
    assert all(each.boxes == () for each in asked)
    assert not is_contained(rendered, "spade")
    assert not is_contained(rendered, "garden tools")


@pytest.mark.may_skip
def test_page_tree_boxes_match_rendered_page(rendered: Rendered) -> None:
    told = {(each["role"], each["text"]): each["box"] for each in rendered.tree if each.get("text")}
    (shown,) = [each for each in rendered.elements if each.text == "Spade"]
    assert told["link", "Spade"] == pytest.approx(shown.bounds, abs=2)
    assert ("heading", "Garden tools") in told
    assert ("button", "Look up") in told
    assert ("link", "Far below") not in told
    (field,) = [each for each in rendered.tree if each["role"] == "input"]
    assert field["description"] == "Find a tool"
    assert all(each.get("parent", -1) < number for number, each in enumerate(rendered.tree))


def test_training_pages_use_other_packages() -> None:
    pages = read(TRAINING_PAGES)
    assert len(pages) == len({page.name for page in pages}) >= 70
    assert not {page.package for page in pages} & set(PACKAGES)
    assert {page.language for page in pages} >= {"en", "zh", "de", "fr", "ja", "ru"}
