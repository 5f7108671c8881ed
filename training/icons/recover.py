"""
A checkpoint to train on from, out of the icon reader that ships: `python -m training.icons.recover --data DIR --run NAME
--language-model FOLDER [--wordnet FILE]`. Then `python -m training.icons.train --run NAME --resume ...`.

A checkpoint is lost with its machine; the shipped files are in the repository. The encoder's weights are made float again and
its normalisations set from crops of training's icons; what a word's vector has beyond its meaning is what a linear map of the
meanings leaves over; the prototype of a class is its first centroid.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from torch import nn

from handeye.parse import read_arrays
from handeye.parse.icons import ENCODER_WEIGHTS as ENCODER
from handeye.parse.icons import WEIGHTS as INDEX
from training.icons.composing import Composer
from training.icons.dataset import Drawings, Labelled, key, load
from training.icons.network import IconNet, TextNet
from training.icons.places import argument_parser, places_of
from training.icons.train import Trained, all_texts, fresh
from training.icons.wording import cached, chosen_tokens
from training.recovering import normalisations, take_statistics, values_of

CROPS: Final = 2048  # for the statistics
RIDGE: Final = 1.0
SCALE: Final = math.log(25.0)  # of the similarities, which no file keeps; training finds it again within minutes


def recover_encoder(model: Path, masks: torch.Tensor) -> IconNet:
    """The network of an encoder that `export` wrote; `masks` (n, 1, 64, 64) as training shows them."""
    net = IconNet().eval()
    graph = onnx.load(str(model)).graph
    value, layers = values_of(graph), dict(net.named_modules())
    normalised = normalisations(net)
    with torch.no_grad():
        for node in graph.node:
            if node.op_type not in ("Conv", "Gemm"):
                continue
            layer = layers[node.input[1].removeprefix("net.").partition(".weight")[0]]
            weight, bias = (torch.from_numpy(value(name).copy()) for name in node.input[1:3])
            layer.weight.copy_(weight)
            normalised.get(layer, layer).bias.copy_(bias)
        take_statistics(normalised, lambda: _look(net, masks))
    return net


def _look(net: nn.Module, masks: torch.Tensor) -> None:
    for part in masks.split(256):
        net(part)


def recover_words(index: dict[str, np.ndarray], tokens: list[str], text: TextNet) -> None:
    """Set the text side from the shipped words; a token that is not among them has its meaning only."""
    shipped = {token: at for at, token in enumerate(_lines(index["tokens"]))}
    rows = np.array([at for at, token in enumerate(tokens) if at and token in shipped])
    theirs = np.array([shipped[tokens[at]] for at in rows])
    vectors = index["word_vectors"][theirs].astype(np.float64) * index["word_scales"][theirs, None]
    meanings = text.meanings.numpy()[rows].astype(np.float64)
    turn = np.linalg.solve(meanings.T @ meanings + RIDGE * np.eye(meanings.shape[1]), meanings.T @ vectors)
    with torch.no_grad():
        text.turn.weight.copy_(torch.from_numpy(turn.T))
        text.added.weight.zero_()
        text.added.weight[rows] = torch.from_numpy(vectors - meanings @ turn).float()
        text.weight.weight[rows, 0] = torch.from_numpy(index["word_weights"][theirs].astype(np.float32))
        text.inner.weight.copy_(torch.from_numpy(index["inner"].T.astype(np.float32)))
        text.inner.bias.copy_(torch.from_numpy(index["bias"].astype(np.float32)))
        text.outer.weight.copy_(torch.from_numpy(index["outer"].T.astype(np.float32)))
    print(f"{len(rows)} of {len(tokens) - 1} tokens have a shipped vector")


def recover_prototypes(index: dict[str, np.ndarray], labelled: Labelled, trained: Trained) -> None:
    """Set the classes' prototypes; one that the shipped file has not begins at random."""
    names, concepts = _lines(index["class_names"]), int(index["concepts"])
    first = np.searchsorted(index["centroid_class"].astype(np.int64), np.arange(len(names)))
    row = {name if at < concepts else key(name): first[at] for at, name in enumerate(names)}
    with torch.no_grad():
        for at, name in enumerate(labelled.classes):
            if name in row:
                trained.prototypes[at] = torch.from_numpy(index["centroids"][row[name]].astype(np.float32) / 127.0)
    print(f"{sum(name in row for name in labelled.classes)} of {len(labelled.classes)} classes have a shipped centroid")


def _lines(encoded: np.ndarray) -> list[str]:
    return encoded.tobytes().decode("utf-8").split("\n")


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("--run", default="icons", help="name of the run's folder")
    parser.add_argument("--encoder", type=Path, default=ENCODER)
    parser.add_argument("--index", type=Path, default=INDEX)
    parser.add_argument("--language-model", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--wordnet", type=Path, help="WordNet's cntlist.rev")
    given: argparse.Namespace = parser.parse_args()
    places = places_of(given)
    labelled = load(places)
    texts = all_texts(labelled)
    tokens = chosen_tokens(texts, given.wordnet)
    trained = fresh(labelled, tokens, cached(tokens, given.language_model, places.root / "words"))
    held = read_arrays(given.index, "the words of icons", ("tokens", "word_vectors", "centroids"))
    recover_words(held, tokens, trained.text)
    recover_prototypes(held, labelled, trained)
    trained.scales.data[:] = SCALE
    random = np.random.default_rng(7)
    shown = [labelled.icons[int(at)] for at in random.choice(len(labelled.icons), CROPS, replace=False)]
    drawings, composer = Drawings.opened(places), Composer(random)
    masks = np.stack([composer.crop(drawings.of(icon)) for icon in shown]).astype(np.float32) / 255.0
    trained.icon = recover_encoder(given.encoder, torch.from_numpy(masks)[:, None])
    folder = places.runs / given.run
    folder.mkdir(parents=True, exist_ok=True)
    torch.save(trained.state(), folder / "checkpoint.pt")
    print(f"{folder / 'checkpoint.pt'}: {len(labelled.icons)} icons, {len(labelled.classes)} classes")


if __name__ == "__main__":
    main()
