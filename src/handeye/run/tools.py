"""What a run looks and checks with, composed once per plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from handeye.plan.base import TaskPlan
from handeye.screen import Screen
from handeye.target import LocateResult, Target
from handeye.verify.base import Verifier


class Finder(Protocol):
    """Finds one target on one frame; "not found" is a result, not an error."""

    def locate(self, target: Target, screen: Screen) -> LocateResult: ...

    def judge(self, target: Target, held: bool) -> None:
        """What was last found for `target` was acted on: that was proved to be right (`held`), or it failed."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    finder: Finder
    verifier: Verifier


ToolsFor = Callable[[TaskPlan], Tools]
