"""A verb as data: its parameters, whether it acts, and what it answers. Every front door runs the same commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from handeye.errors import (
    AdbNotFound,
    ConfigError,
    DeviceBusy,
    DeviceLocked,
    DeviceLost,
    DeviceNotFound,
    DeviceOffline,
    DeviceUnauthorized,
    HandeyeError,
    InputMethodMissing,
    InvalidImage,
    InvalidPlan,
    InvalidReference,
    MissingPart,
    NoPlan,
    UnusablePlan,
    UsageError,
    WriteFailed,
)
from handeye.run import Listener, ignore_events


class Effect(Enum):
    """Whether a command only looks, or changes something on a device."""

    READ = "read"
    ACT = "act"


class ExitCode(IntEnum):
    """What a process ends with; documented in the README."""

    OK = 0
    FAILED = 1  # it was tried and did not succeed: a task failed, a target is not there
    USAGE = 2  # the call makes no sense: an unknown option, a broken file, no place to write
    DEVICE = 3  # the device is absent, unauthorized, locked, offline, busy or was lost
    NO_PLAN = 4  # nothing installed knows how to do the task, or a model wrote no plan that can be used
    UNVERIFIED = 5  # everything was done, but nothing proves the goal
    MISSING = 6  # a needed part is missing: not installed, or not configured, so that nobody could look
    INTERRUPTED = 130  # Ctrl-C, as shells report it, or SIGTERM


# The device itself cannot be used; what else fails on a device has been tried there.
_UNUSABLE: tuple[type[HandeyeError], ...] = (
    AdbNotFound,
    DeviceBusy,
    DeviceLocked,
    DeviceLost,
    DeviceNotFound,
    DeviceOffline,
    DeviceUnauthorized,
)

# Most specific first: the first class that fits decides; what fits none is FAILED.
_CODES: tuple[tuple[type[HandeyeError], ExitCode], ...] = (
    (MissingPart, ExitCode.MISSING),
    (UsageError, ExitCode.USAGE),
    (ConfigError, ExitCode.USAGE),
    (WriteFailed, ExitCode.USAGE),
    (InvalidImage, ExitCode.USAGE),
    (InvalidReference, ExitCode.USAGE),
    (InputMethodMissing, ExitCode.MISSING),
    (NoPlan, ExitCode.NO_PLAN),
    (UnusablePlan, ExitCode.NO_PLAN),
    (InvalidPlan, ExitCode.USAGE),
    *((kind, ExitCode.DEVICE) for kind in _UNUSABLE),
)


def exit_code_of(error: HandeyeError) -> ExitCode:
    """The exit code that stands for an error."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), ExitCode.FAILED)


@dataclass(frozen=True, slots=True)
class Table:
    """
    Rows for people, under the names of their columns. What came from a screen has been escaped (display.py). `main` is the
    column by which a person knows a row, beside the first one: a narrow page moves the others out of the way before it.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    main: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    What a command answers: `data` for machines, `lines` and then `table` for people, and how the process should end. `warnings`
    are for people in either case: what went wrong beside the matter itself.
    """

    data: Mapping[str, Any]
    lines: tuple[str, ...] = ()
    exit_code: ExitCode = ExitCode.OK
    warnings: tuple[str, ...] = ()
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """
    What a front door offers a command: an ear for progress, one for a line that must be seen now, and one for an answer that
    a machine needs before the command ends; `Outcome.data` is not told again then. `choose` asks a person for a number from 1
    to the one given (None: none of them), and is absent where nobody can be asked. `escaped` says that JSON is written in
    ASCII, six characters for one of Chinese, where stdout can hold no other.
    """

    listen: Listener = ignore_events
    say: Callable[[str], None] = field(default=lambda line: None)
    answer: Callable[[Mapping[str, Any]], None] = field(default=lambda data: None)
    choose: Callable[[str, int], int | None] | None = None
    escaped: bool = False


P = TypeVar("P", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Command(Generic[P]):
    """One verb. `params` is a pydantic model, so that its JSON schema can be shown to other front doors."""

    name: str
    summary: str
    effect: Effect
    params: type[P]
    handler: Callable[[P, Context], Outcome]

    def run(self, params: P, context: Context | None = None) -> Outcome:
        return self.handler(params, context or Context())
