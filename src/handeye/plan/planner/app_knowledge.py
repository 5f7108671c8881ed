"""What a planner knows about the apps: behind a protocol, so that plans can be made without the app modules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from handeye.plan.base import StepPlan, TaskPlan
from handeye.screen import Screen

BASE_MODULE: Final = "system"
"""The module whose images every plan may use."""


class References(Protocol):
    """A library of reference images: `handeye.apps.images.AssetsManager`."""

    def get_available_refs(self) -> dict[str, list[str]]: ...

    def resolve_alias(self, name: str) -> str | None: ...


class Libraries(Protocol):
    """Several of them, in the order in which they are asked: `handeye.apps.images.ImageSearch`."""

    @property
    def libraries(self) -> Sequence[References]: ...


class Module(Protocol):
    """What is known about one app: `handeye.apps.handler.AppHandler`."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def package(self) -> tuple[str, ...]: ...

    def images(self) -> References: ...

    def prompt(self) -> str: ...


class Routed(Protocol):
    """The module that a task is for: `handeye.apps.registry.Routing`."""

    @property
    def handler(self) -> Module: ...


class Modules(Protocol):
    """
    All of them: `handeye.apps.registry.ModuleRegistry`. `plan` makes a plan by template, and raises NoPlan where no template
    fits; `images` are the libraries of a module's plan, and `base` is the module that it builds on.
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
class Known:
    """
    What a model that plans for a task is told, and held to. `references` are the names of the images to choose from;
    `libraries` also know aliases, and the images of other apps. `apps` are titles and the packages that may be started;
    `named` are all names of the apps that modules know (微信, wechat), with their packages; `own` are the packages of the
    module itself.
    """

    module: str
    own: tuple[str, ...]
    notes: str
    references: tuple[str, ...]
    libraries: tuple[References, ...]
    apps: tuple[tuple[str, str], ...]
    named: tuple[tuple[str, str], ...] = ()

    def reference(self, name: str) -> str | None:
        """The name of the image that is called so; None when there is none."""
        return next((known for each in self.libraries if (known := each.resolve_alias(name)) is not None), None)

    @property
    def packages(self) -> frozenset[str]:
        return frozenset(package for _title, package in self.apps)


def known_for(modules: Modules, task: str, packages: Collection[str] = ()) -> Known:
    """What is known for a task; `packages` are further ones that may be started, those that are on the device."""
    module = modules.route(task).handler
    offered = [module.images()]
    base = modules.base(module.name)
    if base is not None and base.name != module.name:
        offered.append(base.images())
    apps = [(each.title, package) for each in modules.handlers for package in each.package]
    titled = {package for _title, package in apps}
    return Known(
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
