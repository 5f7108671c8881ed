"""Tests of the icon vocabulary: consistent tables, and phrases that find the intended icon."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handeye.parse import read_glossary
from handeye.parse.vocabulary import Concept, concept, concepts, concepts_of, english_of, is_term
from handeye.parse.vocabulary.forms import key_of, units_of


def _first(phrase: str) -> str:
    found = concepts_of(phrase)
    return found[0].id if found else ""


# -- the tables


def test_vocabulary_covers_interface_icons() -> None:
    assert len(concepts()) > 2_000
    assert all(each.chinese and len(each.terms) >= 3 for each in concepts()), [
        each.id for each in concepts() if not each.chinese or len(each.terms) < 3
    ]


def test_every_term_belongs_to_one_concept() -> None:
    owners: dict[str, set[str]] = {}
    for each in concepts():
        for term in set(each.terms) - each.also:
            assert units_of(term), f"{each.id}: {term!r} says nothing"
            owners.setdefault(key_of(units_of(term)), set()).add(each.id)
    assert {key: ids for key, ids in owners.items() if len(ids) > 1} == {}


def test_secondary_term_has_a_primary_concept() -> None:
    lonely = {(each.id, term) for each in concepts() for term in each.also if concepts_of(term)[0] is each}
    assert lonely == set()


def test_confusable_concepts_are_symmetric() -> None:
    for each in concepts():
        assert each.id not in each.confusable
        assert len(set(each.confusable)) == len(each.confusable)
        assert all(each.id in concept(other).confusable for other in each.confusable)


@pytest.mark.parametrize(
    "pair", ["undo redo", "heart bookmark", "play next", "upload download", "login logout", "lock unlock"]
)
def test_risky_icon_pairs_are_marked_confusable(pair: str) -> None:
    one, other = pair.split()
    assert other in concept(one).confusable


def test_terms_find_their_concept() -> None:
    lost = [(each.id, term) for each in concepts() for term in each.terms if each not in concepts_of(term)]
    assert lost == []


def test_glossary_terms_are_translated() -> None:
    rows = [(term, english) for chinese, english in read_glossary() for term in chinese]
    assert len({term for term, _ in rows}) >= 1_900
    assert [term for term, english in rows if not set(english) <= set(english_of(term))] == []


# -- what people say


@pytest.mark.parametrize(
    ("phrase", "wanted"),
    [
        *[
            ("search", "search"),
            ("the magnifying glass", "search"),
            ("Magnifier icon", "search"),
            ("looking glass", "search"),
        ],
        *[
            ("paper plane", "send"),
            ("three dots", "more"),
            ("hamburger", "menu"),
            ("the house", "home"),
            ("gear wheel", "settings"),
        ],
        *[("thumbs up", "like"), ("speech bubble", "message"), ("floppy disk", "save"), ("crescent moon", "dark-mode")],
        *[
            ("funnel", "filter"),
            ("bin", "delete"),
            ("a bell", "notification"),
            ("left arrow", "back"),
            ("arrow left", "back"),
        ],
        *[("Wi-Fi", "wifi"), ("wi fi", "wifi"), ("AEROPLANE MODE", "airplane-mode"), ("crossed eye", "visibility-off")],
        *[
            ("users", "people"),
            ("user", "profile"),
            ("×", "close"),
            ("#", "hashtag"),
            ("@", "at"),
            ("favourite", "heart"),
        ],
        *[
            ("the toggle for airplane mode", "airplane-mode"),
            ("wallet settings", "settings"),
            ("gears", "settings-gears"),
        ],
    ],
)
def test_english_phrase_finds_its_concept(phrase: str, wanted: str) -> None:
    assert _first(phrase) == wanted


@pytest.mark.parametrize(
    ("phrase", "wanted"),
    [
        *[
            ("搜索", "search"),
            ("放大镜", "search"),
            ("搜尋", "search"),
            ("找一下", "search"),
            ("点击搜索图标", "search"),
        ],
        *[("返回", "back"), ("返回箭头", "back"), ("左箭头", "back"), ("後退", "back"), ("那个齿轮的图标", "settings")],
        *[
            ("纸飞机", "send"),
            ("红色的发送按钮", "send"),
            ("三个点", "more"),
            ("竖着的三个点", "more-vertical"),
            ("小房子", "home"),
        ],
        *[
            ("飞行模式", "airplane-mode"),
            ("飛行模式", "airplane-mode"),
            ("ＷｉＦｉ", "wifi"),
            ("WiFi图标", "wifi"),
            ("关闭麦克风", "microphone-off"),
        ],
    ],
)
def test_chinese_phrase_finds_its_concept(phrase: str, wanted: str) -> None:
    assert _first(phrase) == wanted


@pytest.mark.parametrize(
    ("phrase", "wanted"), [("calendar with a plus", "calendar-add"), ("a bell and a slash", "notification-off")]
)
def test_combined_concepts_name_a_third(phrase: str, wanted: str) -> None:
    assert _first(phrase) == wanted


@pytest.mark.parametrize(
    ("phrase", "wanted"),
    [
        *[
            ("the microphone with a slash", "microphone-off"),
            ("a crossed-out bell", "notification-off"),
            ("gps off", "location-off"),
        ],
        *[
            ("a bell with a line through it", "notification-off"),
            ("turn off the light", "bulb-off"),
            ("关闭的铃铛", "notification-off"),
        ],
        *[("被划掉的麦克风", "microphone-off"), ("no entry", "block")],
    ],
)
def test_crossed_out_phrase_names_the_off_icon(phrase: str, wanted: str) -> None:
    assert [each.id for each in concepts_of(phrase)] == [wanted]


def test_unknown_crossed_out_icon_is_not_plain_icon() -> None:
    assert _first("a dog") == "dog"
    assert concepts_of("a dog with a slash") == ()


@pytest.mark.parametrize(
    ("sign", "wanted"),
    [
        ("🔍", "search"),
        ("⚙️", "settings"),
        ("⋮", "more-vertical"),
        ("…", "more"),
        ("×", "close"),
        ("＋", "add"),
        ("→", "forward"),
    ],
)
def test_symbol_finds_its_concept(sign: str, wanted: str) -> None:
    assert _first(sign) == wanted


def test_concepts_are_ordered_by_likelihood() -> None:
    assert [each.id for each in concepts_of("back")] == ["back", "chevron-left"]


@pytest.mark.parametrize(
    "phrase",
    ["", " ", "\x00", "😀🏳️‍🌈", "the icon", "按钮", "x" * 10_000, "的" * 10_000, "مرحبا", "zebra crossing by a brook"],
)
def test_meaningless_phrase_has_no_concept(phrase: str) -> None:
    assert concepts_of(phrase) == ()


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_gives_concepts_and_terms(phrase: str) -> None:
    assert all(isinstance(each, Concept) for each in concepts_of(phrase))
    assert all(isinstance(term, str) and term for term in english_of(phrase))


@settings(deadline=None)
@example("houses", "the {}")
@given(
    st.sampled_from(concepts()).flatmap(lambda each: st.sampled_from(each.terms)),
    st.sampled_from(["the {}", "{} icon", "  {}  ", "{}图标"]),
)
def test_filler_words_around_term_are_ignored(term: str, frame: str) -> None:
    assert set(concepts_of(term)) & set(concepts_of(frame.format(term)))


# -- from Chinese to English


@pytest.mark.parametrize(
    ("chinese", "english"), [("发送", "send"), ("發送", "send"), ("返回箭头", "back"), ("search", None), ("", None)]
)
def test_chinese_term_is_translated_to_english(chinese: str, english: str | None) -> None:
    assert (english_of(chinese)[0] if english_of(chinese) else None) == english


def test_partly_known_phrase_is_not_a_term() -> None:
    for phrase in ("the trash can", "三个点", "右上角的三个点", "Home page", "返回箭头"):
        assert is_term(phrase), phrase
    for phrase in ("量子计算机", "brown dog on settings", "打开微信", "张三", "", "🦄" * 5000):
        assert not is_term(phrase), phrase
