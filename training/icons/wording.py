"""The tokens that get a vector, and what a language model says of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from transformers import AutoModel, AutoTokenizer

from handeye.parse.word_vectors import MAX_TOKENS, tokens_of

MIN_TEXTS: Final = 2  # a token of one text only tells nothing of others
WORDNET_WORDS: Final = 6000  # common English words that no icon is named by
MEANING: Final = 256  # dimensions kept of the language model's 384


def chosen_tokens(texts: Iterable[str], wordnet: Path | None) -> list[str]:
    """The tokens with a vector, number 0 left for "none": those of the texts, and WordNet's most used words."""
    counts = Counter(token for text in texts for token in set(tokens_of(text)))
    chosen = sorted(token for token, count in counts.items() if count >= MIN_TEXTS)
    if wordnet is not None:
        used: Counter[str] = Counter()
        for line in wordnet.read_text("utf-8").splitlines():  # "sense_key sense_number count"
            lemma, count = line.partition("%")[0], line.rsplit(" ", 1)[-1]
            if re.fullmatch(r"[a-z]{3,}", lemma):
                used[tokens_of(lemma)[0]] += int(count)
        there = set(chosen)
        chosen += sorted(word for word, _ in used.most_common(WORDNET_WORDS) if word not in there)
    return ["", *chosen]


def meanings_of(tokens: list[str], model: Path) -> npt.NDArray[np.float32]:
    """MiniLM's vectors of the English tokens (n, MEANING), rotated to their main axes; zeros for Chinese ones."""
    tokenizer, network = AutoTokenizer.from_pretrained(model), AutoModel.from_pretrained(model).eval()
    english = [at for at, token in enumerate(tokens) if re.fullmatch(r"[a-z0-9]+", token)]
    vectors = np.zeros((len(tokens), 384), np.float32)
    for first in range(0, len(english), 512):
        part = english[first : first + 512]
        fed = tokenizer([tokens[at] for at in part], padding=True, truncation=True, max_length=8, return_tensors="pt")
        with torch.inference_mode():
            hidden = network(**fed).last_hidden_state
        mask = fed["attention_mask"][..., None]
        mean = (hidden * mask).sum(1) / mask.sum(1)
        vectors[part] = torch.nn.functional.normalize(mean, dim=1).numpy()
    centred = vectors[english] - vectors[english].mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    meanings = np.zeros((len(tokens), MEANING), np.float32)
    meanings[english] = centred @ axes[:, ::-1][:, :MEANING]
    return meanings / np.sqrt((meanings[english] ** 2).sum(axis=1).mean())


def numbered(texts: list[str], tokens: list[str]) -> npt.NDArray[np.int64]:
    """The token numbers of texts, (n, MAX_TOKENS), 0 where there is none."""
    index = {token: at for at, token in enumerate(tokens)}
    numbers = np.zeros((len(texts), MAX_TOKENS), np.int64)
    for at, text in enumerate(texts):
        known = [index[token] for token in tokens_of(text) if token in index]
        numbers[at, : len(known)] = known
    return numbers


def cached(tokens: list[str], model: Path, folder: Path) -> npt.NDArray[np.float32]:
    """`meanings_of`, kept in `folder` until the tokens change."""
    folder.mkdir(parents=True, exist_ok=True)
    listed, vectors = folder / "tokens.json", folder / "meanings.npy"
    if listed.exists() and json.loads(listed.read_text("utf-8")) == tokens:
        kept: npt.NDArray[np.float32] = np.load(vectors)
        return kept
    made = meanings_of(tokens, model)
    np.save(vectors, made)
    listed.write_text(json.dumps(tokens, ensure_ascii=False), "utf-8")
    return made
