"""What Handeye knows about apps."""

from handeye.apps.handler import AppHandler, DefaultHandler, Score
from handeye.apps.images import AssetsManager, ImageSearch
from handeye.apps.registry import ModuleRegistry, Routing

__all__ = ["AppHandler", "AssetsManager", "DefaultHandler", "ImageSearch", "ModuleRegistry", "Routing", "Score"]
