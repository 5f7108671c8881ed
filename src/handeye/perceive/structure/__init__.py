"""Infer unlisted window parts (borders, splitters, handles) from the rectangles of other elements."""
