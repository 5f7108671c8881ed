"""Tests of hostile text in output for people: the terminal, foreign run folders, reports."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from handeye.cli.app import app
from handeye.report import RunRecord, StepRecord, load_run, save_run
from handeye.report.html import render
from handeye.report.json import to_json
from handeye.report.junit import to_junit
from handeye.report.record import AttemptRecord, Picture
from handeye.screen import Screen

# What a terminal obeys, or shows as something else: escape sequences with ESC and with C1 controls, the title, a link, the
# clipboard, what moves the cursor or erases, direction overrides, and separators that are line ends to some programs.
STEERING: Final = (
    "\x1b[2J", "\x1b]0;title\x07", "\x1b]8;;http://evil.example\x1b\\", "\x1b]52;c;ZWNobw==\x07", "\x9b31m", "\x9d0;t\x9c",
    "\x90q\x9c", "\x08\x08\x08", "\x7f", "\r", "\x0b", "\x0c", "\x00", "\x05", "\x0e", "\x85", "\u2028", "\u2029",
    "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\u200e", "\u200f", "\u061c",
    "\ufeff", "\U000e0041", "\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u180b", "\u2800", "\u3164", "\uffa0",
    "\U000e0100", "\x1b[8m", "\x1bP", "\x1b(0", "\x1bc",
)  # fmt: skip
RAW: Final = frozenset("".join(STEERING)) - frozenset("]0;title8http://evil.example\\52cZWNobw==[31mJtqM(P")
EVIL: Final = "邮" + "".join(STEERING) + "件"
FILE_NAME: Final = "x\x1b[2J\x07\x9b\u202e\x7f"


def handeye(*words: str) -> Result:
    """Run a command; `output` of the result is all that a terminal would get. Fail on an uncaught exception."""
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
def test_commands_escape_foreign_text_in_terminal(
    runs: Path, in_hostile_folder: Path, verb: str, as_json: bool
) -> None:
    words = [word.replace("{runs}", str(runs)) for word in VERBS[verb]]
    result = handeye(*words, *(["--json"] if as_json else []))
    assert result.output.strip()
    assert raw_in(result.output) == [], f"{verb} ended with {result.exit_code}: {result.output!r}"
    if as_json and result.stdout:
        assert isinstance(json.loads(result.stdout), dict)


def test_json_output_keeps_every_character(runs: Path) -> None:
    said = handeye("runs", "show", FILE_NAME, "--root", str(runs), "--json").stdout
    told = json.loads(said)
    assert (told["task"], told["steps"][0]["evidence"]) == (EVIL, [EVIL])
    assert "邮" in said  # readable for people, too


def test_markup_in_foreign_text_is_shown_verbatim(tmp_path: Path) -> None:
    name = ":key: [red]x[/] [link=evil]y[/link]"
    said = handeye("report", str(tmp_path / name)).output
    assert name in said


SAYING: Final = """
import logging, sys, warnings
import handeye.cli.app, handeye.commands.runs as runs
from handeye.commands.base import Outcome
from handeye.cli import main
evil = {evil!r}
def say(params: runs.RunsListParams, context):
    logging.getLogger("handeye.apps").warning("module %s", evil)
    warnings.warn(evil)
    print(evil)
    print(evil, file=sys.stderr)
    context.say(evil)
    return Outcome({{}}, (evil,), warnings=(evil,))
