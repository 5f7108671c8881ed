"""Tests of the layers of approximate text matching: decoration, scripts, accents, wrapping, parts, misread letters."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.geometry import Box
from handeye.locate import LEAST_CONFIDENCE
from handeye.text import TextLine, TextMatch, match_text, normalize, simplify, without_diacritics

SURE = 0.8
HEIGHT = 20


def token(text: str, left: int = 0, top: int = 0, *, pitch: int = 10) -> TextLine:
    return TextLine(text, Box(left, top, left + pitch * len(text), top + HEIGHT), 1.0)


def only(wanted: str, *lines: TextLine) -> TextMatch:
    (match,) = match_text(wanted, lines)
    return match


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("Save", "&Save"),
        ("Exit", "E&xit"),
        ("Save", "Save (S)"),
        ("保存", "保存(S)"),
        ("保存", "保存（&S）..."),
        ("保存", "保存(S) Ctrl+S"),
        ("Save", "Save Ctrl+S"),
        ("Redo", "Redo   Ctrl+Shift+Z"),
        ("Copy", "Copy ⌘C"),
        ("Delete", "Delete Shift+Del"),
        ("Save", "● Save"),
        ("Show details", "▶ Show details"),
        ("Password", "Password *"),
        ("更多", "更多 >"),
        ("New tab", "+ New tab"),
        ("🔍 搜索", "搜索"),
        ("Send", "Send 🚀"),
        ("Send 🚀", "Send"),
        ("Save (S)", "Save"),
    ],
)
def test_decorated_label_is_found(wanted: str, text: str) -> None:
    match = only(wanted, token(text))
    assert match.layer == "decorated"
    assert match.confidence > SURE
    assert not match_text(wanted, [token(text)], exact=True)


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("Vitamin", "Vitamin (C)"),
        ("Save", "Save as..."),
        ("Save", "Save all Ctrl+Shift+S"),
        ("Sign in", "Sign in with Google"),
        ("方案", "方案说明"),
        ("Model", "Model F1"),
    ],
)
def test_additional_words_are_not_decoration(wanted: str, text: str) -> None:
    assert all(match.confidence < SURE for match in match_text(wanted, [token(text)]))


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("方案(A)", "方案(B)"),
        ("5", "-5"),
        ("5", "+5"),
        ("5", ".5"),
        ("→", "←"),
        ("+", "-"),
        ("AB+", "AB"),
        ("Volume –", "Volume"),
    ],
)
def test_meaningful_symbols_are_not_stripped(wanted: str, text: str) -> None:
    assert match_text(wanted, [token(text)]) == []


@pytest.mark.parametrize("text", ["-£1.00", "−£1.00", "–£1.00", "＋£1.00", "+£1.00", "Refund −£1.00", "£-1.00"])
def test_amount_with_sign_differs_from_unsigned_amount(text: str) -> None:
    for confidence in (1.0, 0.9):  # read well, and in doubt
        line = replace(token(text), confidence=confidence)
        assert all(match.confidence < LEAST_CONFIDENCE for match in match_text("£1.00", [line]))
        assert only(text, line).confidence > SURE


@pytest.mark.parametrize(
    ("wanted", "text"),
    [("£1000.00", "-£1000.00"), ("€2.50", "−€.50"), ("-.5", ".5"), ("−7", "7"), ("+5", "5"), ("1000.00", "£-1000.00")],
)
def test_amounts_with_different_signs_do_not_match(wanted: str, text: str) -> None:
    for one, other in ((wanted, text), (text, wanted)):
        assert all(
            match.confidence < LEAST_CONFIDENCE
            for match in match_text(one, [replace(token(other), confidence=0.9)], negated=True)
        )


@pytest.mark.parametrize(
    ("wanted", "text"), [("-£1.00", "−£1.00"), ("−7", "-7"), ("–€5", "‐€5"), ("-£1.00", "－￡1.00")]
)
def test_minus_sign_variants_are_equal(wanted: str, text: str) -> None:
    assert only(wanted, token(text)).layer == "normalised"
    assert match_text(wanted, [token(text)], exact=True)


def test_label_box_excludes_keyboard_shortcut() -> None:
    match = only("Save", token("Save Ctrl+S"))
    assert (match.text, match.box) == ("Save", Box(0, 0, 40, HEIGHT))


@pytest.mark.parametrize(
    ("wanted", "text"), [("設置", "设置"), ("设置", "設置"), ("確定", "确定"), ("通訊錄", "通讯录"), ("後退", "后退")]
)
def test_simplified_and_traditional_chinese_match(wanted: str, text: str) -> None:
    match = only(wanted, token(text))
    assert match.layer == "variant"
    assert match.confidence > SURE
    assert not match_text(wanted, [token(text)], exact=True), "張三 and 张三 may be two people"


@pytest.mark.parametrize(
    ("wanted", "text"), [("账号", "帐号"), ("帐户", "账户"), ("帳號", "账号"), ("黏贴", "粘贴"), ("接著", "接着")]
)
def test_interchangeable_chinese_characters_match(wanted: str, text: str) -> None:
    assert only(wanted, token(text)).layer == "variant"


@pytest.mark.parametrize(
    ("wanted", "text"), [("登陆", "登录"), ("其它", "其他"), ("定单", "订单"), ("图象", "图像"), ("份", "分")]
)
def test_chinese_characters_of_other_words_do_not_match(wanted: str, text: str) -> None:
    assert match_text(wanted, [token(text)]) == []


def test_partial_match_works_across_chinese_scripts() -> None:
    match = only("通訊錄", token("打开通讯录权限"))
    assert (match.layer, match.text) == ("part", "通讯录")


def test_same_script_is_preferred_to_other_script() -> None:
    assert only("設置", token("设置"), token("設置", top=60)).box.top == 60


@pytest.mark.parametrize(("wanted", "text"), [("Parametres", "Paramètres"), ("Über", "Uber"), ("oeuvre", "œuvre")])
def test_missing_accents_still_match(wanted: str, text: str) -> None:
    assert only(wanted, token(text)).layer == "variant"


@pytest.mark.parametrize(("wanted", "text"), [("bàn", "bán"), ("はし", "ばし"), ("мой", "мои")])
def test_different_accents_do_not_match(wanted: str, text: str) -> None:
    assert match_text(wanted, [token(text)]) == []


def test_words_of_one_row_are_joined() -> None:
    words = [token("New", 0), token("Encounter", 37), token("Save", 0, 60), token("Encounter", 47, 60)]
    match = only("new encounter", *words)
    assert (match.text, match.layer) == ("New Encounter", "normalised")
    assert match.box == Box(0, 0, 127, HEIGHT)
    assert {each.box.top for each in match_text("Encounter", words)} == {0, 60}
    assert all(abs(each.box.width - 90) <= 1 for each in match_text("Encounter", words))


def test_different_letter_in_confident_line_is_candidate_only() -> None:
    sure, doubtful = token("Erik Olsen"), replace(token("Erik Olsen"), confidence=0.9)
    assert only("Erik Olson", sure).confidence < LEAST_CONFIDENCE
    assert only("Erik Olson", doubtful).confidence > LEAST_CONFIDENCE


@pytest.mark.parametrize(("wanted", "text"), [("Employees", "三 Employees"), ("Orders", "≡Orders"), ("我的", "☐ 我的")])
def test_icon_read_as_character_does_not_hide_label(wanted: str, text: str) -> None:
    assert only(wanted, token(text)).confidence > SURE


def test_one_word_of_split_line_has_low_confidence() -> None:
    assert only("Save", token("Save", 0), token("as", 46)).confidence < SURE


def test_separated_labels_are_not_joined() -> None:
    assert match_text("确定取消", [token("确定", 0, pitch=20), token("取消", 60, pitch=20)]) == []
    assert only("确定", token("确定", 0, pitch=20), token("取消", 60, pitch=20)).layer == "exact"


def test_lines_of_different_height_are_not_wrapped_label() -> None:
    small = TextLine("Alpha", Box(0, 34, 50, 34 + HEIGHT), 1.0)
    for height, count in ((1.5, 1), (1.7, 0)):
        name = TextLine("Project", Box(0, 30 - round(height * HEIGHT), 120, 30), 1.0)
        assert len(match_text("Project Alpha", [name, small])) == count
    for above in ("无", "没有", "禁止", "别", "无法"):
        assert only("询问", token(above, 0, 0), token("询问", 0, 24)).layer == "exact"


def test_label_wrapped_on_two_lines_is_found() -> None:
    match = only("Add to shopping cart", token("Add to", 57, 0), token("shopping cart", 20, 32), token("Pay", 20, 120))
    assert (match.layer, match.box) == ("wrapped", Box(20, 0, 150, 52))
    assert only("文件传输助手", token("文件传输", 0, 0), token("助手", 10, 30)).layer == "wrapped"


@pytest.mark.parametrize(
    "lines",
    [
        [token("张", 0, 0), token("三", 0, 26)],
        [token("Save", 0, 0), token("as", 0, 60)],  # too far below
        [token("Save", 0, 0), token("changes", 90, 30)],  # beside
        [token("New", 0, 0), token("file", 0, 30), token("Open", 0, 60), token("Quit", 0, 90)],  # a list
    ],
)
def test_unrelated_lines_are_not_joined_to_label(lines: list[TextLine]) -> None:
    for wanted in ("张三", "Save as", "Save changes", "New file", "file Open"):
        assert match_text(wanted, lines) == []


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("微信", "微信(3)"),
        ("微信", "微信（99+）"),
        ("Inbox", "Inbox · 1,204"),
        ("Inbox", "7 · Inbox"),
        ("Inbox", "(3) Inbox"),
        ("Save", "3. Save"),
        ("Messages", "2 Messages"),
        ("Li Weiwei", "8 Li Weiwei"),
    ],
)
def test_count_next_to_label_is_ignored(wanted: str, text: str) -> None:
    assert LEAST_CONFIDENCE < only(wanted, token(text)).confidence < SURE


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        *(("iPhone", "iPhone 15"), ("Windows", "Windows 11"), ("Level", "Level 3"), ("Save", "Save 50")),
        *(("Inbox", "Inbox 12"), ("消息中心", "消息中心 3"), ("Version", "Version 2 ")),
    ],
)
def test_trailing_number_may_be_part_of_name(wanted: str, text: str) -> None:
    assert only(wanted, token(text)).confidence < LEAST_CONFIDENCE
    assert only(text, token(text)).confidence > SURE


@pytest.mark.parametrize("text", ["-5°", "-5 °", "-5°C", "−5℃", "-5℉", "-5 ‰", "-5%", "-5€", "$-5"])
@pytest.mark.parametrize("wanted", ["-5", "5"])
def test_unit_of_a_number_is_not_decoration(wanted: str, text: str) -> None:
    assert all(match.confidence < LEAST_CONFIDENCE for match in match_text(wanted, [token(text)]))


@pytest.mark.parametrize("wanted", ["用户协议", "《用户协议》", "隐私政策"])
def test_title_marks_delimit_link_in_sentence(wanted: str) -> None:
    sentence = token("我已阅读并同意《用户协议》和《隐私政策》", left=40)
    match = only(wanted, sentence)
    inside = wanted.strip("《》")
    assert (match.layer, match.text) == ("title", inside)
    assert match.confidence > SURE
    assert match.box == sentence.box_of(sentence.text.index(inside), sentence.text.index(inside) + len(inside))


def test_whole_label_is_preferred_to_marked_title() -> None:
    assert all(
        match.confidence < LEAST_CONFIDENCE for match in match_text("用户协议", [token("同意《用户协议（儿童版）》")])
    )
    button = token("用户协议", top=200)
    assert only("用户协议", token("我已阅读《用户协议》"), button).box == button.box
    assert not any(m.layer == "title" for m in match_text("用户协议", [token("同意《用户协议》")], exact=True))
    assert len(match_text("用户协议", [token("同意《用户协议》"), token("《用户协议》已更新", top=90)])) == 2


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("Save", "Save as"),
        ("Delete", "Delete account"),
        ("New Encounter", "New Encounter form"),
        ("文件传输", "文件传输助手"),
        ("张三", "张三、李四"),
        ("Export", "Import/Export"),
        ("Save", 'Delete "Save"'),
        ("张三", "删除“张三”"),
        ("Save", "Error: Save"),
        ("failed", "Save: failed"),
        ("Save", "Save (disabled)"),
        ("Sign up", "No account? Sign up!"),
        ("C", "C++"),
        ("C", "C#"),
        ("A", "A-"),
        ("Save", "Save 20%"),
        ("张三", "张三2"),
        ("Pay", "Pay ¥5"),
    ],
)
def test_partial_match_is_a_candidate_only(wanted: str, text: str) -> None:
    assert all(match.confidence < LEAST_CONFIDENCE for match in match_text(wanted, [token(text)]))


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("Save", "Don't save"),
        ("Save", "Don’t Save"),
        ("Save", "Dont save"),
        ("Save", "Don' t save"),
        ("Agree", "I do not agree"),
        ("Save", "No results found for Save"),
        ("Delete", "No, Delete"),
        ("Delete", "You cannot undo: Delete"),
        ("Allow", "Never: Allow"),
        ("同意", "不, 同意"),
        ("同意", "暂不: 同意"),
        ("接收通知", "不接收通知"),
        ("接收通知", "请勿接收通知"),
        ("接收通知", "别接收通知"),
    ],
)
def test_negated_text_is_not_matched(wanted: str, text: str) -> None:
    assert match_text(wanted, [token(text)]) == []
    assert match_text(wanted, [token(text)], negated=True)[0].layer == "negated", "but it is still written there"


@pytest.mark.parametrize(
    ("wanted", "text"), [("特别关心", "我的特别关心"), ("关心的人", "特别关心的人"), ("Note", "Notes on Note taking")]
)
def test_negation_letters_inside_word_do_not_negate(wanted: str, text: str) -> None:
    assert match_text(wanted, [token(text)])


def test_negation_on_line_above_negates_the_label() -> None:
    assert match_text("agree", [token("Do not", 0, 0), token("agree", 5, 32)]) == []
    assert match_text("Agree", [token("I do not", 0, 0), token("Agree", 100, 200)])
    assert only("Do not agree", token("Do not", 0, 0), token("agree", 5, 32)).layer == "wrapped"
    pieces = [token("Don't", 0), token("save", 57), token("save", 0, 200)]
    assert [match.box.top for match in match_text("save", pieces)] == [200]


@pytest.mark.parametrize(("wanted", "text"), [("user1", "userl"), ("Room 11", "Room 1l"), ("A0 15", "AO 15")])
def test_letter_for_digit_is_a_candidate_only(wanted: str, text: str) -> None:
    for confidence in (1.0, 0.95, 0.8):
        assert only(wanted, replace(token(text), confidence=confidence)).confidence < LEAST_CONFIDENCE


def test_look_alike_letters_match_only_in_uncertain_lines() -> None:
    for confidence, found in ((0.99, False), (0.93, False), (0.85, True)):
        match = only("lllinois", replace(token("Illinois"), confidence=confidence))
        assert (LEAST_CONFIDENCE < match.confidence < SURE) is found


def test_several_possible_misreadings_are_all_candidates() -> None:
    tabs = [replace(token(text, 0, 200 * at), confidence=0.85) for at, text in enumerate(("Tab l", "Tab |"))]
    assert only("Tab I", tabs[0]).confidence > LEAST_CONFIDENCE
    assert [match.confidence < LEAST_CONFIDENCE for match in match_text("Tab I", tabs)] == [True, True]


@pytest.mark.parametrize("numeral", ["Level II", "Chapter II", "Phillip"])
def test_extra_letter_in_confident_line_is_candidate_only(numeral: str) -> None:
    read = numeral.replace("II", "III").replace("Phillip", "Philip")
    found = match_text(numeral, [replace(token(read), confidence=0.94)])
    assert all(match.confidence < LEAST_CONFIDENCE for match in found)


@pytest.mark.parametrize("confidence", [nan, inf, -inf, -3.0, 7.0, 0.0])
def test_invalid_ocr_confidence_becomes_zero(confidence: float) -> None:
    for wanted, text in (("Save", "Save"), ("Inbox", "Inbox (3)"), ("user1", "userl"), ("Preferences", "Preferonces")):
        assert only(wanted, replace(token(text), confidence=confidence)).confidence == 0


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("Upload", "Unload"),
        ("Remove", "Remote"),
        ("Enable", "Unable"),
        ("Message", "Messages"),
        ("Sign in", "Sign on"),
        ("Connect", "Contact"),
        ("查看全部订单", "查看全部账单"),
        ("修改登录密码", "修改支付密码"),
        ("上一页", "下一页"),
        ("开启自动更新提醒功能", "關閉自動更新提醒功能"),
    ],
)
def test_different_word_is_not_treated_as_misread(wanted: str, text: str) -> None:
    assert match_text(wanted, [token(text)]) == []


@pytest.mark.parametrize(
    ("wanted", "text"), [("Preferences", "Preferonces"), ("Clipboard", "Cliphoard"), ("Dictionary", "Dicti0nary.")]
)
def test_misread_letter_is_tolerated_in_long_word(wanted: str, text: str) -> None:
    assert only(wanted, token(text)).layer == "misread"


@pytest.mark.parametrize(
    ("wanted", "text"), [("שלום עולם", "שלום עולם"), ("مرحبا", "\u200fمرحبا\u200e"), ("ﬁle", "file")]
)
def test_other_scripts_and_ligatures_match(wanted: str, text: str) -> None:
    assert only(wanted, token(text)).confidence > SURE


@given(
    st.text(max_size=30), st.lists(st.tuples(st.text(min_size=1, max_size=12), st.integers(0, 300), st.integers(0, 60)))
)
def test_any_lines_give_valid_matches(wanted: str, pieces: list[tuple[str, int, int]]) -> None:
    lines = [token(text, left, top) for text, left, top in pieces]
    for exact in (True, False):
        for match in match_text(wanted, lines, exact=exact):
            assert 0 < match.confidence <= 1
            assert match.box.area > 0


@given(st.text(max_size=40))
def test_simplify_and_without_diacritics_are_idempotent(text: str) -> None:
    assert simplify(simplify(text)) == simplify(text)
    assert without_diacritics(without_diacritics(text)) == without_diacritics(text)
    assert normalize(simplify(text)) == simplify(text)
