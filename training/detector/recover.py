"""
Weights to train on from the model that ships: `python -m training.detector.recover --data DIR --out FILE.pt`.

A checkpoint is 30 MB and lost with its machine; the shipped int8 model is in the repository. Its weights are made float
again, and the normalisations, which were folded into them, are set from the statistics of training crops, so that the network
says what the model says, also while it is trained. Then `python -m training.detector.train --start FILE.pt`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from handeye.parse.detector import WEIGHTS
from handeye.parse.framing import folded
from training.detector.crops import Cutter
from training.detector.export import Shipped
from training.detector.network import Network

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
    normalised = {
        each[0]: each[1]
        for each in network.modules()
        if isinstance(each, nn.Sequential) and len(each) > 1 and isinstance(each[1], nn.BatchNorm2d)
    }
    with torch.no_grad():
        for name, layer in convolved.items():
            weight, bias = (torch.from_numpy(values.copy()) for values in held[name])
            layer.weight.copy_(weight)
            after = normalised.get(layer)
            if after is None:
                layer.bias.copy_(bias)
            else:  # nothing to normalise as yet
                after.bias.copy_(bias)
        _take_statistics(network, normalised, Cutter(data, seed))
    return network


def convolutions(model: Path) -> Layers:
    """Weights and biases of a model's convolutions in float32, by the names of the network's layers."""
    graph = onnx.load(str(model)).graph
    constants = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    constants |= {
        node.output[0]: numpy_helper.to_array(node.attribute[0].t) for node in graph.node if node.op_type == "Constant"
    }
    makers = {name: node for node in graph.node for name in node.output}

    def value(name: str) -> np.ndarray:
        if name in constants:
            return constants[name].astype(np.float32)
        steps, scale, zero = (constants[each].astype(np.float64) for each in makers[name].input)
        along = (-1, *(1,) * (steps.ndim - 1)) if scale.size > 1 else ()
        return np.asarray((steps - zero.reshape(along)) * scale.reshape(along), np.float32)

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


def _take_statistics(network: Network, normalised: dict[Any, Any], cutter: Cutter) -> None:
    """Let each normalisation take out what its convolution makes of training crops, and put it back in."""
    sums: dict[nn.Module, list[Any]] = {layer: [0, 0.0, 0.0] for layer in normalised}

    def seen(layer: nn.Module) -> Callable[..., None]:
        def add(_module: nn.Module, _given: Any, made: Tensor) -> None:
            values, total = made.double(), sums[layer]
            total[0] += values.numel() // values.shape[1]
            total[1] = total[1] + values.sum((0, 2, 3))
            total[2] = total[2] + (values * values).sum((0, 2, 3))

        return add

    hooks = [layer.register_forward_hook(seen(layer)) for layer in normalised]
    for _, crops in zip(range(CROPS), cutter.batches(BATCH), strict=False):
        Shipped(network)(torch.from_numpy(np.stack([folded(pixels) for pixels, _ in crops])))
    for hook in hooks:
        hook.remove()
    for layer, after in normalised.items():
        count, total, squares = sums[layer]
        mean = total / count
        spread = (squares / count - mean**2).clamp_min(1e-6)
        after.running_mean.copy_(mean)
        after.running_var.copy_(spread)
        after.weight.copy_((spread + after.eps).sqrt())
        after.bias.add_(mean)


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
