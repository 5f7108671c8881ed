"""Tests of `handeye model check`, `--model` and the model findings of `doctor`, over a real socket."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

from handeye.cli.app import app
from handeye.models.families.lookup import profile_named
from handeye.testing.model_scenes import ReadingModel, Scene, SceneModel, draw_scene
from handeye.testing.model_server import ModelRequest, ModelServer, ScriptedReply

KEY = "sk-cli-0123456789abcdef"
SLOW_PARTS = ("openai", "anthropic", "httpx2", "json_repair", "cv2", "onnxruntime", "numpy", "pydantic", "PIL")


def handeye(*words: str) -> Result:
    answer = CliRunner().invoke(app, list(words))
    assert KEY not in answer.output
    assert KEY[:12] not in answer.output
    assert "Traceback" not in answer.output
    return answer


def use(monkeypatch: pytest.MonkeyPatch, server: ModelServer, model: str = "claude-test", key: str = KEY) -> None:
    monkeypatch.setenv("CUSTOM_LLM_BASE_URL", server.base_url)
    monkeypatch.setenv("CUSTOM_LLM_MODEL", model)
    monkeypatch.setenv("CUSTOM_LLM_API_KEY", key)


@pytest.fixture(scope="module")
def reading() -> ReadingModel:
    return ReadingModel(profile_named("claude"))


@pytest.fixture(scope="module")
def eyes(reading: ReadingModel) -> Iterator[ModelServer]:
    """A model that really reads the picture it is sent."""
    with ModelServer(reading, key=KEY) as server:
        yield server


@pytest.fixture
def scene(tmp_path: Path) -> tuple[Scene, Path]:
    scene = draw_scene(Random(9), (800, 600))
    path = tmp_path / "scene.png"
    scene.screen.image.save(path)
    return scene, path


@pytest.mark.parametrize(
    ("speaks", "model", "counting", "order"),
    [
        ("claude", "claude-test", "pixels of the picture sent", "x first"),
        ("gemini", "gemini-3-pro", "0-1000", "y first"),
        ("qwen2.5-vl", "qwen2.5-vl-72b-instruct", "pixels of the picture sent", "x first"),
        ("molmo", "molmo-7b-d", "0-100", "x first"),
    ],
)
def test_check_passes_when_model_matches_profile(
    monkeypatch: pytest.MonkeyPatch,
    eyes: ModelServer,
    reading: ReadingModel,
    speaks: str,
    model: str,
    counting: str,
    order: str,
) -> None:
    use(monkeypatch, eyes, model)
    reading.speaks = profile_named(speaks)
    answer = handeye("model", "check", "--json")
    told = json.loads(answer.stdout)
    assert answer.exit_code == 0, told
    assert told["ok"]
    assert told["profile"] == speaks
    assert told["reading"] == {"counting": counting, "order": order}
    assert told["usage"]["calls"] == 2
    assert told["usage"]["tokens_in"] == 200
    assert told["off_px"] < 40


def test_wrong_profile_fails_and_suggested_one_passes(
    monkeypatch: pytest.MonkeyPatch, eyes: ModelServer, reading: ReadingModel
) -> None:
    use(monkeypatch, eyes, "nobody-knows-1b")
    reading.speaks = profile_named("gemini")
    answer = handeye("model", "check")
    assert answer.exit_code == 1
    assert "0-1000, y first" in answer.output
    assert "LLM_PROFILE=gemini" in answer.output
    # The remedy, as it was told; --profile tries it without setting anything.
    assert handeye("model", "check", "--profile", "gemini").exit_code == 0
    monkeypatch.setenv("LLM_PROFILE", "gemini")
    assert handeye("model", "check").exit_code == 0


def test_check_output_is_chinese_under_chinese_locale(
    monkeypatch: pytest.MonkeyPatch, eyes: ModelServer, reading: ReadingModel
) -> None:
    use(monkeypatch, eyes)
    monkeypatch.setenv("HANDEYE_LANG", "zh_CN.UTF-8")
    reading.speaks = profile_named("claude")
    answer = handeye("model", "check")
    assert answer.exit_code == 0
    for said in ("可以连接", "接受密钥", "能看图", "能说出位置", "x 在前", "与配置一致", "2 次调用"):
        assert said in answer.output


def test_both_languages_translate_the_same_keys() -> None:
    from handeye.commands.model import CHINESE, ENGLISH
    from handeye.models import Order, Part
    from handeye.models.check_sheet import Counting

    assert CHINESE.keys() == ENGLISH.keys()
    assert {each.value for kind in (Part, Counting, Order) for each in kind} <= ENGLISH.keys()


@pytest.mark.parametrize(
    ("reply", "failed", "said"),
    [
        (ScriptedReply("I see a login page."), "pictures", "login page"),
        (ScriptedReply(f"the key {KEY} is no good", status=401), "key", "401"),
        (ScriptedReply("no such model: claude-test", status=404), "answer", "no such model"),
        (ScriptedReply(body=b"<html>", content_type="text/html"), "answer", "text/html"),
        (ScriptedReply(f"\x1b]0;evil\x07 \u202e {KEY}"), "pictures", "\\x1b"),
    ],
)
def test_check_names_failed_part_and_escapes_output(
    monkeypatch: pytest.MonkeyPatch, reply: ScriptedReply, failed: str, said: str
) -> None:
    with ModelServer(reply) as server:
        use(monkeypatch, server)
        told = json.loads(handeye("model", "check", "--json").stdout)
        answer = handeye("model", "check")
    assert answer.exit_code == 1
    assert said in answer.output
    assert "\x1b" not in answer.output
    assert "\u202e" not in answer.output
    assert not told["ok"]
    assert [finding["part"] for finding in told["findings"] if not finding["ok"]] == [failed]


def test_check_without_configuration_is_usage_error() -> None:
    answer = handeye("model", "check")
    assert answer.exit_code == 2
    assert "LLM_PROVIDER" in answer.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--preset", "cloud9"), "cloud9"),
        (("--preset", "claude"), "ANTHROPIC_API_KEY"),
        (("--profile", "martian"), "martian"),
        (("--role", "painter"), "role"),
        (("--model", "some-model"), "some-model"),
    ],
)
def test_invalid_call_is_reported_with_its_cause(
    words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if words[0] in ("--profile", "--role"):
        monkeypatch.setenv("LLM_PROVIDER", "ollama")
        monkeypatch.setenv("OLLAMA_MODEL", "qwen3-vl")
    answer = handeye("model", "check", *words)
    assert answer.exit_code == 2, answer.output
    assert said in answer.output


def test_locate_asks_model_when_other_strategies_fail(
    monkeypatch: pytest.MonkeyPatch, scene: tuple[Scene, Path]
) -> None:
    known, path = scene
    control = known.controls[0]
    with ModelServer(SceneModel([known], profile_named("claude")), key=KEY) as server:
        use(monkeypatch, server)
        answer = handeye("locate", str(path), control.label, "--json")
        told = json.loads(answer.stdout)
        asked = len(server.questions)
        plain = handeye("locate", str(path), control.label)
        without = handeye("locate", str(path), control.label, "--json", "--model", "off")
        server.questions.clear()
        named = handeye("locate", str(path), control.label, "--json", "--model", "claude-other")
        assert server.questions[0].body["model"] == "claude-other"
    assert answer.exit_code == 0, answer.output
    assert told["box"] == list(control.box)
    assert told["method"] == "visual"
    assert told["usage"]["calls"] == asked
    assert "models: " in plain.output
    assert "tokens in" in plain.output
    assert without.exit_code == 1
    assert "usage" not in json.loads(without.stdout)
    assert json.loads(named.stdout)["box"] == list(control.box)


def test_text_found_locally_makes_no_model_call(
    monkeypatch: pytest.MonkeyPatch, eyes: ModelServer, tmp_path: Path
) -> None:
    from handeye_phone.model import PhoneModel

    path = tmp_path / "launcher.png"
    PhoneModel().frame().save(path)
    use(monkeypatch, eyes)
    before = len(eyes.questions)
    answer = handeye("locate", str(path), "设置", "--json")
    assert answer.exit_code == 0
    assert "usage" not in json.loads(answer.stdout)
    assert len(eyes.questions) == before


@pytest.mark.parametrize(
    ("settings", "code", "said"),
    [
        ({"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}, 1, "not found"),
        ({"LLM_PROVIDER": "claude"}, 2, "ANTHROPIC_API_KEY"),
        ({}, 1, "not found"),
    ],
)
def test_incomplete_configuration_fails_only_when_model_is_needed(
    monkeypatch: pytest.MonkeyPatch, scene: tuple[Scene, Path], settings: dict[str, str], code: int, said: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    answer = handeye("locate", str(scene[1]), "nothing of that name")
    assert answer.exit_code == code, answer.output
    assert said in answer.output
    assert handeye("locate", str(scene[1]), "nothing of that name", "--model", "off").exit_code == 1


def test_api_key_without_provider_is_reported_with_remedy(monkeypatch: pytest.MonkeyPatch, adb_port: int) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    found = {each["name"]: each for each in json.loads(handeye("doctor", "--json").stdout)["findings"]}
    assert found["model"]["detail"] == "OPENAI_API_KEY is set, but no model is chosen; nothing is sent anywhere"
    assert found["model"]["remedy"] == "set LLM_PROVIDER=openai"
    answer = handeye("model", "check")
    assert answer.exit_code == 2
    assert "OPENAI_API_KEY is set, but no model is chosen" in " ".join(answer.output.split())


@pytest.mark.parametrize("library", ["openai", "anthropic"])
def test_missing_client_library_names_install_command(
    monkeypatch: pytest.MonkeyPatch, scene: tuple[Scene, Path], library: str
) -> None:
    for name in [name for name in sys.modules if name.startswith(f"handeye.models.client.{library}")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setenv("LLM_PROVIDER", {"openai": "openai", "anthropic": "claude"}[library])
    monkeypatch.setenv(f"{library.upper()}_API_KEY", KEY)
    for words in (("model", "check"), ("locate", str(scene[1]), "nothing of that name")):
        answer = handeye(*words)
        assert answer.exit_code == 6, answer.output
        assert "pip install 'handeye[llm]'" in answer.output


def test_doctor_reports_model_configuration_without_model_calls(
    monkeypatch: pytest.MonkeyPatch, eyes: ModelServer, adb_port: int
) -> None:
    def models() -> dict[str, dict[str, object]]:
        found = json.loads(handeye("doctor", "--json").stdout)["findings"]
        return {each["name"]: each for each in found if each["name"].startswith("model")}

    assert not models()["model"]["ok"]
    assert "offline" in str(models()["model"]["detail"])
    use(monkeypatch, eyes, "qwen3-vl-plus")
    monkeypatch.setenv("HANDEYE_STRONG_MODEL", "claude-big")
    before = len(eyes.questions)
    told = models()
    assert told["model"]["ok"]
    assert "qwen3-vl-plus" in str(told["model"]["detail"])
    assert "with a key" in str(told["model"]["detail"])
    assert "claude-big" in str(told["model, on doubt"]["detail"])
    monkeypatch.setenv("LLM_PROVIDER", "nobody")
    broken = models()["model"]
    assert not broken["ok"]
    assert not broken["needed"]
    assert "nobody" in str(broken["detail"])
    assert len(eyes.questions) == before


def imported(statement: str, **environment: str) -> set[str]:
    """The top-level modules that are loaded after `statement`, in a fresh interpreter."""
    code = f"{statement}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_handeye_loads_no_slow_module() -> None:
    loaded = imported("import handeye")
    assert loaded.isdisjoint(SLOW_PARTS)
    assert "handeye" in loaded


def test_entry_points_do_not_import_client_libraries() -> None:
    doors = "import handeye.cli.app, handeye.commands.model, handeye.commands.doctor, handeye.commands.run"
    loaded = imported(f"from handeye import *; VisualLocator(); {doors}", LLM_PROVIDER="claude", ANTHROPIC_API_KEY=KEY)
    assert loaded.isdisjoint(("openai", "anthropic", "httpx2"))
    assert "numpy" in loaded


def test_settings_file_from_environment_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, eyes: ModelServer, reading: ReadingModel
) -> None:
    settings = tmp_path / "settings.env"
    settings.write_text(f"CUSTOM_LLM_BASE_URL={eyes.base_url}\nCUSTOM_LLM_MODEL=claude-x\nCUSTOM_LLM_API_KEY={KEY}\n")
    monkeypatch.setenv("HANDEYE_DOTENV", str(settings))
    reading.speaks = profile_named("claude")
    assert handeye("model", "check").exit_code == 0


@pytest.mark.parametrize(
    "answer",
    [
        "I would tap somewhere.",
        '{"steps": []}',
        json.dumps(
            {
                "steps": [{"step": 1, "action": "launch_app", "params": {"package": "com.evil.app"}}],
                "success_criteria": "it is open",
            }
        ),
    ],
)
def test_invalid_model_plan_is_not_a_usage_error(
    answer: str, scene: tuple[Scene, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(ScriptedReply(answer), key=KEY) as server:
        use(monkeypatch, server)
        told = handeye("run", "frobnicate the gizmo", "--device", f"image:{scene[1]}", "--no-report", "--json")
        assert server.questions
    assert told.exit_code == 4, told.output


def test_unknown_option_is_usage_error() -> None:
    assert handeye("run", "frobnicate", "--no-such-option").exit_code == 2


def odd(reading: ReadingModel) -> Callable[[ModelRequest], ScriptedReply]:
    """A server with every oddity: no system role, no temperature, only streams, and the answer among the thoughts."""

    def script(asked: ModelRequest) -> ScriptedReply:
        body = asked.body
        if any(message["role"] == "system" for message in body["messages"]):
            return ScriptedReply("System role not supported", status=400)
        if "temperature" in body:
            mistake = {
                "type": "extra_forbidden",
                "loc": ["body", "temperature"],
                "msg": "Extra inputs are not permitted",
            }
            return ScriptedReply(status=422, body={"detail": [mistake]})
        if body.get("enable_thinking") is not False:
            return ScriptedReply("parameter.enable_thinking must be set to false for non-streaming calls", status=400)
        if not body.get("stream"):
            return ScriptedReply("This model only support stream mode, please enable the stream parameter", status=400)
        delta = {"reasoning_content": reading(asked).text}
        chunks = [{"choices": [{"index": 0, "delta": delta}]}, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]
        return ScriptedReply(body="".join(f"data: {json.dumps(each)}\n\n" for each in chunks).encode())

    return script


def test_check_passes_on_server_with_unusual_requirements(
    reading: ReadingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(odd(reading), key=KEY) as server:
        use(monkeypatch, server)
        answer = handeye("model", "check")
    assert answer.exit_code == 0, answer.output
    assert "FAILED" not in answer.output


def test_unversioned_ui_tars_model_yields_no_location(
    scene: tuple[Scene, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, picture = scene
    with ModelServer(SceneModel([drawn], profile_named("ui-tars-1.5")), key=KEY) as server:
        use(monkeypatch, server, model="ui-tars")
        answer = json.loads(
            handeye("locate", str(picture), drawn.controls[0].label, "--strategy", "visual", "--json").stdout
        )
    assert not answer["success"]
    assert "does not tell its version" in json.dumps(answer)
