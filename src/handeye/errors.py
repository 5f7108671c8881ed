"""
Every error that Handeye raises on purpose. Catch `HandeyeError` to catch them all.

* HandeyeError
  + InvalidBox .............. numbers that are not a box (also a ValueError)
  + InvalidImage ............ bytes or a file that are not a usable picture
  + ConfigError ............. a file a person wrote is wrong: file, line, what was expected
  + MissingPart ............. an optional part is not installed; names the install command
  + UsageError .............. an argument that makes no sense: a device URI, a scenario name
  + WriteFailed ............. a file could not be written: which, why, what to do
  + DeviceError ............. the device side failed
    - AdbNotFound ........... no usable adb binary or server
    - DeviceNotFound ........ the device is not there
    - DeviceUnauthorized .... the phone did not accept this computer's key
    - DeviceOffline ......... known to adb, not answering
    - DeviceLost ............ it was disconnected during a call
    - DeviceLocked .......... the phone is locked, and cannot be unlocked from here
    - DeviceBusy ............ another run holds it; names the process
    - CommandFailed ......... a command on the device ended with an error
    - CaptureFailed ......... no picture could be taken
    - TreeFailed ............ the accessibility tree could not be read, or is not of the frame
    - TextInputFailed ....... text could not be typed, or did not arrive
      - InputMethodMissing .. it needs ADBKeyboard, which is not installed
    - KeyboardTaken ......... another window has keyboard focus than the intended one
    - UnsupportedAction ..... this kind of device cannot do that
  + LocateError ............. the search itself failed
    - TargetNotFound ........ every strategy was tried; see `attempts`
    - AmbiguousTarget ....... several equal matches; see `candidates`
    - StateChanged .......... a window has changed since it was listed; see `state`
    - SearchTimedOut ........ processing a picture exceeded its time limit
    - OcrFailed ............. the text reader failed
    - ParserFailed .......... the embedded screen parser failed
    - InvalidReference ...... a reference image is missing, unreadable or too plain to find
  + ModelError .............. a model could not be used
    - ModelUnreachable ...... no connection, or no answer in time
    - ModelUnauthorized ..... no key, or the server does not accept it
    - ModelBusy ............. the server is overloaded or limits the rate, even after the retries
    - ModelRequestInvalid ... the server rejects the request: no such model, no pictures, too large
    - InvalidReply .......... the answer cannot be parsed
    - BudgetExceeded ........ the budget of calls, tokens, cost or time is used up
  + PlanError ............... no plan
    - NoPlan ................ no installed module can do this task
    - InvalidPlan ........... a plan that cannot be executed as written
      - UnusablePlan ........ a model wrote such a plan, even after it was told the problem
  + RunStopped .............. a run ended before its goal
    - PersonNeeded .......... only a person can continue: a password, a permission that may not be granted
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from handeye.visible import shown

if TYPE_CHECKING:
    from handeye.usage import Usage

MOST_OF_PROBLEM: Final = 400
"""Maximum characters of a problem in a file, and of what was expected; Handeye's own longest has 300."""


_JAVA_EXCEPTION: Final = re.compile(r"\b[\w$]+(?:\.[\w$]+)*\.\w*(?:Exception|Error)\b")


class HandeyeError(Exception):
    """Base class of every error that Handeye raises on purpose."""


class InvalidBox(HandeyeError, ValueError):
    """Numbers that do not describe a box."""


class InvalidImage(HandeyeError, ValueError):
    """Bytes or a file that are not a usable picture."""


class UsageError(HandeyeError, ValueError):
    """An argument that makes no sense."""


class ConfigError(HandeyeError):
    """
    A file that a person wrote is wrong. `str()` is `file:line: problem (expected ...)` in one line; content of the file
    is shortened and its control characters are escaped, since its author is not trusted.
    """

    def __init__(self, problem: str, *, file: str | Path, line: int | None = None, expected: str = "") -> None:
        self.problem, self.expected = shown(problem, MOST_OF_PROBLEM), shown(expected, MOST_OF_PROBLEM)
        self.file = Path(file)
        self.line = line
        where = shown(f"{file}:{line}" if line is not None else str(file))
        super().__init__(f"{where}: {self.problem}" + (f" (expected {self.expected})" if expected else ""))


class MissingPart(HandeyeError):
    """An optional dependency is not installed."""

    def __init__(self, part: str, install: str) -> None:
        super().__init__(f"{part} is not installed. Install it with: {install}")
        self.part = part
        self.install = install


class WriteFailed(HandeyeError):
    """A file or folder could not be written. `remedy` is the remedy, as part of a sentence."""

    def __init__(self, path: str | Path, error: Exception, remedy: str = "choose another place") -> None:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        super().__init__(f"{str(path)!r} cannot be written: {why}; {remedy}")
        self.path = Path(path)
        self.remedy = remedy


class DeviceError(HandeyeError):
    """The device could not be reached, captured or driven."""


class AdbNotFound(DeviceError):
    """No usable adb binary, or its server does not start."""


class DeviceNotFound(DeviceError):
    """The device is not there."""


class DeviceUnauthorized(DeviceError):
    """The phone has not accepted this computer's key."""


class DeviceOffline(DeviceError):
    """adb knows the device, but it does not answer."""


class DeviceLocked(DeviceError):
    """The phone is asleep or locked, and cannot be woken or unlocked from here."""


