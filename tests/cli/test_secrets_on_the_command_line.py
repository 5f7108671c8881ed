"""Tests that text typed with `secret: true` appears in no terminal output, JSON or file name."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from handeye.cli.app import app
from handeye.geometry import Box
from handeye.testing.fakes import FakeDevice, FakePage
from handeye.trusted_files import trust
from handeye_phone.model import PhoneModel

SECRET = "p4ss'[dim]单词"
TASK = f"用密码{SECRET}登录银行"
MODULE = """\
name: bank
title: 银行
package: com.example.bank
"""
TASKS = """\
tasks:
  - name: login
    slots: {pw: {type: text}}
    patterns: ["用密码{pw}登录银行"]
    success_criteria: "{pw} 有效"
    steps:
      - {action: tap, target: {text: 密码}, description: "点击密码框，准备输入{pw}"}
      - {action: input_text, params: {text: "{pw}", secret: true}, description: "输入密码{pw}", expect: {text: "{pw}"}}
      - {action: check, expect: {text: "欢迎{pw}"}, description: "{pw} 已被接受"}
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with an app module that types a secret, and a picture."""
    module = tmp_path / "handeye_apps" / "bank"
    module.mkdir(parents=True)
    (module / "config.yaml").write_text(MODULE, "utf-8")
    (module / "tasks.yaml").write_text(TASKS, "utf-8")
    trust(module.parent)
    PhoneModel().frame().save(tmp_path / "shot.png")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("verb", ["run", "plan", "flow"])
def test_secret_text_is_masked_in_all_output(
    place: Path, monkeypatch: pytest.MonkeyPatch, verb: str, as_json: bool
) -> None:
    page = FakePage({"密码": Box(0, 0, 40, 40)})
    monkeypatch.setattr("handeye.commands.run.open_device", lambda uri: FakeDevice({"a": page}, start="a"))
    words = ["flow", "shot.png", TASK] if verb == "flow" else [verb, TASK]
    answer = CliRunner().invoke(app, [*words, *(["--json"] if as_json else [])])
    assert answer.exception is None or isinstance(answer.exception, SystemExit), answer.exception
    assert "密码••••" in answer.output
    for part in ("p4ss", "单词"):
        assert part not in answer.output
        assert not [path for path in place.rglob("*") if part in path.name]
    shown = CliRunner().invoke(app, ["runs", "list", "--json"]).output
    assert "p4ss" not in shown
