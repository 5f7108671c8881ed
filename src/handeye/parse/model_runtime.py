"""Files of named arrays, in which some of the models' weights are kept."""

from __future__ import annotations

import hashlib
import threading
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from handeye.errors import ParserFailed


def read_arrays(path: Path, what: str, needed: Collection[str]) -> dict[str, npt.NDArray[Any]]:
    """All arrays of an .npz file. Raises ParserFailed for one that is missing, damaged, or without one that is `needed`."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            held = {name: stored[name] for name in stored.files}
    # An array file of another kind has no `files`; a damaged one fails wherever its first wrong byte is met.
    except (
        OSError,
        ValueError,
        EOFError,
        KeyError,
        AttributeError,
        TypeError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise ParserFailed(f"{what} {str(path)!r} cannot be read: {error}; reinstall handeye") from error
    missing = sorted(set(needed) - held.keys())
    if missing:
        raise ParserFailed(f"{what} {str(path)!r} are of another version, without {missing[0]!r}; reinstall handeye")
    return held


# Whether a model's file is still the one that was packed: a wrong byte in it would give wrong answers, and no error.


SUMS: Final = "SHA256SUMS"
"""Beside the models that ship; as the command sha256sum writes and checks it."""


def check_seal(model: Path) -> None:
    """
    Raises ParserFailed when the folder of `model` knows its digest, and it has another one. Other models may be anybody's.

    Files of arrays need no seal: each array in them carries a checksum of its own.
    """
    try:
        lines = model.with_name(SUMS).read_text(encoding="ascii").splitlines()
        known = {name: digest for digest, name in map(str.split, lines)}
        told = known.get(model.name)
        same = told is None or hashlib.sha256(model.read_bytes()).hexdigest() == told
    except FileNotFoundError:
        return  # no seals; or no model, which whoever opens it says
    except (OSError, ValueError) as error:
        raise ParserFailed(f"the model {str(model)!r} cannot be checked: {error}; reinstall handeye") from error
    if not same:
        raise ParserFailed(f"the model {str(model)!r} is damaged: its digest is not that of {SUMS}; reinstall handeye")


# Small matrix products on one core: OpenBLAS's other threads spin a tenth of a second after each, in case there is another.


_ONE_AT_A_TIME: Final = threading.RLock()


@contextmanager
def on_one_core() -> Iterator[None]:
    """
    Lets numpy multiply matrices on one core within.

    The products here take a few milliseconds, and spinning threads take the cores from what comes next: the networks, and
    whatever else the computer does. Some versions of OpenBLAS keep the number of threads for the whole process: so one thread
    at a time is inside, lest one gives back what another one has set.
    """
    with _ONE_AT_A_TIME, _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    """What libraries of numpy's kind are loaded: found once, a few milliseconds."""
    return ThreadpoolController()
