"""Tests of the desktop commands on an in-memory desktop: text and JSON output, and refused calls."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from handeye.cli.app import app
from handeye.desktop import DesktopSession
from handeye.devices import DesktopDevice, Monitor
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.perceiving import FixedProvider

ELEMENTS = (
    UIElement("window", "", Box(100, 100, 500, 400), text="Notes", id=1, source="accessibility"),
    UIElement("button", "", Box(110, 110, 150, 130), text="Save", id=2, source="accessibility"),
    UIElement(
        "button", "", Box(110, 0, 150, 20), text="Away", id=3, source="accessibility", metadata={"offscreen": True}
    ),
    UIElement("checkbox", "", Box(160, 110, 200, 130), text="按钮", id=4, source="accessibility", enabled=False),
)
ENDLESS = "长" * 100_000


class Desk:
    """The desktop that every verb finds, whatever its URI; `kept` is where its numbers lie."""

    def __init__(self) -> None:
        self.fake = FakeDesktop(
            [
                fake_window(7, "Notes", Box(100, 100, 500, 400), focused=True),
                fake_window(8, "Same", Box(600, 100, 900, 400)),
                fake_window(9, "Same", Box(600, 450, 900, 700)),
                fake_window(10, "", Box(20, 450, 90, 500), program="Dialog"),
                fake_window(11, ENDLESS, Box(600, 720, 700, 780), minimized=True),
            ]
        )
        self.elements = ELEMENTS
        self.controls: Any = None
        self.asked: list[str | None] = []

    def session(self, device: str | None = None, **flags: Any) -> DesktopSession:
        self.asked.append(device)
        tree = FixedProvider(self.elements, notes=["a note"], controls=self.controls)
        return DesktopSession(DesktopDevice(self.fake, panic_corner=None), tree=tree, reader=None)


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk()
    for module in ("desktop", "desktop_windows"):
        monkeypatch.setattr(f"handeye.commands.{module}.DesktopSession", made.session)
    return made


def handeye(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=typed)


DOCS = (Path(__file__).parents[2] / "docs" / "desktop.md").read_text("utf-8")
STATE, ACT, REFUSED = (
    json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", DOCS, re.DOTALL | re.MULTILINE)
)


def said(*words: str) -> dict[str, Any]:
    answer = handeye(*words, "--json")
    assert answer.stdout.count("\n") == 1
    told: dict[str, Any] = json.loads(answer.stdout)
    return told


# -- windows


def test_printed_window_identifiers_select_windows(desk: Desk) -> None:
    lines = handeye("windows").stdout.splitlines()
    assert lines[0] == "id:7 'Notes' (Fake, 400x300) at 100,100,500,400 (focused)"
    assert [line.split(" ")[0] for line in lines] == ["id:7", "id:8", "id:9", "id:10", "id:11"]
    for line in lines:
        assert handeye("focus", line.split(" ")[0]).exit_code == 0
    assert handeye("focus", "program:dialog").stdout.startswith("id:10 ''")


def test_ambiguous_window_title_lists_window_ids(desk: Desk) -> None:
    answer = handeye("state", "--window", "Same")
    assert (answer.exit_code, "id:8" in answer.output, "id:9" in answer.output) == (2, True, True)
    assert said("state", "--window", "id:9")["window"]["id"] == 9


@pytest.mark.parametrize(
    "words",
    [
        ("windows",),
        ("focus", "id:11"),
        ("focus", "no such"),
        ("state", "-w", "id:11"),
        ("click", "99", "-w", "id:11"),
        ("click", "2", "-w", "id:11"),
        ("type", "x", "--into", "the Nothing field", "-w", "id:11"),
        ("screenshot", "-w", "id:11", "-d", "linux::4711"),
    ],
)
def test_overlong_window_title_is_truncated_in_all_output(desk: Desk, words: tuple[str, ...]) -> None:
    handeye("state", "-w", "id:11")
    assert len(handeye(*words).output) < 2500
    assert len(handeye(*words, "--json").output) < 4000


# -- state


def test_state_json_matches_docs(desk: Desk) -> None:
    told = said("state")
    assert told == {
        "window": {
            "id": 7,
            "title": "Notes",
            "program": "Fake",
            "process": 1007,
            "rect": [100, 100, 500, 400],
            "focused": True,
            "minimized": False,
        },
        "elements": [
            {"id": 1, "type": "Window", "name": "Notes", "rect": [100, 100, 500, 400]},
            {"id": 2, "type": "Button", "name": "Save", "rect": [110, 110, 150, 130]},
            {"id": 4, "type": "CheckBox", "name": "按钮", "rect": [160, 110, 200, 130], "enabled": False},
            {"id": 3, "type": "Button", "name": "Away", "rect": [110, 0, 150, 20], "offscreen": True},
        ],
        "page": 1,
        "pages": 1,
        "matching": 4,
        "total": 4,
        "notes": ["a note"],
    }
    assert told.keys() == STATE.keys()
    assert told["window"].keys() == STATE["window"].keys()
    assert told["elements"][1] == STATE["elements"][0]


def test_json_pages_shrink_when_stdout_escapes_chinese(desk: Desk) -> None:
    """An escaped Chinese character takes six characters of JSON."""
    names = [f"第{number}行的单元格内容，名字比较长" for number in range(600)]
    desk.elements = tuple(
        UIElement("cell", "", Box(0, 0, 9, 9), text=name, id=number, source="accessibility")
        for number, name in enumerate(names, 1)
    )
    plain = CliRunner(charset="latin-1").invoke(app, ["state", "--json"])
    assert plain.stdout.isascii()
    assert json.loads(plain.stdout)["pages"] > said("state")["pages"] > 1
    desk.elements = desk.elements[1:]
    plain = CliRunner(charset="latin-1").invoke(app, ["click", "1", "--json"])
    desk.elements = desk.elements[1:]
    assert json.loads(plain.stdout)["state"]["pages"] > said("click", "1")["state"]["pages"]


def test_filtered_elements_are_counted(desk: Desk) -> None:
    assert handeye("state", "--text", "zzz").stdout.splitlines()[1] == "0 of 4 elements"
    assert handeye("state", "--role", "Button").stdout.splitlines()[1:4] == [
        '[2] [Button] "Save" rect=[110,110,150,130]',
        '[3] [Button] "Away" rect=[110,0,150,20] (off screen)',
        "2 of 4 elements",
    ]
    assert "elements" not in handeye("state").stdout
    desk.elements = ()
    assert "0 of 0 elements" in handeye("state").stdout


def test_unknown_role_is_usage_error_with_suggestion(desk: Desk) -> None:
    answer = handeye("state", "--role", "Buton")
    assert (answer.exit_code, "did you mean Button" in answer.output) == (2, True)


def test_visible_lists_only_elements_on_a_monitor(desk: Desk) -> None:
    assert [each["id"] for each in said("state", "--visible")["elements"]] == [1, 2, 4]
    desk.fake.screens = (Monitor("left", Box(0, 0, 120, 120), primary=True), Monitor("low", Box(0, 390, 1280, 800)))
    assert [each["id"] for each in said("state", "--visible")["elements"]] == [1, 2]


# -- acts


@pytest.mark.parametrize(
    "words",
    [
        ("click", "12345678"),
        ("click", "[12345678]"),
        ("click", "1.5"),
        ("drag", "2", "10.5,0"),
        ("drag", "2", "10x5"),
        ("drag", "2", "10，5"),
        ("drag", "2", "10 5"),
        ("drag", "2", "99999999"),
        ("drag", "2", "1,2,3"),
        ("type", "x", "--into", "1.5"),
    ],
)
def test_invalid_numbers_are_usage_errors(desk: Desk, words: tuple[str, ...]) -> None:
    handeye("state")
    answer = handeye(*words)
    assert (answer.exit_code, desk.fake.presses) == (2, []), answer.output


@pytest.mark.parametrize("far", ["40,-10", " 40 , -10 ", "+40,-10"])
def test_drag_offset_may_contain_blanks_and_signs(desk: Desk, far: str) -> None:
    handeye("state")
    assert handeye("drag", "2", far).exit_code == 0
    assert desk.fake.presses[-1].at == (170, 110)


@pytest.mark.parametrize(
    ("words", "example"),
    [
        (("click-at", "-5", "5"), "handeye click-at -- -5 5"),
        (("click-at", "5", "-.5", "--window", "Notes"), "handeye click-at -- 5 -.5"),
        (("drag-at", "1", "2", "-3", "4"), "handeye drag-at -- 1 2 -3 4"),
        (("drag", "3", "-10,0"), "handeye drag -- 3 -10,0"),
        (("click", "-5"), "handeye click -- -5"),
        (("type", "-5"), "handeye type -- TEXT"),
        (("type", "-hunter2"), "handeye type -- TEXT"),
        (("type", "--- hunter2 ---"), "handeye type -- TEXT"),
        (("type", "--windw", "x"), "--window"),
    ],
)
def test_argument_with_leading_dash_gets_corrected_example(desk: Desk, words: tuple[str, ...], example: str) -> None:
    answer = handeye(*words)
    assert answer.exit_code == 2
    assert example in " ".join(answer.output.replace("│", " ").split())
    assert "hunter2" not in answer.output


def test_negative_numbers_are_accepted_after_double_dash(desk: Desk) -> None:
    handeye("state")
    assert handeye("drag", "--window", "Notes", "--", "2", "-10,0").exit_code == 0
    assert handeye("scroll", "2", "--down", "-3").exit_code == 0
    assert desk.fake.wheeled[-1][2] == -3
    assert handeye("type", "--", "-5").exit_code == 0
    assert desk.fake.typed == "-5"


def test_action_json_matches_docs(desk: Desk) -> None:
    window = said("state")["window"]
    told = said("click", "2")
    assert told == {
        "done": told["done"],
        "verified": None,
        "target": 2,
        "tier": None,
        "element": {"id": 2, "type": "Button", "name": "Save", "rect": [110, 110, 150, 130]},
        "window": window,
        "at": [130, 120],
        "to": None,
    }
    assert told == ACT | {"window": window}
    assert handeye("click", "2").stdout == told["done"] + "\n"
    assert all(part in told["done"] for part in ("[2]", "Save", "'Notes'", "(130, 120)"))
    by_words = said("drag", "the Save button", "40,0")
    assert (by_words["target"], by_words["tier"], by_words["to"]) == ("the Save button", "1", [170, 120])
    assert by_words["element"]["id"] is None
    placed = said("click-at", "130.5", "120", "--window", "Notes")
    assert (placed["at"], placed["element"], placed["window"]["id"]) == ([130.5, 120], None, 7)
    pressed = said("press", "escape")
    assert (pressed["window"]["id"], pressed["at"], pressed.keys()) == (7, None, told.keys())
    assert said("type", "x").keys() == said("scroll", "2").keys() == told.keys()


def test_point_outside_named_window_is_refused(desk: Desk) -> None:
    for words in (("click-at", "5", "700"), ("drag-at", "130", "120", "5", "700")):
        assert handeye(*words, "--window", "Notes").exit_code == 1
    assert desk.fake.presses == []


def test_state_changed_error_json_matches_docs(desk: Desk) -> None:
    handeye("state")
    desk.elements = ELEMENTS[:1]
    for words in (("click", "2"), ("drag", "2", "3"), ("drag", "the Notes window", "2")):
        answer = handeye(*words, "--json")
        told = json.loads(answer.stdout)
        assert (answer.exit_code, told.keys()) == (1, REFUSED.keys()), words
        assert (told["kind"], told["exit_code"], told["state"]["total"]) == ("StateChanged", 1, 1)
        desk.elements = ELEMENTS
        handeye("state")
        desk.elements = ELEMENTS[:1]
    assert desk.fake.presses == []


# -- typing


def test_typed_character_count_is_singular_for_one(desk: Desk) -> None:
    line = handeye("type", "x").stdout
    assert "typed 1 character" in line
    assert "characters" not in line
    assert line.count("1 character") == 1
    assert "typed 2 characters" in handeye("type", "xy").stdout


@pytest.mark.parametrize(
    ("piped", "expected"), [("hunter2\n", "hunter2"), ("hunter2\r\n", "hunter2"), ("a\n\n", "a\n"), ("", "")]
)
def test_secret_text_is_read_from_standard_input(desk: Desk, piped: str, expected: str) -> None:
    answer = handeye("type", "--stdin", "--window", "Notes", typed=piped)
    assert (answer.exit_code, desk.fake.typed) == (0, expected), answer.output
    assert "hunter2" not in answer.output
    assert "7" not in handeye("type", "--stdin", "--json", typed="hunter2").output.replace('"id": 7', "").replace(
        "1007", ""
    )


def test_secret_text_is_read_from_environment_variable(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_PASSWORD", "hunter2 ")
    answer = handeye("type", "--env", "MY_PASSWORD")
    assert (answer.exit_code, desk.fake.typed) == (0, "hunter2 ")
    assert "hunter2" not in answer.output


def test_terminal_stdin_is_prompted_without_echo(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("handeye.cli.calling.sys.stdin", Terminal())
    monkeypatch.setattr("handeye.cli.calling.getpass.getpass", lambda prompt: "hunter2")
    from handeye.cli.calling import text_given

    assert text_given(None, True, None) == "hunter2"


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        (("type",), None),
        (("type", "x", "--stdin"), "y"),
        (("type", "--stdin", "--env", "HOME"), "y"),
        (("type", "--env", "NO_SUCH_VARIABLE"), None),
        (("type", "--stdin"), "x" * 1_000_001),
    ],
)
def test_type_requires_exactly_one_valid_text_source(desk: Desk, words: tuple[str, ...], typed: str | None) -> None:
    assert handeye(*words, typed=typed).exit_code == 2
    assert desk.fake.typed == ""


# -- which desktop


@pytest.mark.parametrize("uri", ["linux", "phone:", "image:x.png", "android:", "127.0.0.1:5555", "ftp://x", "x"])
@pytest.mark.parametrize("words", [("windows",), ("state",), ("focus", "x"), ("click-at", "1", "1"), ("type", "x")])
def test_non_desktop_uri_is_refused_before_opening(
    uri: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(uri: str) -> None:
        raise AssertionError("it was opened")

    monkeypatch.setattr("handeye.desktop.session.open_device", opened)
    for answer in (handeye(*words, "--device", uri), CliRunner(env={"HANDEYE_DESKTOP": uri}).invoke(app, list(words))):
        assert (answer.exit_code, "linux::99" in answer.output) == (2, True), answer.output


# -- pictures


@pytest.fixture
def pictured(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The URIs that pictures were taken of."""
    opened: list[str] = []

    def open_device(uri: str) -> DesktopDevice:
        opened.append(uri)
        return DesktopDevice(desk.fake)

    monkeypatch.setattr("handeye.commands.devices.open_device", open_device)
    monkeypatch.setattr("handeye.desktop.session.default_desktop", lambda: "own:")
    monkeypatch.chdir(tmp_path)
    return opened


