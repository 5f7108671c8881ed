"""Foreign text in what a person reads: the terminal, run folders of others, and reports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from handeye.cli.app import app

# What a terminal obeys, or shows as something else: escape sequences with ESC and with C1 controls, the title, a link, the
# clipboard, what moves the cursor or erases, direction overrides, and separators that are line ends to some programs.
STEERING: Final = (
    "\x1b[2J", "\x1b]0;title\x07", "\x1b]8;;http://evil.example\x1b\\", "\x1b]52;c;ZWNobw==\x07", "\x9b31m", "\x9d0;t\x9c",
    "\x90q\x9c", "\x08\x08\x08", "\x7f", "\r", "\x0b", "\x0c", "\x00", "\x05", "\x0e", "\x85", "\u2028", "\u2029",
    "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\u200e", "\u200f", "\u061c",
    "\ufeff", "\U000e0041", "\x1b[8m", "\x1bP", "\x1b(0", "\x1bc",
)  # fmt: skip
RAW: Final = frozenset("".join(STEERING)) - frozenset("]0;title8http://evil.example\\52cZWNobw==[31mJtqM(P")
EVIL: Final = "邮" + "".join(STEERING) + "件"
FILE_NAME: Final = "x\x1b[2J\x07\x9b\u202e\x7f"


def handeye(*words: str) -> Result:
    """How a call ended; `output` is all that a terminal would get. An error that is not told in a line is none."""
    result = CliRunner().invoke(app, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def raw_in(text: str) -> list[str]:
    return sorted(RAW.intersection(text) - {"\n", "\t"})


def a_step(**facts: Any) -> dict[str, Any]:
    return {"number": 1, "action": "tap", "description": "tap", "status": "success", **facts}


def a_run(folder: Path, step: dict[str, Any] | None = None, **facts: Any) -> Path:
    """A run's folder as an older release wrote it, without events."""
    folder.mkdir(parents=True, exist_ok=True)
    run = {"task": "open", "status": "failed", "started": 500.0, "steps": [step or a_step()], **facts}
    (folder / "result.json").write_text(json.dumps(run))
    return folder


HOSTILE_STEP: Final = dict.fromkeys(
    ("action", "description", "status", "target", "error", "method", "expected", "verdict", "blocker", "value"), EVIL
) | {"confidence": 0.5, "evidence": [EVIL], "notes": [EVIL], "error_kind": EVIL, "params": {"text": EVIL}}
HOSTILE_RUN: Final = dict.fromkeys(
    ("task", "status", "error", "device", "module", "template", "success_criteria", "version", "origin"), EVIL
)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder of run folders by somebody hostile: one can be read, one cannot, and the names steer, too."""
    root = tmp_path / "runs"
    a_run(root / FILE_NAME, a_step(**HOSTILE_STEP), **HOSTILE_RUN)
    broken = root / f"broken{FILE_NAME}"
    broken.mkdir()
    (broken / "events.jsonl").write_text(json.dumps({"event": EVIL, "at": EVIL}) + "\n")
    return root


@pytest.fixture
def in_hostile_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with an app module, a picture and a plan by somebody hostile."""
    folder = tmp_path / "work"
    module = folder / "handeye_apps" / "evil"
    module.mkdir(parents=True)
    (module / "module.yaml").write_text(json.dumps({"name": EVIL, "title": EVIL, EVIL: EVIL}))
    (module / "tasks.yaml").write_text(json.dumps({EVIL: {"steps": [{EVIL: EVIL}]}}))
    Image.new("RGB", (60, 60), "white").save(folder / f"{FILE_NAME}.png")
    (folder / FILE_NAME).write_bytes(EVIL.encode())
    monkeypatch.chdir(folder)
    return folder


