"""Build the public set of documentation pages: see README.md."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.append(str(Path(__file__).parents[3] / "src"))

from grounding.pages.command import main

if __name__ == "__main__":
    sys.exit(main())
