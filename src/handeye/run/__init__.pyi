from .composition import default_agent, default_limits, default_planner, general_tools, planning_parts
from .device_actions import swipe, taps
from .levels import ExecutionLevel, level_of
from .navigation import front_app, with_app
from .press_checks import press_objection
from .recovery import Recovery
from .result import (
    Event,
    EventKind,
    Listener,
    StepResult,
    StepStatus,
    TaskResult,
    TaskStatus,
    combined_listener,
    ignore_events,
)
from .resume import WHERE, ResumePoint
from .runner import TaskRunner
from .state import Context, RunState, Tools
from .target_resolution import TARGET_MOVED, TargetResolution, region_unchanged

__all__ = [
    "TARGET_MOVED",
    "WHERE",
    "Context",
    "Event",
    "EventKind",
    "ExecutionLevel",
    "Listener",
    "Recovery",
    "ResumePoint",
    "RunState",
    "StepResult",
    "StepStatus",
    "TargetResolution",
    "TaskResult",
    "TaskRunner",
    "TaskStatus",
    "Tools",
    "combined_listener",
    "default_agent",
    "default_limits",
    "default_planner",
    "front_app",
    "general_tools",
    "ignore_events",
    "level_of",
    "planning_parts",
    "press_objection",
    "region_unchanged",
    "swipe",
    "taps",
    "with_app",
]
