"""The virtual phone's daemon through the real adb: medians of whole calls, and 2,000 shell calls at once.

Run: python benchmarks/bench_daemon.py [path of another adb binary]
"""

from __future__ import annotations

import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from handeye.testing.adb import PrivateAdbServer
from handeye_phone import VirtualPhone

REPEATS = 15
PARALLEL_CALLS = 2000
WORKERS = 40
PAYLOAD = bytes(range(256)) * 40_000  # 10 MB


def median_ms(work: Callable[[], object]) -> float:
    """Median of whole calls, the first one left out."""
    work()
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def over_socket(server: PrivateAdbServer, serial: str, command: str) -> bytes:
    """One command over the server's own socket, without starting an adb process."""
    with socket.create_connection(("127.0.0.1", server.port)) as sock:
        for request in (f"host:transport:{serial}", f"exec:{command}"):
            sock.sendall(f"{len(request.encode()):04x}{request}".encode())
            if sock.recv(4, socket.MSG_WAITALL) != b"OKAY":
                raise SystemExit(f"{request!r} was refused: {sock.recv(200)!r}")
        parts = []
        while chunk := sock.recv(1 << 20):
            parts.append(chunk)
    return b"".join(parts)


def parallel(server: PrivateAdbServer, serial: str) -> tuple[float, int]:
    """Seconds for all calls, and how many answers were wrong."""
    began = time.perf_counter()
    with ThreadPoolExecutor(WORKERS) as pool:
        answers = list(pool.map(lambda number: over_socket(server, serial, f"echo {number}"), range(PARALLEL_CALLS)))
    seconds = time.perf_counter() - began
    return seconds, sum(answer != f"{number}\n".encode() for number, answer in enumerate(answers))


def main() -> None:
    adb = sys.argv[1] if len(sys.argv) > 1 else None
    with VirtualPhone() as phone, PrivateAdbServer(adb=adb) as server, tempfile.TemporaryDirectory() as folder:
        server.connect(phone.serial)
        big, back = Path(folder, "big"), Path(folder, "back")
        big.write_bytes(PAYLOAD)

        def adb_call(*words: str) -> Callable[[], object]:
            return lambda: server.run("-s", phone.serial, *words)

        def direct(command: str) -> Callable[[], object]:
            return lambda: over_socket(server, phone.serial, command)

        rows = {
            "adb shell echo": adb_call("shell", "echo hi"),
            "adb exec-out screencap -p, same picture": adb_call("exec-out", "screencap -p"),
            "adb exec-out screencap, same picture": adb_call("exec-out", "screencap"),
            "adb push 10 MB": adb_call("push", str(big), "/sdcard/big"),
            "adb pull 10 MB": adb_call("pull", "/sdcard/big", str(back)),
            "own socket: echo": direct("echo hi"),
            "own socket: screencap, same picture": direct("screencap"),
            "own socket: input tap": direct("input tap 5 5"),
            "own socket: key + screencap, new picture": direct("input keyevent APP_SWITCH; screencap"),
            "own socket: key + screencap -p, new picture": direct("input keyevent APP_SWITCH; screencap -p"),
        }
        print(server.run("version").stdout.decode().splitlines()[1])
        for name, work in rows.items():
            print(f"{name:<46}{median_ms(work):8.1f} ms")
        seconds, wrong = parallel(server, phone.serial)
        print(f"{PARALLEL_CALLS} shell calls, {WORKERS} at a time: {seconds:.2f} s, {wrong} wrong answers")


if __name__ == "__main__":
    main()
