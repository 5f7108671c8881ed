"""Find pictures that are rotated or partly covered on the screen by SIFT keypoints, verified like any other match."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterable
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.matching.acceptance import MOST_TURN, TURNED_MOST, AcceptedMatch, agreement
from handeye.matching.evidence import is_verified
from handeye.matching.pyramid import SCALES, Peak, Picture, score_at
from handeye.matching.reference import Reference
from handeye.screen import Pixels, Screen

Floats = npt.NDArray[np.float32]

# Least keypoints for a usable picture; the plainest app icon has 4, most have 17-90.
LEAST_KEYPOINTS: Final = 10
# Least matches that agree on one shift, rotation and scale. Four points fit by chance on a screen full of letters.
LEAST_INLIERS: Final = 6
# D. Lowe's ratio of the best to the second-best distance (IJCV 2004: 0.8 drops 90 % of the false matches).
_RATIO: Final = 0.8
# Reprojection tolerance of a keypoint, in pixels of the picture.
_OFF_PX: Final = 3.0
# Half of SIFT's own: icons are plainer than photographs.
_CONTRAST: Final = 0.02
# Budget of pixels to search: keypoints take about 0.3 ms per thousand pixels.
_MOST_PIXELS: Final = 45_000
# A rotated picture extends beyond the upright box: by half the diagonal minus half the side.
_ROOM: Final = 0.25


class Keypoints(NamedTuple):
    """Points (n, 2) in pixels, and their descriptors (n, 128)."""

    points: Floats
    descriptors: Floats


def keypoints(gray: Pixels, mask: Pixels | None = None) -> Keypoints:
    """Return the SIFT keypoints of a picture; there may be none."""
    found, descriptors = cv2.SIFT.create(contrastThreshold=_CONTRAST).detectAndCompute(gray, mask)
    if descriptors is None:
        return Keypoints(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32))
    return Keypoints(np.array([point.pt for point in found], np.float32), np.asarray(descriptors, np.float32))


_KNOWN: Final[weakref.WeakKeyDictionary[Reference, Keypoints]] = weakref.WeakKeyDictionary()


def _keypoints_of(reference: Reference) -> Keypoints:
    """Return the reference's keypoints, computed once."""
    known = _KNOWN.get(reference)
    if known is None:
        known = _KNOWN[reference] = keypoints(reference.gray, reference.mask)
    return known


def find_rotated(reference: Reference, screen: Screen, around: Iterable[Box]) -> list[AcceptedMatch]:
    """
    Return the matches near `around` whose keypoints show the picture and whose other checks pass, in the order given.

    A match rotated by more than `MOST_TURN` is only a candidate: its score is `TURNED_MOST` at most.
    """
    places: list[AcceptedMatch] = []
    left = _MOST_PIXELS
    for box in around:
        area = box.expand(round(_ROOM * max(box.width, box.height))).clip(screen.size)
        left -= area.width * area.height
        if left < 0:
            break
        wanted = _keypoints_of(reference)
        if len(wanted.points) < LEAST_KEYPOINTS:
            break
        there = keypoints(np.ascontiguousarray(screen.gray[area.top : area.bottom, area.left : area.right]))
        similarity = _similarity(wanted, there)
        if similarity is not None:
            similarity[:, 2] += (area.left, area.top)
            places += _verified(reference, screen, similarity)
    return places


def _similarity(wanted: Keypoints, there: Keypoints) -> npt.NDArray[np.float64] | None:
    """
    Return the shift, rotation and scale (2x3) from the picture's points to the screen's, or None without enough agreement.
    """
    if len(there.points) < LEAST_INLIERS:
        return None
    pairs = cv2.BFMatcher().knnMatch(wanted.descriptors, there.descriptors, k=2)
    good = [
        best for best, second in (pair for pair in pairs if len(pair) == 2) if best.distance < _RATIO * second.distance
    ]
    if len(good) < LEAST_INLIERS:
        return None
    source = wanted.points[[match.queryIdx for match in good]]
    target = there.points[[match.trainIdx for match in good]]
    similarity, inliers = cv2.estimateAffinePartial2D(source, target, ransacReprojThreshold=_OFF_PX)
    # Several descriptors of one point count once.
    if similarity is None or len(np.unique(source[inliers.ravel() > 0].round(), axis=0)) < LEAST_INLIERS:
        return None
    return np.asarray(similarity, np.float64)


def _verified(reference: Reference, screen: Screen, similarity: npt.NDArray[np.float64]) -> list[AcceptedMatch]:
    """Return the match if the screen, rotated back upright, looks like the picture there; else an empty list."""
    scale = math.hypot(similarity[0, 0], similarity[1, 0])
    if not SCALES[0] <= scale <= SCALES[1]:
        return []
    height, width = reference.gray.shape
    upright = cv2.warpAffine(
        screen.pixels,
        similarity,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    turned_back = Screen(np.asarray(upright, np.uint8))
    picture = Picture(reference.gray, reference.mask)
    corners = np.array([(0, 0), (width, 0), (0, height), (width, height)]) @ similarity[:, :2].T + similarity[:, 2]
    low, high = np.floor(corners.min(axis=0)).astype(int).tolist(), np.ceil(corners.max(axis=0)).astype(int).tolist()
    angle = math.degrees(math.atan2(similarity[1, 0], similarity[0, 0]))
    whole = Peak(turned_back.box, 0.0, 1.0)
    gray, drawn = (score_at(turned_back, picture, kind, whole) for kind in ("gray", "edges"))
    most, turn = (TURNED_MOST, f", turned by {angle:.0f}°") if abs(angle) > MOST_TURN else (1.0, "")
    return [
        AcceptedMatch(Peak(Box(*low, *high), min(most, peak.score), scale, angle), f"keypoints{turn}, {how}", reference)
        for peak, how in agreement(whole, gray, drawn, reference)
        if is_verified(reference, turned_back, turned_back.box, peak.score)
    ]
