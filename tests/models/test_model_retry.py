"""Tests of the retry policy and of Retry-After headers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.models.client.retry import RetryPolicy, retry_after, wait_headers

WALL = 1_790_000_000.0  # 2026-09-21 14:13:20 GMT


def test_retry_wait_doubles_up_to_maximum_with_jitter() -> None:
    policy = RetryPolicy(first=0.5, longest=8.0)
    assert [policy.wait(n, None, lambda: 0.0) for n in range(1, 8)] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    assert [policy.wait(n, None, lambda: 1.0) for n in range(1, 4)] == [0.25, 0.5, 1.0]
    assert policy.wait(10**6, None, lambda: 0.0) == 8.0


def test_longer_retry_after_wins_over_backoff() -> None:
    policy = RetryPolicy(first=1.0)
    assert policy.wait(1, 30.0, lambda: 0.5) == 30.0
    assert policy.wait(3, 0.1, lambda: 0.0) == 4.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 2.5 "}, 2.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "Mon, 21 Sep 2026 14:14:00 GMT"}, 40.0),
        ({"retry-after": "Monday, 21-Sep-26 14:14:00 GMT"}, 40.0),
        ({"retry-after": "Mon, 21 Sep 2026 14:00:00 GMT"}, 0.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e999"}, None),
        ({"retry-after": "1e300"}, None),
        ({"retry-after": "1_0"}, None),
        ({"retry-after": "٣"}, None),
        ({"retry-after": "9" * 500}, 1e6),
        ({"retry-after-ms": "9" * 500}, 1e6),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, 1e6),
        ({"retry-after": ""}, None),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": "Mon, 99 Foo 2026 99:99:99 GMT"}, None),
        ({}, None),
    ],
)
def test_retry_after_headers_are_parsed(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, WALL) == seconds
    assert retry_after(wait_headers(headers), WALL) == seconds, "also when written anew"


def test_only_valid_wait_headers_are_kept() -> None:
    date = "Mon, 21 Sep 2026 (sk-1234567890) 14:14:00 GMT"
    assert "1234567890" not in str(wait_headers({"retry-after": date}))
    assert wait_headers({"retry-after": "sk-1234567890", "retry-after-ms": "12x", "x-id": "7"}) == {}


@given(st.text())
def test_any_retry_header_is_parsed_or_ignored(text: str) -> None:
    for name in ("retry-after", "retry-after-ms"):
        wait = retry_after({name: text}, WALL)
        assert wait is None or wait >= 0
