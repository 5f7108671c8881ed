"""Tests of reading a box's features from the detector's inner maps: the right cells of the right tile."""

from __future__ import annotations

import numpy as np

from handeye.geometry import Box
from handeye.parse.decoding import STRIDES
from handeye.parse.detector import Detector
from handeye.parse.feature_maps import ROI_FEATURES, WIDTHS, FeatureMap, roi_features
from handeye.parse.tiling import Tile

FRAME = Box(0, 0, 640, 320)


def maps(code: int = 0) -> tuple[np.ndarray, ...]:
    return tuple(
        np.full((width, FRAME.height // stride, FRAME.width // stride), code, np.uint8)
        for width, stride in zip(WIDTHS, STRIDES, strict=True)
    )


def boxes(*each: tuple[float, float, float, float]) -> np.ndarray:
    return np.array(each, np.float32).reshape(-1, 4)


def test_features_without_maps_are_zero() -> None:
    assert not roi_features(boxes((0, 0, 10, 10)), []).any()
    assert roi_features(boxes(), []).shape == (0, ROI_FEATURES)


def test_features_use_only_cells_inside_the_box() -> None:
    held = maps()
    for values, stride in zip(held, STRIDES, strict=True):
        values[:, 128 // stride : 160 // stride, 320 // stride : 352 // stride + 1] = (
            64  # its right end is the next cell
        )
    told = roi_features(boxes((320, 128, 352, 160), (480, 128, 512, 160)), [FeatureMap(Tile(FRAME, FRAME), 1.0, held)])
    assert told[0].min() > 0
    assert not told[1].any()


def test_boxes_of_shrunk_frame_are_scaled_to_map() -> None:
    held = maps()
    held[2][:, 2, 3] = 64  # the cell of 32 pixels from (96, 64) on
    seen = [FeatureMap(Tile(FRAME, FRAME), 0.5, held)]
    told = roi_features(boxes((200, 140, 240, 180), (100, 70, 120, 90)), seen)
    assert told[0, -WIDTHS[2] :].min() > 0
    assert not told[1, -WIDTHS[2] :].any()


def test_features_come_from_tile_owning_box_centre() -> None:
    left, right = Box(0, 0, 320, 320), Box(320, 0, 640, 320)
    seen = [
        FeatureMap(Tile(Box(0, 0, 448, 320), left), 1.0, maps(32)),
        FeatureMap(Tile(Box(192, 0, 640, 320), right), 1.0, maps(96)),
    ]
    told = roi_features(boxes((300, 10, 330, 30), (310, 10, 340, 30)), seen)
    assert np.allclose(told[0], 1)
    assert np.allclose(told[1], 3)


def test_detector_look_returns_maps_and_equals_detect() -> None:
    pixels = np.full((300, 500, 3), 250, np.uint8)
    pixels[100:140, 100:220] = (30, 90, 200)
    detector = Detector()
    sight = detector.look(pixels, least=0.05)
    assert sight.found == detector.detect(pixels, least=0.05)
    (only,) = sight.maps
    assert tuple(len(each) for each in only.maps) == WIDTHS
    on, off = roi_features(boxes((100, 100, 220, 140), (350, 200, 470, 240)), sight.maps)
    assert np.abs(on - off).max() > 0.2
