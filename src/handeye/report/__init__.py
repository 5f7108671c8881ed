"""Run reports: the events recorded during a run, and the documents generated from them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
