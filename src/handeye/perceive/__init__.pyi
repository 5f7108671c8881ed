from .android.tab_bars import IN_TAB_BAR
from .base import (
    Control,
    Detection,
    KeepingProvider,
    RememberingProvider,
    Row,
    RowHolder,
    Selectable,
    StateProvider,
    Valued,
    WindowProvider,
)
from .composite import CompositeStateProvider
from .element_format import control_type, element_line, element_name
from .models import TierModels, tier_models
from .numbering import numbered
from .providers import provider_for, window_provider_for
from .structure.derivation import REACH
from .structure.inference import INFERRED, STRUCTURE_SOURCE
from .structure.layout import SAME_EXTENT, visible_box
from .structure.provider import StructuralInferenceProvider
from .tree_text import FILLED_IN, MAX_TEXT, TREE_SOURCE
from .uia.api import Node
from .uia.vocabulary import Pattern, Property
from .vision import SEEN, VISION_SOURCE, VisionStateProvider
from .window_tree import WindowTree

__all__ = [
    "FILLED_IN",
    "INFERRED",
    "IN_TAB_BAR",
    "MAX_TEXT",
    "REACH",
    "SAME_EXTENT",
    "SEEN",
    "STRUCTURE_SOURCE",
    "TREE_SOURCE",
    "VISION_SOURCE",
    "CompositeStateProvider",
    "Control",
    "Detection",
    "KeepingProvider",
    "Node",
    "Pattern",
    "Property",
    "RememberingProvider",
    "Row",
    "RowHolder",
    "Selectable",
    "StateProvider",
    "StructuralInferenceProvider",
    "TierModels",
    "Valued",
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
