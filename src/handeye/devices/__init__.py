"""Devices: the only part that knows ADB, X11 or Win32."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
