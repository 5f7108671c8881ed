"""Real frames of the virtual phone, reached by launching an app and tapping labels."""

from __future__ import annotations

import re

from handeye.geometry import Box
from handeye.screen import Screen
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario

MESSENGER = "com.tencent.mm"


class Phone:
    """A phone with a clock that stands still until told."""

    def __init__(self, names: str = "", density: int | None = None) -> None:
        self.time = 0.0
        self.model = PhoneModel(Scenario.parse(names), clock=lambda: self.time)
        if density is not None:
            self.model.override_density(density)

    def frame(self) -> Screen:
        return Screen.from_image(self.model.frame())

    def box_of(self, text: str) -> Box:
        """Box of a node with this text or description in the phone's own hierarchy."""
        pattern = rf'(?:text|content-desc)="{re.escape(text)}"[^>]*bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"'
        found = re.search(pattern, self.model.hierarchy())
        assert found, f"{text!r} is not on the phone"
        return Box(*(int(number) for number in found.groups()))

    def tap(self, text: str) -> Phone:
        point = self.box_of(text).center
        self.model.touch_down(*point)
        self.time += 0.05
        self.model.touch_up(*point)
        self.time += 0.5
        return self

    def focus_field(self) -> Phone:
        """Touch the first input field of the page."""
        node = next(node for node in self.model.hierarchy().split("<node") if "EditText" in node)
        bounds = re.search(r'bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"', node)
        assert bounds
        point = Box(*(int(number) for number in bounds.groups())).center
        self.model.touch_down(*point)
        self.time += 0.05
        self.model.touch_up(*point)
        self.time += 0.5
        return self

    def open(self, package: str = MESSENGER) -> Phone:
        self.model.launch(package)
        self.time += 0.5
        return self
