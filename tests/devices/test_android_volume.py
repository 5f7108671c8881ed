"""Tests of verifying volume keys by the volume that the phone reports."""

from __future__ import annotations

import pytest

from handeye.actions import PressKey
from handeye.apps import ModuleRegistry
from handeye.devices import PhoneDevice
from handeye.devices.android import volume
from handeye.devices.android.transport import ShellResult
from handeye.run import TaskRunner, TaskStatus, Tools
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakeVerifier

UP, DOWN = 24, 25


class Answering:
    """A link whose phone answers `words` with these volumes of media, one after another, and 5 for the ringtone."""

    serial = "fake"

    def __init__(self, *media: int, words: str = "cmd media_session volume", tag: str = "[V]") -> None:
        self._media = iter(media)
        self._last = 0
        self._words = words
        self._tag = tag

    def shell(self, *words: str, repeat: bool = False) -> ShellResult:
        said = " ".join(words)
        if not said.startswith(self._words):
            return ShellResult(127, b"", b"/system/bin/sh: not found\n")
        assert said.endswith("--get")
        level = 5
        if "--stream 3" in said:
            level = self._last = next(self._media, self._last)
        said = f"{self._tag} will control stream\n{self._tag} volume is {level} in range [0..15]\n"
        return ShellResult(0, said.encode())


def pressed(link: Answering, code: int = UP) -> tuple[bool | None, str, float]:
    """Press a volume key and return if it is verified, its note, and the seconds that it took."""
    clock = FakeClock()
    began = clock.time
    done = volume.press(link, code, lambda: None, clock)  # type: ignore[arg-type]
    return done.verified, done.note, clock.time - began


def test_volume_up_is_verified_by_higher_step() -> None:
    verified, note, took = pressed(Answering(7, 8))
    assert (verified, took) == (True, 0.0)
    assert note.endswith("media from 7 to 8 of 15")


def test_late_volume_change_is_verified() -> None:
    verified, _note, took = pressed(Answering(7, 7, 7, 6), DOWN)
    assert verified is True
    assert 0 < took < volume.FOLLOWS_S


def test_unchanged_volume_is_undecided() -> None:
    verified, note, took = pressed(Answering(15, 15))
    assert verified is None
    assert took >= volume.FOLLOWS_S
    assert "stays as it was: media 15 of 15" in note


def test_opposite_volume_change_fails_verification() -> None:
    assert pressed(Answering(7, 6))[0] is False


@pytest.mark.parametrize(("words", "tag"), [("media volume", "[V]"), ("cmd media_session volume", "[v]")])
def test_volume_is_read_from_other_android_versions(words: str, tag: str) -> None:
    assert pressed(Answering(7, 8, words=words, tag=tag))[0] is True


def test_unknown_volume_verifies_nothing() -> None:
    assert pressed(Answering(words="nothing at all"))[0] is None


@pytest.mark.parametrize(("key", "change"), [("VOLUME_UP", 1), ("volume_down", -1), (UP, 1), ("KEYCODE_VOLUME_UP", 1)])
def test_virtual_phone_verifies_volume_keys(key: str | int, change: int, phone: PhoneDevice) -> None:
    before = phone.phone.call(lambda model: model.volume)
    done = phone.perform(PressKey(key))
    assert done.verified is True
    assert phone.phone.call(lambda model: model.volume) == before + change


def test_volume_up_at_maximum_is_undecided(phone: PhoneDevice) -> None:
    phone.shell("cmd", "media_session", "volume", "--stream", "3", "--set", "15")
    assert phone.perform(PressKey("VOLUME_UP")).verified is None


@pytest.fixture
def louder(phone: PhoneDevice) -> TaskRunner:
    page = FakeDevice({"home": FakePage()}, start="home")
    tools = Tools(FakeFinder(page), FakeVerifier(page))
    return TaskRunner(phone, planner=ModuleRegistry(environment={}), tools=lambda plan: tools, rest=False)


def test_volume_task_succeeds_only_when_volume_rises(phone: PhoneDevice, louder: TaskRunner) -> None:
    result = louder.run("音量调大")
    assert result.status is TaskStatus.SUCCESS
    verdict = result.step_results[-1].verify_result
    assert verdict is not None
    assert "from 7 to 8" in verdict.evidence[0]
    phone.shell("cmd", "media_session", "volume", "--set", "15")
    assert louder.run("音量调大").status is TaskStatus.NEEDS_REVIEW
