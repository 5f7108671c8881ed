"""Tests of the ranker: probabilities, equal candidates, and its answers after the other strategies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from handeye.elements import UIElement, UIState
from handeye.errors import ParserFailed, TreeFailed
from handeye.geometry import Box, Size
from handeye.locate import LEAST_FOR_ACTS, LocateChain, RankingStrategy, Sources, VisualLocator, bundled_ranker
from handeye.locate.base import LEAST_SURE
from handeye.locate.ranker import Ranker
from handeye.locate.ranker.candidates import Pool, merged
from handeye.locate.ranker.features.table import evidence_table
from handeye.locate.ranker.features.text import part_evidence
from handeye.locate.ranker.model import WEIGHTS, equal_candidates, places
from handeye.locate.ranker.question import Question
from handeye.locate.ranker.sentence_encoder import Meaning
from handeye.locate.ranker.trees import Trees
from handeye.locate.ranker.vocabulary import opposed, words_of
from handeye.screen import Screen
from handeye.target import LocateResult, Region, Relation, RelationKind, Target, parse_target
from handeye.testing.perceiving import FakeProvider

SIZE = Size(1080, 1920)
LABELS = ("Save settings", "Delete account", "Privacy policy", "Sign out", "Language", "Notifications")


def element(text: str, top: int, role: str = "button", **more: object) -> UIElement:
    return UIElement(role, "", Box(40, top, 600, top + 80), source="accessibility", text=text, **more)  # type: ignore[arg-type]


def page(*texts: str) -> tuple[UIElement, ...]:
    return tuple(element(text, 100 + 120 * number, id=number + 1) for number, text in enumerate(texts))


class FirstLetter:
    """An encoder of 26 dimensions: the first letter of a text."""

    def encode(self, texts: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        assert isinstance(texts, list)
        rows = np.zeros((len(texts), 26), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[(ord(text[0].lower()) - ord("a")) % 26] = 1
        return rows


@pytest.mark.parametrize("count", range(2, 11))
def test_equal_candidates_share_the_probability(count: int) -> None:
    elements = page(*["Delete"] * count, "Cancel")
    ranked = bundled_ranker().rank(Question(parse_target("Delete")), Pool(elements, SIZE))
    chances = [each.probability for each in ranked if each.element.text == "Delete"]
    assert len(chances) == count
    assert max(chances) <= 1 / count + 1e-9


def test_probabilities_of_all_places_are_at_most_one() -> None:
    ranked = bundled_ranker().rank(Question(parse_target("the settings")), Pool(page(*LABELS), SIZE))
    assert 0 < sum(each.probability for each in ranked) <= 1 + 1e-9
    assert [each.probability for each in ranked] == sorted((each.probability for each in ranked), reverse=True)


def test_no_candidates_give_no_places() -> None:
    assert bundled_ranker().rank(Question(parse_target("Save")), Pool((), SIZE)) == ()


@pytest.mark.parametrize(
    ("phrase", "label"),
    [
        ("store my settings", "Save settings"),
        ("保存设置", "Save settings"),
        ("退出登录", "Sign out"),
        ("benachrichtigungen", "Notifications"),
    ],
)
def test_paraphrase_ranks_its_label_first(phrase: str, label: str) -> None:
    ranked = bundled_ranker().rank(Question(parse_target(phrase)), Pool(page(*LABELS), SIZE))
    assert ranked[0].element.text == label


def test_label_and_its_button_are_one_place() -> None:
    button = element("", 100)
    label = UIElement("text", "", Box(250, 120, 390, 160), source="accessibility", text="Save settings")
    ranked = bundled_ranker().rank(Question(parse_target("Save settings")), Pool((button, label), SIZE))
    assert len(ranked) == 1


def icon(left: int = 40) -> UIElement:
    return UIElement("icon", "", Box(left, 100, left + 60, 160), source="parser")


def caption(top: int = 170, left: int = 20, height: int = 24) -> UIElement:
    return UIElement("text", "", Box(left, top, left + 100, top + height), source="ocr", text="Web Browser")


@pytest.mark.parametrize(
    ("text", "chances", "joined"),
    [
        (caption(), (0.45, 0.4), True),
        (caption(), (0.4, 0.45), False),  # the text itself is meant: an icon above it adds nothing
        (caption(top=220), (0.45, 0.4), False),
        (caption(left=80), (0.45, 0.4), False),
        (caption(height=90), (0.45, 0.4), False),
        (caption(top=60), (0.45, 0.4), False),
    ],
)
def test_icon_and_its_caption_are_one_place(text: UIElement, chances: tuple[float, float], joined: bool) -> None:
    ranked = places((icon(), text), np.array(chances), np.arange(2))
    assert [round(each.probability, 2) for each in ranked] == ([0.85] if joined else [0.45, 0.4])
    assert ranked[0].has_caption == joined


def undecided() -> Ranker:
    """A ranker that finds all candidates and "none of these" equally probable."""
    leaf = np.full((1, 1), -1, np.int16)
    trees = Trees(
        leaf, np.zeros((1, 1), np.float32), leaf, leaf, np.zeros((1, 1), np.bool_), np.zeros((1, 1), np.float32), 0
    )
    return Ranker(trees, ("name_equal",), 1.0, Meaning(FirstLetter()))


@pytest.mark.parametrize(
    ("phrase", "score", "chance"),
    [
        ("the save icon", 0.9, 0.6),
        ("save", 0.9, 0.459),
        ("the save icon", 0.1, 0.333),
    ],
)
def test_matching_icon_has_three_times_the_odds(phrase: str, score: float, chance: float) -> None:
    pool = Pool((icon(), icon(300)), SIZE, {0: score, 1: 0.0})
    best = undecided().rank(Question(parse_target(phrase)), pool)[0]
    assert best.probability == pytest.approx(chance, abs=0.01)


def test_matching_control_has_three_times_the_odds() -> None:
    pool = Pool((element("Wi-Fi", 100, "switch"), element("Sound", 300, "switch")), SIZE)
    assert undecided().rank(Question(parse_target("the Wi-Fi switch")), pool)[0].probability == pytest.approx(0.6)


def test_tree_goes_left_at_threshold_and_for_nan() -> None:
    trees = Trees(
        feature=np.array([[0, -1, -1]], np.int16),
        threshold=np.array([[0.5, 0, 0]], np.float32),
        left=np.array([[1, -1, -1]], np.int16),
        right=np.array([[2, -1, -1]], np.int16),
        nan_left=np.array([[True, False, False]]),
        value=np.array([[0, 1, 2]], np.float32),
        depth=1,
    )
    rows = np.array([[0.5], [0.6], [np.nan]], np.float32)
    assert trees.scores(rows).tolist() == [1, 2, 1]


def test_none_row_has_only_question_level_features() -> None:
    table, names = evidence_table(Question(parse_target("Save")), Pool(page(*LABELS), SIZE), Meaning(FirstLetter()))
    assert table.shape == (len(LABELS) + 1, len(names))
    assert np.isnan(table[-1, names.index("name_ratio")])
    assert table[-1, names.index("candidates")] == len(LABELS)
    assert table[:, names.index("is_none")].tolist() == [0] * len(LABELS) + [1]


def test_trees_of_another_version_raise_parser_failed() -> None:
    trees = Trees(
        *(np.zeros((1, 1), np.int16) - 1,),
        np.zeros((1, 1), np.float32),
        *(np.zeros((1, 1), np.int16),) * 2,
        np.zeros((1, 1), np.bool_),
        np.zeros((1, 1), np.float32),
        0,
    )
    ranker = Ranker(trees, ["name_ratio", "a column of later days"], 1.0, Meaning(FirstLetter()))
    with pytest.raises(ParserFailed, match="of another version: nothing gives a column of later days"):
        ranker.rank(Question(parse_target("Save")), Pool(page(*LABELS), SIZE))


def test_earlier_find_does_not_resolve_equal_candidates() -> None:
    elements = page("Delete", "Delete", "Cancel")

    def first_here(target: Target) -> list[float]:
        pool = Pool(elements, SIZE, earlier=elements[:1])
        table, names = evidence_table(Question(target), pool, Meaning(FirstLetter()))
        return [float(value) for value in table[:-1, names.index("first_here")]]

    assert first_here(Target(text="Delete")) == [1, 1, 0]
    assert first_here(Target(text="Delete", ordinal=1)) == [1, 0, 0]


@pytest.mark.parametrize(
    ("line", "part", "before", "after"),
    [
        ("Profile 个人资料", "Profile", 0, 2),
        ("Profile 个人资料", "个人资料", 2, 0),
        ("配件 / 手表 / 眼镜", "手表", 1, 1),
        ("I accept the terms of service", "terms of service", 3, 0),
        ("关于自动语言选择", "自动语言选择", 4, 0),
    ],
)
def test_part_features_describe_its_boundaries(line: str, part: str, before: float, after: float) -> None:
    found = UIElement(
        "text", "", Box(40, 20, 200, 60), source="ocr", text=part, metadata={"layer": "part", "line": line}
    )
    pool = Pool((*page(*LABELS), found), SIZE)
    table, names = evidence_table(Question(Target(text=part)), pool, Meaning(FirstLetter()))
    row = dict(zip(names, table[-2], strict=True))
    assert (row["part_bound_before"], row["part_bound_after"]) == (before, after)
    assert row["part_share"] == pytest.approx(len(part) / len(line))
    assert np.isnan(table[0, names.index("part_share")])


def test_link_ink_differs_from_surrounding_text() -> None:
    image = Image.new("RGB", (600, 60), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(24)
    words = [("I accept the", "#222222"), ("terms of service", "#0b57d0"), ("and the rest", "#222222")]
    x, boxes = 10.0, []
    for text, colour in words:
        pen.text((x, 15), text, colour, font)
        boxes.append(Box(round(x), 12, round(x + pen.textlength(text, font)), 46))
        x = boxes[-1].right + 8
    line = " ".join(text for text, _ in words)

    def difference(at: int) -> float:
        part = UIElement(
            "text", "", boxes[at], source="ocr", text=words[at][0], metadata={"layer": "part", "line": line}
        )
        return float(part_evidence(Pool((part,), SIZE), Screen.from_image(image))["part_looks_other"][0])

    assert difference(1) > 0.5
    plain = UIElement(
        "text",
        "",
        Box(boxes[0].left, 12, boxes[0].left + 60, 46),
        source="ocr",
        text="I acc",
        metadata={"layer": "part", "line": line},
    )
    assert part_evidence(Pool((plain,), SIZE), Screen.from_image(image))["part_looks_other"][0] < 0.1


@pytest.mark.parametrize("damage", ["cut", "other"])
def test_damaged_weights_are_named(damage: str, tmp_path: Path) -> None:
    file = tmp_path / "ranker.npz"
    if damage == "cut":
        file.write_bytes(WEIGHTS.read_bytes()[:5000])
    else:
        np.savez(file, names=np.array(["a"]))
    with pytest.raises(ParserFailed, match="the ranker's trees"):
        Ranker.load(file, Meaning(FirstLetter()))


def test_each_text_is_encoded_once() -> None:
    asked: list[str] = []

    class Counting(FirstLetter):
        def encode(self, texts: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
            asked.extend(texts)  # type: ignore[arg-type]
            return super().encode(texts)

    meaning = Meaning(Counting())
    assert meaning.cosines("alpha", ["apple", "banana", "", "apple"]).tolist() == [1, 0, 0, 1]
    meaning.cosines("beta", ["apple", "banana"])
    assert sorted(asked) == ["alpha", "apple", "banana", "beta"]


def test_elements_of_two_sources_are_merged() -> None:
    tree = page("Save", "Cancel")
    seen = (UIElement("text", "Save", Box(300, 120, 380, 160), source="parser", text="Save"), element("Help", 500))
    assert [each.text for each in merged([tree, seen])] == ["Save", "Cancel", "Help"]


def test_chinese_words_are_character_pairs() -> None:
    assert words_of("打开 Wi-Fi settings") == ("打开", "wi", "fi", "setting")


def blank() -> Screen:
    return Screen(np.zeros((SIZE.height, SIZE.width, 3), np.uint8))


class BrokenTree:
    slow = False

    def detect(self, screen: Screen) -> UIState:
        raise TreeFailed("no tree")


def test_error_is_raised_if_every_source_fails() -> None:
    with pytest.raises(TreeFailed):
        Sources(BrokenTree(), None).pool(parse_target("Save"), blank(), (), answered=False)  # type: ignore[arg-type]


def test_candidates_are_inside_the_region_and_uncovered() -> None:
    provider = FakeProvider()
    window = element("", 0, "window", id=1)
    lower = element("Save", 1500, id=2, parent=1)
    cover = UIElement(
        "button", "", lower.bbox.expand(5), source="accessibility", text="Notice", id=3, parent=1, interactive=True
    )
    upper = element("Save", 100, id=4, parent=1)
    provider.elements = (window, lower, cover, upper)
    sources = Sources(provider, None)
    everywhere = sources.pool(Target(text="Save"), blank(), (), answered=False)
    assert [each.id for each in everywhere.elements if each.text] == [3, 4]
    below = sources.pool(Target(text="Save", region=Region(0, 0.5, 1, 1)), blank(), (), answered=False)
    assert [each.id for each in below.elements] == [3]


def test_long_query_or_too_many_elements_are_skipped() -> None:
    provider = FakeProvider()
    provider.elements = tuple(element(f"Row {number}", number, id=number + 1) for number in range(1500))
    strategy = RankingStrategy(bundled_ranker, Sources(provider, None))
    assert strategy.accepts(Target(text="save " * 100)) is not None
    result = LocateChain([strategy]).locate(Target(text="save the row"), blank())
    assert (result.success, result.looked, result.failure) == (False, False, None)
    assert result.attempts[0].note == "1,500 elements are seen, more than 1,000: name a region"


@pytest.mark.parametrize(
    "phrase",
    [
        "the button right of Edit in the row of Bob",
        "the checkbox left of the second Alice",
        'the button that is not "Delete"',
    ],
)
def test_ranker_does_not_accept_unsupported_phrases(phrase: str) -> None:
    strategy = RankingStrategy(bundled_ranker, Sources(FakeProvider(), None))
    assert strategy.accepts(parse_target(phrase)) is not None
    assert strategy.accepts(parse_target("the button right of Edit")) is None


def test_negation_in_anchor_name_does_not_negate() -> None:
    assert not Question(parse_target("the switch right of Do not disturb")).negated
    assert not Question(parse_target("勿扰模式右边的开关")).negated
    assert Question(parse_target("不保存")).negated
    assert Question(
        Target(text="Don't save", relations=(Relation(RelationKind.LEFT_OF, Target(role="switch")),))
    ).negated


def test_ambiguous_anchor_is_refused() -> None:
    rows = [
        each
        for top in (100, 300)
        for each in (element("Alice", top, "text"), replace(element("Star", top), bbox=Box(600, top, 700, top + 40)))
    ]
    numbered = tuple(replace(each, id=number) for number, each in enumerate(rows, 1))
    strategy = RankingStrategy(bundled_ranker, Sources(FakeProvider(numbered), None), least=0.1)
    result = LocateChain([strategy]).locate(parse_target("the Star button right of Alice"), NOISE)
    assert result.element is None
    one = RankingStrategy(bundled_ranker, Sources(FakeProvider(numbered[:2]), None), least=0.1)
    assert LocateChain([one]).locate(parse_target("the Star button right of Alice"), NOISE).element is not None


@pytest.fixture
def locator() -> VisualLocator:
    provider = FakeProvider()
    provider.elements = page(*LABELS)
    return VisualLocator(reader=None, parser=None, vision=None, tree=provider, order=("accessibility", "ranker"))


NOISE = Screen(np.random.default_rng(1).integers(0, 255, (SIZE.height, SIZE.width, 3), np.uint8))


def test_ranker_answers_phrase_unknown_to_other_strategies(locator: VisualLocator) -> None:
    result = locator.locate("保存设置", NOISE)
    assert result.method_used == "ranker"
    assert result.element is not None
    assert result.element.text == "Save settings"
    assert result.confidence >= LEAST_SURE


@pytest.mark.parametrize("phrase", ["the settings button", "the privacy policy link", "通知按钮", "the last button"])
def test_key_query_and_phrase_are_ranked_alike(phrase: str) -> None:
    said, pool = parse_target(phrase), Pool(page(*LABELS), SIZE)
    keys = replace(said, phrase=None)
    first, same = (bundled_ranker().rank(Question(each), pool)[0] for each in (said, keys))
    assert same.element is first.element
    assert same.probability == pytest.approx(first.probability, abs=0.05)


@pytest.mark.parametrize(
    ("words", "name", "role"),
    [
        ("the undo arrow", "undo", "icon"),
        ("撤销箭头", "撤销", "icon"),
        ("The arrow", "arrow", "icon"),
        ("Narrow", "Narrow", None),
        ("Arrow keys", "Arrow keys", None),
        ("“Down arrow”", "Down arrow", None),
    ],
)
def test_arrow_as_a_word_has_icon_role(words: str, name: str, role: str | None) -> None:
    target = Question(parse_target(words)).target
    assert (target.text, target.role) == (name, role)


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("the section on cookies", "cookies"),
        ("How do I report a bug?", "report a bug"),
        ("I want to go to the news", "news"),
        ("数据类型那一章", "数据类型"),
        ("怎么获得技术支持？", "获得技术支持"),
        ("ver mi equipo", "mi equipo"),
        ("gehe zu Einstellungen", "Einstellungen"),
        ("see", "see"),
        ("Read more", "Read more"),
        ("关于手机", "关于手机"),
        ("the list of", "the list of"),
        ("Seesaw", "Seesaw"),
        ("the last page of the index", "page of the index"),
        ("“How to start”", "How to start"),
        ("不要查看余额", "不要查看余额"),
    ],
)
def test_filler_words_around_name_are_stripped(phrase: str, name: str) -> None:
    question = Question(parse_target(phrase))
    assert question.name == name
    assert phrase.strip("“”") in question.phrase


@pytest.mark.parametrize("phrase", ["第三个语言", "别保存设置", "do not save the settings", "香蕉"])
def test_ranker_refuses_negated_and_absent_targets(phrase: str, locator: VisualLocator) -> None:
    result = locator.locate(phrase, NOISE)
    assert not result.success
    assert result.method_used == "none"


def test_violated_relation_keeps_confidence_below_action_threshold(locator: VisualLocator) -> None:
    assert locator.locate("保存设置右边的语言", NOISE).confidence < LEAST_FOR_ACTS


@pytest.mark.parametrize(
    ("phrase", "parts"),
    [
        ("the Notifications button", ("same text", "right kind")),
        ("the Notifications switch", ("same text", "other kind")),
        ("the Notifications below Language", ("same text", "fits the relation")),
        ("the first Notifications button", ("same text", "right kind", "fits the number")),
    ],
)
def test_ranked_place_lists_satisfied_phrase_parts(phrase: str, parts: tuple[str, ...]) -> None:
    ranked = bundled_ranker().rank(Question(parse_target(phrase)), Pool(page(*LABELS), SIZE))
    assert next(each.parts for each in ranked if each.element.text == "Notifications") == parts


@pytest.mark.parametrize("share", [0.9, 1.1])
def test_min_confidence_is_the_ranker_threshold(share: float) -> None:
    provider = FakeProvider()
    provider.elements = page(*LABELS)

    def located(least: float) -> LocateResult:
        locator = VisualLocator(
            reader=None, parser=None, vision=None, tree=provider, order=("ranker",), min_confidence=least
        )
        return locator.locate("保存设置右边的语言", NOISE)

    probability = located(0.0).confidence
    assert 0 < probability < 0.9
    assert located(share * probability).success is (share < 1)


def sentence() -> tuple[Screen, Box]:
    """A page with links inside a sentence, and the place of its first link."""
    image = Image.new("RGB", (1000, 300), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(20)
    pen.text((30, 20), "Create an account", "#111111", ImageFont.load_default(30))
    x, link = 30.0, Box(0, 0, 1, 1)
    for text in ("By signing up you accept the ", "terms of service", " and the ", "privacy policy", " of this site."):
        is_link = text in ("terms of service", "privacy policy")
        pen.text((x, 90), text, "#0b57d0" if is_link else "#222222", font)
        if text == "terms of service":
            link = Box(round(x), 88, round(x + pen.textlength(text, font)), 116)
        x += pen.textlength(text, font)
    pen.text((30, 140), "We store your data for thirty days after the account is closed.", "#222222", font)
    pen.rectangle((30, 200, 190, 240), fill="#0b57d0")
    pen.text((70, 208), "Sign up", "white", font)
    return Screen.from_image(image), link


def test_only_link_words_inside_sentence_are_found() -> None:
    screen, link = sentence()
    locator = VisualLocator(vision=None)
    for words in ("terms of service", "the terms of service link", "“terms of service”", 'text="terms of service"'):
        found = locator.locate(words, screen)
        assert found.element is not None, words
        assert link.contains(found.element.center), words
    assert not locator.locate("thirty days", screen).success


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("sign out", "Login"),
        ("退出登录", "Log in"),
        ("the log out button", "Sign in"),
        ("打开蓝牙", "Turn off Bluetooth"),
        ("undelete", "Delete"),
        ("the next step", "上一步"),
        ("取消订阅", "Subscribe"),
        ("activate", "Deactivate account"),
        ("departures", "Arrivals"),
        ("sign in with Apple", "Sign in with Google"),
    ],
)
def test_opposite_label_is_refused(words: str, label: str) -> None:
    assert opposed(words, label)
    assert opposed(label, words)
    assert not opposed(words, words)
    provider = FakeProvider()
    provider.elements = page(label, "Privacy policy", "Help")
    locator = VisualLocator(reader=None, parser=None, vision=None, tree=provider, order=("ranker",))
    assert not locator.locate(words, NOISE).success


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("log in", "Sign in"),
        ("保存设置", "Save settings"),
        ("the next page", "下一页"),
        ("turn off wifi", "关闭无线网络"),
        ("unsubscribe", "取消订阅"),
        ("delete the account", "Delete account"),
    ],
)
def test_synonyms_are_not_opposites(words: str, label: str) -> None:
    assert not opposed(words, label)


def test_part_of_name_or_sentence_is_refused() -> None:
    image = Image.new("RGB", (900, 420), "white")
    pen = ImageDraw.Draw(image)
    lines = ("Anna Smith Jr.", "www.bank.com.evil.io", "iPhone 15 Pro Max", "You can cancel your plan at any time.")
    for number, text in enumerate(lines):
        pen.text((40, 40 + 90 * number), text, "#222222", ImageFont.load_default(22))
    locator = VisualLocator(vision=None)
    for words in ("Anna Smith", "www.bank.com", "iPhone 15 Pro", "cancel the plan"):
        assert not locator.locate(words, Screen.from_image(image)).success, words


def test_list_item_and_its_label_are_one_place() -> None:
    label = UIElement("text", "", Box(40, 110, 160, 140), source="accessibility", text="Language")
    row = UIElement("list item", "", Box(0, 90, 1000, 160), source="accessibility", text="Language")
    ranked = bundled_ranker().rank(Question(parse_target("语言")), Pool((row, label, *page("Help")), SIZE))
    assert [each.element.text for each in ranked][:1] == ["Language"]
    assert [each.element.text for each in ranked].count("Language") == 1


def test_quoted_text_is_not_matched_by_meaning(locator: VisualLocator) -> None:
    assert locator.locate("语言", NOISE).method_used == "ranker"
    for phrase in ("“语言”", "点击“语言”", "click '语言'", 'text="语言"'):
        assert not locator.locate(phrase, NOISE).success, phrase


def test_element_over_blank_pixels_is_refused(locator: VisualLocator) -> None:
    result = locator.locate("保存设置", blank())
    assert not result.success
    assert result.candidates[0].text == "Save settings"


def test_refusal_lists_best_candidates(locator: VisualLocator) -> None:
    result = locator.locate("别保存设置", NOISE)
    assert [(each.text, each.reliable) for each in result.candidates] == [("Save settings", False)]


def test_negated_label_does_not_match_plain_phrase() -> None:
    provider = FakeProvider()
    provider.elements = page("Don't save", "Cancel", "Help")
    locator = VisualLocator(reader=None, parser=None, vision=None, tree=provider, order=("ranker",))
    assert not locator.locate("保存", NOISE).success


def test_notes_contain_no_screen_texts(locator: VisualLocator) -> None:
    result = locator.locate("an invoice for the new keyboard", NOISE)
    note = next(each.note for each in result.attempts if each.strategy == "ranker")
    assert not any(label in note for label in LABELS)


@pytest.mark.parametrize("target", [Target(text="Save", exact=True), Target(reference="Save"), Target(id="save")])
def test_exact_reference_and_id_targets_are_skipped(target: Target) -> None:
    strategy = RankingStrategy(bundled_ranker, Sources(None, None))
    assert strategy.accepts(target) is not None
    assert strategy.accepts(Target(text="Save")) is None


def headings(*heights: int) -> tuple[UIElement, ...]:
    return tuple(
        UIElement(
            "text", "", Box(40, 100 * at, 240, 100 * at + height), source="accessibility", text="Settings", id=at + 1
        )
        for at, height in enumerate(heights)
    )


@pytest.mark.parametrize(
    ("phrase", "heights", "equal"),
    [
        ("the Settings heading", (20, 21), [[0, 1]]),
        ("the Settings heading", (27, 26), [[0, 1]]),
        ("the Settings heading", (14, 28, 15), [[0, 2]]),
        ("the Settings text", (14, 28), [[0, 1]]),
    ],
)
def test_headings_of_different_heights_are_not_equal(
    phrase: str, heights: tuple[int, ...], equal: list[list[int]]
) -> None:
    found = equal_candidates(Question(parse_target(phrase)), Pool(headings(*heights), SIZE))
    assert [sorted(each) for each in found] == equal


def test_missing_ordinal_is_refused_at_zero_threshold(locator: VisualLocator) -> None:
    provider = FakeProvider()
    provider.elements = page(*LABELS)
    unbound = VisualLocator(reader=None, parser=None, vision=None, tree=provider, order=("ranker",), min_confidence=0.0)
    result = unbound.locate("the fifth Language", NOISE)
    assert not result.success
    assert "none of the things that are seen can be it" in (result.error or "")


def test_quoted_text_matches_control_containing_it() -> None:
    button = UIElement(
        "button", "", Box(40, 1400, 640, 1480), source="accessibility", text="Save (Ctrl+S)", id=11, interactive=True
    )
    label = UIElement("text", "", Box(60, 1410, 620, 1470), source="accessibility", text="Save", id=12, parent=11)
    provider = FakeProvider()
    provider.elements = (button, label, *page("Help", "Language"))
    locator = VisualLocator(reader=None, parser=None, vision=None, tree=provider, order=("ranker",), min_confidence=0.5)
    assert locator.locate('the "Save" button', NOISE).success
    other = locator.locate('the "Store" button', NOISE)
    assert not other.success


def test_quoted_or_exact_name_requires_the_role() -> None:
    provider = FakeProvider()
    provider.elements = page(*LABELS)
    locator = VisualLocator(reader=None, parser=None, vision=None, tree=provider, order=("ranker",), min_confidence=0.1)
    for phrase in ('the "Notifications" switch', "text=Language role=switch exact=true"):
        assert not locator.locate(phrase, NOISE).success, phrase
