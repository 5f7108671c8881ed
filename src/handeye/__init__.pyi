from ._version import __version__
from .apps import AppHandler, AssetsManager, DefaultHandler, ModuleRegistry
from .blockers import Blocker, BlockerType, DismissSuggestion, Grant, PermissionPolicy, SuggestionAction
from .compat import Planner, Verifier
from .devices import ADBController
from .elements import UIElement
from .errors import HandeyeError
from .geometry import Box, Point, Size
from .locate import (
    CoordsCache,
    CoordsCacheEntry,
    GroundedElement,
    LocateStrategy,
    OcrTokenInfo,
    ScreenParser,
    VisualLocator,
    bbox_center,
    build_grounder_prompt,
    fuzzy_match,
    ground_element,
    make_element_key,
    normalize_text,
    ocr_anchor_ground,
    parse_grounder_response,
)
from .models import LLMConfig, VisionAgent, get_preset_config
from .plan import ActionName, StepPlan, TargetType, TaskPlan
from .run import ExecutionLevel, StepResult, StepStatus, TaskResult, TaskRunner, TaskStatus
from .screen import Screen, ScreenshotMetadata
from .session import Session, connect
from .target import LocateResult, Target, parse_target
from .verify import VerifyResult

__all__ = [
    "ADBController",
    "ActionName",
    "AppHandler",
    "AssetsManager",
    "Blocker",
    "BlockerType",
    "Box",
    "CoordsCache",
    "CoordsCacheEntry",
    "DefaultHandler",
    "DismissSuggestion",
    "ExecutionLevel",
    "Grant",
    "GroundedElement",
    "HandeyeError",
    "LLMConfig",
    "LocateResult",
    "LocateStrategy",
    "ModuleRegistry",
    "OcrTokenInfo",
    "PermissionPolicy",
    "Planner",
    "Point",
    "Screen",
    "ScreenParser",
    "ScreenshotMetadata",
    "Session",
    "Size",
    "StepPlan",
    "StepResult",
    "StepStatus",
    "SuggestionAction",
    "Target",
    "TargetType",
    "TaskPlan",
    "TaskResult",
    "TaskRunner",
    "TaskStatus",
    "UIElement",
    "Verifier",
    "VerifyResult",
    "VisionAgent",
    "VisualLocator",
    "__version__",
    "bbox_center",
    "build_grounder_prompt",
    "connect",
    "fuzzy_match",
    "get_preset_config",
    "ground_element",
    "make_element_key",
    "normalize_text",
    "ocr_anchor_ground",
    "parse_grounder_response",
    "parse_target",
]
