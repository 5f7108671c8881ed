"""Writes the digests of the models that ship, after one was replaced: `python -m training.seal`."""

from __future__ import annotations

import hashlib

from handeye.parse.detector import WEIGHTS
from handeye.parse.model_runtime import CHECKSUM_FILE


def main() -> None:
    models = sorted(WEIGHTS.parent.glob("*.onnx"))
    lines = [f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in models]
    (WEIGHTS.parent / CHECKSUM_FILE).write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()
