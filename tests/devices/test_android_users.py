"""Tests of several users on one phone: work profiles and cloned apps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from typer.testing import CliRunner

from handeye.actions import LaunchApp, OpenUrl, StopApp
from handeye.blockers import PermissionPolicy
from handeye.cli.app import app
from handeye.devices import ADBController, PhoneDevice, open_device, with_user
from handeye.devices.android.windows import CurrentApp
from handeye.errors import CommandFailed, UsageError
from handeye.run import TaskStatus
from handeye.session import Session, connect
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario
from handeye_phone.system.dialogs import chooser
from handeye_phone.system.intent import Intent

WECHAT = "com.tencent.mm"
PAGE = f"{WECHAT}.ui.LauncherUI"


def by_option(phone: PhoneDevice, user: int, task: str) -> tuple[int, str]:
    answer = CliRunner().invoke(app, ["run", task, "--user", str(user), "--device", phone.uri, "--no-report"])
    return answer.exit_code, answer.output


def by_uri(phone: PhoneDevice, user: int, task: str) -> tuple[int, str]:
    answer = CliRunner().invoke(app, ["run", task, "--device", f"{phone.uri}?user={user}", "--no-report"])
    return answer.exit_code, answer.output


def in_python(phone: PhoneDevice, user: int, task: str) -> tuple[int, str]:
    with connect(f"{phone.serial}?user={user}") as session:
        result = session.run(task)
    return int(result.status is not TaskStatus.SUCCESS), result.error_message


DOORS: dict[str, Callable[[PhoneDevice, int, str], tuple[int, str]]] = {
    "--user": by_option,
    "?user=": by_uri,
    "Python": in_python,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("scenario", "user"), [("work-profile", 10), ("cloned-app", 999), ("cloned-app", 0)])
def test_app_is_opened_for_named_user(phone: PhoneDevice, scenario: str, user: int, door: str) -> None:
    phone.phone.set_scenario(scenario)
    code, said = DOORS[door](phone, user, "打开微信")
    assert code == 0, said
    state = phone.phone.state
    assert (state.app, state.user, state.dialog) == (WECHAT, user, "")


def test_app_of_main_user_is_preferred_to_clone(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("cloned-app")
    assert Session(phone).run("打开微信").status is TaskStatus.SUCCESS
    assert (phone.phone.state.app, phone.phone.state.user) == (WECHAT, 0)


@pytest.mark.parametrize(("scenario", "user"), [("work-profile", 10), ("cloned-app", 999)])
def test_front_app_of_another_user_is_distinguished(phone: PhoneDevice, scenario: str, user: int) -> None:
    phone.phone.set_scenario(scenario)
    phone.phone.call(lambda model: model.launch(WECHAT, user=user))
    assert phone.current_app() == CurrentApp(WECHAT, PAGE, user)
    assert phone.front_app() == f"{WECHAT} (user {user})"
    assert ADBController(phone.serial, user=user).front_app() == WECHAT


def test_clone_in_front_is_replaced_by_main_app(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("cloned-app")
    phone.phone.call(lambda model: model.launch(WECHAT, user=999))
    assert Session(phone).run("打开微信").status is TaskStatus.SUCCESS
    assert phone.phone.state.user == 0


def test_home_screen_belongs_to_every_user(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("work-profile")
    worker = ADBController(phone.serial, user=10)
    assert worker.front_app() == worker.home_app() == "com.android.launcher3"


@pytest.mark.parametrize(
    ("users", "named"), [((10,), "10 (Work profile)"), ((10, 999), "10 (Work profile), 999 (XSpace)")]
)
def test_error_names_user_who_has_the_app(phone: PhoneDevice, users: tuple[int, ...], named: str) -> None:
    phone.phone.call(lambda model: model.set_scenario(Scenario(users=users, only_other_users=True)))
    with pytest.raises(CommandFailed) as error:
        phone.perform(LaunchApp(WECHAT))
    said = str(error.value)
    assert f"installed for user {named} only" in said
    assert "--user 10" in said
    assert "?user=10" in said
    assert phone.phone.state.app != WECHAT


@pytest.mark.parametrize("door", ["--user", "?user=", "Python"])
def test_work_profile_app_needs_its_user(phone: PhoneDevice, door: str) -> None:
    phone.phone.set_scenario("only-in-work-profile")
    code, said = DOORS[door](phone, 0, "打开微信")
    assert (code, "user 10" in said) == (1, True), said
    code, said = DOORS[door](phone, 10, "打开微信")
    assert code == 0, said
    assert phone.phone.state.user == 10


def test_app_of_no_user_is_not_installed(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("work-profile")
    for user in (None, 10):
        with pytest.raises(CommandFailed, match="not installed"):
            ADBController(phone.serial, user=user).launch_app("com.example.none")


def test_unknown_user_error_lists_users(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("work-profile")
    with pytest.raises(CommandFailed, match=r"no user 77.*10 \(Work profile\)"):
        ADBController(phone.serial, user=77).launch_app(WECHAT)


def test_open_url_and_stop_app_affect_one_user(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("work-profile")
    worker = ADBController(phone.serial, user=10)
    worker.perform(OpenUrl("https://example.org/"))
    assert (phone.phone.state.app, phone.phone.state.user, phone.phone.state.dialog) == ("com.android.chrome", 10, "")
    phone.perform(StopApp("com.android.chrome"))
    assert phone.phone.state.app == "com.android.chrome"
    worker.perform(StopApp("com.android.chrome"))
    assert phone.phone.state.app != "com.android.chrome"


def test_app_chooser_is_not_answered_at_random(phone: PhoneDevice) -> None:
    phone.phone.set_scenario("cloned-app")
    phone.phone.call(lambda model: model.start_activity(Intent(component=f"{WECHAT}/.ui.LauncherUI")))
    assert phone.phone.state.dialog == "chooser"
    Session(phone).run("点击“发现”")
    Session(phone).run("打开设置")
    assert not any(each.user or each.package == WECHAT for each in phone.phone.call(lambda model: list(model._running)))


CHOOSERS = {
    "Android": ("使用以下方式打开", ["Chrome", "Chrome（工作）", "仅此一次"]),
    "Android in English": ("Open with", ["Personal", "Work", "Just once"]),
    "Xiaomi": ("请选择要使用的应用", ["微信", "微信（双开）", "取消"]),
}


@pytest.mark.parametrize("maker", CHOOSERS)
def test_no_app_of_a_chooser_is_tapped(phone: PhoneDevice, maker: str) -> None:
    title, entries = CHOOSERS[maker]
    pressed: list[str] = []

    def show(model: PhoneModel) -> None:
        def press(entry: str) -> None:
            pressed.append(entry)
            model.close_dialog()

        model.show_dialog(chooser(title, [(entry, partial(press, entry)) for entry in entries], model.close_dialog))

    phone.phone.call(show)
    policy = PermissionPolicy("allow-listed", ["位置"])
    assert Session(phone, policy=policy).run("打开设置").status is TaskStatus.SUCCESS
    assert set(pressed) <= {"取消"}


@pytest.mark.parametrize(
    "uri", ["android:?user=", "android:?user=x", "android:?users=1", "phone:?user=10&user=x", "phone:?"]
)
def test_invalid_user_in_uri_is_refused(uri: str) -> None:
    with pytest.raises(UsageError, match="user"):
        open_device(uri)


@pytest.mark.parametrize("uri", ["linux:", "image:shot.png", "android:?user=11"])
def test_conflicting_or_unsupported_user_is_refused(uri: str) -> None:
    with pytest.raises(UsageError, match="user 10"):
        with_user(uri, 10)


def test_virtual_phone_uri_accepts_a_user(phone: PhoneDevice) -> None:
    device = open_device("phone:work-profile?user=10")
    try:
        assert device.uri.endswith("?user=10")
        device.perform(LaunchApp(WECHAT))
        assert isinstance(device, PhoneDevice)
        assert device.phone.state.user == 10
    finally:
        device.close()
