"""
Screenshot, shell and tap through Handeye and through adbutils' own calls, on the virtual phone, in the same run.

    python benchmarks/bench_adb.py [--rounds 30]

Both speak to the same private adb server and the same phone; rounds alternate, so that a busy machine slows both alike.
"""

from __future__ import annotations

import argparse
import statistics
import struct
import time
from collections.abc import Callable

import adbutils

from handeye.devices import AdbServer, PhoneDevice
from handeye.devices.android.capture import METHODS
from handeye.testing.adb import PrivateAdbServer

Job = Callable[[], object]


def measure(ours: Job, theirs: Job, rounds: int) -> tuple[float, float]:
    """The medians in milliseconds, after one round that does not count."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 1):
        for job, taken in zip((ours, theirs), times, strict=True):
            began = time.perf_counter()
            job()
            if number:
                taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(times[0]), statistics.median(times[1])


def adbutils_raw_frame(device: adbutils.AdbDevice) -> bytes:
    """A raw frame as adbutils' shell gives it: undecoded, which is already more than half of the way."""
    frame = device.shell("screencap", encoding=None)
    width, height, *_ = struct.unpack_from("<4I", frame)
    if len(frame) != width * height * 4 + 16:
        raise SystemExit(f"adbutils got {len(frame)} bytes for a {width}x{height} frame")
    return frame


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    with PrivateAdbServer() as server, PhoneDevice(server=AdbServer("127.0.0.1", server.port)) as phone:
        theirs = adbutils.AdbClient("127.0.0.1", server.port).device(phone.serial)
        png = next(method for method in METHODS if method.name == "PNG")
        phone.screenshot()
        print(f"capture: {phone.capture_note}")
        jobs: list[tuple[str, Job, Job, int]] = [
            ("shell echo", lambda: phone.shell("echo", "x"), lambda: theirs.shell(["echo", "x"]), rounds),
            ("shell with exit code", lambda: phone.shell("false"), lambda: theirs.shell2("false"), rounds),
            ("tap", lambda: phone.tap(5, 300), lambda: theirs.click(5, 300), rounds),
            ("picture as PNG", lambda: png.take(phone.link, 20.0, 0), theirs.screenshot, rounds),
            ("picture, raw", phone.screenshot, lambda: adbutils_raw_frame(theirs), max(3, rounds // 5)),
        ]
        print(f"{'':22}{'Handeye':>10}{'adbutils':>10}{'ratio':>8}   (median ms)")
        for name, ours, other, count in jobs:
            mine, their = measure(ours, other, count)
            print(f"{name:22}{mine:10.2f}{their:10.2f}{their / mine:7.1f}x")


if __name__ == "__main__":
    main()
