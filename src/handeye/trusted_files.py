"""
Trust files in the working folder that decide what Handeye does, by path and content, before they are used.

A working folder may be a cloned repository, whose remembered plans and app modules could send messages, and whose
`.env` could choose who receives pictures of the screen. Records of trusted files are in the user's state folder, one
file per path.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shlex
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from handeye.devices import REMEDY, state_folder
from handeye.errors import ConfigError
from handeye.files import open_regular, write_bytes
from handeye.visible import shown

MOST_FILES: Final = 2_000
MOST_BYTES: Final = 256 << 20
"""Maximum content of a folder to be trusted: it is read each time the folder is used."""

MOST_NAMED: Final = 3
"""Maximum number of changed files that a warning names."""

MOST_OF_NAME: Final = 120

_BLOCK: Final = 1 << 20
_log = logging.getLogger(__name__)
_warned: set[tuple[str, str]] = set()


def is_trusted(path: Path) -> bool:
    """
    Return True if a file or folder of the working folder may be used: it has no files, or exactly those that this user
    has trusted. False if it cannot be read completely. Warns as `warn_if_untrusted`.
    """
    return not warn_if_untrusted(path)


def warn_if_untrusted(path: Path) -> str:
    """
    Log why a file or folder of the working folder is not used, once per process; return the reason, empty if it is
    trusted.
    """
    why = reason_for_distrust(path)
    if why and (warning := (str(path.resolve()), why)) not in _warned:
        _warned.add(warning)
        command = f"handeye trust {shlex.quote(str(Path.cwd()))}"
        _log.warning("%s was found and is not used: %s; `%s` allows it", *map(shown, (*warning, command)))
    return why


def reason_for_distrust(path: Path) -> str:
    """Return a clause that explains why a file or folder is not trusted; empty if it is."""
    known = _known(path)
    if known is None:
        return "" if _is_empty(path) else "you have not trusted it"
    try:
        content = _content(path)
    except ConfigError as error:
        return f"it cannot be read whole ({error})"
    changed = sorted(name for name in known.keys() | content.keys() if known.get(name) != content.get(name))
    if not changed:
        return ""
    named = [shown(name, MOST_OF_NAME) for name in changed[:MOST_NAMED] if name != "."]
    more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
    return "it has changed since you trusted it" + (f" ({', '.join(named)}{more})" if named else "")


def trust(path: Path) -> Mapping[str, str]:
    """
    Trust a file or folder as it is now; return its files (relative names, SHA-256 of their content). Raises ConfigError
    if it cannot be read completely or is too large, and WriteFailed.
    """
    content = _content(path)
    _record_as_trusted(path, content)
    return content


def _record_as_trusted(path: Path, files: Mapping[str, str]) -> None:
    record = {"path": str(path.resolve()), "files": files}
    write_bytes(_record(path), json.dumps(record, indent=1).encode("utf-8", "replace"), private=True, remedy=REMEDY)


def forget(path: Path) -> bool:
    """Revoke the trust in a path; return True if it was trusted."""
    record = _record(path)
    was = record.exists()
    record.unlink(missing_ok=True)
    return was


@contextmanager
def own_change(folder: Path) -> Iterator[list[Path]]:
    """
    Trust the files in `folder` that the body writes and adds to the yielded list, if the existing content is trusted.
    Only one process at a time may do so: files written by another one meanwhile count as foreign.
    """
    files: dict[str, str] | None = None
    if not reason_for_distrust(folder):
        files = dict(_known(folder) or {})
    written: list[Path] = []
    yield written
    if files is not None and written:
        for file in written:
            files[file.resolve().relative_to(folder.resolve()).as_posix()] = _digest(file, MOST_BYTES)[0]
        _record_as_trusted(folder, files)


def foreign_owner(*paths: Path) -> int | None:
    """Return the id of another user who owns one of the paths; None if there is none, or on Windows."""
    if not hasattr(os, "geteuid"):
        return None
    for path in paths:
        try:
            owner = path.lstat().st_uid
        except OSError:
            continue
        if owner != os.geteuid():
            return owner
    return None


def _record(path: Path) -> Path:
    name = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:32]
    return state_folder() / "trusted" / f"{name}.json"


def _known(path: Path) -> Mapping[str, str] | None:
    """Return the trusted files, or None if there are none."""
    try:
        record = json.loads(_record(path).read_bytes())
        return dict(record["files"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}  # damaged: differs from any folder with files


def _is_empty(path: Path) -> bool:
    return next(_files(path), None) is None


def _content(path: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    left = MOST_BYTES
    for file in _files(path):
        if len(found) == MOST_FILES:
            raise ConfigError(f"has over {MOST_FILES} files", file=path, expected="a folder that a person can read")
        digest, size = _digest(file, left)
        left -= size
        found[file.relative_to(path).as_posix()] = digest
    return found


def _files(path: Path) -> Iterator[Path]:
    """Yield all files in `path`, or `path` itself. Links to folders are yielded and followed; each folder once."""
    if not path.is_dir():
        if os.path.lexists(path):
            yield path
        return
    seen: set[Path] = set()
    for folder, folders, names in os.walk(path, followlinks=True):
        if (real := Path(folder).resolve()) in seen:
            folders.clear()
            continue
        seen.add(real)
        folders.sort()
        links = (name for name in folders if os.path.islink(os.path.join(folder, name)))
        yield from (Path(folder, name) for name in sorted((*names, *links)))


def _digest(file: Path, most: int) -> tuple[str, int]:
    """Return a file's SHA-256 and size in bytes; for a file that is not regular its type, without reading it."""
    digest, size = hashlib.sha256(), 0
    try:
        if file.is_symlink() and file.is_dir():
            return f"link to {os.readlink(file)}", 0
        if not stat.S_ISREG(kind := file.stat().st_mode):
            return stat.filemode(kind)[0], 0
        with open_regular(file) as stream:
            while block := stream.read(_BLOCK):
                size += len(block)
                if size > most:
                    raise ConfigError(f"has over {MOST_BYTES >> 20} MB", file=file, expected="less")
                digest.update(block)
    except OSError as error:
        if file.is_symlink() and not file.exists():
            return "broken link", 0
        raise ConfigError(f"cannot be read: {error.strerror or error}", file=file, expected="readable files") from error
    return digest.hexdigest(), size
