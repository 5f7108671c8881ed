"""Elements that follow from rectangles alone: splitters, table borders, handles (tier 1+)."""
