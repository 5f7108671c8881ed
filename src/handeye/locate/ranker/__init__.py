"""The ranker: weighs all evidence for every candidate of a question together and returns calibrated probabilities."""

from handeye.locate.ranker.model import Ranked, Ranker, bundled_ranker

__all__ = ["Ranked", "Ranker", "bundled_ranker"]
