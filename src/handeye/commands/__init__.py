"""One module per verb or group of verbs; all front ends run the same commands."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
