"""Elements in a line each, and what the rules infer from them."""

from __future__ import annotations

from collections.abc import Sequence

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive import StructuralInferenceProvider
from handeye.testing.perceiving import FixedProvider, window_of


def target(
    id: int, role: str, box: tuple[int, int, int, int], text: str = "", parent: int | None = None, **about: object
) -> UIElement:
    return UIElement(role, "", Box(*box), text=text, id=id, parent=parent, source="accessibility", metadata=about)


def inferred(targets: Sequence[UIElement]) -> dict[str, UIElement]:
    detection = StructuralInferenceProvider(FixedProvider(targets)).detect(window_of())
    return {each.description: each for each in detection.targets if each.source == "structure"}
