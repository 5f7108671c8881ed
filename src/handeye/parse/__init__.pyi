from .model_runtime import on_one_core, read_arrays
from .parser import EmbeddedParser, ParsedScreen
from .proposals import propose, scale_of
from .vocabulary.table import read_glossary

__all__ = [
    "EmbeddedParser",
    "ParsedScreen",
    "on_one_core",
    "propose",
    "read_arrays",
    "read_glossary",
    "scale_of",
]
