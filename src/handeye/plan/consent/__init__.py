"""What a plan may do unasked: its effects, held against the words of the task."""
