"""Tests of tier 2 on a real window: a drawn button is detected, merged with the tree, and clicked."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from live_tree import LiveWindow, live_window, until
from xtest import mouse_on

from handeye.models import Prompt
from handeye.models.families.lookup import profile_named
from handeye.perceive import CompositeStateProvider, StructuralInferenceProvider, VisionStateProvider
from handeye.perceive.vision_model import ModelScreenParser
from handeye.testing.desktop import PrivateDesktop
from handeye.testing.models import ScriptedModel, pictures
from optional_programs import need_pyside

need_pyside()

BED = Path(__file__).parent / "beds" / "qt_bed.py"
TITLE = "Qt canvas"


def sees_crimson(prompt: Prompt) -> str:
    """A model that sees one thing on the picture it was sent: what is crimson. It writes as Gemini: thousandths, y first."""
    picture = np.asarray(pictures(prompt)[0].convert("RGB")).astype(int)
    height, width = picture.shape[:2]
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    down, across = np.nonzero((red > 190) & (green < 60) & (blue < 90))
    edges = [down.min() / height, across.min() / width, (down.max() + 1) / height, (across.max() + 1) / width]
    heart = {"name": "heart icon", "type": "Icon", "rect": [round(edge * 1000) for edge in edges], "confidence": 0.9}
    return json.dumps({"elements": [heart]})


@pytest.fixture(scope="module")
def bed(desktop: PrivateDesktop) -> Iterator[LiveWindow]:
    with live_window(desktop, TITLE, sys.executable, BED, "--title", TITLE) as window:
        window.find("button", "Save")
        yield window


def test_drawn_button_is_detected_numbered_and_clicked(desktop: PrivateDesktop, bed: LiveWindow) -> None:
    vision = VisionStateProvider(
        desktop.backend, ModelScreenParser(ScriptedModel(sees_crimson), profile_named("gemini"))
    )
    provider = CompositeStateProvider(StructuralInferenceProvider(bed.provider), vision)
    desktop.backend.focus(bed.window)
    detection = provider.detect(bed.window)
    (heart,) = [each for each in detection.targets if each.source == "vision"]
    assert heart.description == "heart icon"
    assert heart.id is not None
    assert detection.controls[heart.id - 1] is None
    assert {each.source for each in detection.targets} == {"accessibility", "structure", "vision"}
    assert [each.id for each in detection.targets] == list(range(1, len(detection.targets) + 1))
    with mouse_on(desktop.display) as mouse:
        mouse.click(heart.center)
    until(lambda: bed.told()["clicks"].get("heart") == 1)
