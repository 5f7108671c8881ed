"""Tests of the virtual phone through the real adb binary."""

from __future__ import annotations

import io
import socket
import struct
import time

import pytest
from PIL import Image
from raw_host import eventually

from handeye_phone import Scenario

EXACT_TEXT = "你好 שלום 😀 'q' \"d\" $HOME `id` $(id) ; & | \\ %s\t#x"


def test_phone_is_listed_once_with_product_and_model(adb):
    lines = [line for line in adb.server.run("devices", "-l").stdout.decode().splitlines() if "device " in line]
    assert len(lines) == 1
    assert lines[0].startswith(adb.phone.serial)
    assert "product:handeye_virtual model:Virtual_Phone device:handeye" in lines[0]


class TestShell:
    def test_shell_separates_output_errors_and_exit_code(self, adb):
        result = adb("shell", "echo out; echo err >&2; exit 7")
        assert (result.stdout, result.stderr, result.returncode) == (b"out\n", b"err\n", 7)

    def test_old_protocol_merges_output_and_errors(self, adb):
        result = adb("shell", "-x", "echo out; echo err >&2; exit 7")
        assert (result.stdout, result.stderr, result.returncode) == (b"out\nerr\n", b"", 0)

    def test_standard_input_reaches_the_command(self, adb):
        data = bytes(range(256)) * 3000
        assert adb("shell", "cat", input=data).stdout == data

    def test_commands_are_read_from_standard_input(self, adb):
        result = adb("shell", input=b"echo a\necho 'b\nc'\nread x\nword\necho <$x\necho \"[$x]\"\nexit 4\n")
        assert result.stdout == b"a\nb\nc\n[word]\n"
        assert result.returncode == 4

    def test_nested_shell_receives_its_arguments(self, adb):
        assert adb("shell", "sh", "-c", "'echo $0 $1'", "n", "m").stdout == b"n m\n"

    def test_terminal_echoes_input_and_handles_control_keys(self, adb):
        # Ctrl-D shows nothing: letters typed ahead would be echoed into the answer, as on every terminal.
        text = adb("shell", "-tt", input=b"echo hix\x7f\r\x04").stdout.decode()
        assert "echo hix\b \b\r\n" in text  # what was typed, with the erased letter
        assert "\r\nhi\r\n" in text
        assert "vphone:/ $ " in text
        result = adb("shell", "-tt", input=b"echo never\x03exit 3\r")
        text = result.stdout.decode()
        assert "^C\r\n" in text
        assert "\r\nnever" not in text
        assert result.returncode == 3

    def test_quoted_text_arrives_unchanged(self, adb):
        quoted = "'" + EXACT_TEXT.replace("'", "'\\''") + "'"
        assert adb("shell", "printf", "%s", quoted).stdout.decode() == EXACT_TEXT

    def test_aborted_command_does_not_block_the_phone(self, adb):
        with pytest.raises(Exception, match="timed out"):
            adb.server.run("-s", adb.phone.serial, "shell", "sleep 600", timeout=0.5)
        assert adb("shell", "echo alive").stdout == b"alive\n"


class TestPictures:
    def test_screencap_png_matches_the_frame(self, adb):
        picture = Image.open(io.BytesIO(adb("exec-out", "screencap", "-p").stdout))
        assert (picture.format, picture.size) == ("PNG", (1080, 2400))
        assert picture.convert("RGB").tobytes() == adb.phone.call(lambda model: model.frame().convert("RGB").tobytes())

    def test_raw_screencap_matches_the_frame(self, adb):
        data = adb("exec-out", "screencap").stdout
        assert struct.unpack_from("<4I", data) == (1080, 2400, 1, 1)
        assert data[16:] == adb.phone.call(lambda model: model.frame().convert("RGBA").tobytes())

    def test_gzipped_screencap_has_full_size(self, adb):
        import gzip

        data = gzip.decompress(adb("exec-out", "screencap | gzip").stdout)
        assert len(data) == 16 + 4 * 1080 * 2400

    def test_screencap_file_can_be_pulled(self, adb, tmp_path):
        adb("shell", "screencap -p /sdcard/shot.png")
        adb("pull", "/sdcard/shot.png", str(tmp_path / "shot.png"))
        with Image.open(tmp_path / "shot.png") as picture:
            assert picture.size == (1080, 2400)


