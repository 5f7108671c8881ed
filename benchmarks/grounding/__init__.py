"""One benchmark of grounding: every set of screens with known truth, asked of the default offline chain."""
