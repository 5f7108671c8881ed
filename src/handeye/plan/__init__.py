"""Plans: the steps of a task, by template, memory or model, and the checks before they run."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
