"""Features of the ranker: one function per kind of evidence, one value per candidate in each column."""
