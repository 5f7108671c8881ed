"""A hand that finds nodes by the hierarchy, as a client does, and a clock that tests advance."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

import pytest

from handeye.geometry import Box
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario


class Clock:
    """Time that stands still until a test moves it."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time

    def pass_s(self, seconds: float) -> None:
        self.time += seconds


class Hand:
    """Touches a phone where its own dump says that something is."""

    def __init__(self, scenario: str | Scenario = "") -> None:
        self.clock = Clock()
        chosen = Scenario.parse(scenario) if isinstance(scenario, str) else scenario
        self.phone = PhoneModel(chosen, clock=self.clock)

    def nodes(self) -> Iterator[ET.Element]:
        return ET.fromstring(self.phone.hierarchy()).iter("node")

    def all(self, **wanted: str) -> list[ET.Element]:
        """Nodes with all these attributes; `id` is the resource-id after the slash, `desc` the content-desc."""

        def fits(node: ET.Element) -> bool:
            got = {
                **node.attrib,
                "id": node.get("resource-id", "").partition("/")[2],
                "desc": node.get("content-desc", ""),
                "cls": node.get("class", "").rpartition(".")[2],
            }
            return all(got.get(key.replace("_", "-")) == value for key, value in wanted.items())

        return [node for node in self.nodes() if fits(node)]

    def box(self, **wanted: str) -> Box:
        found = self.all(**wanted)
        texts = [node.get("text") or node.get("content-desc") for node in self.nodes()]
        assert found, f"nothing on the screen with {wanted}; there are {texts}"
        return box_of(found[0])

    def sees(self, **wanted: str) -> bool:
        return bool(self.all(**wanted))

    def texts(self) -> list[str]:
        return [node.get("text", "") for node in self.nodes() if node.get("text")]

    def tap(self, **wanted: str) -> None:
        box = self.box(**wanted)
        self.tap_at(*box.center)

    def tap_at(self, x: float, y: float) -> None:
        self.phone.touch_down(x, y)
        self.phone.touch_up(x, y)

    def hold(self, **wanted: str) -> None:
        x, y = self.box(**wanted).center
        self.phone.touch_down(x, y)
        self.clock.pass_s(0.6)
        self.phone.touch_up(x, y)

    def swipe(self, x1: float, y1: float, x2: float, y2: float, steps: int = 12) -> None:
        self.phone.touch_down(x1, y1)
        for step in range(1, steps + 1):
            part = step / steps
            self.phone.touch_move(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)
        self.phone.touch_up(x2, y2)

    def swipe_left(self) -> None:
        width, height = self.phone.size
        self.swipe(width * 0.85, height * 0.4, width * 0.15, height * 0.4)

    def swipe_right(self) -> None:
        width, height = self.phone.size
        self.swipe(width * 0.15, height * 0.4, width * 0.85, height * 0.4)

    def swipe_up(self, part: float = 0.4) -> None:
        width, height = self.phone.size
        self.swipe(width * 0.5, height * 0.7, width * 0.5, height * (0.7 - part))

    def open_messenger(self) -> None:
        self.phone.key(3)
        self.phone.key(3)
        self.swipe_left()
        self.tap(text="微信")

    def open_chat(self, name: str) -> None:
        self.tap(desc="搜索")
        self.phone.type_text(name)
        self.tap(text=name, id="name")

    def sent(self) -> dict[str, list[str]]:
        return self.phone.state.sent


def box_of(node: ET.Element) -> Box:
    left, top, right, bottom = map(int, re.findall(r"-?\d+", node.get("bounds", "")))
    return Box(left, top, right, bottom)


@pytest.fixture
def hand() -> Hand:
    """A calm phone."""
    return Hand()


@pytest.fixture
def make_hand() -> Callable[..., Hand]:
    """Makes a phone with a scenario."""
    return Hand


@pytest.fixture
def bounds() -> Callable[[ET.Element], Box]:
    """A dumped node's box."""
    return box_of
