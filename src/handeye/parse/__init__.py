"""The embedded screen parser: controls and icons by name, offline."""
