"""Ranker: calibrated probabilities of all candidates of a question, from all evidence together."""

from handeye.locate.ranker.model import Ranked, Ranker, bundled_ranker

__all__ = ["Ranked", "Ranker", "bundled_ranker"]
