"""Makes the encoder's weights file from the published model and the texts of packages: `python -m training.encoder.make`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np

from handeye.locate.ranker.sentence_encoder import WEIGHTS
from training.encoder.original import model_file, read_original
from training.encoder.texts import fetch, read_stored, store_texts
from training.encoder.trim import trimmed
from training.encoder.vocabulary import chosen, piece_uses

SIZES: Final = (80_000, 45_000, 28_000, 17_000)
"""Pieces that have a code of the first stage, and of each stage after."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--data", type=Path, default=Path("out/encoder"), help="folder for what is downloaded (450 MB)"
    )
    options.add_argument(
        "--sizes", type=int, nargs=4, default=SIZES, help="size of the vocabulary, and of each later stage's part of it"
    )
    options.add_argument("--out", type=Path, default=WEIGHTS)
    given = options.parse_args()
    original = read_original(model_file(given.data))
    stored = given.data / "texts.tsv"
    if not stored.exists():
        fetch(given.data / "packages")
        store_texts(given.data / "packages", stored)
    kept = chosen(original, piece_uses(original, read_stored(stored)), given.sizes[0])
    np.savez_compressed(given.out, **trimmed(original, kept, given.sizes))
    print(f"{given.out}: {len(kept)} pieces, {given.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
