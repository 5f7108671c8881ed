"""Choosing among several places: neighbours, part of the screen, ordinal."""

from __future__ import annotations

from collections.abc import Callable

from handeye.locate.base import Match
from handeye.screen import Screen
from handeye.target import LocateResult, Target


def narrow(target: Target, match: Match, screen: Screen, find: Callable[[Target], LocateResult]) -> Match:
    """
    The places of `match` that `target.relations`, `position` and `ordinal` leave; its note says why none is left.

    `find` looks for an anchor on the same frame.
    """
    return match
