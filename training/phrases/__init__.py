"""Questions in people's words, made from the exact truths of screens."""
