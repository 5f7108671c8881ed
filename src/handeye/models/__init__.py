"""One way to talk to a model, and one place that knows how each family writes coordinates."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
