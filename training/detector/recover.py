"""
Weights to train on from the model that ships: `python -m training.detector.recover --data DIR --out FILE.pt`.

A checkpoint is 30 MB and lost with its machine; the shipped int8 model is in the repository. Its weights are made float
again, and the normalisations, which were folded into them, are set from the statistics of training crops, so that the network
says what the model says, also while it is trained. Then `python -m training.detector.train --start FILE.pt`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from torch import nn

from handeye.parse.detector import WEIGHTS
from handeye.parse.tiling import space_to_depth
from training.detector.crops import Cutter
from training.detector.export import Shipped
from training.detector.network import Network
from training.recovering import normalisations, take_statistics, values_of

CROPS: Final = 16  # batches of them, for the statistics
BATCH: Final = 12

Layers = dict[str, tuple[np.ndarray, np.ndarray]]


def recover(model: Path, data: list[Path], seed: int = 5) -> Network:
    """The network of a quantised model that `export` wrote."""
    network = Network().eval()
    held = convolutions(model)
    convolved = {name: each for name, each in network.named_modules() if isinstance(each, nn.Conv2d)}
    if convolved.keys() != held.keys():
        raise ValueError(f"{model} is of another network: {sorted(convolved.keys() ^ held.keys())[:3]} differ")
    normalised = normalisations(network)
    with torch.no_grad():
        for name, layer in convolved.items():
            weight, bias = (torch.from_numpy(values.copy()) for values in held[name])
            layer.weight.copy_(weight)
            after = normalised.get(layer)
            if after is None:
                layer.bias.copy_(bias)
            else:  # nothing to normalise as yet
                after.bias.copy_(bias)
        take_statistics(normalised, lambda: _look(network, Cutter(data, seed)))
    return network


def convolutions(model: Path) -> Layers:
    """Weights and biases of a model's convolutions in float32, by the names of the network's layers."""
    graph = onnx.load(str(model)).graph
    value = values_of(graph)
    return {
        _layer(node.name): (value(node.input[1]), value(node.input[2])) for node in graph.node if node.op_type == "Conv"
    }


def _layer(node: str) -> str:
    """A layer's name from a node's: "/network/to_8/to_8.1/keep/keep.0/Conv" is "to_8.1.keep.0"."""
    parts = node.strip("/").split("/")[1:-1]
    names = [
        part.removeprefix(f"{before}.") if before else part for before, part in zip(["", *parts], parts, strict=False)
    ]
    return ".".join(names)


def _look(network: Network, cutter: Cutter) -> None:
    for _, crops in zip(range(CROPS), cutter.batches(BATCH), strict=False):
        Shipped(network)(torch.from_numpy(np.stack([space_to_depth(pixels) for pixels, _ in crops])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=WEIGHTS)
    parser.add_argument("--data", type=Path, nargs="+", default=[Path("out/training")])
    parser.add_argument("--out", type=Path, default=Path("out/training/detector/start.pt"))
    asked = parser.parse_args()
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(recover(asked.model, asked.data).state_dict(), asked.out)


if __name__ == "__main__":
    main()
