from .onnx import engine_errors, open_session
from .paddle import PaddleReader
from .rapid import RapidReader
from .reader import CachedReader, RegionReader, TextReader, same_pixels
from .tesseract import TesseractReader

__all__ = [
    "CachedReader",
    "PaddleReader",
    "RapidReader",
    "RegionReader",
    "TesseractReader",
    "TextReader",
    "engine_errors",
    "open_session",
    "same_pixels",
]
