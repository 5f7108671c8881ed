"""Tests of the transport protocol, spoken by hand: documented behaviour and protocol violations."""

from __future__ import annotations

import asyncio
import contextlib
import io
import random
import socket
import struct
import time
import urllib.request

import pytest
from PIL import Image
from raw_host import TIMEOUT_S, RawHost, eventually

from handeye.errors import DeviceError, UsageError
from handeye_phone import VirtualPhone
from handeye_phone.drawing.frames import encode_png


def test_banner_contains_model_and_features(raw_host):
    banner = raw_host.connect().decode()
    kind, _, properties = banner.partition("::")
    values = dict(item.split("=", 1) for item in properties.split(";"))
    assert kind == "device"
    assert values["ro.product.model"] == "Virtual Phone"
    assert {"shell_v2", "cmd", "stat_v2", "ls_v2"} <= set(values["features"].split(","))


def test_old_protocol_version_gets_checksums(raw_host):
    raw_host.connect(version=0x01000000, max_payload=4096)
    raw_host.open(b"shell:echo hi")
    name, remote_id, _, payload, total = raw_host.receive()
    assert (name, payload, total) == (b"WRTE", b"hi\n", sum(b"hi\n"))
    raw_host.send(b"OKAY", 7, remote_id)


def test_new_protocol_version_gets_no_checksums(raw_host):
    raw_host.connect()
    raw_host.open(b"shell:echo hi")
    assert raw_host.receive()[3:] == (b"hi\n", 0)


def test_wrong_checksum_ends_the_connection(raw_host):
    raw_host.connect(version=0x01000000)
    raw_host.send(b"OPEN", 7, 0, b"shell:echo hi\0", checksum=1)
    assert raw_host.hung_up()


def test_packets_respect_the_maximum_payload(raw_host):
    raw_host.connect(max_payload=4096)
    raw_host.open(b"exec:screencap")
    sizes = []
    for _ in range(20):
        name, remote_id, _, payload, _ = raw_host.receive()
        assert name == b"WRTE"
        sizes.append(len(payload))
        raw_host.send(b"OKAY", 7, remote_id)
    assert max(sizes) == 4096


def test_phone_waits_for_okay(raw_host):
    raw_host.connect(max_payload=4096)
    raw_host.open(b"exec:screencap")
    assert raw_host.receive()[0] == b"WRTE"
    raw_host.sock.settimeout(0.2)
    with pytest.raises(TimeoutError):
        raw_host.receive()


def test_waiting_stream_does_not_block_other_streams(raw_host):
    raw_host.connect(max_payload=4096)
    raw_host.open(b"exec:screencap", 7)
    assert raw_host.receive()[0] == b"WRTE"  # never acknowledged
    raw_host.open(b"shell:echo free", 8)
    assert raw_host.read_stream(8) == b"free\n"


def test_unknown_services_are_refused(raw_host):
    raw_host.connect()
    for destination in (b"nope:x", b"reboot:", b"tcp:0", b"tcp:99999", b"tcp:10.0.0.1:80", b"localabstract:none", b""):
        raw_host.send(b"OPEN", 7, 0, destination + b"\0")
        assert raw_host.receive()[:3] == (b"CLSE", 0, 7)


def test_data_for_closed_stream_is_answered_with_close(raw_host):
    raw_host.connect()
    raw_host.send(b"WRTE", 9, 1234, b"x")
    assert raw_host.receive()[:3] == (b"CLSE", 0, 9)


def test_closing_the_stream_ends_its_command(virtual_phone, raw_host):
    raw_host.connect()
    remote_id = raw_host.open(b"shell:sleep 600; echo never")
    raw_host.send(b"CLSE", 7, remote_id)
    raw_host.open(b"shell:echo next", 8)
    assert raw_host.read_stream(8) == b"next\n"
    assert eventually(lambda: tasks(virtual_phone) <= 4)


def test_nothing_runs_before_the_handshake(virtual_phone, raw_host):
    raw_host.send(b"OPEN", 7, 0, b"shell:echo early\0")
    raw_host.connect()
    assert virtual_phone.log == []


def test_second_handshake_resets_the_connection(raw_host):
    raw_host.connect()
    raw_host.open(b"shell:sleep 600")
    assert raw_host.connect()
    raw_host.open(b"shell:echo again", 8)
    assert raw_host.read_stream(8) == b"again\n"


