"""Devices: the only part that knows ADB, X11 or Win32."""
