"""The apps of the virtual phone."""