@pytest.mark.parametrize(
    "attack",
    [
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2,
        bytes(24),
        b"\xff" * 4096,
        struct.pack("<6I", 0x4E584E43, 0x01000001, 1 << 20, 0xFFFFFFFF, 0, 0x4E584E43 ^ 0xFFFFFFFF),
        struct.pack("<6I", 0x534C5453, 0x01000000, 0, 0, 0, 0x534C5453 ^ 0xFFFFFFFF),
        struct.pack("<6I", 0x48545541, 3, 0, 4, 0, 0x48545541 ^ 0xFFFFFFFF) + b"junk",
    ],
    ids=["http", "zeros", "ones", "4 GB payload", "STLS", "AUTH without a challenge"],
)
def test_invalid_protocol_data_ends_the_connection(virtual_phone, raw_host, attack):
    raw_host.sock.sendall(attack)
    assert raw_host.hung_up()
    fresh = RawHost(virtual_phone.port)
    assert fresh.connect()
    fresh.close()


def test_flooding_a_stream_ends_the_connection(raw_host):
    raw_host.connect()
    remote_id = raw_host.open(b"shell:sleep 600")
    with contextlib.suppress(ConnectionError):  # the phone may hang up while we still send
        for _ in range(100):
            raw_host.send(b"WRTE", 7, remote_id, bytes(60_000))
    assert raw_host.hung_up()


def test_random_bytes_leave_no_connections_or_tasks(virtual_phone):
    source = random.Random(3)
    for _ in range(40):
        host = RawHost(virtual_phone.port)
        if source.random() < 0.5:
            host.connect()
        host.sock.sendall(source.randbytes(source.randrange(1, 400)))
        host.close()
    assert eventually(lambda: virtual_phone.connections == 0)
    assert tasks(virtual_phone) <= 3


def test_reset_connections_leave_no_tasks(virtual_phone):
    before = tasks(virtual_phone)
    for _ in range(20):
        host = RawHost(virtual_phone.port)
        host.connect()
        for stream in range(1, 6):
            host.send(b"OPEN", stream, 0, b"shell:sleep 600 | cat\0")
        host.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        host.close()  # a reset, not a goodbye
    assert eventually(lambda: virtual_phone.connections == 0 and tasks(virtual_phone) <= before)


def test_command_is_cut_at_nul_byte(virtual_phone, raw_host):
    raw_host.connect()
    raw_host.open(b"shell:echo a\0; echo b")
    assert raw_host.read_stream() == b"a\n"


def test_phone_listens_on_one_address_only(virtual_phone):
    assert virtual_phone.serial == f"127.0.0.1:{virtual_phone.port}"
    with pytest.raises(OSError):  # a listener on all addresses would answer here as well
        socket.create_connection(("127.0.0.2", virtual_phone.port), timeout=1)


@pytest.mark.parametrize("port", [5555, 5570, 5585])
def test_ports_probed_by_adb_are_refused(port):
    with pytest.raises(UsageError, match="5555-5585"):
        VirtualPhone(port=port).start()


def test_used_port_raises_an_error(virtual_phone):
    with pytest.raises(OSError):
        VirtualPhone(port=virtual_phone.port).start()


def test_phone_can_be_started_and_stopped_twice():
    phone = VirtualPhone()
    for _ in range(2):
        phone.start()
        with pytest.raises(DeviceError):
            phone.start()
        assert phone.call(lambda model: model.size) == (1080, 2400)
        phone.stop()
        phone.stop()
        with pytest.raises(DeviceError):
            _ = phone.state


def test_stop_does_not_wait_for_commands(virtual_phone):
    host = RawHost(virtual_phone.port)
    host.connect()
    host.open(b"shell:sleep 600")
    began = time.monotonic()
    virtual_phone.stop()
    assert time.monotonic() - began < TIMEOUT_S
    host.close()


def tasks(phone: VirtualPhone) -> int:
    return phone.call(lambda _: len(asyncio.all_tasks()))


def test_live_page_opens_and_closes_with_phone():
    with VirtualPhone() as phone:
        assert phone.running
        url = phone.open_window()
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as page:
            assert page.status == 200
    assert not phone.running
    with pytest.raises(OSError):
        urllib.request.urlopen(url, timeout=TIMEOUT_S)


def test_encoded_png_matches_the_frame():
    with VirtualPhone() as phone:
        frame = phone.call(lambda model: model.frame()).convert("RGBA")
    with Image.open(io.BytesIO(encode_png(frame))) as picture:
        picture.load()
        assert picture.mode == "RGBA"
        assert picture.tobytes() == frame.tobytes()
