"""Press volume keys and verify the effect by the phone's reported volume, as the screen does not show it reliably."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from handeye.actions import ActionResult
from handeye.clock import Clock, Deadline
from handeye.devices.android.keycodes import KEYCODES
from handeye.devices.android.link import Link

# Streams that a volume key may change: media from Android 9 on, before that the ringtone while nothing plays.
# AudioManager.STREAM_*.
_STREAMS: Final[Mapping[str, str]] = MappingProxyType({"media": "3", "ringtone": "2"})
# The service that answers from Android 10 on, and the program of older versions.
_COMMANDS: Final = (("cmd", "media_session", "volume"), ("media", "volume"))
_ANSWER: Final = re.compile(r"volume is (\d+) in range \[(\d+)\.\.(\d+)\]")
_UP: Final[Mapping[int, bool]] = MappingProxyType({KEYCODES["VOLUME_UP"]: True, KEYCODES["VOLUME_DOWN"]: False})
# The key has been processed when `input` ends; the audio service follows asynchronously.
FOLLOWS_S: Final = 1.0
POLL_S: Final = 0.1


class Volume(NamedTuple):
    """Volume of an audio stream, in the phone's own steps."""

    now: int
    least: int
    most: int


def is_volume_key(code: int) -> bool:
    """Return True if the key changes the volume by one step."""
    return code in _UP


def volumes(link: Link) -> dict[str, Volume]:
    """Return the volume of each stream that volume keys change, without those that the phone does not report."""
    for words in _COMMANDS:
        answers = {
            name: _ANSWER.search(link.shell(*words, "--stream", stream, "--get", repeat=True).text)
            for name, stream in _STREAMS.items()
        }
        said = {name: Volume(*map(int, found.groups())) for name, found in answers.items() if found is not None}
        if said:
            return said
    return {}


def press(link: Link, code: int, send: Callable[[], None], clock: Clock) -> ActionResult:
    """
    Press a volume key by `send`. The result is verified if the phone reports that a stream became louder, or quieter.

    It is unverified, with a note, if the volume is unchanged: at its limit, or because the first press only shows the
    panel.
    """
    before = volumes(link)
    send()
    if not before:
        return ActionResult("the phone does not say its volume")
    deadline = Deadline(clock, FOLLOWS_S)
    while (now := volumes(link)) == before and not deadline.passed:
        clock.sleep(POLL_S)
    return _result(before, now, up=_UP[code])


def _result(before: Mapping[str, Volume], now: Mapping[str, Volume], *, up: bool) -> ActionResult:
    moved = {name: (was, now[name]) for name, was in before.items() if name in now and now[name].now != was.now}
    if not moved:
        stands = ", ".join(f"{name} {each.now} of {each.most}" for name, each in before.items())
        return ActionResult(f"the phone's volume stays as it was: {stands}")
    note = ", ".join(f"{name} from {was.now} to {new.now} of {new.most}" for name, (was, new) in moved.items())
    as_asked = all((new.now > was.now) is up for was, new in moved.values())
    return ActionResult(f"the phone says that its volume went: {note}", as_asked)