@pytest.mark.parametrize(
    ("words", "desktop", "phone", "expected"),
    [
        ((), None, None, "android:"),
        ((), None, "phone:", "phone:"),
        ((), "linux::99", None, "linux::99"),
        (("--window", "Notes"), None, None, "own:"),
        (("--window", "Notes"), "linux::99", None, "linux::99"),
        (("--window", "Notes"), "linux::99", "phone:", "linux::99"),
        (("--window", "Notes"), None, "linux::98", "linux::98"),
        (("--monitor", "1"), None, None, "own:"),
        (("--monitor", "primary"), "linux::99", "phone:", "linux::99"),
        (("--device", "linux::97"), "linux::99", "phone:", "linux::97"),
        (("--device", "android:", "--window", "Notes"), "linux::99", None, "android:"),
        ((), "linux::99", "linux::99", "linux::99"),
    ],
)
def test_screenshot_device_follows_options_and_environment(
    pictured: list[str], words: tuple[str, ...], desktop: str | None, phone: str | None, expected: str
) -> None:
    env = {"HANDEYE_DESKTOP": desktop, "HANDEYE_DEVICE": phone}
    answer = CliRunner(env=env).invoke(app, ["screenshot", *words])
    assert (answer.exit_code, pictured) == (0, [expected]), answer.output


