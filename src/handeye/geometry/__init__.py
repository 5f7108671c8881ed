"""Points, sizes and boxes in frame pixels, and the conversion of a model's numbers to pixels.

Standard library only. Everything inside Handeye is in pixels of the captured frame; a box is half-open, so
`right - left` is its width and `right` itself is the first column that no longer belongs to it. Numbers in another
unit (see `CoordinateSpace`) are plain sequences until `to_pixel_box` has turned them into a `Box`.

The rules and numbers are those of docs/spec/coordinates.md; `click_point` and `check_location` are from
docs/spec/visual-locator.md.
"""

from handeye.geometry.placing import LocationCheck, check_location, click_point
from handeye.geometry.spaces import OVERSHOOT, PER_MILLE, CoordinateSpace, detect_space, to_pixel_box, to_pixel_boxes
from handeye.geometry.values import Box, Point, Size

__all__ = [
    "OVERSHOOT",
    "PER_MILLE",
    "Box",
    "CoordinateSpace",
    "LocationCheck",
    "Point",
    "Size",
    "check_location",
    "click_point",
    "detect_space",
    "to_pixel_box",
    "to_pixel_boxes",
]
