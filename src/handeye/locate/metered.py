"""The cost of a search in questions to models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from handeye.locate.chain import LocateChain
from handeye.models.usage import Usage
from handeye.screen import Screen
from handeye.target import LocateResult, Target


@runtime_checkable
class Metered(Protocol):
    """Something that asks models and adds up what that costs."""

    @property
    def usage(self) -> Usage: ...


@dataclass(frozen=True, slots=True)
class MeteredChain:
    """
    A chain whose results say what asking `meter` has cost. Where several threads share it, a result counts what all of them
    asked in its time.
    """

    chain: LocateChain
    meter: Metered

    def locate(self, target: Target, screen: Screen) -> LocateResult:
        before = self.meter.usage
        result = self.chain.locate(target, screen)
        usage = self.meter.usage - before
        return replace(result, usage=usage) if usage.calls else result

    def judge(self, target: Target, held: bool) -> None:
        self.chain.judge(target, held)


def metered(chain: LocateChain, asked: object) -> LocateChain | MeteredChain:
    """The chain, metered when what it asks (a vision finder, or None) counts its cost."""
    return MeteredChain(chain, asked) if isinstance(asked, Metered) else chain
