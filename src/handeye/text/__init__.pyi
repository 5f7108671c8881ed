from .blocks import BlockMatch, match_block, readable_enough
from .folding import (
    REMEMBERED,
    bare,
    differs_in_meaning,
    fold,
    is_half_alike,
    is_ideograph,
    normalize,
    same_text,
    simplified,
    simplify,
    singular,
    skeleton,
    thinned,
)
from .labels import MOST_UNLIKE, ONE_HEIGHT, around, joined_rows, labels_of
from .lines import TextLine, shifted
from .match import CANDIDATE, IN_DOUBT, LAYERS, PERHAPS, READ_WELL, TextMatch, is_thinly_like, match_text, misread
from .partial import is_negated
from .quotes import CLOSING, quotations

__all__ = [
    "CANDIDATE",
    "CLOSING",
    "IN_DOUBT",
    "LAYERS",
    "MOST_UNLIKE",
    "ONE_HEIGHT",
    "PERHAPS",
    "READ_WELL",
    "REMEMBERED",
    "BlockMatch",
    "TextLine",
    "TextMatch",
    "around",
    "bare",
    "differs_in_meaning",
    "fold",
    "is_half_alike",
    "is_ideograph",
    "is_negated",
    "is_thinly_like",
    "joined_rows",
    "labels_of",
    "match_block",
    "match_text",
    "misread",
    "normalize",
    "quotations",
    "readable_enough",
    "same_text",
    "shifted",
    "simplified",
    "simplify",
    "singular",
    "skeleton",
    "thinned",
]
