"""Tests of the examples in the README and the docs: they run as shown."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from handeye.apps import ModuleRegistry
from handeye.cli.app import app
from handeye.commands import ExitCode
from handeye.testing.adb import PrivateAdbServer
from handeye_phone import VirtualPhone

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
APP_DOCS = (ROOT / "docs" / "app-modules.md").read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language; of none, for ""."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [body for named, body in fenced if named == language]


def commands(text: str, first_word: str) -> list[str]:
    """The lines of the README's plain blocks that begin with a word, without the remark at their end."""
    lines = [line for block in blocks(text, "") for line in block.splitlines()]
    return [line.split("  ")[0].strip() for line in lines if line.startswith(first_word + " ")]


def test_python_example_runs_and_prints_documented_output(adb_port: int, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks(README, "python")
    exec(compile(example, "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "success"
    assert any("张三" in line for line in printed)
    assert re.search(r"\d+.*\d+", printed[-1])


def test_module_example_is_a_working_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, phone_at_the_default_port: VirtualPhone
) -> None:
    phone = phone_at_the_default_port
    write_modules(README, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert "launcher" in phone.state.to_dict()["app"]
    answer = CliRunner().invoke(app, ["run", "打开备忘录", "--device", phone.serial])
    assert answer.exit_code == 0, answer.output
    assert "note" in phone.state.to_dict()["app"]
    assert list(tmp_path.glob("runs/*/report.html"))


def test_documented_module_makes_a_plan(tmp_path: Path) -> None:
    config, tasks, *_ = blocks(APP_DOCS, "yaml")
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "config.yaml").write_text(config, "utf-8")
    (folder / "tasks.yaml").write_text(tasks, "utf-8")
    plan = ModuleRegistry([tmp_path]).plan("查看我的备忘录购物清单")
    assert plan.module.startswith("notes")
    assert plan.steps[-1].description == "点击购物清单"


def write_modules(text: str, folder: Path) -> None:
    """The YAML blocks whose first line names their file."""
    for block in blocks(text, "yaml"):
        name = block.splitlines()[0].removeprefix("# ")
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block, "utf-8")


@pytest.fixture
def phone_at_the_default_port(private_adb: PrivateAdbServer, adb_port: int) -> Iterator[VirtualPhone]:
    phone = VirtualPhone()
    phone.start()
    yield phone
    phone.stop()


def adapted(line: str, phone: VirtualPhone) -> list[str]:
    """The command's words, with the README's addresses replaced by those of the phone under test."""
    words = shlex.split(line)
    return [
        word.replace("127.0.0.1:15555", phone.serial)
        .replace("192.168.1.100:5555", phone.serial)
        .replace("SERIAL", phone.serial)
        for word in words
    ]


def test_documented_phone_commands_run(
    phone_at_the_default_port: VirtualPhone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = phone_at_the_default_port
    monkeypatch.chdir(tmp_path)
    shown = [line for line in commands(README, "handeye") if not line.startswith("handeye phone start")]
    # First everything that needs no device; `connect` makes the virtual phone the only one attached.
    order = sorted(shown, key=lambda line: "connect" not in line)
    assert len(order) >= 5
    for line in order:
        words = adapted(line, phone)[1:]
        if words[:1] == ["phone"]:
            words += ["--port", str(phone.port)]
        answer = CliRunner().invoke(app, words)
        assert answer.exit_code == 0, f"{line}\n{answer.output}"


def test_documented_adb_commands_run(
    private_adb: PrivateAdbServer, phone_at_the_default_port: VirtualPhone, tmp_path: Path
) -> None:
    phone = phone_at_the_default_port
    for line in commands(README, "adb"):
        words = adapted(line, phone)[1:]
        redirected = words.index(">") if ">" in words else len(words)
        done = private_adb.run(*words[:redirected])
        assert done.returncode == 0, f"{line}\n{done.stderr!r}"
        if redirected < len(words):
            assert bytes(done.stdout).startswith(b"\x89PNG")


def test_every_documented_command_exists() -> None:
    for verb in re.findall(r"^\| `handeye (\w+)", README, re.MULTILINE):
        assert CliRunner().invoke(app, [verb, "--help"]).exit_code == 0, verb


def test_documented_exit_codes_match_the_code() -> None:
    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)}
    assert listed == {int(code) for code in ExitCode}


def test_the_makefile_has_the_commands() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in ("demo", "test", "release", "docs"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
