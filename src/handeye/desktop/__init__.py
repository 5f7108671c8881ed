"""A desktop in a person's hands: its state by numbers, and acting on them (seed 002)."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
