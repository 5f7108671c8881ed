"""Mouse, keyboard, typing and clipboard of an X server."""
