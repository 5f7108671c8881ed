"""Remembered places in a folder, one file each, so that processes need no common index."""

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
# Characters of a name in a file name; the digest after them makes it unique.
_READABLE: Final = 24
_SWITCH: Final = "HANDEYE_CACHE"
_log = logging.getLogger(__name__)


def cache_folder() -> Path | None:
    """
    Return the folder for places by the system's convention. `HANDEYE_CACHE` overrides it; `HANDEYE_CACHE=off` disables it
    (None).
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
    A folder of places with one sub-folder per app and screen size, readable by its owner only.

    A file contains an element as JSON and the arrays of its fingerprint, with checksums; a damaged file is removed and
    logged. Writes are atomic. A folder that cannot be written is logged once: a cache must not fail a run. At most
    MOST_PLACES are stored, the most recently used ones. Thread-safe.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "places"
        self._warned = False

    def load(self, app: str, size: Size, target: Target) -> tuple[UIElement, Fingerprint] | None:
        """Return the place stored for that key, or None if there is none or it is damaged."""
        path = self._path(app, size, target)
        try:
            if not path.is_file():
                return None
            os.utime(path)
            return _restored(path, size)
        except (ParserFailed, ValueError, TypeError) as error:
            if path.is_file():  # else another process has just removed it
                _log.warning("the remembered place %s is damaged and forgotten: %s", path.name, error)
                self._delete(path)
        except OSError:
            pass
        return None

    def save(self, app: str, size: Size, target: Target, element: UIElement, patch: Fingerprint) -> None:
        """Store the place; it replaces an earlier one for that key."""
        packed = io.BytesIO()
        about = np.array(json.dumps(_as_json(element)))
        np.savez_compressed(packed, pixels=patch.pixels, sample=patch.sample, element=about)
        try:  # private: these are parts of a person's screen
            write_bytes(self._path(app, size, target), packed.getvalue(), private=True)
        except (OSError, ValueError, WriteFailed) as error:
            self._warn_once(error)
            return
        used = sorted((when, path) for path in self._stored() if (when := _last_used(path)))
        for _when, path in used[:-MOST_PLACES]:
            self._delete(path)

    def remove(self, app: str, size: Size, target: Target) -> None:
        self._delete(self._path(app, size, target))

    def clear(self, app: str | None = None) -> None:
        """Remove the places of that app, or of all apps."""
        for path in self._stored("*" if app is None else _folder_of(app)):
            self._delete(path)

    def _path(self, app: str, size: Size, target: Target) -> Path:
        words = target.text or target.reference or target.description or target.role or ""
        digest = hashlib.sha256(f"{_VERSION} {target!r}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return self._folder / _folder_of(app) / f"{size.width}x{size.height}" / f"{_safe_name(words)}-{digest}.npz"

    def _stored(self, app_folder: str = "*") -> Iterator[Path]:
        """Return all stored files, of any version."""
        return self._folder.glob(f"{app_folder}/*/*")

    def _delete(self, path: Path) -> None:
        try:
            path.unlink(missing_ok=True)
        except (OSError, ValueError) as error:
            self._warn_once(error)

    def _warn_once(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            _log.warning(
                "no place is remembered in %s: %s; set %s to another folder or off", self._folder, error, _SWITCH
            )


def _as_json(element: UIElement) -> dict[str, Any]:
    """Return the element as JSON data, with the plain values of its metadata: reference, scale, text match layer."""
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
    """Return the element and its fingerprint. Raises ParserFailed, ValueError or TypeError for a damaged file."""
    arrays = read_arrays(path, "the place", ("pixels", "sample", "element"))
    about = json.loads(str(arrays["element"]))
    label = about["label_box"] and Box(*about["label_box"])
    element = UIElement(**{**about, "bbox": Box(*about["bbox"]), "label_box": label})
    return element, Fingerprint(size, label or element.bbox, arrays["pixels"], arrays["sample"])


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _folder_of(app: str) -> str:
    """Return the name of an app's sub-folder: letters, digits and one "-", so that it contains no `glob` pattern."""
    return f"{_safe_name(app)}-{hashlib.sha256(app.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _safe_name(words: str) -> str:
    """Return the part of the text that any file system accepts: letters and digits of any script."""
    return "".join(char for char in words if char.isalnum())[:_READABLE] or "place"
