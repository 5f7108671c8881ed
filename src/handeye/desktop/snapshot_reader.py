"""Reading of a window's elements and picture while it does not move (flags and providers: docs/spec/perception-tiers.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Final

from handeye.clock import Clock
from handeye.desktop.appearance import MOST_PIXELS, picture_signature
from handeye.desktop.capture_view import WindowPictures
from handeye.desktop.state import WindowState
from handeye.devices import DesktopBackend, Window, capture_unmoved
from handeye.elements import UIElement
from handeye.errors import CaptureFailed, MissingPart, TreeFailed
from handeye.geometry import Box
from handeye.locate import ScreenParser
from handeye.models import LLMConfig
from handeye.ocr import TextReader
from handeye.perceive import (
    PIXEL_SOURCES,
    CompositeStateProvider,
    Detection,
    StructuralInferenceProvider,
    TierModels,
    VisionStateProvider,
    WindowProvider,
    element_name,
    tier_models,
    visible_box,
    window_provider_for,
)
from handeye.screen import Screen
from handeye.usage import Usage

# Roles whose picture changes only with their meaning, not by use or by typed text.
_PICTURED: Final = frozenset({"button", "list item", "tree item", "cell", "menu item", "link", "image", "icon", "tab"})


class SnapshotReader:
    """
    Reads windows of `backend`. `tree` replaces this system's accessibility reader; the caller closes it. `model` is as for
    `DesktopSession`, and `reader` is the OCR of the screen parser. Everything is opened lazily.
    """

    def __init__(
        self,
        backend: DesktopBackend,
        tree: WindowProvider | None,
        model: LLMConfig | str | None,
        clock: Clock,
        reader: TextReader | None = None,
    ) -> None:
        self.parser = ScreenParser(reader)
        """Screen parser, which works without a model, key or network."""
        self.backend = backend
        self._shots = WindowPictures(backend)
        self._given = tree
        self._model = model
        self._clock = clock

    @property
    def usage(self) -> Usage:
        """Usage of models so far."""
        models = self.__dict__.get("_models")
        return models.usage if isinstance(models, TierModels) else Usage()

    @property
    def is_offline(self) -> bool:
        """True if no vision model is configured, so that another look costs no model call."""
        return self._models is None or self._models.vision is None

    def close(self) -> None:
        """Close the accessibility reader, if it was opened here."""
        opened = self.__dict__.pop("_application", None)
        closing = getattr(opened, "close", None) if self._given is None else None
        if callable(closing):
            closing()

    def _provider(self, *, infer: bool, vision: bool) -> WindowProvider:
        provider = self._application
        if infer:
            models = self._models if self._model is not None else None
            provider = StructuralInferenceProvider(provider, models.structure if models is not None else None)
        if not vision:
            return provider
        models = self._models
        look = VisionStateProvider(self._shots, (models.vision if models is not None else None) or self.parser)
        return CompositeStateProvider(provider, look)

    @cached_property
    def _models(self) -> TierModels | None:
        return tier_models(self._model, clock=self._clock)

    @cached_property
    def _application(self) -> WindowProvider:
        tree = self._given or window_provider_for(self.backend)
        if tree is None:
            system = self.backend.uri.partition(":")[0]
            raise MissingPart(f"what reads the windows of {self.backend.uri}", f"pip install 'handeye[{system}]'")
        return tree

    def read(self, window: Window, *, infer: bool, vision: bool, or_nothing: bool = False) -> WindowState:
        """
        Return the state of a window; with `vision` also by the configured model, else by the embedded screen parser. Raises
        MissingPart, ConfigError, what the providers raise, DeviceLost, and TreeFailed for a window that keeps moving.
        `or_nothing`: if its tree cannot be read, return a state without elements and a note with the reason.
        """
        provider = self._provider(infer=infer, vision=vision)

        def look(at: Window) -> Detection:
            try:
                return provider.detect(at)
            except TreeFailed as error:
                if not or_nothing:
                    raise
                return Detection((), (), (str(error),))

        still, detection = capture_unmoved(self.backend, window, look, TreeFailed)
        return WindowState(still, detection, infer, vision)

    def read_to_keep(self, window: Window, *, infer: bool, vision: bool) -> WindowState:
        """Like `read`, and with the picture data that identifies seen and nameless elements later."""
        state = self.read(window, infer=infer, vision=vision)
        return replace(state, looks=self._looks(state) if vision else {}, pictures=self._pictures(state))

    def picture(self, window: Window) -> Screen:
        return Screen(self._shots.grab_window(window), window=window.about)

    def _looks(self, state: WindowState) -> Mapping[int, int]:
        """Return picture checksums of the elements that were only seen, by number."""
        only_seen = [each for each in state.elements if each.source in PIXEL_SOURCES and each.id is not None]
        if not only_seen:
            return {}
        picture = self.picture(state.window)
        return {
            each.id: picture.crop(inside(each.bbox, state.window)).digest for each in only_seen if each.id is not None
        }

    def _pictures(self, state: WindowState) -> Mapping[int, str]:
        """Return the looks of nameless and indistinguishable elements, by number; none if no picture can be taken."""
        places = ((number, each, state.drawn(number)) for number, each in enumerate(state.elements, 1))
        drawn = [(id, inside(box, state.window)) for id, each, box in places if _is_pictured(each, box)]
        size = Box(0, 0, state.window.box.width, state.window.box.height)
        shown = [(id, box) for id, box in drawn if box.intersect(size) == box]
        if not shown:
            return {}
        try:
            picture = self.picture(state.window)
        except CaptureFailed:
            return {}
        return {id: picture_signature(picture, box) for id, box in shown if box.intersect(picture.box) == box}


def _is_pictured(element: UIElement, drawn: Box) -> bool:
    """Return True if an element can be clicked, only its picture identifies it, and that changes only with its meaning."""
    return bool(
        element.interactive
        and element.element_type in _PICTURED
        and element.source not in PIXEL_SOURCES
        and (not element_name(element) or drawn != visible_box(element))
        and not element.metadata.get("offscreen")
        and 0 < visible_box(element).area <= MOST_PIXELS
    )


def inside(box: Box, window: Window) -> Box:
    """Return a desktop box in pixels of a window's picture."""
    return box.translate(-window.box.left, -window.box.top)
