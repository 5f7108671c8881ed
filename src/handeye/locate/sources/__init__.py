"""Sources of candidates: one file per strategy of the locate chain, and the files that it needs."""
