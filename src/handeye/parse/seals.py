"""Whether a model's file is still the one that was packed: a wrong byte in it would give wrong answers, and no error."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from handeye.errors import ParserFailed

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
