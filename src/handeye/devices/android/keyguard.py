"""Waking a phone, and putting away a lock screen that asks for nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from handeye.clock import Deadline
from handeye.devices.android.keycodes import KEYCODES
from handeye.devices.android.link import Link
from handeye.errors import DeviceLocked

WAIT_S: Final = 2.0
"""For the display to come on, and for the lock screen to go, which is drawn for half a second."""

_POLL_S: Final = 0.2
_QUESTION: Final = "dumpsys power; dumpsys window policy"
_AWAKE: Final = re.compile(r"\bmWakefulness=(\w+)")
_SHOWN: Final = re.compile(r"\b(?:mIsShowing|mShowingLockscreen)=true\b|^\s*showing=true\b", re.MULTILINE)
_OCCLUDED: Final = re.compile(r"\b(?:m?occluded|mKeyguardOccluded)=true", re.IGNORECASE)


def unlock(link: Link) -> None:
    """
    Wake the phone, and put its lock screen away. Raises DeviceLocked where that takes a code, a finger or a face.

    A phone that says neither is taken as it is. An app that is shown over the lock screen, such as a call, may be used.
    """
    asleep, locked = _state(link)
    if asleep:
        asleep, locked = _after(link, ("input", "keyevent", str(KEYCODES["WAKEUP"])), lambda state: not state[0])
    # `wm dismiss-keyguard` is there since Android 6; MENU does the same before.
    for words in (("wm", "dismiss-keyguard"), ("input", "keyevent", str(KEYCODES["MENU"]))):
        if locked and not asleep:
            asleep, locked = _after(link, words, lambda state: not state[1])
    if asleep:
        raise DeviceLocked("the phone sleeps and does not wake up; switch its display on")
    if locked:
        raise DeviceLocked("the phone is locked; unlock it, and keep it from locking itself while a task runs")


def is_asleep(link: Link) -> bool:
    """Whether the phone says that it sleeps."""
    return _state(link)[0]


def _after(link: Link, words: tuple[str, ...], is_reached: Callable[[tuple[bool, bool]], bool]) -> tuple[bool, bool]:
    """The state after a command, as soon as it is the one that is waited for, and after WAIT_S at the latest."""
    link.shell(*words)
    deadline = Deadline(link.clock, WAIT_S)
    while not is_reached(state := _state(link)) and not deadline.passed:
        deadline.pause(_POLL_S)
    return state


def _state(link: Link) -> tuple[bool, bool]:
    """(the phone sleeps, its lock screen is up); False for what it does not say."""
    told = link.shell_line(_QUESTION, repeat=True).text
    awake = _AWAKE.search(told)
    locked = _SHOWN.search(told) is not None and _OCCLUDED.search(told) is None
    return awake is not None and awake[1] != "Awake", locked
