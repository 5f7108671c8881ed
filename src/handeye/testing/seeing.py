"""Model double that processes the pictures it is sent, for tests of everything between a question and its answer."""

from __future__ import annotations

import json
from collections.abc import Callable

from PIL import Image

from handeye.geometry import Box, Size
from handeye.models import Picture, Profile, Prompt, SentImage
from handeye.testing.model_replies import write_box
from handeye.testing.models import ScriptedModel, pictures

Look = Callable[[Image.Image, str], Box | None]
"""Finds the requested element on a picture: a box in its pixels, or None."""
Confirm = Callable[[Image.Image, str], str]
"""Returns "yes", "no" or "unsure" for a picture with a box drawn on it."""

ABSENT = '{"found": false, "reason": "there is no such thing on the picture", "suggestion": ""}'


class SeeingModel(ScriptedModel):
    """
    A ChatModel of a family: `look` receives the last picture of a question and the requested words, and its result is
    written in the family's format, relative to that picture. `confirm` answers "is this it?". It does not read numbered
    marks: to it, none of the marked boxes matches.
    """

    def __init__(self, profile: Profile, look: Look, *, confirm: Confirm = lambda _picture, _words: "unsure") -> None:
        super().__init__(self._seen, name=profile.name)
        self._profile, self._look, self._confirm = profile, look, confirm

    def _seen(self, prompt: Prompt) -> str:
        picture, words = pictures(prompt)[-1], requested_words(prompt)
        if is_confirmation(prompt):
            return json.dumps({"answer": self._confirm(picture, words)})
        if is_about_marks(prompt):
            return '{"mark": null}'
        box = self._look(picture, words)
        if box is None:
            return ABSENT
        size = Size(*picture.size)
        return write_box(self._profile, SentImage(Picture(b""), size, size.bounds, size), box)


def requested_words(prompt: Prompt) -> str:
    """Return the words that a prompt's data asks for; "" for a picture alone."""
    for part in prompt.parts:
        for line in part.splitlines() if isinstance(part, str) else ():
            if line.startswith('{"'):
                try:
                    return str(json.loads(line).get("find", ""))
                except ValueError:
                    continue
    return ""


def is_confirmation(prompt: Prompt) -> bool:
    """Return True if the prompt asks "is this it?", not "where is it?"."""
    return '"unsure"' in json.dumps(prompt.schema)


def is_about_marks(prompt: Prompt) -> bool:
    """Return True if the prompt asks for the number of a marked element."""
    return '"mark"' in json.dumps(prompt.schema)


__all__ = ["ABSENT", "SeeingModel", "is_about_marks", "is_confirmation", "requested_words"]
