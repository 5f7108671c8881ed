"""Permission policy: decides on permissions that apps ask for; none is granted without a rule or a person's answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from handeye.blockers.base import Blocker, BlockerType, DismissSuggestion, Grant
from handeye.blockers.permission_requests import PERMISSIONS, kind_of, request_of
from handeye.errors import PersonNeeded, UsageError
from handeye.text import normalize

PermissionChoice = Literal["ask", "deny", "allow-listed"]
CHOICES: Final = ("ask", "deny", "allow-listed")

Ask = Callable[[Blocker], Grant | bool | None]
"""Asks a person whether, or how far, to grant what a blocker asks for; True grants as little as it offers, None is no
answer."""

# Names for the extent of a grant, besides the values of `Grant`.
_GRANTS: Final = {
    **{grant.value: grant for grant in Grant},
    **dict.fromkeys(("一次", "仅一次", "仅限这一次", "仅此一次"), Grant.ONCE),
    **dict.fromkeys(("使用中", "使用期间", "仅在使用中", "使用时"), Grant.WHILE_IN_USE),
    **dict.fromkeys(("部分", "所选", "选定", "选择照片", "所选照片"), Grant.SELECTED),
    **dict.fromkeys(("全部", "所有", "不限"), Grant.ALL),
    **dict.fromkeys(("始终", "总是", "一直"), Grant.ALWAYS),
}
_GRANTS_BY_NAME: Final = {normalize(name): grant for name, grant in _GRANTS.items()}
_LEAST_FIRST: Final = tuple(Grant)


@dataclass(frozen=True, slots=True)
class _Allowed:
    """A permission of one app, or of any (`app` empty)."""

    app: str
    kind: str


class PermissionPolicy:
    """
    Policy for permission requests: "deny" refuses them, "ask" asks a person, "allow-listed" grants those in `allowed` and
    refuses all others.

    An entry of `allowed` is a permission ("位置", "location", "相机"; see PERMISSIONS), or one of one app ("微信:位置"), and
    may set how far it is granted ("photos=selected", "微信:位置=once"; see Grant); by default as little as the request
    offers, and never permanently. `ask` is called with the blocker when the choice is "ask". Raises UsageError for an unknown
    choice or permission.
    """

    def __init__(self, choice: PermissionChoice = "deny", allowed: Iterable[str] = (), ask: Ask | None = None) -> None:
        if choice not in CHOICES:
            raise UsageError(f"no permission policy is called {choice!r}; there are: {', '.join(CHOICES)}")
        self.choice: PermissionChoice = choice
        self._allowed = dict(_entry(each) for each in allowed)
        self._ask = ask

    def dismissal(self, blocker: Blocker) -> DismissSuggestion | None:
        """
        Return how to dismiss `blocker`: a permission request by this policy's decision, anything else as the blocker
        suggests.

        None if there is no decision or no known way; the step then needs a person. Raises PersonNeeded for a request that
        does not offer what was chosen: nothing else is chosen instead.
        """
        if blocker.type is not BlockerType.PERMISSION:
            return blocker.dismiss_suggestion
        if self.choice == "ask":
            answer = self._ask(blocker) if self._ask is not None else None
            if isinstance(answer, str):
                return _offered(blocker, _grant(answer))
            return None if answer is None else blocker.grant if answer else blocker.dismiss_suggestion
        chosen = self._allowed_grants(blocker) if self.choice == "allow-listed" else ()
        if not chosen:
            return blocker.dismiss_suggestion
        if None in chosen:
            return blocker.grant or blocker.dismiss_suggestion
        return _offered(blocker, min((each for each in chosen if each is not None), key=_LEAST_FIRST.index))

    def _allowed_grants(self, blocker: Blocker) -> tuple[Grant | None, ...]:
        """
        Return how far each requested permission may be granted, None where the list sets no extent. Empty when not everything
        is on the list; what is not understood is not.
        """
        request = request_of(blocker)
        if request is None:
            return ()
        entries = [(_Allowed(normalize(request.app), kind), _Allowed("", kind)) for kind in request.kinds]
        found = [next((entry for entry in pair if entry in self._allowed), None) for pair in entries]
        return tuple(self._allowed[entry] for entry in found if entry is not None) if all(found) else ()


def _offered(blocker: Blocker, chosen: Grant) -> DismissSuggestion:
    """Return the suggestion for the chosen grant. Raises PersonNeeded when the request does not offer it."""
    if (how := blocker.grants.get(chosen)) is not None:
        return how
    offers = ", ".join(blocker.grants) or "nothing that is known"
    raise PersonNeeded(
        f"{blocker.description} is in the way, and does not offer {chosen.value!r}, only {offers!r} ({blocker.words!r})"
    )


def _grant(answer: str) -> Grant:
    if (grant := _GRANTS_BY_NAME.get(normalize(answer))) is None:
        raise UsageError(f"the answer {answer!r} does not say how far to grant it; there are: {', '.join(Grant)}")
    return grant


def _entry(written: str) -> tuple[_Allowed, Grant | None]:
    app, _, what = written.replace("：", ":").replace("＝", "=").rpartition(":")
    name, named, how = what.partition("=")
    kind, grant = kind_of(name), _GRANTS_BY_NAME.get(normalize(how))
    if kind is None:
        raise UsageError(f"{written!r} names no permission that is known here; there are: {', '.join(PERMISSIONS)}")
    if named and grant is None:
        raise UsageError(f"{written!r} does not say how far to grant it; after = there may stand: {', '.join(Grant)}")
    return _Allowed(normalize(app), kind), grant
