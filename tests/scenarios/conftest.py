"""The scenario suite lives beside the benchmarks; these tests hold its judge to its word and run its most telling cells."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
