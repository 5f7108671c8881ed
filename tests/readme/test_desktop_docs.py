"""Tests of docs/desktop.md: its commands and Python run in order, on a private desktop with an editor."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from handeye.cli.app import app
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need, need_desktop

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "desktop.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
COMMANDS = [line for kind, block in BLOCKS if not kind for line in block.splitlines()]
need("mousepad")
need_desktop()


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The commands find an editor on "this computer's" desktop, a folder to write to and one for their numbers."""
    folder = tmp_path_factory.mktemp("desktop-docs")
    with PrivateDesktop() as desktop, pytest.MonkeyPatch.context() as patch:
        for name in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
            patch.setenv(name, desktop.environment[name])
        patch.setenv("HANDEYE_STATE_DIR", str(folder / "state"))
        for name in ("HANDEYE_DESKTOP", "HANDEYE_DEVICE", "WAYLAND_DISPLAY"):
            patch.delenv(name, raising=False)
        patch.chdir(folder)
        desktop.launch("mousepad", wait_for_title="Mousepad")
        yield folder


def handeye(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_documented_commands_work_as_described(own: Path) -> None:
    assert len(COMMANDS) > 15
    for line in COMMANDS:
        words = shlex.split(line, comments=True)
        assert words[0] == "handeye"
        answer = handeye(*words[1:])
        assert answer.exit_code == 0, f"{line}\n{answer.output}"
    assert (own / "editor.png").stat().st_size > 1000


def test_documented_python_runs(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = (block for kind, block in BLOCKS if kind == "python")
    exec(compile(example, "desktop.md", "exec"), {})
    assert "menu File" in capsys.readouterr().out


def test_stale_element_number_is_refused_with_fresh_list(own: Path) -> None:
    assert handeye("press", "escape", "--window", "Mousepad").exit_code == 0
    assert handeye("click", "the View menu", "--window", "Mousepad").exit_code == 0
    listed = json.loads(handeye("state", "--window", "Mousepad", "--json").stdout)
    entry = next(each for each in listed["elements"] if each["name"] == "Statusbar")
    assert handeye("press", "escape").exit_code == 0
    answer = handeye("click", str(entry["id"]), "--json")
    refused = json.loads(answer.stdout)
    assert (answer.exit_code, refused["kind"]) == (1, "StateChanged")
    assert refused["state"]["window"]["id"] == listed["window"]["id"]
    assert "Statusbar" not in [each["name"] for each in refused["state"]["elements"]]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("state", "--window", "no such window"), 3, "no window is called"),
        (("state", "--page", "99"), 2, "no page 99"),
        (("state", "--device", "phone:"), 2, "no desktop"),
        (("click", "5"), 2, "handeye state"),  # each test has a state folder of its own
        (("click", "the Banana button", "--window", "Mousepad"), 1, "was not found"),
        (("click", ""), 2, "what"),
        (("click", "1", "--button", "fifth"), 2, "button"),
        (("press", "no-such-key"), 2, "no-such-key"),
        (("click-at", "nan", "5"), 2, "x"),
        (("click-at", "99999", "5"), 1, "on no monitor"),
        (("screenshot", "--window", "no such window"), 3, "no window is called"),
    ],
)
def test_impossible_desktop_action_is_reported(own: Path, words: tuple[str, ...], code: int, said: str) -> None:
    answer = handeye(*words)
    assert (answer.exit_code, said in answer.output) == (code, True), answer.output


def test_unlisted_element_number_is_an_error(own: Path) -> None:
    assert handeye("state", "--window", "Mousepad").exit_code == 0
    answer = handeye("click", "99999")
    assert (answer.exit_code, "none of the" in answer.output) == (2, True)


def test_typed_secret_is_not_printed(own: Path) -> None:
    answer = handeye("type", "hunter2 & co", "--window", "Mousepad", "--json")
    assert json.loads(answer.stdout)["verified"] is True
    assert "hunter2" not in answer.output


def test_links_resolve() -> None:
    for link in re.findall(r"\]\((?!https?://)([^)#]+)", TEXT):
        assert (DOCS / link).exists(), link
