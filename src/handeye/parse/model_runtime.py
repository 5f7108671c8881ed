"""Load and check model files, and limit numpy to one core."""

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
    """
    Return all arrays of an .npz file. Raises ParserFailed for one that is missing, damaged, or lacks a `needed` array.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            held = {name: stored[name] for name in stored.files}
    # An array file of another kind has no `files`; a damaged one fails at its first wrong byte.
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


# Checksums of model files: a damaged file would give wrong results without any error.


CHECKSUM_FILE: Final = "SHA256SUMS"
"""The file of checksums next to the shipped models, in the format of sha256sum."""


def verify_checksum(model: Path) -> None:
    """
    Raise ParserFailed if the folder of `model` lists a checksum for it that does not match. Unlisted models are not
    checked.

    Array files need none: each array in them has its own checksum.
    """
    try:
        lines = model.with_name(CHECKSUM_FILE).read_text(encoding="ascii").splitlines()
        known = {name: digest for digest, name in map(str.split, lines)}
        expected = known.get(model.name)
        same = expected is None or hashlib.sha256(model.read_bytes()).hexdigest() == expected
    except FileNotFoundError:
        return  # no checksums; or no model, which fails on opening
    except (OSError, ValueError) as error:
        raise ParserFailed(f"the model {str(model)!r} cannot be checked: {error}; reinstall handeye") from error
    if not same:
        raise ParserFailed(
            f"the model {str(model)!r} is damaged: its digest is not that of {CHECKSUM_FILE}; reinstall handeye"
        )


# Small matrix products on one core: OpenBLAS's other threads spin for a tenth of a second after each, waiting for
# another.


_LIMIT_LOCK: Final = threading.RLock()


@contextmanager
def on_one_core() -> Iterator[None]:
    """
    Limit numpy's matrix products to one core inside the block.

    The products here take a few milliseconds, and spinning threads would take the cores from what follows: the networks,
    and everything else on the computer. Some versions of OpenBLAS store the thread count for the whole process, so only one
    thread at a time may be inside, lest one restores what another has set.
    """
    with _LIMIT_LOCK, _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    """Return the controller of the loaded BLAS libraries; detecting them takes a few milliseconds, once."""
    return ThreadpoolController()
