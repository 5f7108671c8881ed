"""Tests of typing on the virtual phone: text arrives unchanged, is never executed, and the input method is restored."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from on_screen import centre_of, wait_until

from handeye.actions import InputText
from handeye.devices import ADBController, AdbServer, PhoneDevice
from handeye.devices.android.controller import USABLE_S
from handeye.devices.android.input_method import ADB_KEYBOARD, InputMethods, Memory
from handeye.errors import DeviceError, TextInputFailed
from handeye.testing.adb import PrivateAdbServer
from handeye_phone.scenario import Scenario

LATIN = "com.android.inputmethod.latin/.LatinIME"

NASTY = [
    "hello",
    "hello world",
    "  two blanks  around  ",
    " ",
    "'",
    '"',
    "it's",
    "say \"hi\" and 'bye'",
    "'; touch /sdcard/pwned; '",
    '"; touch /sdcard/pwned; "',
    "$(touch /sdcard/pwned)",
    "`touch /sdcard/pwned`",
    "${IFS}touch${IFS}/sdcard/pwned",
    "a; touch /sdcard/pwned",
    "a && touch /sdcard/pwned",
    "a || touch /sdcard/pwned",
    "a | tee /sdcard/pwned",
    "a > /sdcard/pwned",
    "a & touch /sdcard/pwned &",
    "a\ntouch /sdcard/pwned\n",
    "$HOME $0 $? $$ !!",
    "\\",
    "\\\\",
    "back\\slash\\n",
    "trailing\\",
    "*",
    "? [a-z] {1,2} ~",
    "# not a comment",
    "%s",
    "%%s",
    "%",
    "% s",
    "100%sure",
    "%s%s %%ss s%",
    "-n",
    "--es msg x",
    "-",
    "<b>&amp;</b>",
    "tab\there",
    "line one\nline two",
    "\nleading newline",
    "你好",
    "给张三发微信消息说你好",
    "“中文引号”，。！？；：（）【】《》",
    "Grüße, €5, ñ, ¿qué?",
    "😀",
    "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇨🇳",
    "עברית ו-English 123",
    "العربية مع $(id)",
    "\u202eevil\u202c \u200bzero\u200b width",
    "e\u0301 (combining) \u0e01\u0e33",
    "𠮷野家 𝒳 (beyond the BMP)",
    "混ぜるな危険 'ภาษาไทย' `한국어` \"हिन्दी\"",
    "\u00a0no-break\u3000wide",
    "中%s文 %%s",
    "\ufeffmark",
    "\\u4f60 \\x41 &#10; %0A",
]


@pytest.fixture(scope="module")
def chat(private_adb: PrivateAdbServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneDevice]:
    """A phone whose focus is in the message field of a chat."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANDEYE_STATE_DIR", str(tmp_path_factory.mktemp("state")))
        with PhoneDevice(server=AdbServer("127.0.0.1", private_adb.port)) as device:
            open_chat(device)
            yield device


def open_chat(device: PhoneDevice, contact: str = "王小明") -> None:
    device.launch_app("com.tencent.mm")
    device.tap(*centre_of(device, text=contact))
    device.tap(*centre_of(device, **{"class": "android.widget.EditText"}))
    assert device.phone.state.chat == contact


def clear(device: ADBController) -> None:
    with InputMethods(device.link).adb_keyboard():
        device.shell("am", "broadcast", "-a", "ADB_CLEAR_TEXT")


@pytest.mark.parametrize("text", NASTY)
def test_nasty_text_arrives_unchanged_and_runs_nothing(chat: PhoneDevice, text: str) -> None:
    clear(chat)
    files = chat.shell("ls", "-a", "/sdcard").stdout
    result = chat.perform(InputText(text))
    assert chat.phone.state.draft == text
    assert result.verified is True
    assert chat.shell("ls", "-a", "/sdcard").stdout == files
    assert chat.phone.state.input_method == LATIN


