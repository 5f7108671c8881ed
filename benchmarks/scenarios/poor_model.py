"""A model server that plays a mediocre model (pending)."""

from __future__ import annotations

from typing import Self

from handeye.models.config import LLMConfig


class PoorModel:
    def __init__(self, seed: int) -> None:
        self.config = LLMConfig.custom("", "http://127.0.0.1:9/v1", "poor")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return
