"""
Capture a screen, find the element that a person describes, act on it, verify the result, recover.

>>> import handeye
>>> sorted(handeye.__all__)[:3]
['ADBController', 'ActionName', 'AppHandler']

Everything in `__all__` is public. Names are loaded on first use, so that importing the package is fast.
"""

import os

import lazy_loader

# ONNX Runtime connects to its vendor's servers and writes a device id into the user's cache folder on import, by
# Handeye or by RapidOCR, unless this is set before. A value that the user has set is kept.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
