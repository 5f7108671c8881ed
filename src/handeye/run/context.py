"""What every part of a run works with, handed on as one value."""

from __future__ import annotations

from dataclasses import dataclass, field

from handeye.blockers.permission_policy import PermissionPolicy
from handeye.clock import Clock
from handeye.devices.base import Device
from handeye.run.events import Event, EventKind, Listener
from handeye.run.limits import Limits
from handeye.run.result import StepResult
from handeye.run.tools import Tools


@dataclass(frozen=True, slots=True)
class Context:
    """The device, what looks at it, the time, the bounds, who listens, and who decides on permissions."""

    device: Device
    tools: Tools
    clock: Clock
    limits: Limits
    listen: Listener
    policy: PermissionPolicy = field(default_factory=PermissionPolicy)

    def tell(self, kind: EventKind, result: StepResult, message: str = "") -> None:
        """An event about the step that `result` belongs to."""
        self.listen(Event(kind, self.clock.wall(), message, step=result.step, step_result=result))
