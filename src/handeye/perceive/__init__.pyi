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
from .element_format import CONTENT_ROLES, MAX_TEXT, TREE_SOURCE, control_type, element_line, element_name, numbered
from .models import TierModels, tier_models
from .providers import provider_for, window_provider_for
from .structure.derivation import BORDER_HALF_WIDTH, INFERRED, STRUCTURE_SOURCE
from .structure.layout import SAME_EXTENT, visible_box
from .structure.provider import StructuralInferenceProvider
from .uia.api import Node
from .uia.vocabulary import Pattern, Property
from .uiautomator import IN_TAB_BAR
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