VERBS: Final[dict[str, tuple[str, ...]]] = {
    "runs list": ("runs", "list", "--root", "{runs}"),
    "runs show": ("runs", "show", FILE_NAME, "--root", "{runs}"),
    "runs show, broken": ("runs", "show", "broken", "--root", "{runs}"),
    "runs show, none": ("runs", "show", EVIL.replace("\x00", ""), "--root", "{runs}"),
    "report": ("report", "{runs}/" + FILE_NAME),
    "report, broken": ("report", "{runs}/broken" + FILE_NAME, "--junit", FILE_NAME),
    "run --resume": ("run", "--resume", "{runs}/" + FILE_NAME),
    "run": ("run", EVIL, "--device", f"image:{FILE_NAME}.png", "--no-report"),
    "run, device": ("run", "打开微信", "--device", f"image:{FILE_NAME}", "--no-report"),
    "run, permissions": ("run", "打开微信", "--permissions", EVIL),
    "devices": ("connect", EVIL),
    "screenshot": ("screenshot", "--device", f"toaster:{EVIL}"),
    "locate": ("locate", f"{FILE_NAME}.png", EVIL, "--explain", "--strategy", "template"),
    "locate, strategy": ("locate", f"{FILE_NAME}.png", "ok", "--strategy", EVIL),
    "locate, broken": ("locate", FILE_NAME, "ok"),
    "ocr": ("ocr", FILE_NAME),
    "parse": ("parse", FILE_NAME),
    "match": ("match", EVIL, f"{FILE_NAME}.png"),
    "tap": ("tap", EVIL, "--device", f"image:{FILE_NAME}.png"),
    "plan": ("plan", EVIL),
    "plan, picture": ("plan", f"{FILE_NAME}.png", EVIL),
    "verify": ("verify", FILE_NAME, EVIL),
    "flow": ("flow", FILE_NAME, EVIL),
    "apps list": ("apps", "list"),
    "apps check": ("apps", "check", "handeye_apps/evil"),
    "apps check, none": ("apps", "check", EVIL),
    "apps new": ("apps", "new", EVIL),
    "model check": ("model", "check", "--model", EVIL),
    "state": ("state", "--device", f"toaster:{EVIL}"),
    "click": ("click", EVIL, "--device", f"toaster:{EVIL}"),
    "no such verb": (EVIL,),
    "no such option": ("runs", "list", f"--{EVIL}"),
    "no number": ("runs", "list", "--limit", EVIL),
    "too many words": ("runs", "list", EVIL),
}
QUICK: Final = (
    "runs list",
    "runs show",
    "report, broken",
    "run --resume",
    "apps check",
    "no such option",
    "screenshot",
)


@pytest.mark.parametrize(
    "verb", [pytest.param(name, marks=() if name in QUICK else pytest.mark.wide) for name in VERBS]
)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_no_verb_lets_foreign_text_reach_the_terminal_raw(
    runs: Path, in_hostile_folder: Path, verb: str, as_json: bool
) -> None:
    words = [word.replace("{runs}", str(runs)) for word in VERBS[verb]]
    result = handeye(*words, *(["--json"] if as_json else []))
    assert result.output.strip()
    assert raw_in(result.output) == [], f"{verb} ended with {result.exit_code}: {result.output!r}"
    if as_json and result.stdout:
        assert isinstance(json.loads(result.stdout), dict)


def test_json_keeps_every_character(runs: Path) -> None:
    said = handeye("runs", "show", FILE_NAME, "--root", str(runs), "--json").stdout
    told = json.loads(said)
    assert (told["task"], told["steps"][0]["evidence"]) == (EVIL, [EVIL])
    assert "邮" in said  # readable for people, too


SAYING: Final = """
import logging, sys, warnings
import handeye.cli.app, handeye.commands.runs as runs
from handeye.commands.base import Command, Effect, Outcome
from handeye.cli import main
evil = {evil!r}
def say(params, context):
    logging.getLogger("handeye.apps").warning("module %s", evil)
    warnings.warn(evil)
    print(evil)
    print(evil, file=sys.stderr)
    context.say(evil)
    return Outcome({{}}, (evil,), warnings=(evil,))
runs.RUNS_LIST = Command("runs list", "", Effect.READ, runs.RunsListParams, say)
sys.argv = ["handeye", "runs", "list"]
main()
"""


@pytest.mark.parametrize("colour", [None, "1"], ids=["plain", "coloured"])
def test_log_warnings_and_whatever_else_is_written_are_escaped_in_a_process(tmp_path: Path, colour: str | None) -> None:
    environment = {**os.environ, **({"FORCE_COLOR": colour} if colour else {})}
    done = subprocess.run(
        [sys.executable, "-c", SAYING.format(evil=EVIL.replace("\n", ""))],
        capture_output=True, cwd=tmp_path, env=environment, timeout=60, check=True,
    )  # fmt: skip
    told = (done.stdout + done.stderr).decode("utf-8")
    for own in ("\x1b[33m", "\x1b[0m"):
        assert (own in told) is (colour is not None)
        told = told.replace(own, "")
    assert raw_in(told) == []
    assert told.count("邮\\x1b[2J") == 7  # a warning quotes its line, too
