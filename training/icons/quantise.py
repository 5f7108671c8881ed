"""
The encoder in 8-bit integers, from one that is computed in 32 bits: `python -m training.icons.quantise --screens DIR`.

The scales of what lies between the layers are measured on masks of icons: here those of training's screens, cut as the product
cuts them. The last layer, from which the vector comes, keeps 32-bit arithmetic. What the vectors lose is told, on masks that
measured nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from handeye.geometry import Box
from handeye.parse.icon_crops import icon_masks
from handeye.parse.icons import ENCODER_WEIGHTS, IconEncoder
from training.icons.exporting import shorten

MEASURED_ON: Final = 512  # masks
LEAST_ALIKE: Final = 0.998  # cosine of a mask's vectors before and after
_BATCH: Final = 64
_PER_SCREEN: Final = 6
_LEAST_SIDE: Final = 8  # pixels of an icon
_IN_32_BITS: Final = frozenset(
    {"Sub", "Div", "ReduceL2"}
)  # what goes in is no weight's business, nor is the vector's length

Masks = npt.NDArray[np.float32]


class _Batches(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, masks: Masks) -> None:
        self._parts = iter([masks[first : first + _BATCH, None] for first in range(0, len(masks), _BATCH)])

    def get_next(self) -> dict[str, Masks] | None:
        part = next(self._parts, None)
        return None if part is None else {"masks": part}


def quantise(model: Path, out: Path, masks: Masks) -> None:
    """Write to `out` the encoder `model` in 8-bit integers; `masks` (n, 64, 64) are what it is to see."""
    with tempfile.TemporaryDirectory() as folder:
        plain, prepared, small = (Path(folder) / f"{name}.onnx" for name in ("plain", "prepared", "small"))
        onnx.save(_widened(onnx.load(model)), plain)
        quant_pre_process(str(plain), str(prepared), skip_symbolic_shape=True)
        nodes = onnx.load(prepared).graph.node
        last = [node.name for node in nodes if node.op_type == "Gemm"][-1]
        quantize_static(
            str(prepared), str(small), _Batches(masks), quant_format=QuantFormat.QDQ, per_channel=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, calibrate_method=CalibrationMethod.MinMax,
            nodes_to_exclude=[last, *(node.name for node in nodes if node.op_type in _IN_32_BITS)],
        )  # fmt: skip
        made = onnx.load(small)
    shorten(made.graph)
    onnx.checker.check_model(made)
    onnx.save(made, out)


def _widened(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with its 8-bit weights turned back to 32 bits, as the engine does on loading it."""
    graph = model.graph
    held: dict[str, Any] = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    rest = []
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in held:
            held[node.output[0]] = held[node.input[0]].astype(np.float32)
        elif node.op_type == "Mul" and all(name in held for name in node.input):
            held[node.output[0]] = held[node.input[0]] * held[node.input[1]]
        else:
            rest.append(node)
    used = {name for node in rest for name in node.input}
    del graph.node[:], graph.initializer[:]
    graph.node.extend(rest)
    graph.initializer.extend(numpy_helper.from_array(values, name) for name, values in held.items() if name in used)
    return model


def masks_of_screens(folder: Path, count: int, seed: int) -> Masks:
    """Masks of icons on screens of `folder`, a few of each: what the product would show the encoder."""
    chance = random.Random(seed)
    truths = sorted(folder.rglob("*.json"))
    chance.shuffle(truths)
    masks: list[Masks] = []
    for truth in truths:
        picture = next((p for end in (".png", ".jpg") if (p := truth.with_suffix(end)).exists()), None)
        if picture is None:
            continue
        pixels = cv2.cvtColor(np.asarray(cv2.imread(str(picture)), np.uint8), cv2.COLOR_BGR2RGB)
        frame = Box(0, 0, pixels.shape[1], pixels.shape[0])
        told = json.loads(truth.read_text(encoding="utf-8"))["elements"]
        boxes = [Box(*each["box"]) for each in told if each["role"] == "icon"]
        boxes = [box for box in boxes if min(box.width, box.height) >= _LEAST_SIDE and box.intersect(frame) == box]
        masks += [*icon_masks(np.asarray(pixels, np.uint8), chance.sample(boxes, min(_PER_SCREEN, len(boxes))))]
        if len(masks) >= count:
            break
    return np.stack(masks[:count])


def likeness(one: Path, other: Path, masks: Masks) -> npt.NDArray[np.float32]:
    """The cosines of the vectors that two encoders give, (n,)."""
    vectors = [IconEncoder(path, threads=1).encode(masks) for path in (one, other)]
    return np.asarray((vectors[0] * vectors[1]).sum(1), np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=ENCODER_WEIGHTS, help="an encoder that is computed in 32 bits")
    parser.add_argument("--screens", type=Path, default=Path("out/training/screens/train"))
    parser.add_argument("--out", type=Path, default=ENCODER_WEIGHTS)
    parser.add_argument("--seed", type=int, default=3)
    asked = parser.parse_args()
    masks = masks_of_screens(asked.screens, 2 * MEASURED_ON, asked.seed)
    made = asked.out.with_suffix(".part")
    quantise(asked.model, made, masks[:MEASURED_ON])
    alike = likeness(asked.model, made, masks[MEASURED_ON:])
    print(f"cosine with the 32-bit vectors: mean {alike.mean():.5f}, least {alike.min():.5f} of {len(alike)}")
    if alike.min() < LEAST_ALIKE:
        made.unlink()
        raise SystemExit(f"an icon's vector is off by more than a cosine of {LEAST_ALIKE}; nothing was written")
    made.replace(asked.out)
    print(f"{asked.out}: {asked.out.stat().st_size / 1e6:.2f} MB; now seal it: python -m training.seal")


if __name__ == "__main__":
    main()
