from .acceptance import AGREE_EACH, AGREE_TOGETHER, EDGES_ALONE, Place, agreement, core_picture, middle_of, whole_place
from .coarse_search import Kind
from .colour_regions import coloured_parts
from .correlation import normalised_correlation
from .diff import NOISE, Change, changed_regions, compare, frames_match, page_top
from .evidence import ACCEPT, colour_near, is_marked, proved
from .fingerprint import LEAST_CONTRAST, LEAST_SIDE, Fingerprint
from .keypoints import find_turned
from .page_similarity import (
    DIFFERENT_PAGE,
    SAME_PAGE,
    PageSimilarity,
    is_whole_screen,
    may_be_stretched,
    part_similarity,
    similarity_of_pages,
)
from .pyramid import (
    COARSE_PEAKS,
    GAIN_LEFT,
    Coarse,
    Peak,
    Picture,
    kept,
    ladder,
    look_over,
    middle,
    score_at,
    settle,
    sharpen,
)
from .recorded_position import held_alike, stored_scale, stored_window
from .reference import Reference, ReferenceSource
from .stability import Mask, ScreenStability, View, changes, differing, is_same_view, part_of

__all__ = [
    "ACCEPT",
    "AGREE_EACH",
    "AGREE_TOGETHER",
    "COARSE_PEAKS",
    "DIFFERENT_PAGE",
    "EDGES_ALONE",
    "GAIN_LEFT",
    "LEAST_CONTRAST",
    "LEAST_SIDE",
    "NOISE",
    "SAME_PAGE",
    "Change",
    "Coarse",
    "Fingerprint",
    "Kind",
    "Mask",
    "PageSimilarity",
    "Peak",
    "Picture",
    "Place",
    "Reference",
    "ReferenceSource",
    "ScreenStability",
    "View",
    "agreement",
    "changed_regions",
    "changes",
    "colour_near",
    "coloured_parts",
    "compare",
    "core_picture",
    "differing",
    "find_turned",
    "frames_match",
    "held_alike",
    "is_marked",
    "is_same_view",
    "is_whole_screen",
    "kept",
    "ladder",
    "look_over",
    "may_be_stretched",
    "middle",
    "middle_of",
    "normalised_correlation",
    "page_top",
    "part_of",
    "part_similarity",
    "proved",
    "score_at",
    "settle",
    "sharpen",
    "similarity_of_pages",
    "stored_scale",
    "stored_window",
    "whole_place",
]
