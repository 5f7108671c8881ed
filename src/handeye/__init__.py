"""
See a screen, find what a person names, act on it, check what happened, recover.

>>> import handeye
>>> sorted(handeye.__all__)[:3]
['ADBController', 'ActionName', 'AppHandler']

Everything named in `__all__` is public. Names load when they are first used, so that importing the package is quick.
"""

import os

import lazy_loader

# ONNX Runtime connects to its maker's servers and writes a device id into the user's cache folder as soon as it is imported, by
# us or by RapidOCR, unless this is set before. Who has set it otherwise has chosen so.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
