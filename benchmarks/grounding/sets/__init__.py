"""The sets: each file reads one kind of data into cases."""
