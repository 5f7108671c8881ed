"""Pictures of screens and windows of an X server."""
