"""Sources of candidates: one file per strategy of the locate chain, with what it needs beside it."""
