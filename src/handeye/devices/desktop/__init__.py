"""A desktop as a device: windows, pixels, mouse and keyboard, the same on every system."""
