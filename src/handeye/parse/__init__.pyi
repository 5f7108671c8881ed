from .model_runtime import on_one_core, read_arrays
from .parser import EmbeddedParser, Parsed
from .proposals import propose, scale_of
from .vocabulary.table import read_glossary

__all__ = [
    "EmbeddedParser",
    "Parsed",
    "on_one_core",
    "propose",
    "read_arrays",
    "read_glossary",
    "scale_of",
]
