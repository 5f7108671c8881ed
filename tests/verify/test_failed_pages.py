"""Tests of pages that a browser could not load, whatever address they show."""

from __future__ import annotations

import pytest
from phone_frames import Phone

from handeye.blockers import BlockerType, failed_page
from handeye.locate import read_lines
from handeye.ocr import TextReader

URL = "https://example.org/"


@pytest.mark.parametrize("names", ["", "dark", "rotation"])
def test_page_without_connection_is_recognized_as_failed(reader: TextReader, names: str) -> None:
    phone = Phone(names)
    phone.model.settings.put("global", "wifi_on", "0")
    phone.model.open_url(URL)
    frame = phone.frame()
    blocker = failed_page(frame, read_lines(reader, frame))
    assert blocker is not None
    assert blocker.type is BlockerType.ERROR
    assert "未连接到互联网" in blocker.words


def test_loaded_page_is_not_failed(reader: TextReader) -> None:
    phone = Phone()
    phone.model.open_url(URL)
    frame = phone.frame()
    assert failed_page(frame, read_lines(reader, frame)) is None


def test_page_text_about_errors_is_not_an_error(reader: TextReader) -> None:
    phone = Phone()
    phone.model.open_url("https://search.example/?q=ERR_INTERNET_DISCONNECTED")
    frame = phone.frame()
    assert failed_page(frame, read_lines(reader, frame)) is None
