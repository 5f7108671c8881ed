"""
The networks of the text reader: PP-OCRv6 tiny as shipped in this folder, or PP-OCRv6 small from the `rapidocr` package.

The shipped files are the official ones, unchanged (NOTICE in this folder has source, revision and checksums; Apache-2.0).
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from handeye.errors import MissingPart, OcrFailed
from handeye.ocr.onnx import metadata

_HERE: Final = Path(__file__).parent
_CHARACTERS: Final = "character"  # the metadata key of a model's characters in RapidOCR's export
RAPIDOCR: Final = "pip install 'rapidocr>=3.8,<4'"


@dataclass(frozen=True, slots=True)
class Weights:
    """
    The files of a detection and a recognition network, and the recogniser's characters without CTC's blank and the space.
    """

    detection: Path
    recognition: Path
    characters: tuple[str, ...]


def shipped() -> Weights:
    """Return PP-OCRv6 tiny: 49 languages (Chinese, English and others in Latin letters; no Japanese)."""
    characters = (_HERE / "PP-OCRv6_tiny_characters.txt").read_text("utf-8").splitlines()
    return Weights(_HERE / "PP-OCRv6_tiny_det.onnx", _HERE / "PP-OCRv6_tiny_rec.onnx", tuple(characters))


def rapidocr_small() -> Weights:
    """
    Return PP-OCRv6 small from the `rapidocr` package: Japanese too, several times the time.

    Raises MissingPart without the package, OcrFailed if it contains no such models. Imports nothing of it.
    """
    found = importlib.util.find_spec("rapidocr")
    if found is None or found.origin is None:
        raise MissingPart("the larger models of the text reader (rapidocr)", RAPIDOCR)
    folder = Path(found.origin).parent / "models"
    recognition = _newest(folder, "*_rec_*.onnx")
    return Weights(_newest(folder, "*_det_*.onnx"), recognition, tuple(metadata(recognition, _CHARACTERS).splitlines()))


def _newest(folder: Path, pattern: str) -> Path:
    files = sorted(folder.glob(pattern))
    if not files:
        raise OcrFailed(f"no model {pattern!r} in {str(folder)!r}; reinstall it: {RAPIDOCR}")
    return files[-1]  # the newest generation sorts last
