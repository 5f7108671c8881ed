"""The files of app modules are read as `handeye.documents` reads every file that a person writes."""

from handeye.documents import (
    DEPTH_LIMIT,
    SIZE_LIMIT,
    Document,
    Location,
    nested,
    parse_yaml,
    problem,
    read_yaml,
    strings,
    validate,
)

__all__ = [
    "DEPTH_LIMIT",
    "SIZE_LIMIT",
    "Document",
    "Location",
    "nested",
    "parse_yaml",
    "problem",
    "read_yaml",
    "strings",
    "validate",
]
