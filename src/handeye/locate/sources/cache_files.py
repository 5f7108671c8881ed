"""Remembered places in a folder: one file each, so that processes need no common index."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from handeye.elements import UIElement
from handeye.errors import ParserFailed, WriteFailed
from handeye.files import write_bytes
from handeye.geometry import Box, Size
from handeye.matching import Fingerprint
from handeye.parse import read_arrays
from handeye.target import Target

# A place takes 20-60 KB on a phone's screen: about 20 MB in all.
MOST_PLACES: Final = 512
_VERSION: Final = 4
# Characters of a name in a file name; the digest behind them tells the rest apart.
_READABLE: Final = 24
_SWITCH: Final = "HANDEYE_CACHE"
_log = logging.getLogger(__name__)


def cache_folder() -> Path | None:
    """
    Return the folder for places by the system's convention. `HANDEYE_CACHE` moves it; `HANDEYE_CACHE=off` keeps nothing (None).
    """
    named = os.environ.get(_SWITCH, "")
    if named.strip().casefold() in ("off", "0", "no", "false"):
        return None
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "handeye" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "handeye"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "handeye"


class PlaceFiles:
    """
    A folder of places, one sub-folder for each app and screen size, readable by its owner only.

    A file holds an element as JSON and the arrays of its picture, with checksums: what is damaged is removed with a line in the
    log. It is written whole or not at all. A folder that cannot be written is a warning, once: a cache must not fail a run. At
    most MOST_PLACES are kept, the last used ones. Safe to share between threads.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "places"
        self._complained = False

    def load(self, app: str, size: Size, target: Target) -> tuple[UIElement, Fingerprint] | None:
        """Return the place that is kept under that key; None when there is none that could be used."""
        path = self._path(app, size, target)
        try:
            if not path.is_file():
                return None
            os.utime(path)
            return _restored(path, size)
        except (ParserFailed, ValueError, TypeError) as error:
            if path.is_file():  # else another process has just forgotten it
                _log.warning("the remembered place %s is damaged and forgotten: %s", path.name, error)
                self._delete(path)
        except OSError:
            pass
        return None

    def save(self, app: str, size: Size, target: Target, element: UIElement, patch: Fingerprint) -> None:
        """Keep it; what was kept under that key before is replaced."""
        packed = io.BytesIO()
        about = np.array(json.dumps(_about(element)))
        np.savez_compressed(packed, pixels=patch.pixels, sample=patch.sample, element=about)
        try:  # private: these are pieces of somebody's screen
            write_bytes(self._path(app, size, target), packed.getvalue(), private=True)
        except (OSError, ValueError, WriteFailed) as error:
            self._complain(error)
            return
        used = sorted((when, path) for path in self._kept() if (when := _last_used(path)))
        for _when, path in used[:-MOST_PLACES]:
            self._delete(path)

    def remove(self, app: str, size: Size, target: Target) -> None:
        self._delete(self._path(app, size, target))

    def clear(self, app: str | None = None) -> None:
        """Remove what is kept for that app, or for all of them."""
        for path in self._kept("*" if app is None else _folder_of(app)):
            self._delete(path)

    def _path(self, app: str, size: Size, target: Target) -> Path:
        words = target.text or target.reference or target.description or target.role or ""
        digest = hashlib.sha256(f"{_VERSION} {target!r}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return self._folder / _folder_of(app) / f"{size.width}x{size.height}" / f"{_safe(words)}-{digest}.npz"

    def _kept(self, app_folder: str = "*") -> Iterator[Path]:
        """All files, of whatever version."""
        return self._folder.glob(f"{app_folder}/*/*")

    def _delete(self, path: Path) -> None:
        try:
            path.unlink(missing_ok=True)
        except (OSError, ValueError) as error:
            self._complain(error)

    def _complain(self, error: Exception) -> None:
        if not self._complained:
            self._complained = True
            _log.warning(
                "no place is remembered in %s: %s; set %s to another folder or off", self._folder, error, _SWITCH
            )


def _about(element: UIElement) -> dict[str, Any]:
    """Return what JSON keeps of an element; of its metadata the reference, the scale, the layer of its text."""
    plain = {
        name: value
        for name, value in element.metadata.items()
        if isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))
    }
    return {
        "element_type": element.element_type,
        "description": element.description,
        "bbox": element.bbox,
        "confidence": min(1.0, element.confidence),
        "source": str(element.metadata.get("found_by", element.source)),
        "text": element.text,
        "label_box": element.label_box,
        "metadata": plain,
    }


def _restored(path: Path, size: Size) -> tuple[UIElement, Fingerprint]:
    """The element and its picture. Raises ParserFailed, ValueError or TypeError for what is not as it was written."""
    held = read_arrays(path, "the place", ("pixels", "sample", "element"))
    about = json.loads(str(held["element"]))
    label = about["label_box"] and Box(*about["label_box"])
    element = UIElement(**{**about, "bbox": Box(*about["bbox"]), "label_box": label})
    return element, Fingerprint(size, label or element.bbox, held["pixels"], held["sample"])


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _folder_of(app: str) -> str:
    """The name of an app's sub-folder: letters, digits and one "-", so that it is no pattern of `glob` either."""
    return f"{_safe(app)}-{hashlib.sha256(app.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _safe(words: str) -> str:
    """As much of it as every file system takes: letters and digits of any script."""
    return "".join(char for char in words if char.isalnum())[:_READABLE] or "place"
