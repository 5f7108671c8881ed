from .chinese_vocabulary import CHINESE_ACTIONS
from .english_tokens import ENGLISH_ACTIONS
from .node_path import Step, steps_of
from .phrase import literal_texts, parse_target, word_as_label
from .values import (
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
    "CHINESE_ACTIONS",
    "COLOURS",
    "DYNAMIC",
    "ENGLISH_ACTIONS",
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
    "Step",
    "Target",
    "literal_texts",
    "parse_target",
    "steps_of",
    "word_as_label",
]
