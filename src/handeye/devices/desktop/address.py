"""Parse web addresses as users write them."""

from __future__ import annotations

import re
from typing import Final

from handeye.errors import UsageError

_WEB_ADDRESS: Final = re.compile(r"https?://[^\s/]+(?:/\S*)?", re.IGNORECASE)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HOST_AND_PORT: Final = re.compile(r"[^/:]+:\d+(?:/|$)")


def web_address(url: str) -> str:
    """
    Return the address with its scheme: `example.org` becomes https. Raises UsageError for any other scheme, which could
    start an arbitrary program, and for text that is not an address.
    """
    address = url.strip()
    if not _SCHEME.match(address) or _HOST_AND_PORT.match(address):
        address = f"https://{address}"
    if not _WEB_ADDRESS.fullmatch(address) or not address.isprintable():
        raise UsageError(f"{url!r} is no web address: give one that begins with https:// or http://")
    return address
