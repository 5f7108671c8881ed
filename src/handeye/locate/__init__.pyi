from .base import Strategy, read_lines, requested_confidence
from .chain import LEAST_CONFIDENCE, SEARCH_SECONDS, LocateChain, UsageCounter, with_usage
from .grounding import (
    CoordsCache,
    CoordsCacheEntry,
    GroundedElement,
    OcrTokenInfo,
    bbox_center,
    build_grounder_prompt,
    fuzzy_match,
    ground_element,
    make_element_key,
    normalize_text,
    ocr_anchor_ground,
    parse_grounder_response,
)
from .icon_names import id_tokens
from .locator import Confirm, LocateStrategy, VisualLocator
from .ranker.model import bundled_ranker
from .relations import RELATION_TIE
from .sources.cache import CacheStrategy, PlaceCache
from .sources.cache_files import cache_folder
from .sources.control_bounds import control_around, is_button, is_field, max_confidence
from .sources.ocr import OcrStrategy
from .sources.parser import ScreenParser
from .sources.ranker import LEAST_FOR_ACTS, LEAST_IRREVERSIBLE, Parser, RankingStrategy, Sources
from .sources.template import TEMPLATE_TIE, TRANSFORMED_SEARCHES, TemplateStrategy, find_all
from .sources.tree import AccessibilityStrategy
from .sources.tree_index import Tree, seen_box
from .sources.tree_matching import UNMISTAKABLE, Fit, Found, by_words, fit, with_role
from .sources.visual import VisionFinder, VisualStrategy, pictures_of

__all__ = [
    "LEAST_CONFIDENCE",
    "LEAST_FOR_ACTS",
    "LEAST_IRREVERSIBLE",
    "RELATION_TIE",
    "SEARCH_SECONDS",
    "TEMPLATE_TIE",
    "TRANSFORMED_SEARCHES",
    "UNMISTAKABLE",
    "AccessibilityStrategy",
    "CacheStrategy",
    "Confirm",
    "CoordsCache",
    "CoordsCacheEntry",
    "Fit",
    "Found",
    "GroundedElement",
    "LocateChain",
    "LocateStrategy",
    "OcrStrategy",
    "OcrTokenInfo",
    "Parser",
    "PlaceCache",
    "RankingStrategy",
    "ScreenParser",
    "Sources",
    "Strategy",
    "TemplateStrategy",
    "Tree",
    "UsageCounter",
    "VisionFinder",
    "VisualLocator",
    "VisualStrategy",
    "bbox_center",
    "build_grounder_prompt",
    "bundled_ranker",
    "by_words",
    "cache_folder",
    "control_around",
    "find_all",
    "fit",
    "fuzzy_match",
    "ground_element",
    "id_tokens",
    "is_button",
    "is_field",
    "make_element_key",
    "max_confidence",
    "normalize_text",
    "ocr_anchor_ground",
    "parse_grounder_response",
    "pictures_of",
    "read_lines",
    "requested_confidence",
    "seen_box",
    "with_role",
    "with_usage",
]
