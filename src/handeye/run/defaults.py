"""What a run uses when nobody says otherwise: the built-in modules, reference images, the bundled text reader. All offline."""

from __future__ import annotations

from handeye.apps.registry import ModuleRegistry
from handeye.locate.chain import LocateChain
from handeye.locate.ocr import OcrStrategy
from handeye.locate.reference import ReferenceSource
from handeye.locate.template import TemplateStrategy
from handeye.ocr.base import TextReader
from handeye.ocr.cached import CachedReader
from handeye.ocr.rapid import RapidReader
from handeye.plan.base import Planner, TaskPlan
from handeye.run.tools import Tools, ToolsFor
from handeye.verify.screen_verifier import ScreenVerifier

# Where a query that belongs to no plan looks first for reference images.
GENERAL = "system"


def default_planner() -> ModuleRegistry:
    """The built-in app modules and the user's own."""
    return ModuleRegistry()


def default_tools(planner: Planner) -> ToolsFor:
    """
    For a plan, the tools that know the reference images of its module. The text reader is shared between plans, so that its
    models load once and a frame is read once.
    """
    reader = CachedReader(RapidReader())
    modules = planner if isinstance(planner, ModuleRegistry) else default_planner()

    def tools_for(plan: TaskPlan) -> Tools:
        return compose(modules.images(plan.module), reader)

    return tools_for


def general_tools() -> Tools:
    """The tools for single queries: every module's images, and text."""
    return compose(default_planner().images(GENERAL), CachedReader(RapidReader()))


def compose(images: ReferenceSource, reader: TextReader) -> Tools:
    """The chain, cheapest and most exact first, and the verifier that sees what the chain sees."""
    template = TemplateStrategy(images)
    return Tools(LocateChain([template, OcrStrategy(reader)]), ScreenVerifier(reader, template))
