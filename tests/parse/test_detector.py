"""Tests of the shipped detector on drawn controls with known boxes and on frames of every size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from PIL import Image, ImageDraw, ImageFont

from handeye.errors import HandeyeError, ParserFailed
from handeye.geometry import Box
from handeye.ocr import open_session
from handeye.parse.decoding import CLASSES, STRIDES
from handeye.parse.detector import WEIGHTS, Detected, Detector
from handeye.parse.tiling import space_to_depth
from handeye.screen import Pixels

BUTTONS = {"Cancel": Box(560, 440, 660, 480), "Save changes": Box(676, 440, 836, 480)}
INPUTS = {"Your name": Box(440, 220, 836, 260), "Email address": Box(440, 310, 836, 350)}


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


def dialog() -> Pixels:
    """A settings dialog of 1280x800: two labelled fields, a plain and a filled button."""
    image = Image.new("RGB", (1280, 800), (243, 244, 246))
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(15)
    pen.rounded_rectangle((410, 130, 870, 510), 10, fill="white", outline=(215, 218, 224))
    pen.text((440, 155), "Account", fill=(20, 22, 26), font=ImageFont.load_default(22))
    for words, box in INPUTS.items():
        pen.text((box.left, box.top - 24), words, fill=(60, 64, 70), font=font)
        pen.rounded_rectangle(
            (box.left, box.top, box.right - 1, box.bottom - 1), 5, fill="white", outline=(180, 186, 194)
        )
        pen.text((box.left + 12, box.top + 11), f"Enter {words.lower()}", fill=(150, 154, 160), font=font)
    for (words, box), (fill, ink) in zip(
        BUTTONS.items(), (("white", (40, 44, 50)), ((24, 100, 220), "white")), strict=True
    ):
        pen.rounded_rectangle((box.left, box.top, box.right - 1, box.bottom - 1), 6, fill=fill, outline=(150, 156, 164))
        pen.text(box.center, words, fill=ink, font=font, anchor="mm")
    return np.asarray(image)


def overlaps(found: list[Detected], box: Box) -> list[Detected]:
    return [each for each in found if each.box.iou(box) >= 0.5]


def test_dialog_buttons_and_inputs_are_detected(detector: Detector) -> None:
    found = detector.detect(dialog())
    for box in BUTTONS.values():
        assert "button" in {each.role for each in overlaps(found, box)}
    for box in INPUTS.values():
        assert "input" in {each.role for each in overlaps(found, box)}
    assert found == sorted(found, key=lambda each: -each.score)


def test_detection_is_deterministic(detector: Detector) -> None:
    assert detector.detect(dialog()) == Detector(threads=1).detect(dialog())


def test_doubled_frame_has_the_same_buttons(detector: Detector) -> None:
    large = np.asarray(Image.fromarray(dialog()).resize((2560, 1600), Image.Resampling.LANCZOS))
    found = detector.detect(large)
    assert all(overlaps(found, box.scale(2, 2)) for box in BUTTONS.values())


@pytest.mark.parametrize(
    "size", [(320, 640), (1080, 2400), (3840, 2160), (1366, 768), (9, 2000), (8, 8), (7, 300), (1, 1)]
)
def test_blank_frame_of_any_size_has_no_elements(detector: Detector, size: tuple[int, int]) -> None:
    assert detector.detect(np.full((size[1], size[0], 3), 250, np.uint8)) == []


def test_detections_have_valid_boxes_roles_and_scores(detector: Detector) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (300, 500, 3)).astype(np.uint8)
    for each in detector.detect(noise, least=0.01):
        assert each.box.intersect((0, 0, 500, 300)) == each.box
        assert each.role in CLASSES
        assert 0 <= each.score <= 1


def test_detections_are_filtered_by_minimum_score(detector: Detector) -> None:
    every = detector.detect(dialog(), least=0.05)
    assert len(every) >= len(detector.detect(dialog()))
    assert min(each.score for each in every) >= 0.05


def test_invalid_model_file_is_reported(tmp_path: Path) -> None:
    broken = tmp_path / "detector.onnx"
    broken.write_bytes(b"no model")
    with pytest.raises(HandeyeError, match="reinstall handeye"):
        Detector(broken).detect(dialog())


def test_weights_file_stays_under_size_limit() -> None:
    assert WEIGHTS.stat().st_size <= 5_000_000


@pytest.mark.parametrize(("there", "instead"), [(b'"button": ', b'"buttom": '), (b'{"button"', b'["button"')])
def test_model_with_mismatched_class_floors_is_named(tmp_path: Path, there: bytes, instead: bytes) -> None:
    content = WEIGHTS.read_bytes()
    assert content.count(there) == 1
    model = tmp_path / "other.onnx"
    model.write_bytes(content.replace(there, instead))
    with pytest.raises(ParserFailed, match=r"floors.*other\.onnx"):
        Detector(model).detect(dialog())


def test_quantised_output_is_close_to_float_output() -> None:
    """Without VNNI, 8-bit products overflowed and the output was off by 1.1 on average; compared with floating point here."""
    frame = np.ascontiguousarray(np.tile(dialog(), (2, 2, 1))[:384, :384])
    pixels = space_to_depth(frame)[None]
    answers = [f"at_{stride}" for stride in STRIDES]
    exact = onnxruntime.SessionOptions()
    exact.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    expected = onnxruntime.InferenceSession(str(WEIGHTS), exact, providers=["CPUExecutionProvider"]).run(
        answers, {"pixels": pixels}
    )
    for answer, right in zip(open_session(WEIGHTS).run(answers, {"pixels": pixels}), expected, strict=True):
        assert np.abs(answer - right).mean() < 0.2
