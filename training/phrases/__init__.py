"""Phrases as people write them, generated and written, with the boxes that they name."""
