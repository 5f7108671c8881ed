"""Features of the ranker: one function per kind of evidence, a column per candidate."""
