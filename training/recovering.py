"""Float weights out of ONNX files that ship, and normalisations for them: what `recover` of each model needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper
from torch import Tensor, nn

Values = npt.NDArray[np.float32]


def values_of(graph: onnx.GraphProto) -> Callable[[str], Values]:
    """By name the constants of a graph in 32 bits, also those that it keeps in integers with a scale."""
    held: dict[str, npt.NDArray[Any]] = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    held |= {
        node.output[0]: numpy_helper.to_array(node.attribute[0].t) for node in graph.node if node.op_type == "Constant"
    }
    makers = {name: node for node in graph.node for name in node.output}

    def value(name: str) -> Values:
        if name in held:
            return held[name].astype(np.float32)
        node = makers[name]
        if node.op_type == "Cast":
            return value(node.input[0])
        if node.op_type == "Mul":
            return value(node.input[0]) * value(node.input[1])
        steps, scale, zero = (held[each].astype(np.float64) for each in node.input)
        along = (-1, *(1,) * (steps.ndim - 1)) if scale.size > 1 else ()
        return np.asarray((steps - zero.reshape(along)) * scale.reshape(along), np.float32)

    return value


def normalisations(network: nn.Module) -> dict[nn.Module, Any]:
    """The batch normalisation after each convolution that has one."""
    return {
        each[0]: each[1]
        for each in network.modules()
        if isinstance(each, nn.Sequential) and len(each) > 1 and isinstance(each[1], nn.BatchNorm2d)
    }


def take_statistics(normalised: Mapping[nn.Module, Any], look: Callable[[], None]) -> None:
    """Let each normalisation take out what its convolution makes of what `look` shows the network, and put it back in."""
    sums: dict[nn.Module, list[Any]] = {layer: [0, 0.0, 0.0] for layer in normalised}

    def seen(layer: nn.Module) -> Callable[..., None]:
        def add(_module: nn.Module, _given: Any, made: Tensor) -> None:
            values, total = made.double(), sums[layer]
            total[0] += values.numel() // values.shape[1]
            total[1] = total[1] + values.sum((0, 2, 3))
            total[2] = total[2] + (values * values).sum((0, 2, 3))

        return add

    hooks = [layer.register_forward_hook(seen(layer)) for layer in normalised]
    look()
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
