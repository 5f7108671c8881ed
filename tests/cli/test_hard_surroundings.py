"""Tests of the command line under failing files and streams, unusual locales, and signals."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from handeye.cli.app import app
from handeye.cli.entry import readable
from handeye.commands.locate import uri_of
from handeye.commands.run import new_run_folder
from handeye.devices import DeviceLock
from handeye.errors import WriteFailed
from handeye.report import is_run
from handeye.session import Session
from handeye.testing.fakes import FakeDevice, FakePage
from handeye_phone import VirtualPhone
from handeye_phone.model import PhoneModel

NOBODY = "android:///127.0.0.1:9"


def handeye(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def process(*words: str | bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "handeye", *words], capture_output=True, timeout=300, env={**os.environ, **environment}
    )


@pytest.fixture
def a_file(tmp_path: Path) -> Path:
    path = tmp_path / "a-file"
    path.touch()
    return path


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "launcher.png"
    PhoneModel().frame().save(path)
    return path


# -- files


class Spoiler(FakeDevice):
    """Makes a file of the report's folder as soon as the run asks for its name: after the check, before the report."""

    def __init__(self, folder: Path) -> None:
        super().__init__({"home": FakePage()}, start="home")
        self.folder = folder

    @property
    def uri(self) -> str:  # type: ignore[override]
        if self.folder.is_dir() and not is_run(self.folder):
            shutil.rmtree(self.folder)
            self.folder.touch()
        return "fake:spoiler"


def test_unwritable_report_folder_is_refused_before_run(a_file: Path, adb_port: int) -> None:
    with VirtualPhone() as phone:
        words = ("run", "给张三发微信消息说你好", "--device", f"android:///{phone.serial}", "--out", str(a_file / "x"))
        answer = handeye(*words, "--json")
        assert phone.state.to_dict()["sent"] == {}
        assert phone.call(lambda model: model.focused_activity).startswith("com.android.launcher3")
    assert answer.exit_code == 2, answer.output
    said = json.loads(answer.stdout)
    assert said["exit_code"] == 2
    assert str(a_file) in said["error"]
    assert "another folder" in said["error"]


