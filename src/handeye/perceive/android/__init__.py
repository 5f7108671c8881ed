"""Android's accessibility tree as elements."""