class DeviceLost(DeviceError):
    """The device was disconnected during a call."""


class DeviceBusy(DeviceError):
    """Another run holds the device. `process` is its process id, None if unknown."""

    def __init__(self, device: str, process: int | None) -> None:
        holder = f"process {process}" if process is not None else "another process"
        super().__init__(f"{device} is busy: {holder} is running a task on it; wait for its end, or stop that process")
        self.device = device
        self.process = process


class CommandFailed(DeviceError):
    """A command on the device ended with a non-zero exit code. `remedy` is a sentence without its full stop."""

    def __init__(self, command: str, exit_code: int, output: str = "", remedy: str = "") -> None:
        lines = output.strip().splitlines() or ["no output"]
        # Java prints the exception first, and then the call stack.
        cause = next((line.strip() for line in lines if _JAVA_EXCEPTION.search(line)), lines[-1])
        what = f"{command!r} on the device ended with exit code {exit_code}: {cause}"
        super().__init__(f"{what}. {remedy}" if remedy else what)
        self.command = command
        self.exit_code = exit_code
        self.output = output


class CaptureFailed(DeviceError):
    """No picture could be taken."""


class TreeFailed(DeviceError):
    """The accessibility tree could not be read, or does not belong to the frame."""


class TextInputFailed(DeviceError):
    """Text could not be typed, or did not arrive as it was sent."""


class InputMethodMissing(TextInputFailed):
    """The text needs an input method that is not installed on the phone."""


class KeyboardTaken(DeviceError):
    """Another window has keyboard focus than the intended one: no more keys were sent."""


class UnsupportedAction(DeviceError):
    """This kind of device cannot do that."""


class LocateError(HandeyeError):
    """The search itself failed."""


class TargetNotFound(LocateError):
    """Every strategy was tried and none found the target."""

    def __init__(self, target: object, attempts: Sequence[object] = ()) -> None:
        tried = "; ".join(str(attempt) for attempt in attempts) or "nothing could be tried"
        super().__init__(f"{target} was not found ({tried})")
        self.target = target
        self.attempts = tuple(attempts)


class AmbiguousTarget(LocateError):
    """Several candidates match equally well; none was chosen."""

    def __init__(self, target: object, candidates: Sequence[object] = ()) -> None:
        places = f"{len(candidates)} places equally well" if len(candidates) != 1 else "one place, but not surely"
        super().__init__(f"{target} fits {places}; name a region, a role or a neighbour")
        self.target = target
        self.candidates = tuple(candidates)


class StateChanged(LocateError):
    """The element with a number is no longer the one that was listed. `state` is its window's current state, if known."""

    def __init__(self, problem: str, state: object = None) -> None:
        super().__init__(f"{problem}; nothing was done")
        self.state = state


class SearchTimedOut(LocateError):
    """Processing a picture took longer than `seconds`, its limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"looking took longer than {round(seconds, 1):g} s; give a smaller picture, or a part of it")


class OcrFailed(LocateError):
    """The text reader failed."""


class ParserFailed(LocateError):
    """The embedded screen parser failed: its model cannot be used."""


class InvalidReference(LocateError):
    """A reference image is missing, unreadable or too plain to be found."""


class ModelError(HandeyeError):
    """A model could not be used. `usage` is what was spent anyway; None if nothing is known to have been sent."""

    usage: Usage | None = None


class ModelUnreachable(ModelError):
    """There is no connection to the model's server, or no answer in time."""


class ModelUnauthorized(ModelError):
    """There is no key, or the server does not accept it."""


class ModelBusy(ModelError):
    """The server is overloaded or limits the rate, even after the retries."""


class ModelRequestInvalid(ModelError):
    """The server rejects the request: no such model, no pictures, too large."""


class InvalidReply(ModelError):
    """A model's answer cannot be parsed. The message shows its beginning."""

    def __init__(self, problem: str, reply: str) -> None:
        shown = reply if len(reply) <= 200 else reply[:200] + "…"
        super().__init__(f"the model's answer cannot be used: {problem}; it begins with {shown!r}")
        self.problem = problem
        self.reply = reply


class BudgetExceeded(ModelError):
    """
    A task's budget for models is used up. `limit` names the exceeded limit: "calls", "tokens", "cost" or "time". `why`
    replaces the beginning of the message.
    """

    def __init__(self, limit: str, spent: float, allowed: float, why: str = "") -> None:
        unit = {"cost": "${:,.6g}", "time": "{:,.6g} s"}.get(limit, "{:,.10g} " + limit)
        used_up = f"the budget of {unit.format(allowed)} for models is used up ({unit.format(spent)})"
        super().__init__(f"{why or used_up}; raise the limit or simplify the task")
        self.limit = limit
        self.spent = spent
        self.allowed = allowed


class PlanError(HandeyeError):
    """There is no usable plan."""


class NoPlan(PlanError):
    """No installed module can do this task."""


class InvalidPlan(PlanError):
    """A plan that cannot be executed as written."""


class UnusablePlan(InvalidPlan):
    """A model has written no usable plan, even after it was told the problem."""


class RunStopped(HandeyeError):
    """A run ended before its goal."""


class PersonNeeded(RunStopped):
    """Only a person can resolve this: a password, a captcha, a permission that may not be granted automatically."""
