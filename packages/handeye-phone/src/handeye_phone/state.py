"""Snapshot of the phone's state, by which tests and benchmarks check outcomes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PhoneState:
    """
    Plain values, JSON-able. `messages` maps each contact to its messages, oldest first; `sent` holds the owner's messages of
    this session, `calls` the called numbers and `visited` the opened addresses; `grants` is the scope of each granted
    permission: "once", "while-in-use", "selected" or "all".
    """

    app: str
    user: int
    screen: str
    chat: str | None
    draft: str
    query: str
    url: str
    dialed: str
    calls: list[str]
    visited: list[str]
    volume: int
    dialog: str
    page: int
    input_shown: bool
    input_method: str
    focused_text: str | None
    switches: dict[str, bool]
    messages: dict[str, list[dict[str, str]]]
    drafts: dict[str, str]
    sent: dict[str, list[str]]
    permissions: dict[str, bool]
    grants: dict[str, str]
    adverts_followed: int
    crashes: int

    def to_dict(self) -> dict[str, Any]:
        """Return the same as a dictionary."""
        return asdict(self)
