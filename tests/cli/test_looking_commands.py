"""Tests of `handeye plan`, `verify` and `flow` on image files, without a phone, with and without a model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner, Result

from handeye.cli.app import app
from handeye.testing.model_server import ModelServer, ScriptedReply
from handeye_phone.model import PhoneModel

MODEL_PLAN = {
    "analysis": {"current_screen": "桌面"},
    "steps": [
        {
            "step": 1,
            "action": "tap",
            "target_ref": "text:设置",
            "description": "点击设置",
            "success_condition": "“WLAN”",
        }
    ],
    "success_criteria": "“WLAN”",
}


def handeye(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def answered(*words: str, code: int = 0) -> dict[str, object]:
    answer = handeye(*words, "--json")
    assert answer.exit_code == code, answer.output
    told: dict[str, object] = json.loads(answer.stdout)
    return told


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A picture of the launcher."""
    path = tmp_path_factory.mktemp("pictures") / "home.png"
    PhoneModel().frame().save(path)
    return str(path)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A model server that the environment names; it answers everything with MODEL_PLAN, unless a test says otherwise."""
    with ModelServer(lambda asked: ScriptedReply(json.dumps(MODEL_PLAN, ensure_ascii=False))) as server:
        monkeypatch.setenv("CUSTOM_LLM_BASE_URL", server.base_url)
        monkeypatch.setenv("CUSTOM_LLM_MODEL", "qwen2.5-vl-7b")
        monkeypatch.setenv("CUSTOM_LLM_API_KEY", "sk-test")
        yield server


def test_template_plan_needs_no_picture() -> None:
    told = answered("plan", "给张三发微信消息说你好")
    assert (told["origin"], told["module"], told["model_calls"]) == ("template", "wechat", 0)
    steps = told["plan"]["steps"]  # type: ignore[index]
    assert any(step.get("params", {}).get("text") == "你好" for step in steps)
    said = handeye("plan", "给张三发微信消息说你好").stdout
    assert "the template wechat.send_message" in said
    assert "点击发送按钮" in said


def test_unknown_task_without_model_has_no_plan() -> None:
    told = answered("plan", "烤一个蛋糕", code=4)
    assert "烤一个蛋糕" in str(told["error"])


def test_flow_draws_targets_and_reports_missing_ones(home: str, tmp_path: Path) -> None:
    drawn = tmp_path / "flow.png"
    told = answered("flow", home, "打开设置", "--draw", str(drawn))  # starts the app, so that this screen is left
    assert any(step["expected"] for step in told["steps"])  # type: ignore[attr-defined]
    assert drawn.stat().st_size > 10_000
    said = handeye("flow", home, "给张三发微信消息说你好")
    assert said.exit_code == 1  # the launcher's first page has no messenger: a run would swipe
    assert "not on this picture" in said.stdout


def test_flow_shows_step_conditions_and_undecided_ones(home: str) -> None:
    """A picture does not show which app is in front, so the table must not present the step as due."""
    plan = handeye("plan", "打开微信").stdout
    told = answered("flow", home, "打开微信", code=1)
    first, second, last = told["steps"]  # type: ignore[misc]
    assert "unless app 'com.tencent.mm' is in front" in first["when"]
    assert (first["due"], second["due"], last["due"]) == (None, None, True)
    said = handeye("flow", home, "打开微信").stdout
    assert said.count("whether it is carried out is not to be seen") == 2
    for line in (first["when"], second["when"]):
        assert line in plan
        assert line in said


def test_flow_skips_step_whose_condition_excludes_it(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "modules" / "demo"
    module.mkdir(parents=True)
    (module / "config.yaml").write_text("name: demo\ntitle: 演示\npackage: com.example.demo\n", "utf-8")
    (module / "tasks.yaml").write_text(
        """\
