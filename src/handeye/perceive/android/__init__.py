"""Android's accessibility tree."""
