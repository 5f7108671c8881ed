"""Targets, expectations and results of a search."""

from handeye.target.values import (
    ANOTHER_APP,
    COLOURS,
    DYNAMIC,
    HOME_APP,
    TEXT,
    Attempt,
    Expectation,
    LocateResult,
    Outcome,
    Position,
    Region,
    Relation,
    RelationKind,
    Target,
)

__all__ = [
    "ANOTHER_APP",
    "COLOURS",
    "DYNAMIC",
    "HOME_APP",
    "TEXT",
    "Attempt",
    "Expectation",
    "LocateResult",
    "Outcome",
    "Position",
    "Region",
    "Relation",
    "RelationKind",
    "Target",
]
