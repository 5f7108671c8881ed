"""Capture the screen and windows of an X server."""
