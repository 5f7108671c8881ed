"""
Write the files that ship, from a checkpoint: `python -m training.icons.export [--out DIR]`.

`icons.onnx` is the encoder; `icons.npz` holds the words, the classes' centroids, the background and the calibration. The file
is read back and compared with the network it came from.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from handeye.parse.icons import ENCODER_WEIGHTS as ENCODER
from handeye.parse.icons import WEIGHTS as INDEX
from handeye.parse.icons import IconEncoder, IconIndex, packed
from training.icons.calibrate import UNCALIBRATED, calibrate
from training.icons.crops import Crops
from training.icons.dataset import Drawings, Icon, Labelled, load
from training.icons.exporting import fused, write_encoder
from training.icons.network import IconNet, TextNet
from training.icons.places import argument_parser, places_of
from training.icons.quantise import MEASURED_ON, likeness, quantise
from training.icons.sets import CATEGORY_WEIGHT

BACKGROUND: Final = 2000
OF_CONCEPT: Final = 24  # drawings that a concept's centroids are made of
OF_NAME: Final = 6  # drawings that a class of a plain name is made of
CENTROIDS: Final = 4  # of a concept: outlines, filled ones, and what else it is drawn as
MAX_DIFFERENCE: Final = 0.02  # of a vector's numbers between the file and the network: int8 weights
_LEAST_WEIGHT: Final = min(CATEGORY_WEIGHT.values())

Vectors = npt.NDArray[np.float32]


def centroids_of(labelled: Labelled, crops: Crops, prototypes: Vectors, seed: int) -> tuple[npt.NDArray[np.int8], Any]:
    """The centroids of all classes, as int8, and the class of each; sorted by class."""
    random = np.random.default_rng(seed)
    shown = drawings_of_classes(labelled, random)
    vectors, of = crops.vectors(shown), np.array([icon.cls for icon in shown])
    rows, classes = [], []
    for cls, name in enumerate(labelled.classes):
        count = CENTROIDS if name in labelled.concept_ids else 1
        found = [prototypes[cls], *_means(vectors[of == cls], count, random)]
        rows += found
        classes += [cls] * len(found)
    return _short(np.stack(rows)), np.array(classes, np.int16)


def drawings_of_classes(labelled: Labelled, random: np.random.Generator) -> list[Icon]:
    """The icons that centroids are made of: some of each class, by class."""
    by_class: dict[int, list[Icon]] = {}
    for at in random.permutation(len(labelled.icons)):
        icon = labelled.icons[at]
        if icon.cls >= 0 and icon.weight >= _LEAST_WEIGHT:
            limit = OF_CONCEPT if labelled.classes[icon.cls] in labelled.concept_ids else OF_NAME
            chosen = by_class.setdefault(icon.cls, [])
            if len(chosen) < limit:
                chosen.append(icon)
    return [icon for cls in sorted(by_class) for icon in by_class[cls]]


def _means(vectors: Vectors, count: int, random: np.random.Generator, rounds: int = 8) -> list[Vectors]:
    """The unit means of at most `count` groups of vectors (spherical k-means); small groups are dropped."""
    if not len(vectors):
        return []
    centres = vectors[random.choice(len(vectors), min(count, max(1, len(vectors) // 6)), replace=False)]
    for _ in range(rounds):
        nearest = (vectors @ centres.T).argmax(axis=1)
        groups = [vectors[nearest == at] for at in range(len(centres))]
        groups = [group for group in groups if len(group) >= max(1, len(vectors) // 12)]
        centres = np.stack([group.mean(axis=0) for group in groups])
        centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    return list(centres)


def _short(vectors: Vectors) -> npt.NDArray[np.int8]:
    return np.rint(vectors * 127).astype(np.int8)


def words_of(text: TextNet, tokens: list[str]) -> dict[str, Any]:
    """The text side as the product keeps it."""
    with torch.inference_mode():
        vectors = text.word_vectors().numpy()
        weights = text.weight.weight[:, 0].abs().numpy()
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-9) / 127
    return {
        "tokens": packed(tokens),
        "word_vectors": np.rint(vectors / scales[:, None]).astype(np.int8),
        "word_scales": scales.astype(np.float32),
        "word_weights": weights.astype(np.float32),
        "inner": text.inner.weight.detach().numpy().T.astype(np.float16),
        "bias": text.inner.bias.detach().numpy().astype(np.float16),
        "outer": text.outer.weight.detach().numpy().T.astype(np.float16),
    }


def check_parity(net: IconNet, encoder: IconEncoder, masks: Vectors) -> float:
    """The largest difference between the file's vectors and the network's. Raises ValueError beyond MAX_DIFFERENCE."""
    with torch.inference_mode():
        wanted = fused(net)(torch.from_numpy(masks)[:, None]).numpy()
    difference = float(np.abs(encoder.encode(masks) - wanted).max())
    if difference > MAX_DIFFERENCE:
        raise ValueError(f"the exported encoder differs by {difference:.4f} from the network")
    return difference


def export(arguments: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    places = places_of(arguments)
    arguments.out.mkdir(parents=True, exist_ok=True)
    kept = torch.load(places.runs / arguments.run / "checkpoint.pt", weights_only=True)
    labelled, drawings = load(places), Drawings.opened(places)
    net, text = IconNet(), TextNet(kept["text"]["meanings"])
    net.load_state_dict(kept["icon"])
    text.load_state_dict(kept["text"])
    wide = places.runs / arguments.run / "wide.onnx"
    write_encoder(net, wide)
    encoder = IconEncoder(arguments.out / ENCODER.name, threads=1)
    crops = Crops(drawings, encoder, places.bank)
    print(f"parity: {check_parity(net.eval(), IconEncoder(wide, threads=1), crops.masks(labelled.icons[:64])):.4f}")
    seen = [labelled.icons[at] for at in np.random.default_rng(1).permutation(len(labelled.icons))[: 2 * MEASURED_ON]]
    quantise(wide, arguments.out / ENCODER.name, crops.masks(seen[:MEASURED_ON]))
    alike = likeness(wide, arguments.out / ENCODER.name, crops.masks(seen[MEASURED_ON:]))
    print(f"in integers: cosine {alike.mean():.5f}, least {alike.min():.5f}", flush=True)
    prototypes = torch.nn.functional.normalize(kept["prototypes"], dim=1).numpy()
    of_now = _of_present_classes(prototypes, kept["classes"], labelled.classes)
    centroids, classes = centroids_of(labelled, crops, of_now, seed=2)
    random = np.random.default_rng(3)
    everything = labelled.icons + labelled.calibration
    shown = [everything[int(at)] for at in random.choice(len(everything), BACKGROUND, replace=False)]
    held = {
        "class_names": packed([_name(labelled, cls) for cls in range(len(labelled.classes))]),
        "concepts": np.array(len(labelled.concept_ids)),
        "centroids": centroids,
        "centroid_class": classes,
        "background": _short(crops.vectors(shown)),
        **words_of(text, kept["tokens"]),
        "class_mean": np.zeros(len(labelled.classes), np.float16),
        "class_deviation": np.ones(len(labelled.classes), np.float16),
        **UNCALIBRATED,
    }
    path = arguments.out / INDEX.name
    np.savez_compressed(path, **held)
    mean, deviation = IconIndex(path).background_likeness()
    held.update(class_mean=mean.astype(np.float16), class_deviation=deviation.astype(np.float16))
    np.savez_compressed(path, **held)
    held.update(calibrate(path, labelled, crops.vectors, print))
    np.savez_compressed(path, **held)
    crops.keep()
    for file in (path, arguments.out / ENCODER.name):
        print(f"{file.name}: {file.stat().st_size / 1e6:.2f} MB")


def _of_present_classes(prototypes: Vectors, then: list[str], now: list[str]) -> Vectors:
    """The prototypes in the order of the present classes; of a class that is new, the mean of all: nothing is like it."""
    row = {name: at for at, name in enumerate(then)}
    mean = prototypes.mean(axis=0)
    return np.stack([prototypes[row[name]] if name in row else mean for name in now]).astype(np.float32)


def _name(labelled: Labelled, cls: int) -> str:
    """A concept's id; of a class by name the name as it is mostly written."""
    name = labelled.classes[cls]
    return name if name in labelled.concept_ids else labelled.texts[cls][0]


if __name__ == "__main__":
    parser = argument_parser(__doc__)
    parser.add_argument("--run", default="icons")
    parser.add_argument("--out", type=Path, default=ENCODER.parent)
    export(parser.parse_args())
