"""Desktop automation: numbered elements of windows, and actions on them (docs/spec/perception-tiers.md)."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
