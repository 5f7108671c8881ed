"""
See a screen, find what a person names, act on it, check what happened, recover.

>>> import handeye
>>> sorted(handeye.__all__)[:3]
['ADBController', 'ActionName', 'AppHandler']

Everything named in `__all__` is public. Names load when they are first used, so that importing the package is quick.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from handeye._version import __version__

# ONNX Runtime connects to its maker's servers and writes a device id into the user's cache folder as soon as it is imported, by
# us or by RapidOCR, unless this is set before. Who has set it otherwise has chosen so.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

if TYPE_CHECKING:
    from handeye.apps.handler import AppHandler, DefaultHandler
    from handeye.apps.images import AssetsManager
    from handeye.apps.registry import ModuleRegistry
    from handeye.blockers.base import Blocker, BlockerType, DismissSuggestion, Grant, SuggestionAction
    from handeye.blockers.permission_policy import PermissionPolicy
    from handeye.compat import Planner, Verifier
    from handeye.devices.android.controller import ADBController
    from handeye.elements import UIElement
    from handeye.errors import HandeyeError
    from handeye.geometry import Box, Point, Size
    from handeye.locate.grounding import (
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
    from handeye.locate.locator import LocateStrategy, VisualLocator
    from handeye.locate.sources.parser import ScreenParser
    from handeye.models.config.model_config import LLMConfig, get_preset_config
    from handeye.models.grounding.vision_agent import VisionAgent
    from handeye.plan.base import ActionName, StepPlan, TargetType, TaskPlan
    from handeye.run.levels import ExecutionLevel
    from handeye.run.result import StepResult, StepStatus, TaskResult, TaskStatus
    from handeye.run.runner import TaskRunner
    from handeye.screen import Screen, ScreenshotMetadata
    from handeye.session import Session, connect
    from handeye.target import LocateResult, Target
    from handeye.verify.base import VerifyResult

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
]

_HOMES = {
    "ADBController": "handeye.devices.android.controller",
    "ActionName": "handeye.plan.base",
    "AppHandler": "handeye.apps.handler",
    "AssetsManager": "handeye.apps.images",
    "Blocker": "handeye.verify.base",
    "BlockerType": "handeye.verify.base",
    "Box": "handeye.geometry",
    "CoordsCache": "handeye.locate.grounding",
    "CoordsCacheEntry": "handeye.locate.grounding",
    "DefaultHandler": "handeye.apps.handler",
    "DismissSuggestion": "handeye.verify.base",
    "Grant": "handeye.verify.base",
    "ExecutionLevel": "handeye.run.levels",
    "GroundedElement": "handeye.locate.grounding",
    "HandeyeError": "handeye.errors",
    "LLMConfig": "handeye.models.config.model_config",
    "LocateResult": "handeye.target",
    "LocateStrategy": "handeye.locate.locator",
    "ModuleRegistry": "handeye.apps.registry",
    "OcrTokenInfo": "handeye.locate.grounding",
    "PermissionPolicy": "handeye.blockers.permission_policy",
    "Planner": "handeye.compat",
    "Point": "handeye.geometry",
    "Screen": "handeye.screen",
    "ScreenParser": "handeye.locate.sources.parser",
    "ScreenshotMetadata": "handeye.screen",
    "Session": "handeye.session",
    "Size": "handeye.geometry",
    "StepPlan": "handeye.plan.base",
    "StepResult": "handeye.run.result",
    "StepStatus": "handeye.run.result",
    "SuggestionAction": "handeye.verify.base",
    "Target": "handeye.target",
    "TargetType": "handeye.plan.base",
    "TaskPlan": "handeye.plan.base",
    "TaskResult": "handeye.run.result",
    "TaskRunner": "handeye.run.runner",
    "TaskStatus": "handeye.run.result",
    "UIElement": "handeye.elements",
    "Verifier": "handeye.compat",
    "VerifyResult": "handeye.verify.base",
    "VisionAgent": "handeye.models.grounding.vision_agent",
    "VisualLocator": "handeye.locate.locator",
    "bbox_center": "handeye.locate.grounding",
    "build_grounder_prompt": "handeye.locate.grounding",
    "connect": "handeye.session",
    "fuzzy_match": "handeye.locate.grounding",
    "get_preset_config": "handeye.models.config.model_config",
    "ground_element": "handeye.locate.grounding",
    "make_element_key": "handeye.locate.grounding",
    "normalize_text": "handeye.locate.grounding",
    "ocr_anchor_ground": "handeye.locate.grounding",
    "parse_grounder_response": "handeye.locate.grounding",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'handeye' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
