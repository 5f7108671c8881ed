"""Tests of the device lock: one run at a time, released when its process dies."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from handeye.devices import DeviceLock
from handeye.devices.android.input_method import Borrowed, Memory
from handeye.errors import DeviceBusy, WriteFailed
from handeye.session import Session
from handeye.testing.fakes import FakeDevice, FakePage

URI = "android:///127.0.0.1:15555"
HOLDER = """
import sys
from pathlib import Path
from handeye.devices.lock import DeviceLock
with DeviceLock(sys.argv[1], Path(sys.argv[2])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(uri: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the lock until its standard input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, uri, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_lock_names_its_holder_until_that_dies(tmp_path: Path) -> None:
    with holder(URI, tmp_path) as process:
        with pytest.raises(DeviceBusy, match=rf"process {process.pid}\b") as caught:
            DeviceLock(URI, tmp_path).__enter__()
        assert caught.value.process == process.pid
        with DeviceLock(URI + "6", tmp_path):
            pass  # another device is free
        process.kill()  # not asked: it cannot tidy up
        process.wait()
        with DeviceLock(URI, tmp_path):
            pass


def test_lock_is_reusable_but_not_shared(tmp_path: Path) -> None:
    lock = DeviceLock(URI, tmp_path)
    for _ in range(2):
        with lock, pytest.raises(DeviceBusy, match=str(os.getpid())):
            DeviceLock(URI, tmp_path).__enter__()
    with pytest.raises(ZeroDivisionError), lock:
        raise ZeroDivisionError
    with lock:
        pass


def test_windows_of_one_desktop_share_one_lock(tmp_path: Path) -> None:
    with DeviceLock("linux::0?window=Notes", tmp_path):
        for uri in ("linux::0", "linux::0?window=Mail"):
            with pytest.raises(DeviceBusy):
                DeviceLock(uri, tmp_path).__enter__()
        with DeviceLock("linux::1?window=Notes", tmp_path):
            pass


def test_only_one_of_many_threads_gets_lock(tmp_path: Path) -> None:
    start, everybody_tried = threading.Barrier(8), threading.Barrier(8)
    got: list[bool] = []

    def try_it() -> None:
        start.wait(60)
        try:
            with DeviceLock(URI, tmp_path):
                everybody_tried.wait(60)
                got.append(True)
        except DeviceBusy:
            everybody_tried.wait(60)
            got.append(False)

    threads = [threading.Thread(target=try_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [False] * 7 + [True]


def test_unwritable_state_folder_error_names_its_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_file = tmp_path / "file"
    a_file.touch()
    monkeypatch.setenv("HANDEYE_STATE_DIR", str(a_file / "state"))
    with pytest.raises(WriteFailed, match="HANDEYE_STATE_DIR"):
        DeviceLock(URI).__enter__()
    with pytest.raises(WriteFailed, match="HANDEYE_STATE_DIR"):
        Memory("serial").save(Borrowed("a.b/.C", False, 1))


def test_run_on_busy_device_is_refused(tmp_path: Path, state_folder: Path) -> None:
    device = FakeDevice({"home": FakePage()}, start="home")
    with holder(device.uri, state_folder) as process:
        with pytest.raises(DeviceBusy, match=str(process.pid)):
            Session(device).run("打开微信")
        assert device.performed == []
    assert Session(device).run("烤一个蛋糕").error_message  # free again: it gets as far as the planner
