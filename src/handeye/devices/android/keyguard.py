"""Wake a phone, and dismiss a lock screen that needs no credential."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from handeye.clock import Deadline
from handeye.devices.android.keycodes import KEYCODES
from handeye.devices.android.link import Link
from handeye.errors import DeviceLocked

WAIT_S: Final = 2.0
"""Timeout for the display to come on, and for the lock screen to go, which is drawn for half a second."""

_POLL_S: Final = 0.2
_QUESTION: Final = "dumpsys power; dumpsys window policy"
_AWAKE: Final = re.compile(r"\bmWakefulness=(\w+)")
_SHOWN: Final = re.compile(r"\b(?:mIsShowing|mShowingLockscreen)=true\b|^\s*showing=true\b", re.MULTILINE)
_OCCLUDED: Final = re.compile(r"\b(?:m?occluded|mKeyguardOccluded)=true", re.IGNORECASE)


def unlock(link: Link) -> None:
    """
    Wake the phone and dismiss its lock screen. Raises DeviceLocked if that needs a code, a fingerprint or a face.

    A phone that reports neither state is used as it is. An app shown over the lock screen, such as a call, may be used.
    """
    asleep, locked = _state(link)
    if asleep:
        asleep, locked = _run_and_wait(link, ("input", "keyevent", str(KEYCODES["WAKEUP"])), lambda state: not state[0])
    # `wm dismiss-keyguard` exists since Android 6; before that MENU has the same effect.
    for words in (("wm", "dismiss-keyguard"), ("input", "keyevent", str(KEYCODES["MENU"]))):
        if locked and not asleep:
            asleep, locked = _run_and_wait(link, words, lambda state: not state[1])
    if asleep:
        raise DeviceLocked("the phone sleeps and does not wake up; switch its display on")
    if locked:
        raise DeviceLocked("the phone is locked; unlock it, and keep it from locking itself while a task runs")


def is_asleep(link: Link) -> bool:
    """Return True if the phone reports that it is asleep."""
    return _state(link)[0]


def _run_and_wait(
    link: Link, words: tuple[str, ...], is_reached: Callable[[tuple[bool, bool]], bool]
) -> tuple[bool, bool]:
    """Run a command and return the state once `is_reached` accepts it, after WAIT_S at the latest."""
    link.shell(*words)
    deadline = Deadline(link.clock, WAIT_S)
    while not is_reached(state := _state(link)) and not deadline.passed:
        deadline.pause(_POLL_S)
    return state


def _state(link: Link) -> tuple[bool, bool]:
    """Return (asleep, locked); False for what the phone does not report."""
    output = link.shell_line(_QUESTION, repeat=True).text
    awake = _AWAKE.search(output)
    locked = _SHOWN.search(output) is not None and _OCCLUDED.search(output) is None
    return awake is not None and awake[1] != "Awake", locked
