"""Reading text off a frame."""
