"""The encoder as an ONNX file with 8-bit weights; `quantise` makes of it the one that ships, which is computed in integers."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from training.icons.network import IconNet

_LEVELS = 127.0
_SMALL = 2048  # weights of fewer numbers stay as they are


class _Plain(nn.Module):
    """The encoder for export: normalisation of the input and of the output, nothing that depends on the batch."""

    def __init__(self, net: IconNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, masks: torch.Tensor) -> torch.Tensor:
        out = self.net.out(self.net.features((masks - 0.25) / 0.35))
        return out / out.norm(dim=1, keepdim=True)


def fused(net: IconNet) -> IconNet:
    """A copy for use: batch normalisation folded into the convolutions."""
    net = copy.deepcopy(net).float().eval().to(memory_format=torch.contiguous_format)
    for module in list(net.modules()):
        if isinstance(module, nn.Sequential):
            for at in range(len(module) - 1):
                if isinstance(module[at], nn.Conv2d) and isinstance(module[at + 1], nn.BatchNorm2d):
                    module[at] = fuse_conv_bn_eval(module[at], module[at + 1])
                    module[at + 1] = nn.Identity()
    return net


def write_encoder(net: IconNet, path: Path) -> None:
    """Write the encoder: "masks" (n, 1, 64, 64) to "vectors" (n, DIM)."""
    torch.onnx.export(
        _Plain(fused(net)),
        (torch.rand(2, 1, 64, 64),),
        path,
        input_names=["masks"],
        output_names=["vectors"],
        dynamic_axes={"masks": {0: "n"}, "vectors": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(path)
    shorten(model.graph)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def shorten(graph: onnx.GraphProto) -> None:
    """
    Keep each large weight as int8 with a scale per output, turned back by nodes that the engine runs once, on loading.

    The arithmetic stays in 32 bits. What is no float32 matrix stays as it is.
    """
    nodes, kept = [], []
    for weight in graph.initializer:
        values = numpy_helper.to_array(weight)
        if values.ndim < 2 or values.size < _SMALL or values.dtype != np.float32:
            kept.append(weight)
            continue
        scale = np.abs(values).reshape(len(values), -1).max(axis=1) / _LEVELS
        shaped = scale.reshape(-1, *([1] * (values.ndim - 1))).astype(np.float32)
        small = np.rint(values / np.maximum(shaped, 1e-12)).astype(np.int8)
        name = weight.name
        kept += [numpy_helper.from_array(small, f"{name}.small"), numpy_helper.from_array(shaped, f"{name}.scale")]
        nodes += [
            helper.make_node("Cast", [f"{name}.small"], [f"{name}.wide"], to=onnx.TensorProto.FLOAT),
            helper.make_node("Mul", [f"{name}.wide", f"{name}.scale"], [name]),
        ]
    rest = list(graph.node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend([*nodes, *rest])
