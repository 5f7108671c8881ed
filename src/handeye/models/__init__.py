"""Chat models of any provider, their configuration, and visual grounding: from a description to a box in pixels."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
