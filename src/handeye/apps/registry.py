"""Registry of app modules: route a task to the module it is for, and plan it by the module's templates."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

from rapidfuzz import fuzz, process

from handeye.apps.dependencies import check_uses
from handeye.apps.discovery import ModuleLocation, Source, module_locations
from handeye.apps.handler import AppHandler, DefaultHandler, Score, code_error, load_module
from handeye.apps.images import AssetsManager, ImageSearch
from handeye.errors import ConfigError, HandeyeError, NoPlan
from handeye.plan import TASK_LIMIT, StepPlan, TaskPlan, fold, is_plainly_one_text
from handeye.screen import Screen
from handeye.visible import shown

logger = logging.getLogger("handeye.apps")

BASE_MODULE: Final = "system"
"""The module whose tasks and images the others build on."""

HINTS: Final = 3
"""Known phrasings shown for a task that nothing fits: a longer list is not read."""

MOST_NAMED: Final = 8
"""Most modules that a message names."""

MOST_SHOWN: Final = 120
"""Most characters of one wording in a message."""

HINT_SCORE: Final = 25.0
"""rapidfuzz ratio (0-100) of a task and a phrasing's own words: "给张三发微信消息" and 给...发微信说 have 61. Slots hold most
of a long task, so the threshold is low; a phrasing that shares one character in ten with it is unrelated."""

_SLOT: Final = re.compile(r"\{\w+\}")


@dataclass(frozen=True, slots=True)
class Routing:
    """The module a task is for, its score (0-1), and every module's score by its parts, best first."""

    handler: AppHandler
    score: float
    scores: Mapping[str, Score]


