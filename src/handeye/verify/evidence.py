"""Pieces of evidence, and how they are combined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """
    A finding about one part of an expectation: `holds` is None when it is undecided. `confidence` is 0-1. `unseen` is the
    text whose absence the finding is about: a blocker over the page may hide it.
    """

    holds: bool | None
    evidence: str
    confidence: float = 0.0
    unseen: str = ""


def combine(findings: Sequence[Evidence]) -> bool | None:
    """Return True if all hold, False if one fails, and None otherwise or without any."""
    if any(finding.holds is False for finding in findings):
        return False
    if not findings or any(finding.holds is None for finding in findings):
        return None
    return True


def combined_confidence(findings: Sequence[Evidence], holds: bool | None) -> float:
    """
    Return the confidence of a verdict: the lowest of those that must all hold, the highest of those that contradict; 0 for
    None.
    """
    if holds is None:
        return 0.0
    said = [finding.confidence for finding in findings if finding.holds is holds]
    return min(said, default=0.0) if holds else max(said, default=0.0)
