"""Ask every question of the corpus and print the table of right, wrong and refused answers: see README.md."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus.command import main

if __name__ == "__main__":
    sys.exit(main())
