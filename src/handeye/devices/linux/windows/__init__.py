"""Windows and monitors of an X server."""
