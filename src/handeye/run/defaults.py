"""What a run uses when nobody says otherwise: the built-in modules, reference images, the bundled text reader. All offline."""

from __future__ import annotations

from handeye.apps.registry import ModuleRegistry
from handeye.devices.base import Device
from handeye.locate.accessibility import AccessibilityStrategy
from handeye.locate.base import Strategy
from handeye.locate.cache import CacheStrategy, PlaceCache
from handeye.locate.cache_files import cache_folder
from handeye.locate.chain import LocateChain
from handeye.locate.ocr import OcrStrategy
from handeye.locate.reference import ReferenceSource
from handeye.locate.template import TemplateStrategy
from handeye.ocr.base import TextReader
from handeye.ocr.cached import CachedReader
from handeye.ocr.paddle import PaddleReader
from handeye.perceive.base import StateProvider
from handeye.perceive.table import provider_for
from handeye.plan.base import Planner, TaskPlan
from handeye.run.tools import Tools, ToolsFor
from handeye.verify.screen_verifier import ScreenVerifier

# Where a query that belongs to no plan looks first for reference images.
GENERAL = "system"


def default_planner() -> ModuleRegistry:
    """The built-in app modules and the user's own."""
    return ModuleRegistry()


def default_tools(planner: Planner, device: Device | None = None) -> ToolsFor:
    """
    For a plan, the tools that know the reference images of its module, and what `device` can tell about its elements.

    The text reader is shared between plans, so that its models load once and a frame is read once; and so is the memory of
    places, which is kept per module (see `cache_folder`).
    """
    reader = CachedReader(PaddleReader())
    modules = planner if isinstance(planner, ModuleRegistry) else default_planner()
    places, tree = PlaceCache(cache_folder()), provider_for(device)

    def tools_for(plan: TaskPlan) -> Tools:
        return compose(modules.images(plan.module), reader, cache=CacheStrategy(places, app=plan.module), tree=tree)

    return tools_for


def general_tools(device: Device | None = None) -> Tools:
    """The tools for single queries: every module's images, text and the device's tree. Nothing is kept on disk."""
    return compose(default_planner().images(GENERAL), CachedReader(PaddleReader()), tree=provider_for(device))


def compose(
    images: ReferenceSource,
    reader: TextReader,
    *,
    cache: CacheStrategy | None = None,
    tree: StateProvider | None = None,
) -> Tools:
    """
    The chain, cheapest and most exact first, and the verifier that sees what the chain sees.

    A tree that takes seconds to read is asked last; `cache` remembers places in memory when none is given.
    """
    template = TemplateStrategy(images)
    strategies: list[Strategy] = [cache or CacheStrategy(), template, OcrStrategy(reader)]
    if tree is not None:
        strategies.insert(len(strategies) if tree.slow else 1, AccessibilityStrategy(tree, reader))
    return Tools(LocateChain(strategies), ScreenVerifier(reader, template))
