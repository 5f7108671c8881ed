"""`training` is in the repository and not in the package."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
