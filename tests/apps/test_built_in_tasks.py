"""Tests of the built-in tasks on the virtual phone, checked against its state."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from handeye.actions import Tap
from handeye.apps import ModuleRegistry
from handeye.devices import PhoneDevice
from handeye.ocr import CachedReader, PaddleReader
from handeye.run import TaskResult, TaskRunner, TaskStatus
from handeye.run.composition import compose
from handeye.screen import InputPoint
from handeye.testing.fakes import FakeClock
from handeye_phone.scenario import Scenario

WECHAT = "com.tencent.mm"
MODULES = ModuleRegistry(environment={})
Go = Callable[[str], TaskResult]


@pytest.fixture(scope="module")
def reader() -> CachedReader:
    return CachedReader(PaddleReader())


@pytest.fixture
def phone(adb_port: int) -> Iterator[PhoneDevice]:
    with PhoneDevice(Scenario()) as device:
        yield device


@pytest.fixture
def go(phone: PhoneDevice, reader: CachedReader) -> Go:
    """Runs a task. The phone answers at once, so that nobody needs to wait for it."""
    runner = TaskRunner(
        phone,
        planner=MODULES,
        tools=lambda plan: compose(MODULES.images(plan.module), reader),
        clock=FakeClock(),
        rest=False,
    )
    return runner.run


def taps(phone: PhoneDevice) -> int:
    return sum("input tap" in line for line in phone.phone.log)


def test_switch_is_tapped_only_when_needed(phone: PhoneDevice, go: Go) -> None:
    others = phone.phone.state.switches
    assert not others["飞行模式"]
    assert go("打开飞行模式").status is TaskStatus.SUCCESS
    assert phone.phone.state.switches == {**others, "飞行模式": True}
    before = taps(phone)
    assert go("turn on airplane mode").status is TaskStatus.SUCCESS
    assert taps(phone) == before
    assert phone.phone.state.switches["飞行模式"]
    assert go("把飞行模式关掉").status is TaskStatus.SUCCESS
    assert phone.phone.state.switches == others
    assert go("打开深色模式").status is TaskStatus.SUCCESS
    assert go("关闭WLAN").status is TaskStatus.SUCCESS  # the page, and the row on it, in the dark
    assert phone.phone.state.switches == {**others, "深色模式": True, "使用 WLAN": False}


def test_unknown_switch_fails_without_a_tap(phone: PhoneDevice, go: Go) -> None:
    phone.phone.call(lambda model: model.launch("com.android.settings"))
    switches, before = phone.phone.state.switches, taps(phone)
    result = go("在设置里打开量子模式")
    assert result.status is TaskStatus.FAILED
    assert "量子模式" in result.error_message
    assert (phone.phone.state.switches, taps(phone)) == (switches, before)


def test_value_read_in_settings_is_sent_to_contact(phone: PhoneDevice, go: Go) -> None:
    result = go("把手机的Android版本发给张三")
    assert result.status is TaskStatus.SUCCESS, result.error_message
    assert phone.phone.state.to_dict()["sent"] == {"张三": ["Android 版本：14"]}


def test_message_is_not_sent_to_open_chat(phone: PhoneDevice, go: Go) -> None:
    phone.phone.call(lambda model: model.open_chat("李雷"))
    assert phone.phone.state.chat == "李雷"
    assert go("给张三发微信消息说你好").status is TaskStatus.SUCCESS
    assert phone.phone.state.to_dict()["sent"] == {"张三": ["你好"]}
    assert (
        go("打开微信").status is TaskStatus.SUCCESS
    )  # from a chat back to the first page, with no way over the desktop
    assert (phone.phone.state.app, phone.phone.state.screen) == (WECHAT, "chats")


def test_wechat_home_is_the_chat_list(phone: PhoneDevice, go: Go) -> None:
    phone.phone.call(lambda model: model.launch(WECHAT))
    phone.perform(Tap(InputPoint(945, 2250)))
    assert phone.phone.state.screen == "me"
    assert go("返回微信首页").status is TaskStatus.SUCCESS
    assert phone.phone.state.screen == "chats"


def test_search_starts_from_an_open_browser_page(phone: PhoneDevice, go: Go) -> None:
    assert go("打开网址example.org").status is TaskStatus.SUCCESS
    assert go("搜索猫").status is TaskStatus.SUCCESS
    assert "q=%E7%8C%AB" in phone.phone.state.url
