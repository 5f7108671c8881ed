"""Tests of finding and naming drawn icons with the shipped weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from icon_drawings import DRAWINGS, toolbar

from handeye.errors import ParserFailed
from handeye.parse import icons
from handeye.parse.icons import DIM, BundledIconReader, IconEncoder, IconIndex

SURE = 0.5
NAMES = list(DRAWINGS)


@pytest.fixture(scope="module")
def reader() -> BundledIconReader:
    return BundledIconReader()


@pytest.fixture(scope="module")
def seen(reader: BundledIconReader) -> np.ndarray:
    return reader.vectors(*toolbar(NAMES))


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        *(("search", "search"), ("the magnifying glass", "search"), ("放大镜", "search"), ("搜索图标", "search")),
        *(("gear icon", "settings"), ("设置", "settings"), ("back arrow", "back"), ("返回", "back")),
        *(("plus", "add"), ("添加", "add"), ("close", "close"), ("关闭按钮", "close")),
        *(("hamburger menu", "menu"), ("菜单", "menu"), ("trash can", "delete"), ("删除", "delete")),
        *(("envelope", "mail"), ("邮件", "mail"), ("play", "play"), ("播放", "play")),
        *(("the house", "home"), ("首页", "home"), ("tick", "check"), ("对勾", "check")),
    ],
)
def test_phrase_finds_its_icon(reader: BundledIconReader, seen: np.ndarray, phrase: str, name: str) -> None:
    scores = reader.scores(phrase, seen)
    assert NAMES[int(scores.argmax())] == name, dict(zip(NAMES, scores.round(2), strict=True))
    assert scores.max() >= SURE


@pytest.mark.parametrize("phrase", ["printer", "umbrella", "打印机", "购物车", "bluetooth", "microphone", "相机"])
def test_absent_icon_scores_below_threshold(reader: BundledIconReader, seen: np.ndarray, phrase: str) -> None:
    scores = reader.scores(phrase, seen)
    assert scores.max() < SURE, dict(zip(NAMES, scores.round(2), strict=True))


def test_icons_get_their_names(reader: BundledIconReader, seen: np.ndarray) -> None:
    named = reader.names(seen)
    assert sum(said == name for (said, _), name in zip(named, NAMES, strict=True)) >= len(NAMES) - 2, named
    assert all(0 <= sure <= 1 for _, sure in named)


@pytest.mark.parametrize("size", [16, 20, 32, 48])
def test_icon_is_found_at_every_size(reader: BundledIconReader, size: int) -> None:
    scores = reader.scores("search", reader.vectors(*toolbar(["add", "search", "home", "delete"], size)))
    assert scores.argmax() == 1


@pytest.mark.parametrize(
    "phrase", ["", " ", "\x00\x07", "🦄", "qwzx vvkjq", "。，、", "a" * 10_000, "搜" * 10_000, "\u202eevas"]
)
def test_any_phrase_gives_scores_in_range(reader: BundledIconReader, seen: np.ndarray, phrase: str) -> None:
    scores = reader.scores(phrase, seen)
    assert scores.shape == (len(NAMES),)
    assert np.isfinite(scores).all()
    assert 0 <= scores.min() <= scores.max() <= 1


def test_phrase_of_unknown_words_scores_zero(reader: BundledIconReader, seen: np.ndarray) -> None:
    assert reader.scores("qwzx vvkjq", seen).max() == 0


def test_icon_vectors_are_deterministic_and_normalised(seen: np.ndarray) -> None:
    again = BundledIconReader().vectors(*toolbar(NAMES))
    assert np.array_equal(again, seen)
    assert np.linalg.norm(seen, axis=1) == pytest.approx(1, abs=1e-3)


def test_repeated_icons_are_encoded_once(seen: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    real, fed = icons.open_session, []

    class Counted:
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            self._session = real(*args, **kwargs)

        def run(self, outputs: None, inputs: dict[str, np.ndarray]) -> Any:
            fed.append(len(inputs["masks"]))
            return self._session.run(outputs, inputs)

    monkeypatch.setattr(icons, "open_session", Counted)
    own = BundledIconReader()
    repeated = own.vectors(*toolbar([*NAMES, *NAMES[::-1]]))
    assert np.array_equal(repeated, np.concatenate([seen, seen[::-1]]))
    assert np.array_equal(own.vectors(*toolbar(NAMES[3:])), seen[3:])
    names, scores = zip(*own.names(repeated), strict=True)
    expected_names, expected_scores = zip(*own.names(seen), *own.names(seen[::-1]), strict=True)
    assert names == expected_names
    # A product of matrices depends on the place in its last digits, by the processor.
    assert scores == pytest.approx(expected_scores, abs=1e-4)
    scores = own.scores("search", seen)
    assert own.scores("search", repeated) == pytest.approx([*scores, *scores[::-1]], abs=1e-4)
    assert sum(fed) == len(NAMES)
    own.clear()
    assert np.array_equal(own.vectors(*toolbar(NAMES[:3])), seen[:3])
    assert sum(fed) == len(NAMES) + 3


def test_no_icons_give_empty_results(reader: BundledIconReader) -> None:
    none = reader.vectors(np.full((9, 9, 3), 255, np.uint8), [])
    assert none.shape == (0, DIM)
    assert reader.names(none) == []
    assert reader.scores("search", none).shape == (0,)


def test_masks_of_wrong_shape_raise_error() -> None:
    with pytest.raises(ValueError, match="64"):
        IconEncoder().encode(np.zeros((3, 32, 32), np.float32))


def test_broken_icon_files_raise_parser_failed(tmp_path: Path) -> None:
    broken = tmp_path / "icons"
    broken.write_bytes(b"no model")
    with pytest.raises(ParserFailed, match="reinstall"):
        IconIndex(broken)
    with pytest.raises(ParserFailed, match="reinstall"):
        IconEncoder(broken).encode(np.zeros((1, 64, 64), np.float32))
