"""
Switch the phone's input method to ADBKeyboard temporarily, and restore it whatever happens.

The selected method is written to disk before the switch: a process killed in between would leave the phone with a
keyboard without keys, and the next connection repairs that.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from handeye.clock import Deadline
from handeye.devices.android.apps import current_user, is_installed
from handeye.devices.android.link import POLL_S, Link, check
from handeye.devices.android.transport import ShellResult
from handeye.devices.state_files import REMEDY, state_folder
from handeye.errors import CommandFailed, DeviceError, InputMethodMissing, TextInputFailed
from handeye.files import write_text

ADB_KEYBOARD_PACKAGE = "com.android.adbkeyboard"
ADB_KEYBOARD = f"{ADB_KEYBOARD_PACKAGE}/.AdbIME"
# Switching takes 0.3-1 s on real phones; a phone that takes longer than this does not switch.
SWITCH_TIMEOUT_S = 5.0
# Without a focused field, a phone binds the new one only later, or never.
BIND_TIMEOUT_S = 2.0

ALLOW_IT = 'Switch on "USB debugging (security settings)" in the developer options'
_REMEDY = (
    "get ADBKeyboard.apk from https://github.com/senzhk/ADBKeyBoard, run `adb install ADBKeyboard.apk` and then "
    f"`adb shell ime enable {ADB_KEYBOARD}`"
)
# mCurMethodId until Android 13, mCurId for the bound one; if printed, both must name the keyboard.
_BOUND = re.compile(r"\bmCur(?:Method)?Id=(\S+)")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Borrowed:
    """State to restore: the input method, and whether ADBKeyboard was disabled before."""

    input_method: str
    disable_after: bool
    process: int


class Memory:
    """File that stores what was replaced on one device."""

    def __init__(self, serial: str) -> None:
        self.path = state_folder() / "input-methods" / (re.sub(r"[^\w.-]", "_", serial) + ".json")

    def save(self, borrowed: Borrowed) -> None:
        """Write the file. Raises WriteFailed, so that nothing is replaced that could not be restored."""
        content = {
            "input_method": borrowed.input_method,
            "disable_after": borrowed.disable_after,
            "process": borrowed.process,
        }
        write_text(self.path, json.dumps(content), remedy=REMEDY)

    def read(self) -> Borrowed | None:
        """Return the stored state, or None if there is none or it cannot be parsed."""
        try:
            content = json.loads(self.path.read_text("utf-8"))
            return Borrowed(str(content["input_method"]), bool(content["disable_after"]), int(content["process"]))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            _log.warning("%s is unreadable and was ignored: %s", self.path, error)
            return None

    def forget(self) -> None:
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            _log.warning("%s could not be removed: %s", self.path, error)


class InputMethods:
    """Input methods of one device."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._memory = Memory(link.serial)

    def current(self) -> str:
        """Return the id of the selected input method, "" for none."""
        answer = self._link.ask("settings", "get", "secure", "default_input_method").strip()
        return "" if answer == "null" else answer

    def rescue(self) -> str | None:
        """
        Restore the input method that a process left switched when it died. Return it, or None if nothing was restored.
        """
        borrowed = self._memory.read()
        if borrowed is None or not self._is_ours(borrowed):
            return None
        if self.current() != ADB_KEYBOARD or borrowed.input_method not in self._listed(all_installed=True):
            self._memory.forget()  # it was changed since, or the address belongs to another phone now
            return None
        self._restore(borrowed)
        return borrowed.input_method

    @contextmanager
    def adb_keyboard(self) -> Iterator[None]:
        """
        Select ADBKeyboard inside the `with`, and restore the previous input method afterwards.

        Raises TextInputFailed if ADBKeyboard is missing or cannot be selected.
        """
        borrowed = self._borrow()
        if borrowed is None:
            yield
            return
        self._memory.save(borrowed)
        try:
            self._select(ADB_KEYBOARD)
            yield
        finally:
            try:
                self._restore(borrowed)
            except DeviceError as error:  # the first error matters more, and the next connection repairs this
                _log.warning("the input method of %s was not restored: %s", self._link.serial, error)

    def _borrow(self) -> Borrowed | None:
        """Return what to restore afterwards; None if ADBKeyboard is the owner's own input method."""
        before = self.current()
        if before != ADB_KEYBOARD:
            return Borrowed(before, self._enable(), os.getpid())
        earlier = self._memory.read()  # from a link that broke while the input method was being restored
        return replace(earlier, process=os.getpid()) if earlier is not None and self._is_ours(earlier) else None

    def _is_ours(self, borrowed: Borrowed) -> bool:
        return borrowed.process == os.getpid() or not _is_alive(borrowed.process)

    def _enable(self) -> bool:
        """Enable ADBKeyboard; return True if it was disabled before."""
        if ADB_KEYBOARD in self._listed():
            return False
        if ADB_KEYBOARD not in self._listed(all_installed=True):
            raise InputMethodMissing(
                f"this text needs ADBKeyboard, which is not installed on {self._link.serial}: {_REMEDY}"
            )
        answer = self._link.shell("ime", "enable", ADB_KEYBOARD, repeat=True)
        if ADB_KEYBOARD not in self._listed():
            if refused(answer):
                raise TextInputFailed(_forbidden("ime enable", answer))
            raise TextInputFailed(
                f"ADBKeyboard is installed on {self._link.serial}, but the phone does not let it be enabled. Switch it on "
                "in the phone's settings, under languages and input, on-screen keyboards"
            )
        return True

    def _listed(self, *, all_installed: bool = False) -> list[str]:
        """List input methods. If the shell may not use `ime`: those of the settings, and ADBKeyboard if installed."""
        words = ("ime", "list", "-a", "-s") if all_installed else ("ime", "list", "-s")
        answer = self._link.shell(*words, repeat=True)
        if not refused(answer):
            return check(answer, "ime").split()
        setting = self._link.ask("settings", "get", "secure", "enabled_input_methods").strip()
        enabled = [entry.partition(";")[0] for entry in setting.split(":") if entry and entry != "null"]
        if not all_installed or ADB_KEYBOARD in enabled:
            return enabled
        if is_installed(self._link, ADB_KEYBOARD_PACKAGE, current_user(self._link)):
            enabled.append(ADB_KEYBOARD)
        return enabled

    def _select(self, method: str) -> None:
        """Select an input method and wait until it is active. Raises TextInputFailed."""
        answer = self._link.shell("ime", "set", method, repeat=True)
        deadline = Deadline(self._link.clock, SWITCH_TIMEOUT_S)
        while not _same_component(self.current(), method):
            if refused(answer):
                raise TextInputFailed(_forbidden("ime set", answer))
            if answer.exit_code or deadline.passed:
                raise TextInputFailed(
                    f"the input method {method} could not be selected: {answer.said.strip() or 'nothing was said'}. "
                    "Select it by hand in the phone's settings"
                )
            deadline.pause(POLL_S)
        deadline = Deadline(self._link.clock, BIND_TIMEOUT_S)
        while not self._is_bound(method) and not deadline.passed:
            deadline.pause(POLL_S)

    def _is_bound(self, method: str) -> bool:
        """Return True if the field is connected to it, as far as reported. The proof is the field read back afterwards."""
        bound = _BOUND.findall(self._link.shell("dumpsys", "input_method", repeat=True).text)
        return all(_same_component(name, method) for name in bound)

    def _restore(self, borrowed: Borrowed) -> None:
        if borrowed.input_method:
            self._select(borrowed.input_method)
        else:
            self._link.shell("ime", "reset", repeat=True)
        if borrowed.disable_after:
            self._link.shell("ime", "disable", ADB_KEYBOARD, repeat=True)
        self._memory.forget()


def refused(answer: ShellResult) -> bool:
    """Return True if the phone forbids the shell a command; those of some manufacturers then exit with 0."""
    return "SecurityException" in answer.said


def _forbidden(command: str, answer: ShellResult) -> str:
    return str(CommandFailed(command, answer.exit_code, answer.said, ALLOW_IT))


def _same_component(one: str, other: str) -> bool:
    """
    Return True if `a.b/.C` and `a.b/a.b.C` name the same class; `null` is an input method that is not bound right now.
    """
    return one == "null" or _full(one) == _full(other)


def _full(component: str) -> str:
    package, _, name = component.partition("/")
    return f"{package}/{package}{name}" if name.startswith(".") else component


def _is_alive(process: int) -> bool:
    if sys.platform == "win32":
        return False  # there os.kill(pid, 0) would end the process
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
