"""
See a screen, find what a person names, act on it, check what happened, recover.

>>> import handeye
>>> sorted(handeye.__all__)[:3]
['ADBController', 'Box', 'HandeyeError']

Everything named in `__all__` is public. Names load when they are first used, so that importing the package is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from handeye._version import __version__

if TYPE_CHECKING:
    from handeye.devices.android.controller import ADBController
    from handeye.errors import HandeyeError
    from handeye.geometry import Box, Point, Size
    from handeye.locate.locator import VisualLocator
    from handeye.run.result import TaskResult, TaskStatus
    from handeye.run.runner import TaskRunner
    from handeye.screen import Screen
    from handeye.session import Session, connect
    from handeye.target import LocateResult, Target

__all__ = [
    "ADBController",
    "Box",
    "HandeyeError",
    "LocateResult",
    "Point",
    "Screen",
    "Session",
    "Size",
    "Target",
    "TaskResult",
    "TaskRunner",
    "TaskStatus",
    "VisualLocator",
    "__version__",
    "connect",
]

_HOMES = {
    "ADBController": "handeye.devices.android.controller",
    "Box": "handeye.geometry",
    "HandeyeError": "handeye.errors",
    "LocateResult": "handeye.target",
    "Point": "handeye.geometry",
    "Screen": "handeye.screen",
    "Session": "handeye.session",
    "Size": "handeye.geometry",
    "Target": "handeye.target",
    "TaskResult": "handeye.run.result",
    "TaskRunner": "handeye.run.runner",
    "TaskStatus": "handeye.run.result",
    "VisualLocator": "handeye.locate.locator",
    "connect": "handeye.session",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'handeye' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