class TestFiles:
    def test_pushed_file_is_pulled_back_unchanged(self, adb, tmp_path):
        data = bytes(range(256)) * 10_000
        (tmp_path / "名字 a.bin").write_bytes(data)
        assert adb("push", str(tmp_path / "名字 a.bin"), "/sdcard/new/名字 b.bin").returncode == 0
        assert adb("shell", "wc -c < '/sdcard/new/名字 b.bin'").stdout == b"2560000\n"
        assert adb("pull", "/sdcard/new/名字 b.bin", str(tmp_path / "back")).returncode == 0
        assert (tmp_path / "back").read_bytes() == data

    def test_pushed_folder_is_pulled_back_unchanged(self, adb, tmp_path):
        for name in ("a.txt", "sub/b.txt", "sub/deeper/c.txt", "empty.txt"):
            path = tmp_path / "tree" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("" if "empty" in name else name)
        assert adb("push", str(tmp_path / "tree"), "/sdcard/Download/").returncode == 0
        assert adb("shell", "find /sdcard/Download/tree -type f | sort").stdout.decode().split() == [
            "/sdcard/Download/tree/a.txt",
            "/sdcard/Download/tree/empty.txt",
            "/sdcard/Download/tree/sub/b.txt",
            "/sdcard/Download/tree/sub/deeper/c.txt",
        ]
        assert adb("pull", "/sdcard/Download/tree", str(tmp_path / "back")).returncode == 0
        assert (tmp_path / "back" / "sub" / "deeper" / "c.txt").read_text() == "sub/deeper/c.txt"

    def test_pushed_file_keeps_its_modification_time(self, adb, tmp_path):
        import os

        path = tmp_path / "old.txt"
        path.write_text("x")
        os.utime(path, (1_500_000_000, 1_500_000_000))
        adb("push", str(path), "/sdcard/old.txt")
        assert adb("shell", "stat -c %Y /sdcard/old.txt").stdout == b"1500000000\n"

    @pytest.mark.parametrize("target", ["/system/x", "/data/data/x", "/x"])
    def test_push_to_protected_path_is_refused(self, adb, tmp_path, target):
        (tmp_path / "x").write_text("x")
        result = adb("push", str(tmp_path / "x"), target)
        assert result.returncode != 0
        assert b"couldn't create file" in result.stderr + result.stdout

    def test_pull_of_missing_file_fails(self, adb, tmp_path):
        result = adb("pull", "/sdcard/none", str(tmp_path))
        assert result.returncode != 0
        assert b"No such file" in result.stderr + result.stdout

    def test_adb_ls_shows_the_file_size(self, adb):
        adb("shell", "echo abc > /sdcard/Music/song")
        assert b"00000004" in adb("ls", "/sdcard/Music").stdout


class TestForwarding:
    def test_forward_reaches_a_host_tcp_port(self, adb):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = int(adb("forward", "tcp:0", f"tcp:{server.getsockname()[1]}").stdout)
            with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
                inside, _ = server.accept()
                client.sendall(b"ping")
                assert inside.recv(4) == b"ping"
                inside.sendall(b"pong")
                assert client.recv(4) == b"pong"
                inside.close()
                assert client.recv(1) == b""
        adb("forward", "--remove-all")

    def test_forward_reaches_a_phone_socket(self, adb):
        async def shout(reader, writer):
            writer.write((await reader.readline()).upper())
            await writer.drain()

        adb.phone.listen("localabstract:shout", shout)
        port = int(adb("forward", "tcp:0", "localabstract:shout").stdout)
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            client.sendall(b"hello\n")
            assert client.recv(16) == b"HELLO\n"
        adb("forward", "--remove-all")


class TestScenarios:
    @pytest.fixture(autouse=True)
    def _calm_again(self, phone):
        yield
        phone.set_scenario(Scenario())

    def test_scenario_is_set_over_adb(self, adb):
        assert adb("shell", "cmd vphone scenario dark,slow-taps").returncode == 0
        assert adb.phone.call(lambda model: (model.scenario.dark, model.scenario.tap_ms)) == (True, 400)
        assert adb("shell", """cmd vphone scenario-json '{"rotation": 1}'""").returncode == 0
        assert adb.phone.call(lambda model: (model.scenario.dark, model.size)) == (False, (2400, 1080))

    @pytest.mark.parametrize(
        "line", ["scenario nope", "scenario-json '{'", """scenario-json '{"dark": 3}'""", "scenario"]
    )
    def test_invalid_scenario_command_is_refused(self, adb, line):
        assert adb("shell", f"cmd vphone {line}").returncode == 255

    def test_slow_capture_scenario_delays_screencap(self, adb):
        adb.phone.set_scenario(Scenario(capture_ms=(300, 300)))
        began = time.monotonic()
        adb("exec-out", "screencap")
        assert time.monotonic() - began >= 0.3

    def test_slow_tap_scenario_delays_taps(self, adb):
        adb.phone.set_scenario(Scenario(tap_ms=200))
        began = time.monotonic()
        adb("shell", "input tap 5 5")
        assert time.monotonic() - began >= 0.2

    def test_failed_dump_keeps_the_old_file(self, adb):
        adb("shell", "echo old > /sdcard/window_dump.xml")
        adb.phone.set_scenario(Scenario(never_idle=True))
        result = adb("shell", "uiautomator dump")
        assert b"ERROR: could not get idle state." in result.stderr
        assert b"dumped" not in result.stdout
        assert adb("shell", "cat /sdcard/window_dump.xml").stdout == b"old\n"

    def test_link_drops_and_reconnects(self, adb):
        adb.phone.set_scenario(Scenario(drop_link_s=0.6, drop_after=2))
        assert adb("shell", "echo 1").stdout == b"1\n"
        assert adb("shell", "echo 2").stdout == b"2\n"
        assert adb("shell", "sleep 5; echo 3").stdout == b""
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.1", adb.phone.port), timeout=1)
        adb.server.run("disconnect", adb.phone.serial)  # or the server would wait some seconds before it tries again
        assert eventually(lambda: adb.server.run("connect", adb.phone.serial).stdout.startswith(b"connected"))
        assert adb("shell", "echo back").stdout == b"back\n"
