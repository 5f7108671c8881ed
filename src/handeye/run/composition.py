"""
Default composition of a run: the built-in modules, reference images and the bundled text reader, all offline; and the models
that the environment names, if any.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from handeye.apps import ModuleRegistry
from handeye.devices import Device, VersionAware
from handeye.locate import (
    LEAST_FOR_ACTS,
    AccessibilityStrategy,
    CacheStrategy,
    LocateChain,
    OcrStrategy,
    PlaceCache,
    RankingStrategy,
    ScreenParser,
    Sources,
    Strategy,
    TemplateStrategy,
    UsageCounter,
    VisionFinder,
    VisualStrategy,
    bundled_ranker,
    cache_folder,
    pictures_of,
    requested_confidence,
    with_usage,
)
from handeye.matching import ReferenceSource
from handeye.models import ChatModel, LLMConfig, Settings, TaskModels, configured_models, configured_vision
from handeye.ocr import CachedReader, PaddleReader, TextReader
from handeye.perceive import StateProvider, provider_for
from handeye.plan import CacheMode, Planner, TaskPlan, TaskPlanner, default_memory
from handeye.run.levels import Limits
from handeye.run.state import Account, Tools, ToolsFor
from handeye.verify import ScreenVerifier

# No animation takes longer; a larger OPERATION_DELAY was meant in milliseconds.
LONGEST_PAUSE_S = 60.0


@dataclass(frozen=True, slots=True)
class Agent:
    """The planner, the tools and the model budget for the runs on one device."""

    planner: TaskPlanner
    tools: ToolsFor
    account: Account


def default_planner(assets: str | Path | None = None) -> ModuleRegistry:
    """
    Return the built-in app modules and the user's own, which plan by their templates; `assets` is the user's own images.
    """
    return ModuleRegistry() if assets is None else ModuleRegistry(assets=assets)


def default_limits() -> Limits:
    """
    Return the default limits, with the pause after each action that `OPERATION_DELAY` (seconds; in the environment or in
    `.env`) sets. Raises ConfigError for an invalid value.
    """
    settings = Settings(os.environ)
    settings.load()
    pause = settings.number("OPERATION_DELAY", float, 0.0)
    if not 0 <= pause <= LONGEST_PAUSE_S and (setting := settings.get("OPERATION_DELAY")) is not None:
        raise setting.wrong(f"seconds from 0 to {LONGEST_PAUSE_S:g}")
    return Limits(pause_s=pause)


def default_agent(
    device: Device | None = None,
    model: LLMConfig | str | None = None,
    *,
    planner: TaskPlanner | None = None,
    plans: CacheMode = "read-write",
    assets: str | Path | None = None,
    places: Path | None = None,
    min_confidence: float | None = None,
) -> Agent:
    """
    Return an agent that plans by the modules' templates, then from memory (`plans`, see `handeye.plan.planner.memory`), then
    by a model; `planner` replaces that. `model` is as for `configured_models`; planner, locator and verifier share one budget
    per task. `assets` is the user's own library of reference images, `places` the folder of remembered places, unless they
    are the default ones; `min_confidence` is as for `compose`.

    Raises ConfigError when `model` names one that cannot be used.
    """
    modules = planner if isinstance(planner, ModuleRegistry) else default_planner(assets)
    reader, tree = CachedReader(PaddleReader()), provider_for(device)
    models = configured_models(model, reader=reader, state=tree)
    if planner is None:
        planner = Planner(
            modules,
            **planning_parts(models, reader, plans),
            version_of=partial(_version_of, device),
            look=device.screenshot if device is not None else None,
        )
    tools_for = _tools_for(modules, reader, tree, models, places or cache_folder(), min_confidence)
    return Agent(planner, tools_for, models)


def planning_parts(models: TaskModels, reader: CachedReader, plans: CacheMode = "read-write") -> dict[str, Any]:
    """Return the arguments of a `Planner` besides its modules."""
    return {
        "model": models.chat("planner"),
        "memory": default_memory(plans),
        "reader": reader,
        "sees": models.sees("planner"),
    }


def _version_of(device: Device | None, packages: Iterable[str]) -> str | None:
    """Return the version of the first of these apps that is installed; None when the device does not report one."""
    if not isinstance(device, VersionAware):
        return None
    return next((version for package in packages if (version := device.app_version(package)) is not None), None)


def default_tools(planner: TaskPlanner, device: Device | None = None, model: LLMConfig | str | None = None) -> ToolsFor:
    """Return the tools of `default_agent`, for use with another planner."""
    return default_agent(device, model, planner=planner).tools


def _tools_for(
    modules: ModuleRegistry,
    reader: CachedReader,
    tree: StateProvider | None,
    models: TaskModels,
    folder: Path | None,
    min_confidence: float | None,
) -> ToolsFor:
    """
    Return a function that makes the tools for a plan: with the reference images of its module, and the device's element tree.

    The text reader is shared between plans, so that its models load once and a frame is read once; and so is the memory of
    places, which is stored per module in `folder`.
    """
    places, parser = PlaceCache(folder), ScreenParser(reader)

    def tools_for(plan: TaskPlan) -> Tools:
        images = modules.images(plan.module)
        return compose(
            images,
            reader,
            cache=CacheStrategy(places, app=plan.module, reader=reader),
            tree=tree,
            parser=parser,
            vision=models.vision_with(pictures_of(images)),
            judge=models.chat("verifier"),
            account=models,
            min_confidence=min_confidence,
        )

    return tools_for


def general_tools(
    device: Device | None = None, model: LLMConfig | str | None = None, min_confidence: float | None = None
) -> Tools:
    """
    Return the tools for single queries: every module's images, text, the device's tree, and the model (as for
    `default_agent`) with a budget for each query. Nothing is stored on disk. `min_confidence` is as for `compose`.
    """
    images, reader, tree = default_planner().images(), CachedReader(PaddleReader()), provider_for(device)
    vision = configured_vision(model, reader=reader, state=tree, pictures=pictures_of(images), per_search=True)
    return compose(images, reader, tree=tree, parser=ScreenParser(reader), vision=vision, min_confidence=min_confidence)


def compose(
    images: ReferenceSource,
    reader: TextReader,
    *,
    cache: CacheStrategy | None = None,
    tree: StateProvider | None = None,
    parser: ScreenParser | None = None,
    vision: VisionFinder | None = None,
    judge: ChatModel | None = None,
    account: Account | None = None,
    min_confidence: float | None = None,
) -> Tools:
    """
    Compose the locator chain, cheapest and most exact first, and the verifier, which uses the same sources.

    A tree that takes seconds to read is asked after the others; then the ranker, which weighs all elements of tree and
    `parser`, and accepts an icon, a drawn control or another label for words, once the page rests; and `vision`, which costs
    money, last. Irreversible acts require a higher confidence of the ranker's finds than other acts
    (`handeye.run.press_checks`). `judge` is the model that the verifier asks where nothing else decides. `cache` remembers
    places in memory by default. `account` counts the model usage; without one, `vision` does, where it can. What is found
    with less than `min_confidence` (0-1) is not acted on; the default is the variable HANDEYE_MIN_CONFIDENCE, else 0.9 for
    the ranker and 0.5 for the others.
    """
    least = requested_confidence(min_confidence)
    template = TemplateStrategy(images)
    strategies: list[Strategy] = [
        cache or CacheStrategy(reader=reader),
        template,
        OcrStrategy(reader, template.references),
    ]
    if tree is not None:
        strategies.insert(len(strategies) if tree.slow else 1, AccessibilityStrategy(tree, reader))
    ranker = None
    if tree is not None or parser is not None:
        sources = Sources(tree, parser, reader)
        ranker = RankingStrategy(bundled_ranker, sources, least=LEAST_FOR_ACTS, min_confidence=least)
    patient = ranker is not None or vision is not None
    offline = LocateChain(strategies, least_confidence=least, doubting=ranker) if patient else None
    if ranker is not None:
        strategies = [*strategies, ranker]
    if vision is not None:
        strategies = [*strategies, VisualStrategy(vision)]
    meter = account or (vision if isinstance(vision, UsageCounter) else None)
    verifier = ScreenVerifier(reader, template, model=judge, state=tree)
    chain = LocateChain(strategies, least_confidence=least)
    return Tools(with_usage(chain, vision), verifier, meter, reader, tree, offline)
