"""Tests of the sentence encoder: agreement with the published model, batch independence, and damaged weights."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from handeye.errors import ParserFailed
from handeye.locate.ranker.sentence_encoder import DIM, WEIGHTS, SentencePieces, Special, TextEncoder, words_of

PUBLISHED = Path(__file__).with_name("sentence_vectors.npz")
"""Vectors of forty texts in fifteen languages, from the published model in ONNX Runtime (training/encoder/original.py)."""


@pytest.fixture(scope="module")
def encoder() -> TextEncoder:
    return TextEncoder()


def cosine(encoder: TextEncoder, first: str, second: str) -> float:
    one, other = encoder.encode([first, second])
    return float(one @ other)


def test_vectors_are_close_to_published_model(encoder: TextEncoder) -> None:
    with np.load(PUBLISHED) as held:
        texts, vectors = held["texts"].tolist(), held["vectors"].astype(np.float32)
    cosines = (encoder.encode(texts) * vectors).sum(axis=1)
    assert cosines.mean() > 0.975
    assert cosines.min() > 0.9


@pytest.mark.parametrize(
    ("phrase", "meant", "other"),
    [
        ("store my settings", "Save settings", "Delete settings"),
        ("保存设置", "Save settings", "Delete settings"),
        ("删除设置", "Delete settings", "Save settings"),
        ("选两小时", "2 小时", "1 小时"),
        ("the yearly plan", "Go yearly", "Go monthly"),
        ("打开蓝牙", "Bluetooth", "Wi-Fi"),
        ("Passwort vergessen", "Forgot password?", "Create account"),
        ("tema oscuro", "Dark mode", "Language"),
    ],
)
def test_matching_label_has_higher_cosine(encoder: TextEncoder, phrase: str, meant: str, other: str) -> None:
    assert cosine(encoder, phrase, meant) > cosine(encoder, phrase, other)


def test_vector_is_independent_of_the_batch(encoder: TextEncoder) -> None:
    texts = [f"{word} {number}" for word in ("Save", "打开文件", "Rückgängig machen") for number in range(80)]
    together = encoder.encode(texts)
    np.testing.assert_allclose(encoder.encode(texts[::-1])[::-1], together, atol=2e-5)
    np.testing.assert_allclose(encoder.encode([texts[100]])[0], together[100], atol=2e-5)


@pytest.mark.parametrize(
    "text", ["", " \t\n", "\x00\x07\x1b[0m", "👍🏽", "\ud800", "￿", "a" * 100_000, "字" * 100_000, "▁", "🏳️‍🌈 é́́́"]
)
def test_any_text_gives_a_unit_vector(encoder: TextEncoder, text: str) -> None:
    vectors = encoder.encode([text, "Save"])
    assert vectors.shape == (2, DIM)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_no_texts_give_empty_array(encoder: TextEncoder) -> None:
    assert encoder.encode([]).shape == (0, DIM)


def test_encoder_is_thread_safe() -> None:
    encoder = TextEncoder()
    texts = ["Save", "Datei öffnen", "保存设置", "Cancel"] * 4
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(lambda text: encoder.encode([text])[0], texts))
    np.testing.assert_allclose(vectors, encoder.encode(texts), atol=2e-5)


@pytest.mark.parametrize("share", [0.01, 0.2, 0.5, 0.8, 0.99])
def test_damaged_weights_are_named(tmp_path: Path, share: float) -> None:
    weights = Path(shutil.copy(WEIGHTS, tmp_path / "encoder.npz"))
    held = bytearray(weights.read_bytes())
    held[int(len(held) * share)] ^= 4
    weights.write_bytes(held)
    with pytest.raises(ParserFailed, match=r"encoder\.npz.*reinstall handeye"):
        TextEncoder(weights).encode(["Save"])


def test_missing_or_foreign_weights_raise_parser_failed(tmp_path: Path) -> None:
    with pytest.raises(ParserFailed, match="reinstall handeye"):
        TextEncoder(tmp_path / "none.npz").encode(["Save"])
    np.savez(tmp_path / "other.npz", pieces=np.zeros(3))
    with pytest.raises(ParserFailed, match="of another version"):
        TextEncoder(tmp_path / "other.npz").encode(["Save"])


def test_most_probable_pieces_are_chosen() -> None:
    pieces = SentencePieces(["", "", "", "▁", "a", "b", "ab", "▁a"], [0.0, 0.0, 0.0, -2.0, -2.0, -2.0, -3.0, -3.5])
    assert pieces.split("ab") == [1, 3, 6, 2]  # ▁ + ab = -5, ▁a + b = -5.5
    assert pieces.split("a  b") == [1, 7, 3, 5, 2]
    assert pieces.split("aé") == [1, 7, Special.UNKNOWN, 2]
    assert pieces.split("") == [1, Special.UNKNOWN, 2]


def test_pieces_cover_every_character(encoder: TextEncoder) -> None:
    encoder.encode(["Save"])
    with np.load(WEIGHTS) as held:
        texts = held["pieces"].tobytes().decode().split("\n")
    pieces = SentencePieces(texts, [-1.0] * len(texts))
    for word in ("Netzwerkeinstellungen", "隐私与安全", "プライバシー", "เครือข่าย", "اتصالات"):
        split = pieces.split(word)
        assert "".join(texts[number] for number in split[1:-1]) == "▁" + word
        assert min(split[1:-1]) >= len(Special)


def test_words_are_normalised() -> None:
    assert words_of("ＡＢＣ\u3000ｶﾀ\u200bx\t y") == ["ABC", "カタ", "x", "y"]
    assert words_of("a～b") == ["a～b"]