# Everything but NUL and half surrogate pairs, with what shells and `input text` trip over made frequent.
any_text = st.text(
    st.sampled_from("%s '\"$`\\;|&<>\n\t-#~*") | st.characters(exclude_characters="\0", exclude_categories=("Cs",)),
    min_size=1,
    max_size=40,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(any_text)
def test_any_text_arrives_unchanged(chat: PhoneDevice, text: str) -> None:
    clear(chat)
    assert chat.input_text(text).verified is True
    assert chat.phone.state.draft == text


def test_long_text_arrives_whole(chat: PhoneDevice) -> None:
    for text in ("中文😀%s'$(id)\n" * 420, "plain ASCII %s " * 200):
        clear(chat)
        assert chat.input_text(text).verified is True
        assert chat.phone.state.draft == text


def test_text_is_inserted_at_the_cursor(chat: PhoneDevice) -> None:
    clear(chat)
    chat.input_text("头尾")
    chat.input_keyevent("DPAD_LEFT")
    chat.input_text("中间")
    assert chat.phone.state.draft == "头中间尾"


def test_typing_empty_text_sends_no_command(chat: PhoneDevice) -> None:
    time.sleep(USABLE_S)  # so that the next action would ask whether the phone is awake
    before = chat.phone.log
    assert chat.input_text("").verified is True
    assert chat.phone.log == before


@pytest.mark.parametrize("text", ["a\0b", "\0", "\ud83d"])
def test_untypeable_characters_are_refused(chat: PhoneDevice, text: str) -> None:
    before = chat.phone.log
    with pytest.raises(TextInputFailed, match="character"):
        chat.input_text(text)
    assert chat.phone.log == before


def test_broadcast_goes_only_to_adb_keyboard(chat: PhoneDevice) -> None:
    chat.input_text("秘密")
    broadcasts = [line for line in chat.phone.log if "ADB_INPUT" in line]
    assert broadcasts
    assert all("-p com.android.adbkeyboard" in line for line in broadcasts)


def test_text_is_not_read_back_without_verify(chat: PhoneDevice) -> None:
    clear(chat)
    looks = sum("uiautomator" in line for line in chat.phone.log)
    assert chat.input_text("快", verify=False).verified is None
    assert sum("uiautomator" in line for line in chat.phone.log) == looks
    assert chat.phone.state.draft == "快"


def test_typing_without_readable_screen_is_not_verified(phone: PhoneDevice) -> None:
    open_chat(phone)
    phone.phone.set_scenario("never-idle")
    result = phone.input_text("你好")
    assert result.verified is None
    assert "idle" in result.note
    assert phone.phone.state.draft == "你好"


def test_typing_without_a_field_is_not_verified(phone: PhoneDevice) -> None:
    assert phone.input_text("hello").verified is None
    assert phone.input_text("你好").verified is None


def test_typing_error_hides_secret_text(phone: PhoneDevice, caplog: pytest.LogCaptureFixture) -> None:
    open_chat(phone)
    phone.phone.call(keep_four_characters)
    for secret in ("geheim12", "密码是一二三四"):
        clear(phone)
        with caplog.at_level(logging.DEBUG), pytest.raises(TextInputFailed) as caught:
            phone.input_text(secret, secret=True)
        assert f"{len(secret)} characters" in str(caught.value)
        assert secret not in str(caught.value) + caplog.text
    assert phone.phone.state.input_method == LATIN


def test_garbled_text_is_erased_and_retyped(phone: PhoneDevice) -> None:
    """A composing input method changes the first words."""
    open_chat(phone)
    phone.input_text("before ")
    for text, shown in (("hello", "he11o"), ("你好", "您号啊")):
        phone.phone.call(lambda model, shown=shown: garble_once(model, shown))
        result = phone.input_text(text)
        assert result.verified is True
        assert "erased" in result.note
        assert phone.phone.state.draft.endswith(text)
    assert phone.phone.state.draft == "before hello你好"


def test_earlier_draft_is_never_erased(phone: PhoneDevice) -> None:
    """The field has changed more than the typed text: what to erase is unknown."""
    open_chat(phone)
    phone.input_text("a long draft ")
    phone.phone.call(lambda model: garble_once(model, "", kept="another draft, "))
    with pytest.raises(TextInputFailed, match="other text"):
        phone.input_text("hi")
    assert phone.phone.state.draft == "another draft, "


@pytest.mark.parametrize("text", ["hello", "你好"])
def test_exclusive_text_is_removed_from_existing_draft(phone: PhoneDevice, text: str) -> None:
    open_chat(phone)
    phone.input_text("不要来")
    with pytest.raises(TextInputFailed, match="beside") as caught:
        phone.input_text(text, alone=True)
    assert phone.phone.state.draft == "不要来"
    assert "不要来" not in str(caught.value)
    clear(phone)
    assert phone.input_text(text, alone=True).verified is True  # a hint makes room for it
    assert phone.phone.state.draft == text


def test_an_old_adbkeyboard_without_base64_gets_plain_text(phone: PhoneDevice) -> None:
    """Version 1 of ADBKeyboard supports only ADB_INPUT_TEXT; the field shows that nothing arrived."""
    open_chat(phone)

    def forget_base64(model: object) -> None:
        hear = model.broadcast  # type: ignore[attr-defined]
        model.broadcast = lambda intent: None if intent.action == "ADB_INPUT_B64" else hear(intent)  # type: ignore[attr-defined]

    phone.phone.call(forget_base64)
    text = "你好 'quoted' $(id)\n%s"
    result = phone.input_text(text)
    assert result.verified is True
    assert "ADB_INPUT_TEXT" in result.note
    assert phone.phone.state.draft == text


def test_missing_adb_keyboard_error_explains_installation(phone: PhoneDevice) -> None:
    open_chat(phone)
    phone.phone.set_scenario("no-adbkeyboard")
    with pytest.raises(TextInputFailed, match=r"ADBKeyboard\.apk.*adb install.*ime enable"):
        phone.input_text("你好")
    assert phone.phone.state.draft == ""
    phone.input_text("ASCII still works")
    assert phone.phone.state.draft == "ASCII still works"


# -- the input method is given back


def test_input_method_settings_are_restored(phone: PhoneDevice) -> None:
    open_chat(phone)
    enabled = phone.phone.call(lambda model: model.enabled_input_methods)
    phone.input_text("你好")
    assert phone.phone.state.input_method == LATIN
    assert phone.phone.call(lambda model: model.enabled_input_methods) == enabled
    assert not Memory(phone.serial).path.exists()


INTERRUPTED = """
import sys
from handeye.devices.android.controller import ADBController
with ADBController(sys.argv[1]) as phone:
    phone.input_text("你好" * 10)
"""


def keep_four_characters(model: object) -> None:
    """The focused field takes no more, as a field for a code does."""
    field = model._focus  # type: ignore[attr-defined]
    field.changed = lambda: field.replace(field.text[:4]) if len(field.text) > 4 else None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_keyboard_interrupt_restores_the_input_method(phone: PhoneDevice) -> None:
    """The text never arrives completely, so the process is still waiting when the signal comes."""
    open_chat(phone)
    phone.phone.call(keep_four_characters)
    typing = subprocess.Popen([sys.executable, "-c", INTERRUPTED, phone.serial], stderr=subprocess.PIPE)
    wait_until(lambda: phone.phone.state.draft != "")
    assert phone.phone.state.input_method == ADB_KEYBOARD
    typing.send_signal(signal.SIGINT)
    _, said = typing.communicate(timeout=120)
    assert b"KeyboardInterrupt" in said
    assert phone.phone.state.input_method == LATIN
    assert not Memory(phone.serial).path.exists()


def test_input_method_is_restored_after_lost_link(server: AdbServer) -> None:
    with PhoneDevice(server=server, timeout_s=1.0) as device:
        open_chat(device)
        with InputMethods(device.link).adb_keyboard():
            device.phone.drop_link(1.8)
        assert device.phone.state.input_method == ADB_KEYBOARD
        assert Memory(device.serial).path.exists()
        wait_until(lambda: answers(device))
        device.input_text("你好")
        assert device.phone.state.input_method == LATIN
        assert device.phone.state.draft == "你好"


def answers(device: ADBController) -> bool:
    try:
        return device.shell("true").exit_code == 0
    except DeviceError:
        return False


DIE_WHILE_TYPING = """
import os, sys
from handeye.devices.android.controller import ADBController
from handeye.devices.android.input_method import InputMethods
phone = ADBController(sys.argv[1]).connect()
with InputMethods(phone.link).adb_keyboard():
    os._exit(9)
"""


def test_input_method_is_restored_after_killed_process(
    phone: PhoneDevice, server: AdbServer, state_folder: Path
) -> None:
    died = subprocess.run([sys.executable, "-c", DIE_WHILE_TYPING, phone.serial], env=dict(os.environ), check=False)
    assert died.returncode == 9
    assert phone.phone.state.input_method == ADB_KEYBOARD
    assert json.loads(Memory(phone.serial).path.read_text("utf-8"))["input_method"] == LATIN
    with ADBController(phone.serial, server=server):
        assert phone.phone.state.input_method == LATIN
    assert not Memory(phone.serial).path.exists()


def test_input_method_of_running_process_is_kept(phone: PhoneDevice, server: AdbServer) -> None:
    with InputMethods(phone.link).adb_keyboard():
        memory = Memory(phone.serial).path
        content = json.loads(memory.read_text("utf-8"))
        memory.write_text(json.dumps(content | {"process": os.getppid()}), "utf-8")
        with ADBController(phone.serial, server=server):
            assert phone.phone.state.input_method == ADB_KEYBOARD
    assert phone.phone.state.input_method == LATIN


@pytest.mark.parametrize("content", ["", "{", "[]", '{"input_method": 1}', '{"process": "x"}'])
def test_corrupt_saved_input_method_is_ignored(phone: PhoneDevice, server: AdbServer, content: str) -> None:
    path = Memory(phone.serial).path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")
    with ADBController(phone.serial, server=server) as again:
        assert again.shell("echo", "x").stdout == b"x\n"


def test_saved_input_method_of_another_phone_is_ignored(phone: PhoneDevice, server: AdbServer) -> None:
    path = Memory(phone.serial).path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps({"input_method": "com.gone/.Ime", "disable_after": False, "process": 2**22 + 1}), "utf-8"
    )
    with ADBController(phone.serial, server=server):
        assert phone.phone.state.input_method == LATIN
    assert not path.exists()


def garble_once(model: object, shown: str, kept: str | None = None) -> None:
    """The next text that the focused field takes becomes `shown`, after `kept` in place of what stood there."""
    field = model._focus  # type: ignore[attr-defined]
    before = field.text if kept is None else kept

    def garbled() -> None:
        field.changed = lambda: None
        field.replace(before + shown)

    field.changed = garbled


@pytest.mark.parametrize(
    ("form", "text", "shown"),
    [
        ("groups", "4111111111111111", "4111 1111 1111 1111"),
        ("groups", "中文一二三四五六", "中文一二 三四五六"),
        ("capitals", "Alice Smith", "ALICE SMITH"),
    ],
)
def test_reformatted_text_is_verified(chat: PhoneDevice, form: str, text: str, shown: str) -> None:
    clear(chat)
    chat.phone.set_scenario(Scenario(field_format=form))
    try:
        done = chat.input_text(text)
        assert done.verified is True
        assert repr(shown) in done.note
        clear(chat)
        assert shown not in chat.input_text(text, secret=True).note
        clear(chat)
        with pytest.raises(TextInputFailed):
            chat.input_text(text, alone=True)
    finally:
        chat.phone.set_scenario(Scenario())
        clear(chat)