def test_screenshot_requires_device_when_two_are_configured(pictured: list[str]) -> None:
    answer = CliRunner(env={"HANDEYE_DESKTOP": "linux::99", "HANDEYE_DEVICE": "phone:"}).invoke(app, ["screenshot"])
    assert (answer.exit_code, pictured, "--device" in answer.output) == (2, [], True)


def test_screenshot_path_is_argument_or_out_option(pictured: list[str]) -> None:
    assert handeye("screenshot", "-d", "linux:").exit_code == 0
    assert handeye("screenshot", "/tmp/../" + str(Path.cwd() / "a.png"), "-d", "linux:").exit_code == 0
    assert handeye("screenshot", "--out", "b.png", "-d", "linux:").exit_code == 0
    assert sorted(path.name for path in Path.cwd().glob("*.png")) == ["a.png", "b.png", "screenshot.png"]
    assert handeye("screenshot", "a.png", "--out", "b.png", "-d", "linux:").exit_code == 2
    assert said("screenshot", "c.png", "-d", "linux:") == {
        "path": "c.png",
        "size": [1280, 800],
        "origin": [0, 0],
        "pixels_per_unit": 1,
        "scale": 1,
        "dpi": 96,
    }


def test_window_screenshot_reports_its_screen_origin(pictured: list[str]) -> None:
    told = said("screenshot", "notes.png", "--window", "Notes")
    assert (told["size"], told["origin"]) == ([400, 300], [100, 100])
    assert "at 100,100" in handeye("screenshot", "notes.png", "--window", "Notes").stdout
    assert "at" not in handeye("screenshot", "all.png").stdout


def test_replacing_spinner_value_is_verified(desk: Desk) -> None:
    spin = UIElement("spinner", "Quantity", Box(160, 110, 200, 130), text="42", id=2, source="accessibility")
    desk.elements = (*ELEMENTS[:1], spin)

    class Quantity:
        value = "42"

        def text(self) -> str:
            return self.value

        def set_text(self, text: str) -> None:
            self.value = str(min(int(text), 500))

    desk.controls = (None, Quantity())
    for text, code in (("137", 0), ("501", 1)):
        answer = handeye("type", text, "--into", "Quantity", "--replace", "--json")
        assert (answer.exit_code, json.loads(answer.stdout)["verified"]) == (code, code == 0)
    assert not desk.fake.presses
    assert not desk.fake.typed