def test_unwritable_state_folder_is_refused_before_run(
    a_file: Path, adb_port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDEYE_STATE_DIR", str(a_file / "state"))
    with VirtualPhone() as phone:
        answer = handeye(
            "run", "打开微信", "--device", f"android:///{phone.serial}", "--out", str(tmp_path / "run"), "--json"
        )
        assert phone.call(lambda model: model.focused_activity).startswith("com.android.launcher3")
    assert answer.exit_code == 2, answer.output
    assert "HANDEYE_STATE_DIR" in json.loads(answer.stdout)["error"]


def test_report_lost_during_run_keeps_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "run"
    monkeypatch.setattr("handeye.commands.run.open_device", lambda uri: Spoiler(out))
    answer = handeye("run", "烤一个蛋糕", "--out", str(out), "--json")
    assert answer.exit_code == 4, answer.output
    said = json.loads(answer.stdout)
    assert said["status"] == "failed"
    assert said["report"] is None
    assert str(out) in said["report_error"]
    assert str(out) in answer.stderr.replace("\n", "")


def test_session_keeps_result_when_report_is_lost(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    out = tmp_path / "run"
    result = Session(Spoiler(out)).run("烤一个蛋糕", report=out)
    assert "烤一个蛋糕" in result.error_message
    assert str(out) in caplog.text
    with pytest.raises(WriteFailed, match="another folder"):
        Session(Spoiler(tmp_path)).run("烤一个蛋糕", report=out)


@pytest.mark.parametrize("as_json", [False, True])
def test_unwritable_output_files_are_named(picture: Path, a_file: Path, as_json: bool) -> None:
    for words in (
        ("screenshot", "--device", f"image:{picture}", "--out", str(a_file / "x.png")),
        ("locate", str(picture), "设置", "--draw", str(a_file / "x.png")),
        ("locate", str(picture), "设置", "--draw", str(a_file.with_name("out.xyz"))),
    ):
        answer = handeye(*words, *(["--json"] if as_json else []))
        assert answer.exit_code == 2, answer.output
        assert isinstance(answer.exception, SystemExit), answer.exception
        assert words[-1] in answer.output.replace("\n", "")
        assert "cannot be written" in answer.output
        if as_json:  # what was found is not lost for the drawing
            told = json.loads(answer.stdout)
            assert "error" in told or told["success"]


def test_unwritable_junit_path_is_refused_before_run(a_file: Path, tmp_path: Path) -> None:
    for place in (a_file / "x.xml", tmp_path):
        answer = handeye("run", "打开微信", "--device", NOBODY, "--out", str(tmp_path / "run"), "--junit", str(place))
        assert answer.exit_code == 2, answer.output
        assert "another file for the JUnit XML" in answer.output.replace("\n", " ")
        assert not (tmp_path / "run").exists()


def test_junit_is_written_when_run_folder_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, junit = tmp_path / "run", tmp_path / "junit.xml"
    monkeypatch.setattr("handeye.commands.run.open_device", lambda uri: Spoiler(out))
    answer = handeye("run", "烤一个蛋糕", "--out", str(out), "--junit", str(junit), "--json")
    assert answer.exit_code == 4, answer.output
    assert json.loads(answer.stdout)["junit"] == str(junit)
    assert 'errors="1"' in junit.read_text("utf-8")


def test_reused_folder_keeps_only_the_new_run(tmp_path: Path, adb_port: int) -> None:
    out = tmp_path / "run"
    frames = out / "screens"
    frames.mkdir(parents=True)
    (frames / "07-before.webp").write_bytes(b"of a former run")
    (frames / "mine.webp").write_bytes(b"not of a run")
    (out / "notes.txt").write_text("mine")
    (out / "result.json").write_text("{}")
    (out / "events.jsonl").write_text("[]")
    (out / "plan.json").write_text("{}")
    answer = handeye("run", "打开微信", "--device", NOBODY, "--out", str(out))
    assert answer.exit_code == 3, answer.output
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()) == [
        "events.jsonl", "notes.txt", "report.html", "result.json", "screens/mine.webp",
    ]  # fmt: skip
    assert json.loads((out / "result.json").read_text("utf-8"))["status"] == "failed"


def test_new_run_folders_are_unique(tmp_path: Path) -> None:
    folders = [new_run_folder(tmp_path) for _ in range(5)]
    assert len(set(folders)) == 5
    assert all(folder.is_dir() and folder.parent == tmp_path for folder in folders)
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(WriteFailed, match="--out"):
        new_run_folder(blocked)


def test_file_names_and_device_uris_are_distinguished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("at 12:30").touch()
    for name in ("shot.png", "nofile:12.png", r"C:\x.PNG", "at 12:30", "微信.webp", "x" * 5000, "a\0b"):
        assert uri_of(name) == f"image:{name}"
    for uri in ("image:shot.png", "android:", "phone:dark", "android:///a.png", "127.0.0.1:15555"):
        assert uri_of(uri) == uri
    answer = handeye("locate", "nofile:12.png", "x")
    assert answer.exit_code == 2
    assert "there is no image file 'nofile:12.png'" in answer.output.replace("\n", "")


# -- answers


def test_missing_ocr_engine_is_missing_part_error(picture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The OCR engine cannot be imported, as after a broken installation."""
    for module in [name for name in sys.modules if name.partition(".")[0] == "onnxruntime"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    for words in (("locate", str(picture), "量子计算机"), ("tap", "量子计算机", "--device", f"image:{picture}")):
        answer = handeye(*words, "--json")
        assert answer.exit_code == 6, answer.output
        assert json.loads(answer.stdout)["kind"] == "MissingPart"


def test_locked_device_is_not_used(adb_port: int, tmp_path: Path) -> None:
    with VirtualPhone() as phone, DeviceLock(f"android:///{phone.serial}"):
        answer = handeye("run", "打开微信", "--device", phone.serial, "--out", str(tmp_path / "run"), "--json")
        assert phone.call(lambda model: model.focused_activity).startswith("com.android.launcher3")
    assert answer.exit_code == 3, answer.output
    assert f"process {os.getpid()}" in json.loads(answer.stdout)["error"]


@pytest.mark.parametrize(("task", "word"), [("打开微信", "失败"), ("open WeChat", "failed")])
def test_unreachable_device_fails_in_language_of_task(adb_port: int, tmp_path: Path, task: str, word: str) -> None:
    answer = handeye("run", task, "--device", NOBODY, "--out", str(tmp_path / "run"))
    assert answer.exit_code == 3
    assert f"  {task}\n" in answer.output
    assert f"\n{word} " in answer.output


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8", "gbk"])
def test_json_output_is_valid_in_every_encoding(encoding: str) -> None:
    answer = process("screenshot", "--device", "没有:设备 😀", "--json", PYTHONIOENCODING=encoding)
    assert answer.returncode == 2
    assert "没有:设备 😀" in json.loads(answer.stdout.decode(encoding))["error"]


@pytest.mark.parametrize(
    ("encoding", "success", "failure"),
    [("gbk", "√", "×"), ("ascii", "+", "x"), ("cp1252", "+", "×"), ("utf-8", "✓", "✗")],
)
def test_success_and_failure_symbols_differ_per_encoding(encoding: str, success: str, failure: str) -> None:
    code = (
        "import sys; from handeye.cli import main; sys.argv[1:] = ['--version']\ntry: main()\nexcept SystemExit: pass\n"
    )
    code += "print('✓✗😀·–▶↳'); print('✓ 中文', file=sys.stderr)"
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=300, env=environment)
    assert answer.returncode == 0, answer.stderr
    said = answer.stdout.decode(encoding).splitlines()[-1]
    assert said[:2] == success + failure
    assert len(said) == 7
    assert answer.stderr.decode(encoding).strip().startswith(success)


@pytest.mark.may_skip
@pytest.mark.skipif(not __file__.isascii(), reason="Python itself does not start from such a folder in an ASCII locale")
@pytest.mark.skipif(sys.platform == "win32", reason="words arrive as UTF-16 there")
def test_chinese_argument_works_under_ascii_locale(picture: Path) -> None:
    answer = process(
        "locate", str(picture), "设置".encode(), "--json", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"
    )
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout)["success"]


def test_undecodable_argument_stays_unchanged() -> None:
    assert readable("微信") == "微信"
    assert readable("\udcff.png") == "\udcff.png"


# -- signals


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", ["typer", "handeye.cli.app", "handeye.commands.run", "handeye.session"])
def test_signal_during_import_prints_json_without_traceback(number: signal.Signals, moment: str) -> None:
    """The import of module `moment` sends the signal, so that it arrives exactly during that import."""
    code = f"""
import os, signal, sys
class Trap:
    def find_spec(self, name, path=None, target=None):
        if name == {moment!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), {int(number)})
sys.meta_path.insert(0, Trap())
sys.argv = ["handeye", "run", "打开微信", "--device", "image:none.png", "--no-report", "--json"]
from handeye.cli import main
main()
"""
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=300)
    assert answer.returncode == 130, answer.stderr
    assert json.loads(answer.stdout) == {"error": "interrupted", "exit_code": 130}
    assert b"Traceback" not in answer.stderr
    assert answer.stderr.startswith(b"interrupted")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_phone_start_prints_json_and_stops_on_sigterm() -> None:
    words: Sequence[str] = ("phone", "start", "--port", "0", "--window", "--json")
    phone = subprocess.Popen([sys.executable, "-m", "handeye", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert phone.stdout is not None
        told = json.loads(phone.stdout.readline())
        assert told["serial"] == f"127.0.0.1:{told['port']}"
        assert told["window"].startswith("http://127.0.0.1:")
        phone.terminate()
        rest, errors = phone.communicate(timeout=120)
    finally:
        phone.kill()
    assert phone.returncode == 0, errors
    assert rest == b""
    assert b"Traceback" not in errors


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_interrupted_run_with_no_report_mentions_none(adb_port: int) -> None:
    with VirtualPhone() as phone:
        run = subprocess.Popen(
            [sys.executable, "-m", "handeye", "run", "打开微信", "--device", phone.serial, "--no-report", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        try:
            assert run.stderr is not None
            first = run.stderr.readline().decode("utf-8")
            run.terminate()
            out, errors = run.communicate(timeout=120)
        finally:
            run.kill()
    assert first.startswith("▶ android:///")
    assert run.returncode == 130, errors
    assert json.loads(out) == {"error": "interrupted", "exit_code": 130}
    assert "\n\n" not in errors.decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell closes the streams")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_closed_standard_stream_is_no_error(closed: str) -> None:
    line = f'exec "$0" -m handeye plan 返回桌面 {closed}'
    done = subprocess.run(["sh", "-c", line, sys.executable], capture_output=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full here")
@pytest.mark.parametrize("words", ["apps list", "doctor", "plan 返回桌面 --json", "--version"])
def test_full_disk_is_reported_without_traceback(words: str) -> None:
    line = f'exec "$0" -m handeye {words} >/dev/full'
    done = subprocess.run(["sh", "-c", line, sys.executable], capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "handeye: the output cannot be written: No space left on device"
    assert "Traceback" not in done.stderr
