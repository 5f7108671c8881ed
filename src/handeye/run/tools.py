"""What a run looks and checks with, composed once per plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from handeye.ocr.base import TextReader
from handeye.perceive.base import StateProvider
from handeye.plan.base import TaskPlan, TaskPlanner
from handeye.screen import Screen
from handeye.target import LocateResult, Target
from handeye.usage import Usage
from handeye.verify.base import Verifier


class Finder(Protocol):
    """Finds one target on one frame; "not found" is a result, not an error."""

    def locate(self, target: Target, screen: Screen) -> LocateResult: ...

    def judge(self, target: Target, held: bool) -> None:
        """Tell that the last find for `target` was acted on: that was proved to be right (`held`), or it failed."""
        ...


class Metered(Protocol):
    """Adds up what asking models has cost."""

    @property
    def usage(self) -> Usage: ...


class Account(Metered, Protocol):
    """The budget of a task's models, and what they have spent."""

    def renew(self) -> None:
        """The next task begins: it may spend as much as the one before."""
        ...


@runtime_checkable
class LearningPlanner(TaskPlanner, Protocol):
    """A planner that remembers what has worked."""

    def succeeded(self, plan: TaskPlan) -> None:
        """The goal was proved by this plan alone."""
        ...

    def failed(self, plan: TaskPlan) -> None:
        """The plan did not lead to its goal."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """
    `offline` finds what may be looked for while a page still moves: it asks no model, and takes no icon, no drawn control and
    no other label for words; None when that is what `finder` does. `meter` counts what the others ask of models; None when they
    ask none. `reader` and `tree` are what values are read with, and typed text is read back with.
    """

    finder: Finder
    verifier: Verifier
    meter: Metered | None = None
    reader: TextReader | None = None
    tree: StateProvider | None = None
    offline: Finder | None = None

    @property
    def usage(self) -> Usage:
        return self.meter.usage if self.meter is not None else Usage()


ToolsFor = Callable[[TaskPlan], Tools]
