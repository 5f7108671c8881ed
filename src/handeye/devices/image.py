"""An image file as a read-only device."""

from __future__ import annotations

from pathlib import Path

from handeye.actions import Action, ActionResult
from handeye.errors import UnsupportedAction
from handeye.screen import Screen


class ImageDevice:
    """The image file `path`, read again for each screenshot. Raises InvalidImage if it cannot be read."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def __repr__(self) -> str:
        return f"ImageDevice({str(self.path)!r})"

    @property
    def uri(self) -> str:
        return f"image:{self.path}"

    def screenshot(self) -> Screen:
        return Screen.open(self.path)

    def perform(self, action: Action) -> ActionResult:
        """Raise UnsupportedAction: an image cannot be acted on."""
        raise UnsupportedAction(
            f"{self.uri} is a picture; {type(action).__name__} needs a phone or a desktop, such as `--device phone:`"
        )

    def close(self) -> None:
        """Do nothing: no resource is open."""
