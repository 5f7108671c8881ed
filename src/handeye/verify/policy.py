"""Who decides on a permission that an app asks for: nobody grants one silently."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from handeye.errors import UsageError
from handeye.locate.match_text import normalize
from handeye.verify.base import Blocker, BlockerType, DismissSuggestion
from handeye.verify.request_words import PERMISSIONS, kind_of, read_request

PermissionChoice = Literal["ask", "deny", "allow-listed"]
CHOICES: Final = ("ask", "deny", "allow-listed")

Ask = Callable[[Blocker], bool | None]
"""Asks a person whether to grant what a blocker asks for; None when nobody answers."""


@dataclass(frozen=True, slots=True)
class _Allowed:
    """A permission of one app, or of any (`app` empty)."""

    app: str
    kind: str


class PermissionPolicy:
    """
    What becomes of permission requests: "deny" refuses them, "ask" asks a person, "allow-listed" grants those in `allowed` and
    refuses all others.

    An entry of `allowed` is a permission ("位置", "location", "相机"; see PERMISSIONS), or one of one app ("微信:位置"). `ask`
    is called with the blocker when the choice is "ask". Raises UsageError for an unknown choice or permission.
    """

    def __init__(self, choice: PermissionChoice = "deny", allowed: Iterable[str] = (), ask: Ask | None = None) -> None:
        if choice not in CHOICES:
            raise UsageError(f"no permission policy is called {choice!r}; there are: {', '.join(CHOICES)}")
        self.choice: PermissionChoice = choice
        self._allowed = frozenset(_entry(each) for each in allowed)
        self._ask = ask

    def dismissal(self, blocker: Blocker) -> DismissSuggestion | None:
        """
        How to get past `blocker`: for a permission request by what this policy decides, for anything else as it suggests.

        None: nobody may decide, or nobody knows how; the step then needs a person.
        """
        if blocker.type is not BlockerType.PERMISSION:
            return blocker.dismiss_suggestion
        if self.choice == "ask":
            answer = self._ask(blocker) if self._ask is not None else None
            if answer is None:
                return None
            return blocker.grant if answer else blocker.dismiss_suggestion
        if self.choice == "allow-listed" and blocker.grant is not None and self._allows(blocker.words):
            return blocker.grant
        return blocker.dismiss_suggestion

    def _allows(self, words: str) -> bool:
        """Whether everything that the words ask for is on the list; what is not understood to the last word is not."""
        request = read_request(words)
        if request is None:
            return False
        app = normalize(request.app)
        return all(not self._allowed.isdisjoint({_Allowed("", kind), _Allowed(app, kind)}) for kind in request.kinds)


def _entry(written: str) -> _Allowed:
    app, _, name = written.replace("：", ":").rpartition(":")
    kind = kind_of(name)
    if kind is None:
        raise UsageError(f"{written!r} names no permission that is known here; there are: {', '.join(PERMISSIONS)}")
    return _Allowed(normalize(app), kind)
