"""
Writes the trained network as ONNX: `python -m training.detector.export --weights out/training/detector/weights.pt --data DIR`.

The file takes a frame's uint8 pixels as they are, and carries the floors of the scores. Two are made: in float32, which must
agree with torch, and in int8, whose convolutions run on 8-bit integers with scales measured on screens of the training split;
the last layer of each head stays in float32. Which one ships is chosen by `evaluate`.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import Tensor, nn

from handeye.parse.decoding import CLASSES
from handeye.parse.tiling import network_scale, space_to_depth
from training.detector.crops import Pixels, open_picture, screens
from training.detector.network import Network

FIRST_FLOOR = 0.3  # of every class, until `evaluate --set-floors` has measured them
PARITY = 2e-3  # logits may differ by this much between torch and ONNX in float32
CALIBRATED_ON = 24  # crops


class Shipped(nn.Module):
    """The network with its input as the product has it: (1, height/4, width/4, 48) uint8."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, pixels: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        maps: tuple[Tensor, Tensor, Tensor] = self.network(pixels.permute(0, 3, 1, 2).float() / 255)
        return maps


class Samples(CalibrationDataReader):  # type: ignore[misc]
    """Parts of training screens at the size the product shows them."""

    def __init__(self, data: list[Path], count: int, seed: int) -> None:
        self._parts = _parts(data, count, seed)

    def get_next(self) -> dict[str, Pixels] | None:
        part = next(self._parts, None)
        return None if part is None else {"pixels": part}


def _parts(data: list[Path], count: int, seed: int) -> Iterator[Pixels]:
    draw = random.Random(seed)
    found = screens(data, "train")
    for _ in range(count):
        truth = draw.choice(found[draw.choice(list(found))])
        pixels = open_picture(next(p for end in (".png", ".jpg") if (p := truth.with_suffix(end)).exists()))
        scale = network_scale((pixels.shape[1], pixels.shape[0]))
        shown = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        height, width = (max(64, min(640, side) // 64 * 64) for side in shown.shape[:2])
        top, left = draw.randint(0, max(0, shown.shape[0] - height)), draw.randint(0, max(0, shown.shape[1] - width))
        part = np.zeros((height, width, 3), np.uint8)
        seen = shown[top : top + height, left : left + width]
        part[: seen.shape[0], : seen.shape[1]] = seen
        yield space_to_depth(part)[None]


def export(weights: Path, out: Path) -> None:
    """The network of `weights` in float32 at `out`. Raises ValueError when its answers differ from torch's."""
    network = Network()
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    shipped = Shipped(network).eval()
    sides = {"pixels": {1: "height", 2: "width"}}
    names = ["at_8", "at_16", "at_32"]
    example = (torch.zeros(1, 64, 80, 48, dtype=torch.uint8),)
    torch.onnx.export(
        shipped, example, str(out), input_names=["pixels"], output_names=names, dynamic_axes=sides, dynamo=False,
        opset_version=17,
    )  # fmt: skip
    difference = parity(shipped, out)
    if difference > PARITY:
        raise ValueError(f"{out} differs from torch by {difference:.4f} in a logit; {PARITY} is allowed")
    print(f"{out}: {out.stat().st_size / 1e6:.2f} MB, parity {difference:.1e}")


def parity(shipped: nn.Module, model: Path) -> float:
    """The largest difference between torch's and ONNX's answers for noise of two sizes."""
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    largest = 0.0
    for seed, (height, width) in enumerate(((48, 112), (160, 80))):
        pixels = np.random.default_rng(seed).integers(0, 256, (1, height, width, 48)).astype(np.uint8)
        with torch.no_grad():
            expected = shipped(torch.from_numpy(pixels))
        for one, other in zip(expected, session.run(None, {"pixels": pixels}), strict=True):
            largest = max(largest, float(np.abs(one.numpy() - other).max()))
    return largest


def quantised(model: Path, out: Path, samples: Samples) -> None:
    """The same in int8, written to `out`."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / "prepared.onnx"
        quant_pre_process(str(model), str(prepared), skip_symbolic_shape=True)
        graph = onnx.load(str(prepared)).graph
        last = [_maker(graph.node, output.name) for output in graph.output]
        quantize_static(
            str(prepared), str(out), samples, quant_format=QuantFormat.QDQ, per_channel=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, nodes_to_exclude=last,
            calibrate_method=CalibrationMethod.MinMax,
        )  # fmt: skip
    _take_bytes(out)
    _tell_inner_maps(out)
    print(f"{out}: {out.stat().st_size / 1e6:.2f} MB")


def _take_bytes(model: Path) -> None:
    """
    Let the quantised model take the frame's bytes as they are: they already are what its first step would make of them.

    The network's input is a byte / 255; quantised over 0-1 it is that byte again, so the cast, division and quantisation go.
    """
    loaded = onnx.load(str(model))
    graph = loaded.graph
    into = {name: node for node in graph.node for name in node.input}
    node, needless = into["pixels"], []
    while node.op_type != "DequantizeLinear":
        if node.op_type != "Transpose":
            needless.append(node)
        node = into[node.output[0]]
    for each in needless:
        into[each.output[0]].input[0] = each.input[0]
        graph.node.remove(each)
        into = {name: node for node in graph.node for name in node.input}
    constants = {each.name: each for each in graph.initializer}
    for name, value in zip(node.input[1:3], (np.array(1 / 255, np.float32), np.array(0, np.uint8)), strict=True):
        constants[name].CopyFrom(onnx.numpy_helper.from_array(value, name))
    del graph.value_info[:]
    onnx.checker.check_model(loaded)
    onnx.save(loaded, str(model))


def _tell_inner_maps(model: Path) -> None:
    """
    Let the quantised model also tell the maps that its heads look at, as the codes (uint8) that it has them in.

    `handeye.parse.feature_maps` looks candidates up in them.
    """
    loaded = onnx.load(str(model))
    graph = loaded.graph
    makers = {name: node for node in graph.node for name in node.output}
    for answer in [each.name for each in graph.output]:
        node, passed = makers[answer], 0
        while passed < 2:  # the codes that the last layer but one of a head is given
            node = makers[node.input[0]]
            passed += node.op_type == "QuantizeLinear"
        inner = answer.replace("at_", "inner_")
        graph.node.append(onnx.helper.make_node("Identity", [node.output[0]], [inner], name=inner))
        graph.output.append(onnx.helper.make_tensor_value_info(inner, onnx.TensorProto.UINT8, (1, None, None, None)))
    onnx.checker.check_model(loaded)
    onnx.save(loaded, str(model))


def _maker(nodes: Any, output: str) -> str:
    return str(next(node.name for node in nodes if output in node.output))


def set_floors(model: Path, floors: dict[str, float]) -> None:
    """Write the lowest score per role that counts into the file."""
    loaded = onnx.load(str(model))
    onnx.helper.set_model_props(loaded, {"floors": json.dumps(floors)})
    onnx.save(loaded, str(model))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=Path("out/training/detector/weights.pt"))
    parser.add_argument("--data", type=Path, nargs="+", default=[Path("out/training")])
    parser.add_argument("--out", type=Path, default=Path("out/training/detector"))
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    exact, small = asked.out / "detector-fp32.onnx", asked.out / "detector-int8.onnx"
    export(asked.weights, exact)
    quantised(exact, small, Samples(asked.data, CALIBRATED_ON, asked.seed))
    for model in (exact, small):
        set_floors(model, dict.fromkeys(CLASSES, FIRST_FLOOR))


if __name__ == "__main__":
    main()
