"""The XML of `uiautomator dump` as a strict parser reads it."""

from __future__ import annotations

import re
from typing import Final

# XML has neither surrogates nor most control characters. Old Androids write them all the same, an emoji as the references of
# its two halves.
_REFERENCE: Final = re.compile(r"&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));")
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SURROGATES: Final = range(0xD800, 0xE000)
_END: Final = "</hierarchy>"


def repaired(xml: str) -> str:
    """Join halves of a character, make blanks of characters that may not be there, cut off what stands before and behind."""
    begin, end = max(0, xml.find("<?xml")), xml.rfind(_END)
    whole = xml[begin : end + len(_END) if end >= 0 else None]
    joined = _REFERENCE.sub(_character, whole).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _FORBIDDEN.sub(" ", joined)


def _character(reference: re.Match[str]) -> str:
    code = int(reference[1], 16) if reference[1] else int(reference[2])
    if code in _SURROGATES:
        return chr(code)
    return " " if code < 32 and code not in (9, 10, 13) else reference[0]
