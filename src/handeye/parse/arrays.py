"""Files of named arrays, in which some of the models' weights are kept."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

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
