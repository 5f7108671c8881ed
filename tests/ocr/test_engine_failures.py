"""Tests of OCR engine failures: exceptions, wrong shapes and NaN give OcrFailed or no text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from lettering import Page

from handeye.errors import OcrFailed
from handeye.locate import LocateChain, OcrStrategy
from handeye.ocr import CachedReader, PaddleReader, paddle
from handeye.target import Target

Answer = Callable[[Any], Any]


class Session:
    """A network whose answers are spoiled on their way out."""

    def __init__(self, real: Any, spoil: Answer) -> None:
        self._real, self._spoil = real, spoil

    def get_inputs(self) -> Any:
        return self._real.get_inputs()

    def run(self, names: Any, feeds: Any) -> Any:
        return [self._spoil(self._real.run(names, feeds)[0])]


def dies(_output: Any) -> Any:
    raise MemoryError("out of memory")


@pytest.fixture
def page() -> Page:
    page = Page(400, 120)
    page.write(40, 30, "Save")
    return page


@pytest.fixture
def spoiled(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Answer], PaddleReader]:
    """A reader one of whose networks, "det" or "rec", has its answers spoiled."""

    def make(which: str, spoil: Answer) -> PaddleReader:
        real = paddle.open_session

        def opened(path: Any) -> Any:
            return Session(real(path), spoil) if which in path.name else real(path)

        monkeypatch.setattr(paddle, "open_session", opened)
        return PaddleReader(threads=1)

    return make


@pytest.mark.parametrize("which", ["det", "rec"])
@pytest.mark.parametrize("spoil", [dies, lambda output: output[..., :-1], lambda output: output[0]])
def test_network_error_or_wrong_shape_raises_ocr_failed(
    spoiled: Callable[[str, Answer], PaddleReader], page: Page, which: str, spoil: Answer
) -> None:
    reader = spoiled(which, spoil)
    with pytest.raises(OcrFailed):
        reader.read(page.screen)


def test_detection_map_of_nan_raises_ocr_failed(spoiled: Callable[[str, Answer], PaddleReader], page: Page) -> None:
    reader = spoiled("det", lambda output: output * np.nan)
    with pytest.raises(OcrFailed):
        reader.read(page.screen)


def test_recognition_of_nan_gives_no_text(spoiled: Callable[[str, Answer], PaddleReader], page: Page) -> None:
    assert spoiled("rec", lambda output: output * np.nan).read(page.screen) == ()


def test_chain_tries_next_strategy_after_ocr_failure(
    reader: CachedReader, spoiled: Callable[[str, Answer], PaddleReader], page: Page
) -> None:
    reader.read(page.screen)  # its networks are loaded before the next line spoils those of others
    result = LocateChain([OcrStrategy(spoiled("det", dies)), OcrStrategy(reader)]).locate(
        Target(text="Save"), page.screen
    )
    assert result.success
    assert len(result.attempts) == 2
