from .android.tab_bars import IN_TAB_BAR
from .base import (
    CachedStateProvider,
    CachingProvider,
    Control,
    Detection,
    NumericControl,
    Row,
    RowContainer,
    Selectable,
    StateProvider,
    WindowProvider,
)
from .composite import CompositeStateProvider
from .element_format import control_type, element_line, element_name
from .models import TierModels, tier_models
from .numbering import numbered
from .providers import provider_for, window_provider_for
from .structure.derivation import BORDER_HALF_WIDTH
from .structure.inference import INFERRED, STRUCTURE_SOURCE
from .structure.layout import SAME_EXTENT, visible_box
from .structure.provider import StructuralInferenceProvider
from .tree_text import CONTENT_ROLES, MAX_TEXT, TREE_SOURCE
from .uia.api import Node
from .uia.vocabulary import Pattern, Property
from .vision import PIXEL_SOURCES, VISION_SOURCE, VisionStateProvider
from .window_tree import WindowTree

__all__ = [
    "BORDER_HALF_WIDTH",
    "CONTENT_ROLES",
    "INFERRED",
    "IN_TAB_BAR",
    "MAX_TEXT",
    "PIXEL_SOURCES",
    "SAME_EXTENT",
    "STRUCTURE_SOURCE",
    "TREE_SOURCE",
    "VISION_SOURCE",
    "CachedStateProvider",
    "CachingProvider",
    "CompositeStateProvider",
    "Control",
    "Detection",
    "Node",
    "NumericControl",
    "Pattern",
    "Property",
    "Row",
    "RowContainer",
    "Selectable",
    "StateProvider",
    "StructuralInferenceProvider",
    "TierModels",
    "VisionStateProvider",
    "WindowProvider",
    "WindowTree",
    "control_type",
    "element_line",
    "element_name",
    "numbered",
    "provider_for",
    "tier_models",
    "visible_box",
    "window_provider_for",
]
