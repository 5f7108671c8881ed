"""Tests of splash adverts on the virtual phone: waited for, skipped, never followed."""

from __future__ import annotations

import pytest
from page_of_lines import PageReader, frame
from phone_frames import Phone

from handeye.blockers import BlockerType, DismissSuggestion
from handeye.blockers.detector import _splash, find_blocker
from handeye.geometry import Box
from handeye.ocr import CachedReader
from handeye.text import TextLine


def way_past(phone: Phone, reader: CachedReader) -> DismissSuggestion | None:
    """Suggested way past the advert on the screen; None if there is none."""
    blocker = find_blocker(phone.frame(), reader)
    assert blocker is None or blocker.type is BlockerType.AD
    return blocker.dismiss_suggestion if blocker is not None else None


@pytest.mark.parametrize("names", ["countdown", "countdown,dark", "countdown,density", "countdown,rotation"])
def test_splash_advert_is_waited_for_then_skipped(names: str, reader: CachedReader) -> None:
    wait = DismissSuggestion("wait", None, "wait until it is gone")
    phone = Phone(names).open()
    assert way_past(phone, reader) == wait
    phone.time += 1.6
    how = way_past(phone, reader)
    assert how is not None
    assert how.action == "tap"
    assert how.box is not None
    assert phone.box_of("跳过 3").contains(how.box.center)
    phone.time += 1.2
    assert way_past(phone, reader) == wait  # a late tap would land on the page
    phone.time += 2
    assert way_past(phone, reader) is None


@pytest.mark.parametrize(
    ("says", "how"),
    [
        ("5s 后可跳过", "wait"),
        ("3秒后可关闭广告", "wait"),
        ("Skip ad in 4", "wait"),
        ("跳过 1", "wait"),
        ("2s | 跳过", "wait"),
        ("跳过 5", "tap"),
        ("跳过（4s）", "tap"),
        ("跳过广告 12", "tap"),
        ("3秒跳过", "tap"),
        ("Skip Ad", "tap"),
        ("跳过", None),
        ("跳过教程", None),
        ("5 分钟后可跳过", None),
        ("跳过 1000", None),
    ],
)
def test_skip_button_labels_are_recognized(says: str, how: str | None) -> None:
    line = TextLine(says, Box(500, 60, 640, 100), 0.99)
    blocker = _splash(frame(), PageReader([line]).read(frame()))
    suggested = blocker.dismiss_suggestion if blocker is not None else None
    assert (suggested.action if suggested is not None else None) == how
