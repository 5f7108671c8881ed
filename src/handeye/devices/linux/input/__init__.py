"""Mouse, keyboard, text and clipboard of an X server."""
