"""Intents and start results: the values that pass between the phone's shell and its model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


@dataclass(frozen=True, slots=True)
class Intent:
    """An intent of `am start` or `am broadcast`. `component` is `package/class`, the class possibly with a leading dot."""

    action: str | None = None
    component: str | None = None
    package: str | None = None
    data: str | None = None
    categories: tuple[str, ...] = ()
    extras: Mapping[str, str | int | bool | float | list[str] | list[int]] = field(default_factory=dict)
    type: str | None = None


class StartResult(Enum):
    """Outcome of `PhoneModel.start_activity`."""

    OK = "ok"
    BROUGHT_TO_FRONT = "brought_to_front"  # it ran already: Android warns that no new activity was started
    DELIVERED_TO_TOP = "delivered_to_top"  # it is in front already: Android warns likewise
    NOT_FOUND = "not_found"  # no such component
    UNRESOLVED = "unresolved"  # no activity handles the action and data
    DENIED = "denied"  # it exists but is not exported


@dataclass(frozen=True, slots=True)
class Package:
    """One installed application. `activity` is its main activity, empty for packages without one."""

    name: str
    label: str
    activity: str
    version: str
    system: bool = True


def full_component(component: str) -> str:
    """`com.a/.B` -> `com.a/com.a.B`; anything else unchanged."""
    package, slash, name = component.partition("/")
    return f"{package}/{package}{name}" if slash and name.startswith(".") else component