class ModuleRegistry:
    """
    The app modules: the built-in ones, those of installed packages (neither with `builtin` False), the user's own, those in
    `./handeye_apps` (when they are trusted, see `handeye.trusted_files`), in the folders of the environment variable
    HANDEYE_APPS, and in `paths`. A later module replaces an earlier one of the same name.

    A module with an error is left out (`broken`), with a warning, and so is the module that it would have replaced: it is
    unknown what its tasks were to be. The built-in modules use each other as they were shipped, whatever replaces one of
    them.

    `assets` is the user's own library of reference images. Raises ConfigError for a folder of `paths` or HANDEYE_APPS that
    has no module.
    """

    def __init__(
        self,
        paths: Iterable[str | Path] = (),
        *,
        builtin: bool = True,
        assets: str | Path = "assets",
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._handlers: dict[str, AppHandler] = {}
        self._places: dict[str, ModuleLocation] = {}
        self._broken: dict[str, ModuleLocation] = {}
        self._shipped: dict[str, AppHandler] = {}
        self._replacing: dict[str, Path] = {}
        self._default = DefaultHandler()
        self._assets = AssetsManager(assets)
        for place in module_locations(paths, builtin=builtin, environment=environment):
            self._load(place)
        while [each for each in self.handlers if self._is_misused(each)]:
            pass  # a module that is left out may be used by others

    def _load(self, place: ModuleLocation) -> None:
        try:
            handler = load_module(place)
        except ConfigError as error:
            self._leave_out(place.folder.name, place, error)
            return
        if handler.name in self._handlers:
            level = logging.WARNING if _replaces_installed(self._places[handler.name], place) else logging.INFO
            logger.log(
                level, "the app module %s in %s replaces the earlier one", handler.name, shown(str(place.folder))
            )
            if _replaces_installed(self._places[handler.name], place, asked=True):
                self._replacing[handler.name] = place.folder
        handler.lookup = self.handler
        if place.source is Source.BUILT_IN:
            self._shipped[handler.name] = handler
            handler.lookup = self._shipped_or_current
        self._handlers[handler.name], self._places[handler.name] = handler, place
        self._broken.pop(handler.name, None)

    def _is_misused(self, handler: AppHandler) -> bool:
        """Return True if a task of the module uses others wrongly, so that the module was left out."""
        try:
            for template in handler.tasks.values():
                check_uses(handler, template)  # not handler.check: what it uses may have been left out meanwhile
        except ConfigError as error:
            self._leave_out(handler.name, self._places[handler.name], error)
            return True
        return False

    def _leave_out(self, name: str, place: ModuleLocation, error: ConfigError) -> None:
        logger.warning("the app module %s (%s) is left out: %s", shown(name), shown(place.told), error)
        self._handlers.pop(name, None)
        self._broken[name] = replace(place, error=error)

    @property
    def broken(self) -> Mapping[str, ModuleLocation]:
        """The modules that were left out, by name; each place has its error."""
        return dict(self._broken)

    def place(self, name: str) -> ModuleLocation:
        """Return the place of the module of that name. Raises NoPlan."""
        self.handler(name)
        return self._places[name]

    @property
    def handlers(self) -> tuple[AppHandler, ...]:
        """All modules, in the order in which they were found."""
        return tuple(self._handlers.values())

    def handler(self, name: str) -> AppHandler:
        """Return the module of that name. Raises NoPlan."""
        if name == self._default.name:
            return self._default
        if name in self._broken:
            raise NoPlan(f"the app module {name!r} was left out, because {self._broken[name].error}")
        if name not in self._handlers:
            raise NoPlan(f"there is no app module {name!r}; there are: {', '.join(self._handlers) or 'none'}")
        return self._handlers[name]

    def _shipped_or_current(self, name: str) -> AppHandler:
        """Return the module of a name for a built-in module: the built-in one, even where another one replaces it."""
        return self._shipped[name] if name in self._shipped else self.handler(name)

    def base(self, module: str) -> AppHandler | None:
        """
        Return the module that `module` builds on, `system`: for a built-in one as it was shipped. None when it does not
        exist.
        """
        is_shipped = module in self._handlers and self._handlers[module] is self._shipped.get(module)
        return (self._shipped if is_shipped else self._handlers).get(BASE_MODULE)

    def images(self, module: str | None = None) -> ImageSearch:
        """
        Return the reference images for a plan of `module`: its own, the system's, the user's assets, then those that ship
        with Handeye. No other module can add a picture under a name that is a text on a screen of this one. Without `module`,
        for a search by name: all modules', those that ship first.
        """
        own = [
            each.images()
            for each in (self._handlers.get(module or BASE_MODULE), self.base(module or BASE_MODULE))
            if each
        ]
        shipped = [each.images() for each in self._shipped.values()]
        others = [each.images() for each in self.handlers] if module is None else []
        return ImageSearch(tuple(dict.fromkeys((*own, self._assets, *shipped, *others))))

    def route(self, task: str) -> Routing:
        """
        Return the module with the highest score (weights of docs/spec/vision-agent.md); of equal ones the one whose pattern
        fits better, then the one found first. A task with no score goes to the default handler, which has no templates.
        """
        scores = {handler.name: self._score(handler, task) for handler in self.handlers}
        ranked = dict(sorted(scores.items(), key=lambda item: (-item[1].total, -item[1].templates)))
        best = next(iter(ranked), None)
        if best is None or not ranked[best].total:
            return Routing(self._default, 0.0, ranked)
        return Routing(self._handlers[best], ranked[best].total, ranked)

    def _score(self, handler: AppHandler, task: str) -> Score:
        """Return the module's score; a module whose own code fails scores 0 and is left out from now on."""
        try:
            return handler.score(task)
        except Exception as error:
            if type(handler) is AppHandler:
                raise
            self._leave_out(handler.name, self._places[handler.name], code_error(handler.folder, error))
            return Score()

    def plan(self, task: str, screenshot: Screen | None = None, history: Sequence[StepPlan] | None = None) -> TaskPlan:
        """Return the routed module's plan. Raises NoPlan with the nearest known wordings."""
        if not task.strip():
            raise NoPlan("the task is empty; say what to do, such as 打开微信")
        if len(task) > TASK_LIMIT:
            raise NoPlan(f"the task has {len(task)} characters; at most {TASK_LIMIT} are read")
        routing = self.route(task)
        try:
            plan = routing.handler.plan(task)
        except Exception as error:
            if isinstance(error, HandeyeError) or type(routing.handler) is AppHandler:
                raise
            raise NoPlan(
                f"the app module {routing.handler.name!r}: {code_error(routing.handler.folder, error)}"
            ) from error
        if plan is None:
            raise NoPlan(self._no_plan(task, routing))
        logger.debug("task routed to %s (%.2f)", routing.handler.name, routing.score)
        folder = self._replacing.get(routing.handler.name)
        if folder is None:
            return plan
        issue = f"the module {plan.module} in {folder} replaces the one that comes with Handeye"
        return replace(plan, potential_issues=(*plan.potential_issues, issue))

    def replan(
        self,
        original_task: str,
        current_screenshot: Screen | None,
        failed_step: StepPlan,
        failure_reason: str,
        executed_steps: Sequence[StepPlan],
    ) -> TaskPlan:
        """Raise NoPlan: templates have one way for each task, and it has failed."""
        raise NoPlan(f"the app modules know one way to do {original_task!r}, and it has failed: {failure_reason}")

    def _no_plan(self, task: str, routing: Routing) -> str:
        asked = task if len(task) <= 80 else task[:77] + "..."
        near = self.phrasings_near(task)
        if (too_long := self._too_long(task)) is not None:
            hint = f"{too_long}: make it shorter, or ask for its parts one by one"
        elif near:
            hint = f"known wordings that come near: {', '.join(shown(each, MOST_SHOWN) for each in near)}"
        else:
            hint = f"what they know is of the kind of: {', '.join(shown(each, MOST_SHOWN) for each in self._samples())}"
        if too_long is None and not is_plainly_one_text(fold(task[:TASK_LIMIT])):
            hint = f"it may say two things: ask for one at a time, or put the message in quotation marks; {hint}"
        broken = islice(self._broken.items(), MOST_NAMED)
        left_out = "".join(f"; {shown(name)} was left out: {place.error}" for name, place in broken)
        return f"no app module knows how to do {asked!r}; {hint}{left_out}"

    def _too_long(self, task: str) -> str | None:
        """
        Return the message about a part of the task that is too long, where only that keeps the task from fitting; else None.
        """
        templates = (template for handler in self._handlers.values() for template in handler.tasks.values())
        return next((said for template in templates if (said := template.too_long(task)) is not None), None)

    def _samples(self) -> tuple[str, ...]:
        """Return an example wording of each module's first task."""
        samples = (
            next(template.patterns[0].example for template in handler.tasks.values() if template.patterns)
            for handler in self._handlers.values()
            if any(template.patterns for template in handler.tasks.values())
        )
        return tuple(islice(samples, MOST_NAMED))

    def phrasings_near(self, task: str) -> tuple[str, ...]:
        """Return the known phrasings most similar to `task`, best first, at most three."""
        known = {
            pattern.example: _SLOT.sub("", pattern.example)
            for handler in self._handlers.values()
            for template in handler.tasks.values()
            for pattern in template.patterns
        }
        asked = fold(task[:200])
        found = process.extract(asked, known, scorer=fuzz.ratio, limit=HINTS, score_cutoff=HINT_SCORE)
        return tuple(example for _, _, example in found)


def _replaces_installed(earlier: ModuleLocation, place: ModuleLocation, *, asked: bool = False) -> bool:
    """Return True if a folder's module replaces an installed one; without `asked`, only where it was not named explicitly."""
    named = place.source in (Source.VARIABLE, Source.GIVEN)
    return earlier.source.is_trusted and not place.source.is_trusted and (asked or not named)
