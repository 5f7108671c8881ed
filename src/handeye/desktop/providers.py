"""Who says what a window holds: seed 002's table of flags and providers."""

from __future__ import annotations

from functools import cached_property

from handeye.clock import Clock
from handeye.desktop.window_picture import WindowPictures
from handeye.devices.desktop.base import DesktopBackend
from handeye.errors import MissingPart
from handeye.locate.screen_parser import ScreenParser
from handeye.models.config import LLMConfig
from handeye.models.usage import Usage
from handeye.ocr.base import TextReader
from handeye.perceive.base import WindowProvider
from handeye.perceive.composite import CompositeStateProvider
from handeye.perceive.structural import StructuralInferenceProvider
from handeye.perceive.table import window_provider_for
from handeye.perceive.tier_models import TierModels, tier_models
from handeye.perceive.vision import VisionStateProvider


class Providers:
    """
    The providers of `backend`'s windows. `tree` reads applications, in place of what does so on this system; it stays the
    caller's to close. `model` is as for `DesktopSession`, and `reader` reads for the screen parser. Nothing is opened before it
    is needed.
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
        """What sees a window without a model, key or network."""
        self._backend = backend
        self._given = tree
        self._model = model
        self._clock = clock

    def chosen(self, *, infer: bool, vision: bool) -> WindowProvider:
        """
        What looks with these flags: with `vision`, the model that is configured for it, else the embedded screen parser. Raises
        MissingPart, ConfigError.
        """
        said = self._application
        if infer:
            models = self._models if self._model is not None else None
            said = StructuralInferenceProvider(said, models.structure if models is not None else None)
        if not vision:
            return said
        models = self._models
        look = VisionStateProvider(
            WindowPictures(self._backend), (models.vision if models is not None else None) or self.parser
        )
        return CompositeStateProvider(said, look)

    @property
    def usage(self) -> Usage:
        """What asking models has cost so far."""
        models = self.__dict__.get("_models")
        return models.usage if isinstance(models, TierModels) else Usage()

    def close(self) -> None:
        """End what was opened to read applications."""
        opened = self.__dict__.pop("_application", None)
        closing = getattr(opened, "close", None) if self._given is None else None
        if callable(closing):
            closing()

    @cached_property
    def _models(self) -> TierModels | None:
        return tier_models(self._model, clock=self._clock)

    @cached_property
    def _application(self) -> WindowProvider:
        tree = self._given or window_provider_for(self._backend)
        if tree is None:
            system = self._backend.uri.partition(":")[0]
            raise MissingPart(f"what reads the windows of {self._backend.uri}", f"pip install 'handeye[{system}]'")
        return tree
