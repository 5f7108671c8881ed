"""Property tests of parse_target: a target or a UsageError, linear time, and quoted labels kept whole."""

from __future__ import annotations

import gc
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handeye.errors import UsageError
from handeye.target import Target, parse_target

PIECES = st.sampled_from(
    (
        *(
            "the",
            "a",
            "click on",
            "select",
            "second",
            "last",
            "3rd",
            "button",
            "icon",
            "text box",
            "row",
            "corner",
            "which is",
        ),
        *(
            "to the right of",
            "left of",
            "above",
            "in",
            "in the row",
            "next to",
            "says",
            "at the top",
            "of the page",
            "and",
        ),
        *(
            "from the bottom",
            "of",
            "with",
            "Save",
            "Cancel",
            "'Open'",
            '"Delete"',
            "“取消”",
            "的",
            "右边",
            "那一行",
            "中",
        ),
        *(
            "第二个",
            "最后一个",
            "按钮",
            "开关",
            "菜单",
            "点击",
            "请",
            "右上角",
            "名为",
            "第二行",
            "near=",
            "text=",
            "role=",
        ),
        *("=", '"', "'", "“", "\\", ",", ".", "-", "的的", "\ue000", "\u202e", "😀", "\x00", "\n"),
    )
)


def parsed(query: str) -> Target | None:
    try:
        return parse_target(query)
    except UsageError:
        return None


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(
        st.text(max_size=400), st.lists(PIECES, max_size=30).map(" ".join), st.lists(PIECES, max_size=30).map("".join)
    )
)
@example("SECOND WHICH SAYS THE")
def test_every_query_gives_target_or_usage_error(query: str) -> None:
    target = parsed(query)
    if target is not None:
        assert str(target)
        assert hash(target) == hash(parsed(query))
        assert target.phrase is None or target.phrase == query.strip()


@settings(max_examples=200, deadline=None)
@given(st.text(min_size=1, max_size=40).filter(lambda text: text.strip() == text and not set(text) & set('"“”„\\')))
def test_quoted_text_stays_whole(label: str) -> None:
    assert parse_target(f'"{label}"').text == label
    assert parse_target(f'text="{label}"').text == label
    assert parse_target(f"text:{label}").text == label


@settings(max_examples=100, deadline=None)
@given(st.text("abcdefgXYZ 你好", min_size=1, max_size=20).filter(lambda text: text.strip() == text))
def test_quoted_label_is_parsed_inside_phrases(label: str) -> None:
    target = parse_target(f'the "{label}" button to the right of “{label}”')
    assert (target.text, target.role) == (label, "button")
    assert target.relations[0].anchor.text == label
    target = parse_target(f"“{label}”右边的“{label}”按钮")
    assert (target.text, target.role) == (label, "button")
    assert target.relations[0].anchor.text == label


TRIES = 6


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        " ",
        "的",
        "“",
        "'",
        '"a',
        "text=",
        'text="',
        "a=",
        "near=[",
        "the left of ",
        "第",
        "上的",
        "and ",
        "\\",
        "x=\t ",
        "[ a=",
    ],
)
def test_parse_time_is_linear_in_query_length(unit: str) -> None:
    def spent(length: int) -> float:
        query = (unit * length)[:length]
        gc.disable()  # a collection of the whole test process costs more than what is measured here
        try:
            start = time.process_time()
            parsed(query)
            return time.process_time() - start
        finally:
            gc.enable()

    parsed(unit)
    # Ten times the length; a quadratic reader would take a hundred times as long, and minutes for the larger one.
    # The best of some, as far as it takes: another process on the core is not the reader's doing.
    limit = 40 * max(spent(10_000), 0.005)
    assert any(spent(100_000) <= limit for _ in range(TRIES))
