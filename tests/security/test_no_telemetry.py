"""Tests that Handeye and its imports open no connections and write no files outside Handeye's folders."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from PIL import Image, ImageDraw

from optional_programs import need

# Sets the loopback interface up, then calls the command line in this process as often as there are arguments.
DRIVER: Final = """
import fcntl, os, shlex, socket, struct, sys, time
if os.environ.get("ALONE"):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as anything:
        fcntl.ioctl(anything, 0x8914, struct.pack("16sH14x", b"lo", 0x41))  # SIOCSIFFLAGS: IFF_UP | IFF_RUNNING
from handeye.cli.app import app
for line in sys.argv[2:]:
    try:
        app(shlex.split(line))
    except SystemExit as end:
        assert not end.code, (line, end.code)
time.sleep(float(sys.argv[1]))
"""
# ONNX Runtime's client waits 9 s before its first connect.
UNTIL_IT_CONNECTS_S: Final = 15


@pytest.fixture
def screen(tmp_path: Path) -> Path:
    image = Image.new("RGB", (400, 300), "white")
    ImageDraw.Draw(image).text((50, 50), "Hello", fill="black", font_size=40)
    image.save(tmp_path / "screen.png")
    return tmp_path / "screen.png"


def surroundings(home: Path) -> dict[str, str]:
    """An environment in which every folder of the user's is below `home`, and nobody has asked for no telemetry."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HANDEYE_", "XDG_", "ORT_"))}
    return kept | {"HOME": str(home), "HANDEYE_DOTENV": "", "PYTHONDONTWRITEBYTECODE": "1"}


def strange_files(home: Path) -> list[str]:
    """The files below `home` outside Handeye's folders; adb keeps its keys in .android."""
    found = (path.relative_to(home) for path in home.rglob("*") if path.is_file())
    return [str(path) for path in found if not {"handeye", ".android"} & set(path.parts)]


def test_no_files_outside_handeye_folders(screen: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    lines = [f"locate {screen} text:Hello", f"locate {screen} text:Hello --strategy ocr", f"parse {screen}"]
    subprocess.run([sys.executable, "-c", DRIVER, "0", *lines], env=surroundings(home), check=True, timeout=120)
    assert strange_files(home) == []


@pytest.mark.parametrize("value", ["0", ""])
def test_telemetry_variable_of_the_user_is_kept(value: str) -> None:
    asked = "import os, handeye; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    environment = os.environ | {"ORT_DISABLE_TELEMETRY": value}
    told = subprocess.run([sys.executable, "-c", asked], env=environment, check=True, capture_output=True, text=True)
    assert told.stdout.strip() == value


@pytest.mark.wide
def test_no_connections_of_locate_parse_and_run(screen: Path, tmp_path: Path) -> None:
    """Traced in a separate network namespace, where attempts to unreachable addresses are visible too."""
    need("strace")
    need("unshare", "util-linux")
    alone = ["unshare", "--net", "--map-root-user", "--user"]
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs user name spaces: sysctl kernel.unprivileged_userns_clone=1")
    home, trace = tmp_path / "home", tmp_path / "trace"
    home.mkdir()
    lines = [
        f"locate {screen} text:Hello",
        f"parse {screen}",
        f"run 打开微信 --device phone: --out {tmp_path / 'run'}",
    ]
    calls = "trace=connect,sendto,sendmsg,sendmmsg"
    traced = ["strace", "-f", "-qq", "-e", calls, "-e", "signal=none", "-o", str(trace)]
    subprocess.run(
        [*alone, *traced, sys.executable, "-c", DRIVER, str(UNTIL_IT_CONNECTS_S), *lines],
        env=surroundings(home) | {"ALONE": "1"},
        check=True,
        timeout=300,
    )
    addresses = set(re.findall(r'inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]+)"', trace.read_text("utf-8", "replace")))
    assert addresses <= {"127.0.0.1", "::1"}, addresses
    assert "127.0.0.1" in addresses  # the virtual phone's: the trace sees connections
    assert strange_files(home) == []