runs.list_runs = say
sys.argv = ["handeye", "runs", "list"]
main()
"""


@pytest.mark.parametrize("colour", [None, "1"], ids=["plain", "coloured"])
def test_logs_warnings_and_prints_are_escaped(tmp_path: Path, colour: str | None) -> None:
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


def link_file(folder: Path, name: str, outside: Path) -> None:
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 30)


def events(*lines: dict[str, Any]) -> str:
    return "".join(json.dumps({"at": 5.0, **line}) + "\n" for line in lines)


STARTED: Final = {"event": "run_started", "version": "1", "device": "phone:"}
PLANNED: Final = {"event": "planned", "task": "open", "origin": "model"}
STEP: Final = {"event": "step_finished", "step": a_step()}
DEEP: Final = "[" * 100_000 + "]" * 100_000
LESS_DEEP: Final = "[" * 900 + "]" * 900


def text(name: str, content: str) -> Callable[[Path, Path], None]:
    return lambda folder, outside: (folder / name).write_text(content) and None


def result(**facts: Any) -> Callable[[Path, Path], None]:
    return lambda folder, outside: a_run(folder, **facts) and None


def step(**facts: Any) -> Callable[[Path, Path], None]:
    return lambda folder, outside: a_run(folder, a_step(**facts)) and None


def frame(name: object, **size: Any) -> Callable[[Path, Path], None]:
    return step(before={"name": name, "width": 40, "height": 60, **size})


def linked_frames(folder: Path, outside: Path) -> None:
    (folder / "screens").symlink_to(outside, target_is_directory=True)


def frame_is(make: Callable[[Path, Path], object]) -> Callable[[Path, Path], None]:
    def made(folder: Path, outside: Path) -> None:
        (folder / "screens").mkdir()
        make(folder / "screens" / "01-before.webp", outside)

    return made


def not_webp(path: Path, outside: Path) -> None:
    Image.new("RGB", (40, 60), SECRET_COLOUR).save(path, "EPS")


def too_many_pixels(path: Path, outside: Path) -> None:
    Image.new("RGB", (9_500, 9_000), SECRET_COLOUR).save(path, "JPEG")


# What stands in the folder of a run, made in `folder`; `outside` is another folder, with a frame and a run of its owner.
FOLDERS: Final[dict[str, Callable[[Path, Path], object]]] = {
    "events linked out": lambda folder, outside: link_file(folder, "events.jsonl", outside / "events.jsonl"),
    "events linked to nothing": lambda folder, outside: link_file(folder, "events.jsonl", outside / "new.jsonl"),
    "events linked to passwd": lambda folder, outside: link_file(folder, "events.jsonl", Path("/etc/passwd")),
    "events from /dev/zero": lambda folder, outside: link_file(folder, "events.jsonl", Path("/dev/zero")),
    "events are a pipe": lambda folder, outside: os.mkfifo(folder / "events.jsonl"),
    "events are a folder": lambda folder, outside: (folder / "events.jsonl").mkdir(),
    "events of 1 GB": lambda folder, outside: sparse(folder / "events.jsonl"),
    "events too deep": text("events.jsonl", f'{{"event": {DEEP}}}\n'),
    "events deep": text("events.jsonl", events(STARTED)[:-2] + f', "step": {LESS_DEEP}}}\n'),
    "events deep in a step": text("events.jsonl", events(STARTED, STEP)[:-3] + f', "params": {LESS_DEEP}}}}}\n'),
    "events of wrong types": text("events.jsonl", events({"event": 5}, {"event": "planned", "task": []})),
    "events out of order": text("events.jsonl", events(STEP, PLANNED)),
    "events at no time": text("events.jsonl", events({**STARTED, "at": "soon"})),
    "events at NaN": text("events.jsonl", '{"event": "run_started", "at": NaN}\n'),
    "events at Infinity": text("events.jsonl", '{"event": "run_started", "at": -Infinity}\n'),
    "events at a huge time": text("events.jsonl", '{"event": "run_started", "at": 1e400}\n'),
    "events at a long number": text("events.jsonl", '{"event": "run_started", "at": ' + "9" * 5000 + "}\n"),
    "events in the year 300000000": text("events.jsonl", events({**STARTED, "at": 9e15}, PLANNED)),
    "events not UTF-8": lambda folder, outside: (folder / "events.jsonl").write_bytes(b'{"event": "\xff\xfe"}\n'),
    "events with a lone surrogate": text("events.jsonl", events({**PLANNED, "task": "\ud800"})),
    "result linked out": lambda folder, outside: link_file(folder, "result.json", outside / "result.json"),
    "result linked to passwd": lambda folder, outside: link_file(folder, "result.json", Path("/etc/passwd")),
    "result from /dev/zero": lambda folder, outside: link_file(folder, "result.json", Path("/dev/zero")),
    "result of 1 GB": lambda folder, outside: sparse(folder / "result.json"),
    "result too deep": text("result.json", DEEP),
    "result is a list": text("result.json", "[]"),
    "result is null": text("result.json", "null"),
    "result is empty": text("result.json", ""),
    "steps are a number": result(steps=5),
    "task is an object": result(task={"a": 1}),
    "started is text": result(started="NaN"),
    "started too late": result(started=9e15),
    "started too early": result(started=-9e15),
    "total is text": result(total_s="Infinity"),
    "sure as NaN": step(method="ocr", confidence="nan"),
    "sure as -1e16": step(method="ocr", confidence=-1e16),
    "elapsed as text": step(elapsed_s="inf"),
    "a box of wrong numbers": step(box=[0, "x", 1e15, -5]),
    "usage of wrong types": step(usage={"calls": -5, "tokens_in": "many"}),
    "usage of text": result(usage={"cost": "inf", "calls": 1}),
    "other pictures": result(pictures={"01-before": "/etc/passwd"}),
    "frame with dots": frame("../../../outside/screens/01-before"),
    "frame with a root": frame("/etc/passwd"),
    "frame of a URL": frame("file:///etc/passwd"),
    "frame of a script": frame("javascript:alert(1)"),
    "frame with a line end": frame("01-before\n"),
    "frame of another script's digits": frame("٠١-before"),
    "frame of no name": frame(5),
    "frame of no size": frame("01-before", width=0),
    "frame of a huge size": frame("01-before", width=10**15, height=10**15),
    "frames missing": frame("01-before"),
    "frames linked out": linked_frames,
    "frame linked out": frame_is(lambda path, outside: path.symlink_to(outside / "01-before.webp")),
    "frame linked to passwd": frame_is(lambda path, outside: path.symlink_to("/etc/passwd")),
    "frame from /dev/zero": frame_is(lambda path, outside: path.symlink_to("/dev/zero")),
    "frame is a pipe": frame_is(lambda path, outside: os.mkfifo(path)),
    "frame is a folder": frame_is(lambda path, outside: path.mkdir()),
    "frame of 1 GB": frame_is(lambda path, outside: sparse(path)),
    "frame is no picture": frame_is(lambda path, outside: path.write_text("RIFF")),
    "frame in another format": frame_is(not_webp),
    "frame of too many pixels": frame_is(too_many_pixels),
    "plans linked out": lambda folder, outside: resumable(folder, link=outside / "plan.json"),
    "plans too deep": lambda folder, outside: resumable(folder, DEEP),
    "plans deep": lambda folder, outside: resumable(folder, f'{{"plans": [{{"steps": {LESS_DEEP}}}]}}'),
    "plans deep in a step": lambda folder, outside: resumable(
        folder, f'{{"plans": [{{"steps": [{{"step": 1, "params": {LESS_DEEP}}}]}}]}}'
    ),
    "plans of wrong types": lambda folder, outside: resumable(folder, '{"plans": [{"steps": [{"step": true}, 5]}]}'),
    "plans are none": lambda folder, outside: resumable(folder, "[]"),
    "report linked out": lambda folder, outside: (folder / "report.html").symlink_to(outside / "mine.txt"),
    "a sentence that takes long": step(error="step 1 (a): " * 150, evidence=["not needed: a, (b; " * 100] * 50),
    "a Chinese one": lambda folder, outside: a_run(
        folder, a_step(notes=["“a” fits 1 places: " * 90] * 20, evidence=["a, b; ('" * 200] * 40), task="打开"
    ),
}  # fmt: skip
SECRET_COLOUR: Final = (200, 30, 60)
SECRET: Final = "the owner's own words"
SOME: Final = (
    "events linked out",
    "frames linked out",
    "events are a pipe",
    "started too late",
    "frame in another format",
)


def resumable(folder: Path, plans: str = "", link: Path | None = None) -> None:
    """A run that was cut off, with its plans."""
    (folder / "events.jsonl").write_text(events(STARTED, PLANNED, {**STEP, "event": "step_started"}))
    if link is not None:
        (folder / "plan.json").symlink_to(link)
    else:
        (folder / "plan.json").write_text(plans)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    Image.new("RGB", (40, 60), SECRET_COLOUR).save(folder / "01-before.webp", lossless=True)
    (folder / "events.jsonl").write_text(events(STARTED, {**PLANNED, "task": SECRET}))
    (folder / "result.json").write_text(json.dumps({"task": SECRET, "status": "failed", "steps": []}))
    (folder / "plan.json").write_text(json.dumps({"plans": [{"steps": [], "module": SECRET}]}))
    (folder / "mine.txt").write_text(SECRET)
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are made as POSIX has them")
@pytest.mark.parametrize(
    "what", [pytest.param(name, marks=() if name in SOME else pytest.mark.wide) for name in FOLDERS]
)
def test_foreign_run_folder_is_read_or_refused_safely(tmp_path: Path, outside: Path, what: str) -> None:
    folder = a_run(tmp_path / "runs" / "foreign", a_step(before={"name": "01-before", "width": 40, "height": 60}))
    FOLDERS[what](folder, outside)
    owners = {path: path.read_bytes() for path in outside.iterdir()}
    page, junit = folder / "report.html", tmp_path / "junit.xml"
    told = ""
    for words in (
        ("runs", "list", "--root", str(folder.parent), "--json"),
        ("runs", "show", str(folder)),
        ("runs", "show", str(folder), "--json"),
        ("report", str(folder), "--junit", str(junit)),
        ("run", "--resume", str(folder), "--device", "image:none.png"),
        *(
            [("run", "打开微信", "--out", str(folder), "--device", "image:none.png")]
            if "events" in what or "linked" in what
            else []
        ),
    ):
        answer = handeye(*words)
        assert answer.exit_code in (0, 2, 3), (words, answer.output)
        assert answer.exit_code == 0 or len(answer.output.splitlines()) <= 8, answer.output
        if "--json" in words:
            json.loads(answer.stdout, parse_constant=pytest.fail)
        told += answer.output
    told += "".join(path.read_text("utf-8") for path in (page, junit) if path.is_file() and not path.is_symlink())
    assert SECRET not in told
    assert "root:" not in told
    assert {path: path.read_bytes() for path in outside.iterdir()} == owners
    for picture in re.findall('data:image/webp;base64,([^"]*)', told):
        pixels = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB").getpixel((5, 5))
        assert pixels != pytest.approx(SECRET_COLOUR, abs=12)


HOSTILE: Final = (
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "</style><script>alert(1)</script>",
    "<style>*{display:none}",
    "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<svg><animate onbegin=alert(1)>",
    "<iframe src=javascript:alert(1)>",
    "<a href=\"javascript:alert(1)\">x</a>", "javascript:alert(1)", "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "\" onmouseover=\"alert(1)", "' onmouseover='alert(1)", "\"><b>", "'><b>", "`onclick=`",
    "x\" autofocus onfocus=alert(1) \"",
    "</title><script>alert(1)</script>", "</textarea><b>", "</dialog><b>", "</svg><b>", "</details><b>",
    "</main></body></html>",
    "<!--", "-->", "<!-- --!>", "<![CDATA[", "]]>", "]]><b/>", "<?xml version='1.0'?>", "<?php echo 1 ?>",
    "<!DOCTYPE x>",
    "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;", "&lt;b&gt;", "&amp;", "&#60;b&#62;", "&#x0;",
    "&nosuch;", "&",
    "<", ">", "\"", "'", "\\", "\\u003cb\\u003e", "<base href=//evil.example>",
    "<meta http-equiv=refresh content=0>",
    "<link rel=stylesheet href=//evil.example>", "<form action=//evil.example><button>", "<object data=x>",
    "<math><mi xlink:href=x>",
    "expression(alert(1))", "url(//evil.example)", "{{7*7}}", "{0.__class__}", "%s%n", "${7*7}",
    "=cmd|' /C calc'!A0", "@SUM(1)",
    "[x](javascript:alert(1))", "<scr\x00ipt>", "\x00", "\x0b\x0c", "\x1b[31m", "\x7f\x85\x9b", "\ud800",
    "\udfff\ud800", "\ufffe\uffff",
    "\u2028\u2029", "\u202egnp.exe", "\u2066\u2067", "\r\n", "\n\n", "\t", "a\rb", "😀👩‍👩‍👧", "مرحبا",
    "é\u0301" * 40, "长" * 3000,
    "frames", "step viewer", "success",
)  # fmt: skip
FIELDS: Final = (
    "run.task", "run.error", "run.device", "run.module", "run.template", "run.success_criteria", "run.version",
    "run.origin",
    "run.status", "run.error_kind", "step.action", "step.description", "step.target", "step.error",
    "step.method", "step.expected",
    "step.verdict", "step.evidence", "step.blocker", "step.notes", "step.value", "step.error_kind",
    "step.params", "step.names",
    "step.status", "attempt.strategy", "attempt.outcome", "attempt.note",
)  # fmt: skip


def record_with(text: str, fields: Sequence[str] = FIELDS) -> RunRecord:
    """A run of one step, whose frame is there, with `text` in these fields and their own names in the others."""
    words = {field: text if field in fields else field for field in FIELDS}
    said = {owner: {} for owner in ("run", "step", "attempt")}
    for field, value in words.items():
        owner, _, name = field.partition(".")
        said[owner][name] = value
    attempt = AttemptRecord(confidence=0.5, elapsed_ms=1.0, **said["attempt"])
    step = said["step"]
    lists = {name: (step.pop(name),) for name in ("evidence", "notes")}
    params = {step.pop("names"): step.pop("params")}
    picture = Picture("01-before", 40, 60)
    recorded = StepRecord(
        1, **step, **lists, params=params, attempts=(attempt,), before=picture, after=picture, box=(1, 2, 9, 9)
    )
    return RunRecord(**said["run"], steps=(recorded,), pictures={"01-before": Screen(np.zeros((60, 40, 3), np.uint8))})


class Elements(HTMLParser):
    """The elements of a page with their attributes' names, the values of what may lead somewhere, the code, and the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.steering: set[str] = set()
        self.classes: set[str] = set()
        self.comments: list[str] = []
        self.ends = 0
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(name for name, _ in attrs)))
        self.steering |= {
            str(value) for name, value in attrs if name in ("href", "src", "style", "id", "action", "content")
        }
        self.classes |= {each for name, value in attrs if name == "class" for each in str(value).split()}

    def handle_endtag(self, tag: str) -> None:
        self.ends += 1

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_decl(self, decl: str) -> None:
        self.comments.append(decl)

    def handle_pi(self, data: str) -> None:
        self.comments.append(data)

    def unknown_decl(self, data: str) -> None:
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("texts", "apart"),
    [(HOSTILE[::6], False), pytest.param(HOSTILE, True, marks=pytest.mark.wide)],
    ids=["some", "all"],
)
def test_hostile_text_does_not_change_the_html(texts: Sequence[str], apart: bool, lang: str) -> None:
    for fields in ((FIELDS,), *(((field,) for field in FIELDS) if apart and lang == "en" else ())):
        plain = Elements(render(record_with("word", fields), lang=lang))
        for text in texts if fields is FIELDS else texts[::2]:
            page = render(record_with(text, fields), lang=lang)
            page.encode("utf-8")
            seen = Elements(page)
            where = f"{text[:60]!a} in {fields}"
            assert seen.elements == plain.elements, where
            assert (seen.ends, seen.comments) == (plain.ends, plain.comments), where
            assert seen.steering == plain.steering, where
            assert seen.classes <= plain.classes | {"success", "failed"}, where
            assert raw_in(page) == [], where
    policy = next(value for value in plain.steering if "default-src" in value)
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "base-uri 'none'" in policy


