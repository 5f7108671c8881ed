"""Remembered places in a folder: two pictures and a readable JSON file each, so that processes need no common index."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import math
import os
import secrets
import sys
import threading
import zlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image
from pydantic import BaseModel, ConfigDict, Field

from handeye.elements import UIElement
from handeye.errors import WriteFailed
from handeye.files import write_bytes
from handeye.geometry import Box, Size
from handeye.locate.patch import Patch, sample_shape
from handeye.screen import Pixels
from handeye.target import Target

# A place takes 20-60 KB on a phone's screen: about 20 MB in all.
MOST_PLACES: Final = 512
_VERSION: Final = 3
# Characters of a name in a file name; the digest behind them tells the rest apart.
_READABLE: Final = 24
_SWITCH: Final = "HANDEYE_CACHE"
_log = logging.getLogger(__name__)

_Four = tuple[int, int, int, int]


class _Record(BaseModel):
    """The JSON file: what was looked for, where it was, and which pictures belong to it."""

    model_config = ConfigDict(extra="forbid", strict=False)

    version: int
    app: str
    target: str
    key: str
    size: tuple[int, int]
    element_type: str
    description: str
    text: str
    found_by: str
    metadata: dict[str, bool | int | float | str]
    confidence: float = Field(ge=0, le=1)
    box: _Four
    label_box: _Four | None
    core: _Four
    around: _Four
    picture: str
    checksum: int


def cache_folder() -> Path | None:
    """
    Where places are kept, by the system's convention. `HANDEYE_CACHE` moves it; `HANDEYE_CACHE=off` keeps nothing (None).
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

    Files are written whole or not at all, and checked when read: what is damaged is removed with a line in the log. What
    another process replaces at that moment is not damaged, and left alone. A folder that cannot be written is a warning, once:
    a cache must not fail a run. At most MOST_PLACES are kept, the last used ones. Safe to share between threads.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "places"
        self._writing = threading.Lock()
        self._complained = False

    def load(self, app: str, size: Size, target: Target) -> tuple[UIElement, Patch] | None:
        """What is kept under that key; None when there is nothing, or nothing that could be used."""
        path = self._path(app, size, target)
        for _attempt in range(2):  # its pictures go when somebody replaces it between two reads: then read the new one
            try:
                found = _restored(path, _canonical(target), size)
            except FileNotFoundError:
                continue
            except (ValueError, OSError, SyntaxError, Image.DecompressionBombError) as error:
                why = str(error).splitlines()[0]
                _log.warning("the remembered place %s is damaged and forgotten: %s", path.name, why)
                self._delete(path)
                return None
            self._touch(path)
            return found
        return None

    def save(self, app: str, size: Size, target: Target, element: UIElement, patch: Patch) -> None:
        """Keep it; what was kept under that key before is replaced."""
        path = self._path(app, size, target)
        picture = f"{path.stem}.{secrets.token_hex(4)}.png"
        record = _Record(
            version=_VERSION,
            app=app,
            target=str(target),
            key=_canonical(target),
            size=size,
            element_type=element.element_type,
            description=element.description,
            text=element.text,
            found_by=str(element.metadata.get("found_by", element.source)),
            metadata=_plain_values(element.metadata),
            confidence=min(1.0, element.confidence),
            box=element.bbox,
            label_box=element.label_box,
            core=patch.core,
            around=patch.around,
            picture=picture,
            checksum=0,
        )
        with self._writing:
            before = self._pictures(path)
            try:
                record.checksum = _checksum(record, patch.pixels, patch.sample)
                # Private: these are pieces of somebody's screen.
                write_bytes(path.with_name(picture), _png(patch.pixels), private=True)
                write_bytes(_sample_of(path.with_name(picture)), _png(patch.sample), private=True)
                write_bytes(path, record.model_dump_json(indent=1).encode(), private=True)
                for old in before:
                    old.unlink(missing_ok=True)
            except (OSError, ValueError, WriteFailed) as error:
                self._complain(error)
                return
            self._prune()

    def remove(self, app: str, size: Size, target: Target) -> None:
        with self._writing:
            self._delete(self._path(app, size, target))

    def clear(self, app: str | None = None) -> None:
        """Remove what is kept for that app, or for all of them."""
        with self._writing:
            for path in self._records("*" if app is None else _folder_of(app)):
                self._delete(path)

    def _path(self, app: str, size: Size, target: Target) -> Path:
        words = target.text or target.reference or target.description or target.role or ""
        digest = hashlib.sha256(_canonical(target).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return self._folder / _folder_of(app) / f"{size.width}x{size.height}" / f"{_safe(words)}-{digest}.json"

    def _records(self, app_folder: str = "*") -> list[Path]:
        try:
            return list(self._folder.glob(f"{app_folder}/*/*.json"))
        except OSError:
            return []

    def _pictures(self, path: Path) -> list[Path]:
        try:
            return [each for each in path.parent.iterdir() if each.suffix == ".png" and each.name.startswith(path.stem)]
        except OSError:
            return []

    def _delete(self, path: Path) -> None:
        try:
            for each in (path, *self._pictures(path)):
                each.unlink(missing_ok=True)
        except OSError as error:
            self._complain(error)

    def _touch(self, path: Path) -> None:
        try:
            os.utime(path)
        except OSError:  # another process has just replaced or forgotten it
            return

    def _prune(self) -> None:
        records = self._records()
        if len(records) > MOST_PLACES:
            for path in sorted(records, key=_last_used)[:-MOST_PLACES]:
                self._delete(path)

    def _complain(self, error: Exception) -> None:
        if not self._complained:
            self._complained = True
            _log.warning(
                "no place is remembered in %s: %s; set %s to another folder or off", self._folder, error, _SWITCH
            )


def _restored(path: Path, key: str, size: Size) -> tuple[UIElement, Patch] | None:
    """
    What the files hold; None when nothing that can be read is there. Raises FileNotFoundError when a picture is gone, and
    ValueError, OSError or SyntaxError for what is not as it was written.
    """
    try:
        content = path.read_bytes()
    except (OSError, ValueError):
        return None
    record = _Record.model_validate_json(content)
    if (record.version, record.key, record.size) != (_VERSION, key, size):
        raise ValueError("it belongs to something else")
    return _restore(record, path)


def _restore(record: _Record, path: Path) -> tuple[UIElement, Patch]:
    """The element and its picture. Raises ValueError or OSError for what cannot be as it is written."""
    size, around, core = Size(*record.size), Box(*record.around), Box(*record.core)
    if around.intersect(size.bounds) != around or core.intersect(around) != core:
        raise ValueError("its boxes leave the frame")
    box, label = Box(*record.box), Box(*record.label_box) if record.label_box else None
    if (label or box) != core or box.intersect(core) is None:
        raise ValueError("its boxes are not of one place")
    if "/" in record.picture or "\\" in record.picture or not record.picture.startswith(path.stem):
        raise ValueError(f"{record.picture!r} is no picture of it")
    picture = path.with_name(record.picture)
    pixels = _read_png(picture, "RGB", (around.height, around.width, 3))
    sample = _read_png(_sample_of(picture), "L", sample_shape(size))
    if _checksum(record, pixels, sample) != record.checksum:
        raise ValueError("it or its pictures are not what was written")
    element = UIElement(
        record.element_type,
        record.description,
        box,
        record.confidence,
        record.found_by,
        record.text,
        label_box=label,
        metadata=record.metadata,
    )
    return element, Patch(size, core, around, pixels, sample)


def _read_png(path: Path, mode: str, shape: tuple[int, ...]) -> Pixels:
    with Image.open(path, formats=("PNG",)) as image:
        if image.mode != mode or (image.height, image.width) != shape[:2]:
            raise ValueError(f"{path.name} is {image.mode} {image.width}x{image.height}")
        return np.array(image)


def _png(pixels: Pixels) -> bytes:
    encoded = io.BytesIO()
    Image.fromarray(pixels).save(encoded, "PNG", compress_level=1)
    return encoded.getvalue()


def _sample_of(picture: Path) -> Path:
    return picture.with_suffix(".frame.png")


def _checksum(record: _Record, pixels: Pixels, sample: Pixels) -> int:
    """Of the pictures and of every other field of the record: a box that was altered leads a click astray."""
    words = zlib.crc32(record.model_dump_json(exclude={"checksum"}).encode())
    return zlib.crc32(np.ascontiguousarray(sample).data, zlib.crc32(np.ascontiguousarray(pixels).data, words))


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


def _plain_values(metadata: Mapping[str, Any]) -> dict[str, bool | int | float | str]:
    """What of an element's metadata JSON gives back as it was: its reference, its scale, the layer of its text."""
    return {
        name: value
        for name, value in metadata.items()
        if isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))
    }


def _canonical(target: Target) -> str:
    """Every field that is set, as one text: equal targets have equal ones."""
    return json.dumps(_plain(target), ensure_ascii=True, sort_keys=True)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        set_fields: Mapping[str, Any] = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: _plain(each) for name, each in set_fields.items() if each not in (None, (), False)}
    if isinstance(value, Enum):
        return value.value
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
