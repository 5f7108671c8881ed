"""Check of what a plan may do unasked: its effects, compared with the words of the task."""
