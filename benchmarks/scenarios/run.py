"""Run the scenario suite and write its table: see docs/scenarios.md."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from scenarios.command import main

if __name__ == "__main__":
    sys.exit(main())
