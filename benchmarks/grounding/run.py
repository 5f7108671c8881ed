"""Measure how well the default offline chain finds what people name: see README.md."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(1, str(Path(__file__).parents[2]))

from grounding.command import main

if __name__ == "__main__":
    sys.exit(main())
