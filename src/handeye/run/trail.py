"""What a run remembers from one step to the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from handeye.run.deeds import Deeds
from handeye.screen import Screen


@dataclass(slots=True)
class Trail:
    """
    `seen` is the last frame, for steps that do not touch what they see on it. `untyped` is the frame before the last typing:
    what stands there anew is told by comparing with it. From `secret_typed` on the screen may show a secret, and no piece of it
    is kept. `replanned` says that a step failed before: from then on `deeds` has a say in every act.
    """

    deeds: Deeds = field(default_factory=Deeds)
    seen: Screen | None = None
    untyped: Screen | None = None
    secret_typed: bool = False
    replanned: bool = False

    def let_go(self, *frames: Screen | None) -> None:
        """Give back what was computed from frames that no later step compares with."""
        for frame in frames:
            if frame is not None and frame is not self.seen and frame is not self.untyped:
                frame.release()
