"""App knowledge of a planner, behind protocols, so that plans can be made without the app modules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from handeye.plan.base import StepPlan, TaskPlan
from handeye.screen import Screen

BASE_MODULE: Final = "system"
"""Name of the module whose images every plan may use."""


class References(Protocol):
    """A library of reference images: `handeye.apps.images.AssetsManager`."""

    def get_available_refs(self) -> dict[str, list[str]]: ...

    def resolve_alias(self, name: str) -> str | None: ...


class Libraries(Protocol):
    """Several image libraries, in the order in which they are searched: `handeye.apps.images.ImageSearch`."""

    @property
    def libraries(self) -> Sequence[References]: ...


class Module(Protocol):
    """The module of one app: `handeye.apps.handler.AppHandler`."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def package(self) -> tuple[str, ...]: ...

    def images(self) -> References: ...

    def prompt(self) -> str: ...


class Routed(Protocol):
    """The module chosen for a task: `handeye.apps.registry.Routing`."""

    @property
    def handler(self) -> Module: ...


class Modules(Protocol):
    """
    All app modules: `handeye.apps.registry.ModuleRegistry`. `plan` makes a plan by template, and raises NoPlan if no template
    fits; `images` are the libraries for a module's plan, and `base` is the module that it builds on.
    """

    @property
    def handlers(self) -> Sequence[Module]: ...

    def base(self, module: str) -> Module | None: ...

    def route(self, task: str) -> Routed: ...

    def images(self, module: str) -> Libraries: ...

    def plan(
        self, task: str, screenshot: Screen | None = None, history: Sequence[StepPlan] | None = None
    ) -> TaskPlan: ...


@dataclass(frozen=True, slots=True)
class AppKnowledge:
    """
    App knowledge for one task: given to the planning model, and used to check its plan. `references` are the names of the
    images to choose from; `libraries` also know aliases and the images of other apps. `apps` are (title, package) pairs that
    may be started; `named` are all app names known to modules (微信, wechat) with their packages; `own` are the packages of
    the module itself.
    """

    module: str
    own: tuple[str, ...]
    notes: str
    references: tuple[str, ...]
    libraries: tuple[References, ...]
    apps: tuple[tuple[str, str], ...]
    named: tuple[tuple[str, str], ...] = ()

    def reference(self, name: str) -> str | None:
        """Return the image name for a name or alias, or None if there is no such image."""
        return next((known for each in self.libraries if (known := each.resolve_alias(name)) is not None), None)

    @property
    def packages(self) -> frozenset[str]:
        return frozenset(package for _title, package in self.apps)


def app_knowledge_for(modules: Modules, task: str, packages: Collection[str] = ()) -> AppKnowledge:
    """Return the app knowledge for a task; `packages` are further packages that may be started, those on the device."""
    module = modules.route(task).handler
    offered = [module.images()]
    base = modules.base(module.name)
    if base is not None and base.name != module.name:
        offered.append(base.images())
    apps = [(each.title, package) for each in modules.handlers for package in each.package]
    titled = {package for _title, package in apps}
    return AppKnowledge(
        module.name,
        module.package,
        module.prompt(),
        tuple(dict.fromkeys(name for each in offered for name in _names(each))),
        tuple(modules.images(module.name).libraries),
        (*apps, *(("", package) for package in packages if package not in titled)),
        tuple(
            (name, package)
            for each in modules.handlers
            if each.name != BASE_MODULE
            for package in each.package
            for name in dict.fromkeys((each.title, each.name))
        ),
    )


def _names(library: References) -> Iterable[str]:
    return (name for names in library.get_available_refs().values() for name in names)