tasks:
  - name: hello
    patterns: 演示一下
    steps:
      - {action: tap, target: {text: 未出现}, unless: {text: 设置}, expect: {text: 设置}}
      - {action: tap, target: {text: 设置}, when: {text: 设置}, expect: {gone: 设置}}
""",
        "utf-8",
    )
    monkeypatch.setenv("HANDEYE_APPS", str(module.parent))
    told = answered("flow", home, "演示一下")  # what would be looked for first is not needed: no failure
    first, second = told["steps"]  # type: ignore[misc]
    assert (first["due"], first["located"]) == (False, None)
    assert (second["due"], second["located"]["success"]) == (True, True)
    assert "left out: " in handeye("flow", home, "演示一下").stdout


@pytest.mark.parametrize("width", [40, 80, 300])
def test_plan_table_wraps_without_truncation(width: int) -> None:
    """Chinese text has no blanks at which a line could be broken."""
    said = CliRunner().invoke(app, ["plan", "给张三发微信消息说你好"], env={"COLUMNS": str(width)}).stdout
    assert "…" not in said
    for words in ("确认输入框里没有未发送的草稿（如有，请先清空）", "image 'wechat_input' or “底部消息输入框”"):
        assert words in said
    head, rule = said.splitlines()[4:6]
    assert cell_len(head) <= width
    assert set(rule) == {"─"}
    assert ("when: only while" in said) is (width < 300)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("“设置”",), 0, "proved"),
        (("“微信”",), 1, "not as expected"),
        (("已打开微信主界面",), 5, "not decided"),
        (("“设置”", "--reference", "wechat"), 1, "is not on the screen"),
        ((), 2, "say what must be seen"),
        (("--reference", "no such picture"), 2, "no such picture"),
    ],
)
def test_verify_prints_verdict_with_matching_exit_code(home: str, words: tuple[str, ...], code: int, says: str) -> None:
    answer = handeye("verify", home, *words)
    assert answer.exit_code == code, answer.output
    assert says in answer.output
    assert "Traceback" not in answer.output


def test_verify_does_not_accept_mere_screen_change(home: str, tmp_path: Path) -> None:
    phone = PhoneModel()
    phone.open_chat("张三")
    other = tmp_path / "chat.png"
    phone.frame().save(other)
    told = answered("verify", str(other), "已打开某个页面", "--before", home, code=5)
    assert told["screen_changed"] is True
    assert told["verified"] is False
    assert told["matches_expected"] is None


def test_flow_locates_targets_of_model_plan(home: str, model: ModelServer) -> None:
    planned = answered("plan", "看看这个手机的型号", "--screenshot", home)
    assert (planned["origin"], planned["model_calls"]) == ("model", 1)
    told = answered("flow", home, "看看这个手机的型号")
    first = told["steps"][0]  # type: ignore[index]
    assert first["located"]["success"]
    assert "off" not in str(told["origin"])
    assert handeye("plan", "看看这个手机的型号", "--model", "off").exit_code == 4


def test_missing_picture_file_is_named(tmp_path: Path) -> None:
    for words in (("verify", "none.png", "“x”"), ("flow", "none.png", "打开设置")):
        answer = handeye(*words)
        assert answer.exit_code == 2
        assert "none.png" in answer.output


def test_plan_accepts_picture_as_first_argument(home: str) -> None:
    told = answered("plan", home, "打开微信")
    assert (told["task"], told["origin"]) == ("打开微信", "template")
    for words in (
        ("a", "b", "c"),
        (home, "打开微信", "--screenshot", home),
        ("打开微信", "--screenshot", home, "-d", "phone:"),
    ):
        assert handeye("plan", *words).exit_code == 2
    assert "one of them" in handeye("plan", "打开微信", "--screenshot", "none.png", "-d", "phone:").output


def test_undecided_verdict_does_not_advise_to_continue(home: str) -> None:
    said = handeye("verify", home, "已打开微信主界面").output
    assert "not decided" in said
    assert "continue" not in said
