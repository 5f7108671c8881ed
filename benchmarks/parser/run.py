"""Measure the embedded screen parser on what its training never saw: see README.md."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from parser.command import main

if __name__ == "__main__":
    sys.exit(main())
