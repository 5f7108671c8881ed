"""Windows, stacking order and monitors of an X server."""
