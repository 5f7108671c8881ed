"""What single pieces of evidence say, and what they say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """
    One part of an expectation: `holds` is None when nothing could be said. `confidence` is 0-1. `unseen` is the text whose
    absence it is about: what lies over the page may hide that.
    """

    holds: bool | None
    evidence: str
    confidence: float = 0.0
    unseen: str = ""


def combine(findings: Sequence[Evidence]) -> bool | None:
    """All must hold; one that fails decides; without any, nothing is said."""
    if any(finding.holds is False for finding in findings):
        return False
    if not findings or any(finding.holds is None for finding in findings):
        return None
    return True


def sureness(findings: Sequence[Evidence], holds: bool | None) -> float:
    """How sure a verdict is: of several that must hold the least sure, of several that contradict the surest; 0 for None."""
    if holds is None:
        return 0.0
    said = [finding.confidence for finding in findings if finding.holds is holds]
    return min(said, default=0.0) if holds else max(said, default=0.0)
