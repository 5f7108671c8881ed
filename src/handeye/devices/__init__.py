"""Devices: the only package that knows ADB, X11 and Win32."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
