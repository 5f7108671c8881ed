"""Tests of the ranker's features: adjacent labels, ordinals in rows, positions in words, and text style."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from handeye.elements import UIElement
from handeye.geometry import Box, Size
from handeye.locate import bundled_ranker
from handeye.locate.ranker.candidates import Pool
from handeye.locate.ranker.features.appearance import style_evidence
from handeye.locate.ranker.features.table import evidence_table
from handeye.locate.ranker.features.text import part_evidence
from handeye.locate.ranker.question import Question
from handeye.locate.ranker.sentence_encoder import Meaning
from handeye.locate.ranker.vocabulary import ordinal_in, position_in
from handeye.screen import Screen
from handeye.target import parse_target

SIZE = Size(1000, 1600)
Row = tuple[str, str, Box]


class NoMeaning:
    """An encoder to which all texts are alike."""

    def encode(self, texts: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        assert isinstance(texts, list)
        return np.ones((len(texts), 1), np.float32)


def pool_of(*rows: Row, interactive: bool | None = None) -> Pool:
    elements = [
        UIElement(role, "", box, source="accessibility", text=text, interactive=interactive) for role, text, box in rows
    ]
    return Pool(tuple(elements), SIZE)


def column(words: str, pool: Pool, name: str) -> list[float]:
    table, names = evidence_table(Question(parse_target(words)), pool, Meaning(NoMeaning()))
    return [float(each) for each in table[:-1, names.index(name)]]


FORM = (
    ("text", "Email", Box(40, 100, 140, 140)),
    ("input", "", Box(200, 95, 700, 145)),
    ("text", "Weight", Box(40, 300, 140, 340)),
    ("input", "", Box(40, 350, 700, 400)),
    ("image", "", Box(800, 300, 880, 380)),
    ("text", "Share", Box(810, 390, 870, 420)),
)


def test_input_features_use_label_left_or_above() -> None:
    pool = pool_of(*FORM)
    assert column("Email field", pool, "left_ratio")[1] == 1
    assert column("Weight field", pool, "above_ratio")[3] == 1


def test_icon_features_use_text_below() -> None:
    assert column("Share", pool_of(*FORM), "below_ratio")[4] == 1


def test_distant_text_is_not_a_label() -> None:
    pool = pool_of(("text", "Email", Box(40, 100, 140, 140)), ("input", "", Box(600, 95, 900, 145)))
    assert np.isnan(column("Email field", pool, "left_ratio")[1])


def test_row_features_use_its_single_text() -> None:
    pool = pool_of(("list item", "", Box(0, 100, 1000, 200)), ("text", "Wi-Fi", Box(40, 130, 200, 170)))
    assert column("Wi-Fi", pool, "inside_ratio")[0] == 1


SETTINGS = (
    ("text", "Wi-Fi", Box(40, 100, 140, 140)),
    ("switch", "Wi-Fi", Box(800, 100, 880, 140)),
    ("text", "Bluetooth", Box(40, 200, 240, 240)),
    ("switch", "Bluetooth", Box(800, 200, 880, 240)),
    ("slider", "", Box(40, 300, 880, 340)),
)


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("the switch next to Bluetooth", [3]),
        ("Bluetooth旁边的开关", [3]),
        ("the second switch", [3]),
        ("the last switch", [3]),
        ("the switch above Bluetooth", [1]),
        ("the third switch", []),
    ],
)
def test_relations_and_ordinals_choose_among_suitable_elements(words: str, chosen: list[int]) -> None:
    pool = pool_of(*SETTINGS)
    assert np.flatnonzero(column(words, pool, "suits")).tolist() == [1, 3]
    assert np.flatnonzero(np.array(column(words, pool, "chosen")) == 1).tolist() == chosen


def test_icon_name_identifies_the_anchor() -> None:
    gear = UIElement("icon", "", Box(40, 40, 80, 80), metadata={"icon": "gear"})
    labels = pool_of(("text", "Wi-Fi", Box(40, 100, 140, 140)), ("text", "Sound", Box(600, 900, 700, 940)))
    pool = Pool((gear, *labels.elements), SIZE)
    assert column("the text below the gear icon", pool, "chosen")[1:] == [1, 0]


def test_role_alone_suits_but_chooses_none() -> None:
    pool = pool_of(*SETTINGS)
    assert column("the slider", pool, "suits") == [0, 0, 0, 0, 1]
    assert np.isnan(column("the slider", pool, "chosen")).all()


TABS = tuple(("tab", name, Box(100 + 300 * at, 1500, 300 + 300 * at, 1580)) for at, name in enumerate(("A", "B", "C")))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("the third tab", [0, 0, 1]),
        ("the last tab", [0, 0, 1]),
        ("el segundo de la barra", [0, 1, 0]),
        ("第一个标签", [1, 0, 0]),
    ],
)
def test_ordinal_sets_the_row_number_feature(words: str, expected: list[float]) -> None:
    assert column(words, pool_of(*TABS), "row_number") == expected


def test_middle_of_a_row_is_its_middle_element() -> None:
    assert column("the middle one of the tabs", pool_of(*TABS), "row_apart") == [0.5, 0, 0.5]


def test_icon_inside_tab_is_not_counted_separately() -> None:
    icon = ("icon", "", Box(400, 1510, 460, 1570))
    assert column("the third tab", pool_of(*TABS, icon), "row_number") == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("words", "number", "place"),
    [
        ("the fourth icon in the dock", 4, (None, 1.0)),
        ("底部最右边的标签", None, (1.0, 1.0)),
        ("el último de la lista", -1, (None, None)),
        ("the first and the second", None, (None, None)),
        ("the left or the right one", None, (None, None)),
        ("the middle of the bottom bar", None, (0.5, 1.0)),
        ("the brightness", None, (None, None)),
    ],
)
def test_ordinal_and_position_are_parsed_from_words(
    words: str, number: int | None, place: tuple[float | None, float | None]
) -> None:
    assert ordinal_in(words) == number
    assert position_in(words) == place


def test_opposite_label_sets_a_feature() -> None:
    pool = pool_of(("button", "Sign out", Box(0, 0, 100, 50)), ("button", "Sign in", Box(0, 100, 100, 150)))
    assert column("log in", pool, "opposite") == [1, 0]


def test_style_features_mark_heading_and_link() -> None:
    picture = Image.new("RGB", (600, 400), "white")
    pen = ImageDraw.Draw(picture)
    lines = [
        ("Heading", 40, "black"),
        ("plain words", 18, "black"),
        ("more words", 18, "black"),
        ("a link", 18, "blue"),
    ]
    elements = []
    for number, (text, size, ink) in enumerate(lines):
        place, font = (30, 30 + 80 * number), ImageFont.load_default(size)
        pen.text(place, text, ink, font)
        left, top, right, bottom = (round(edge) for edge in pen.textbbox(place, text, font))
        elements.append(UIElement("text", "", Box(left, top, right, bottom), source="ocr", text=text))
    columns = style_evidence(Pool(tuple(elements), Size(600, 400)), Screen.from_image(picture))
    assert columns["text_height"].argmax() == 0
    assert columns["height_among_equals"].tolist() == [1, 1, 1, 1]
    assert columns["ink_apart"].argmax() == 3
    assert columns["ink_colourful"].argmax() == 3
    of_a_tree = pool_of(("text", "Heading", Box(0, 0, 100, 50)))
    assert np.isnan(style_evidence(of_a_tree, Screen.from_image(picture))["text_height"]).all()


def test_height_feature_separates_equal_texts() -> None:
    elements = tuple(
        UIElement("text", "", box, source="ocr", text="Guide")
        for box in (Box(0, 0, 40, 10), Box(0, 100, 120, 130), Box(0, 200, 40, 210))
    )
    picture = Screen(np.full((400, 600, 3), 255, np.uint8))
    columns = style_evidence(Pool(elements, Size(600, 400)), picture)
    assert columns["height_among_equals"].round(2).tolist() == [0.33, 1, 0.33]


@pytest.mark.parametrize(
    ("line", "part", "is_apart"),
    [
        ("Modules I Directives I Glossary I Sitemap", "Glossary", True),
        ("Modules | Directives | Glossary", "Glossary", True),
        ("Català, Deutsch, Español", "Deutsch", True),
        ("Step 1 Install", "Step", False),
        ("Chapter I Introduction", "Chapter", False),
        ("Anna Smith Jr.", "Anna Smith", False),
    ],
)
def test_part_between_separators_is_a_separate_label(line: str, part: str, is_apart: bool) -> None:
    picture = Image.new("RGB", (900, 60), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(22)
    pen.text((20, 10), line, "black", font)
    start = 20 + pen.textlength(line[: line.find(part)], font)
    box = Box(round(start), 10, round(start + pen.textlength(part, font)), 40)
    element = UIElement("text", "", box, source="ocr", text=part, metadata={"layer": "part", "line": line})
    columns = part_evidence(Pool((element,), Size(900, 60)), Screen.from_image(picture))
    assert columns["part_is_apart"].tolist() == [is_apart]


@pytest.mark.parametrize(("name", "is_spelled_so"), [("Anna Lee", True), ("Ann Leeson", False)])
def test_anchor_spelling_sets_a_feature(name: str, is_spelled_so: bool) -> None:
    pool = pool_of(("text", "Anna Lee", Box(40, 100, 240, 140)), ("button", "Delete", Box(500, 100, 640, 140)))
    assert (column(f"Delete in the row of {name}", pool, "anchor_spelled")[1] == 1) is is_spelled_so


@pytest.mark.parametrize("label", ["Delete", "Scroll to top", "Last name"])
@pytest.mark.parametrize("count", range(2, 11))
def test_equal_candidates_share_probability_with_different_neighbours(count: int, label: str) -> None:
    names = [
        ("text", f"Task {number}", Box(40, 100 + 100 * number, 240, 150 + 100 * number)) for number in range(count)
    ]
    equal = [("button", label, Box(800, box.top, 900, box.bottom)) for _role, _text, box in names]
    ranked = bundled_ranker().rank(Question(parse_target(label)), pool_of(*names, *equal))
    chances = [each.probability for each in ranked if each.element.text == label]
    assert len(chances) == count
    assert max(chances) <= 1 / count + 1e-9


def test_equal_texts_in_one_control_stay_separate() -> None:
    row = UIElement("list item", "", Box(0, 100, 1000, 300), source="accessibility", interactive=True)
    texts = ("Wi-Fi", "Connected", "Forget", "Forget")
    inner = [
        UIElement("text", "", Box(40 + 220 * at, 150, 200 + 220 * at, 250), source="accessibility", text=text)
        for at, text in enumerate(texts)
    ]
    ranked = bundled_ranker().rank(Question(parse_target("Forget")), Pool((row, *inner), SIZE))
    assert sum(each.element.text == "Forget" for each in ranked) == 2
    assert len(ranked) == 2


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("\u2190", "back arrow"),
        ("\U0001f514", "bell"),
        ("\u2699\ufe0f", "gear"),
        ("Save", "Save"),
        ("A \u2192 B", "A \u2192 B"),
    ],
)
def test_lone_symbol_gets_its_icon_name(text: str, name: str) -> None:
    assert pool_of(("text", text, Box(0, 0, 40, 40))).texts == (name,)


def test_clickable_page_is_not_control_of_its_content() -> None:
    def controls(page: Box) -> list[int]:
        held = UIElement("text", "", Box(10, 10, 90, 40), text="Wi-Fi")
        around = UIElement("group", "", page, interactive=True)
        return [int(each) for each in Pool((around, held), SIZE).controls]

    assert controls(Box(0, 0, 1000, 200)) == [0, 0]
    assert controls(Box(0, 0, 1000, 1600)) == [0, 1]


def test_uppercase_labels_are_encoded_in_lowercase() -> None:
    seen: list[str] = []

    class Listening(NoMeaning):
        def encode(self, texts: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
            seen.extend(texts)  # type: ignore[arg-type]
            return super().encode(texts)

    Meaning(Listening()).cosines("\u53d6\u6d88", ["CANCEL", "Save"])
    assert seen == ["\u53d6\u6d88", "cancel", "Save"]


@pytest.mark.parametrize(
    ("words", "label", "covered"),
    [
        ("退出登录", "Sign out", 1),
        ("log in", "Sign out", 0),
        ("store my settings", "Save settings", 1),
        ("next page", "下一页", 1),
        ("remove my account", "Delete the file", 0.5),
        ("王五", "王六", np.nan),
    ],
)
def test_terms_covered_counts_synonyms_across_languages(words: str, label: str, covered: float) -> None:
    pool = pool_of(("button", label, Box(0, 0, 100, 50)))
    assert np.array_equal(column(words, pool, "terms_covered"), [covered], equal_nan=True)


def test_additional_words_of_label_set_features() -> None:
    pool = pool_of(("button", "Save settings", Box(0, 0, 100, 50)), ("button", "Save xyzzy", Box(0, 100, 100, 150)))
    assert column("save", pool, "terms_extra") == [0.5, 0]
    assert column("save", pool, "terms_rest") == pytest.approx([0, 5 / 9])


@pytest.mark.parametrize(
    ("words", "name", "role"),
    [
        ("Introduction heading", "Introduction", "heading"),
        ("User’s Guide link", "User’s Guide", "link"),
        ("标题 2.1. 支持的硬件", "2.1. 支持的硬件", "heading"),
        ("下一页图片", "下一页", "image"),
        ("the heading 2.6. Joins Between Tables", "2.6. Joins Between Tables", "heading"),
        ("the image Logo", "Logo", "image"),
        ("the heading OPTIONS", "OPTIONS", "heading"),
        ("the icon button", "icon", "button"),
        ("the Link Text field", "Link", "input"),
        ("“设置”标题", "设置", "heading"),
        ("Next image", "Next", "image"),
        ("Copy link", "Copy link", None),
        ("复制链接", "复制链接", None),
        ("Link in bio", "Link in bio", None),
        ("“A” and “B” link", "“A” and “B”", "link"),
        ("Delivery option", "Delivery option", None),
        ("标题", "标题", None),
        ("text=Design link", "Design link", None),
    ],
)
def test_role_word_next_to_name_sets_role(words: str, name: str, role: str | None) -> None:
    question = Question(parse_target(words))
    assert (question.name, question.target.role) == (name, role)


@pytest.mark.parametrize("words", ["不是保存的链接", "any but the Save link", "Don't save link"])
def test_negated_phrase_keeps_its_target(words: str) -> None:
    assert Question(parse_target(words)).target == parse_target(words)


def test_quoted_name_before_role_stays_literal() -> None:
    assert Question(parse_target("“设置”标题")).is_exact
    assert not Question(parse_target("设置标题")).is_exact


def test_label_containing_role_word_equals_whole_phrase() -> None:
    pool = pool_of(("link", "Cover image", Box(0, 0, 90, 20)), ("link", "Cover", Box(0, 40, 90, 60)))
    assert column("Cover image", pool, "phrase_equal") == [1, 0]
    assert column("Cover image", pool, "name_equal") == [0, 1]


def test_missing_underscores_are_ignored() -> None:
    pool = pool_of(("link", "mpm worker", Box(0, 0, 90, 20)))
    assert column("mpm_worker", pool, "name_equal") == [1]
