"""Context, result and exit codes of commands. Every front end runs the same commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from handeye.run import Listener


class ExitCode(IntEnum):
    """Exit codes of the process; documented in the README."""

    OK = 0
    FAILED = 1  # it was tried and did not succeed: a task failed, a target is not there
    USAGE = 2  # the call makes no sense: an unknown option, a broken file, no place to write
    DEVICE = 3  # the device is absent, unauthorized, locked, offline, busy or was lost
    NO_PLAN = 4  # nothing installed knows how to do the task, or a model wrote no plan that can be used
    UNVERIFIED = 5  # everything was done, but nothing proves the goal
    MISSING = 6  # a needed part is missing: not installed, or not configured, so that the search was impossible
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
    """Return the exit code for an error."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), ExitCode.FAILED)


@dataclass(frozen=True, slots=True)
class Table:
    """
    Rows for people, under the names of their columns. Text from a screen is escaped already (`handeye.visible`). `main` is the
    column that identifies a row, besides the first one: on a narrow terminal it is moved below the row last.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    main: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    Result of a command: `data` for machines, `lines` and then `table` for people, and the exit code. `warnings` are for people
    in either case: problems apart from the result itself.
    """

    data: Mapping[str, Any]
    lines: tuple[str, ...] = ()
    exit_code: ExitCode = ExitCode.OK
    warnings: tuple[str, ...] = ()
    table: Table | None = None


def _plain_text(text: str | None, stdin: bool, variable: str | None) -> str:
    if text is None or stdin or variable is not None:
        raise UsageError("give the text itself; standard input and variables are read by the command line only")
    return text


@dataclass(frozen=True, slots=True)
class Context:
    """
    Services that a front end offers a command.

    `listen` gets the events of a run. `say` gets a line that must be shown now. `answer` gets the data of an answer that a
    machine needs before the command ends; `Outcome.data` is not printed again then. `choose` asks a person for a number from 1
    to the one given (None: none of them), and is None where nobody can be asked. `text_given` returns the text to type: the
    argument, standard input (if the second parameter is True) or the environment variable named by the third; only a command
    line reads the last two. `escaped` is True if JSON is written in ASCII, six characters for a Chinese one, because stdout
    can hold no other.
    """

    listen: Listener = field(default=lambda event: None)
    say: Callable[[str], None] = field(default=lambda line: None)
    answer: Callable[[Mapping[str, Any]], None] = field(default=lambda data: None)
    choose: Callable[[str, int], int | None] | None = None
    text_given: Callable[[str | None, bool, str | None], str] = _plain_text
    escaped: bool = False