@pytest.mark.parametrize("texts", [HOSTILE[::6], pytest.param(HOSTILE, marks=pytest.mark.wide)], ids=["some", "all"])
def test_hostile_text_stays_text_in_xml_and_json(texts: Sequence[str]) -> None:
    plain = ET.fromstring(to_junit(record_with("word")))
    for text in set(texts) - {"success"}:  # a status, which says that nothing is wrong
        record = record_with(text)
        xml = to_junit(record)
        parsed = ET.fromstring(xml.encode("utf-8"))
        assert [each.tag for each in parsed.iter()] == [each.tag for each in plain.iter()], ascii(text[:60])
        assert [sorted(each.attrib) for each in parsed.iter()] == [sorted(each.attrib) for each in plain.iter()]
        assert raw_in(xml) == [], ascii(text[:60])
        told = json.loads(to_json(record).encode("utf-8"))
        assert (told["task"], told["steps"][0]["attempts"][0]["note"]) == (text, text)
        assert raw_in(to_json(record)) == []


def test_hostile_text_survives_run_folder_and_report(tmp_path: Path) -> None:
    """Encodable text is unchanged; a lone surrogate becomes a question mark or an escape and stops nothing."""
    for number, hostile in enumerate(HOSTILE[::3]):
        folder = save_run(record_with(hostile), tmp_path / str(number))
        answer = handeye("report", str(folder), "--junit", str(folder / "junit.xml"))
        if re.search("[\ud800-\udfff]", hostile):
            assert answer.exit_code in (0, 2), hostile
            continue
        assert answer.exit_code == 0, answer.output
        assert load_run(folder).task == hostile
        ET.parse(folder / "junit.xml")
