"""Copy files and folders to and from the device, and forward ports to it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from handeye.clock import Deadline
from handeye.devices.android.link import Link
from handeye.devices.android.sync import RemoteFile, file_stat, list_folder, local_name, pull_into, push_from
from handeye.devices.android.transport import device_connection
from handeye.devices.android.wire import Connection, LinkBroken
from handeye.errors import AdbNotFound, CommandFailed, DeviceError, UsageError

T = TypeVar("T")

# For one file: 4 GB over USB 2 take two minutes.
TRANSFER_TIMEOUT_S = 300.0


def push(link: Link, source: str | Path, target: str) -> int:
    """
    Copy a file, or a folder with its contents, to the device; return the number of bytes.

    If `target` is a folder there, the source is copied into it. Raises UsageError if the source does not exist,
    CommandFailed with the phone's reason.
    """
    path = Path(source)
    if not path.exists():
        raise UsageError(f"there is no {str(source)!r} to push")
    if _stat(link, target).is_folder:
        target = f"{target.rstrip('/')}/{path.name}"
    if path.is_file():
        return _push_file(link, path, target)
    total = 0
    for folder, _, names in os.walk(path):
        there = "/".join((target.rstrip("/"), *Path(folder).relative_to(path).parts))
        made = link.shell("mkdir", "-p", there, repeat=True)
        if made.exit_code:
            raise CommandFailed(f"mkdir {there}", made.exit_code, made.said)
        total += sum(_push_file(link, Path(folder, name), f"{there}/{name}") for name in names)
    return total


def pull(link: Link, source: str, target: str | Path) -> int:
    """
    Copy a file or folder from the device; return the number of bytes. If `target` is a folder, the source is copied
    into it.

    A file appears only once complete. Raises CommandFailed with the phone's reason.
    """
    there = _stat(link, source)
    if not there.mode:
        raise CommandFailed(f"pull {source}", 1, f"there is no {source!r} on {link.serial}, or it may not be read")
    here = Path(target)
    if here.is_dir():
        here = here / local_name(source.rstrip("/").rpartition("/")[2])
    if not there.is_folder:
        return _pull_file(link, source, here)
    here.mkdir(parents=True, exist_ok=True)
    files = _sync(link, lambda connection: list_folder(connection, source))
    return sum(pull(link, f"{source.rstrip('/')}/{file.name}", here / local_name(file.name)) for file in files)


def forward(link: Link, remote: str, local: str = "tcp:0") -> str:
    """
    Forward a local port to a socket of the device, for example `localabstract:chrome_devtools_remote`.

    Returns the local end, with the port that was chosen for `tcp:0`. Raises DeviceError with adb's reason.
    """
    if ";" in remote + local:
        raise UsageError(f"{remote!r} or {local!r} is not a socket such as tcp:8080 or localabstract:name")
    service = f"host-serial:{link.serial}:forward:{local};{remote}"

    def ask(deadline: Deadline) -> str:
        with link.server.connect(deadline) as connection:
            connection.request(service)
            if connection.read_exactly(4) != b"OKAY":
                raise DeviceError(f"{local} was not forwarded to {remote}: {connection.read_block().decode()}")
            return connection.read_block().decode() if local == "tcp:0" else ""

    port = link.call(ask, repeat=True, what="forward")
    return f"tcp:{port}" if port else local


def remove_forward(link: Link, local: str) -> None:
    """Remove a forward. Does nothing if it is gone."""
    try:
        link.server.order(f"host-serial:{link.serial}:killforward:{local}")
    except (LinkBroken, AdbNotFound):
        return


def _stat(link: Link, path: str) -> RemoteFile:
    """Return what is at `path`, following links to folders: the protocol's STAT follows them only with a trailing slash."""
    there = _sync(link, lambda connection: file_stat(connection, path))
    if there.is_link:
        behind = _sync(link, lambda connection: file_stat(connection, f"{path.rstrip('/')}/"))
        return behind if behind.is_folder else there
    return there


def _push_file(link: Link, source: Path, target: str) -> int:
    def send(connection: Connection) -> int:
        with source.open("rb") as content:
            return push_from(connection, content, target, modified=int(time.time()))

    return _sync(link, send)


def _pull_file(link: Link, source: str, target: Path) -> int:
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")

    def receive(connection: Connection) -> int:
        with partial.open("wb") as out:
            return pull_into(connection, source, out)

    try:
        size = _sync(link, receive)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return size


def _sync(link: Link, transfer: Callable[[Connection], T]) -> T:
    def run(deadline: Deadline) -> T:
        with device_connection(link.server, link.serial, deadline) as connection:
            return transfer(connection)

    # A transfer writes the whole file again, so it may be repeated.
    return link.call(run, repeat=True, what="sync", timeout_s=TRANSFER_TIMEOUT_S)
