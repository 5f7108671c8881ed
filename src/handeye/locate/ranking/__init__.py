"""The ranker: weighs the evidence for every candidate of a question together, and tells how probable each place is."""

from handeye.locate.ranking.ranker import Ranked, Ranker, bundled_ranker
from handeye.locate.ranking.strategy import LEAST_FOR_ACTS, LEAST_IRREVERSIBLE, Parser, RankingStrategy, Sources

__all__ = [
    "LEAST_FOR_ACTS",
    "LEAST_IRREVERSIBLE",
    "Parser",
    "Ranked",
    "Ranker",
    "RankingStrategy",
    "Sources",
    "bundled_ranker",
]
