"""Check that a field accepted a text that it reformats, for example by grouping digits or capitalising."""

from __future__ import annotations

import re
from typing import Final

_TELEPHONE: Final = re.compile(r"\+?(?:[\s()-]*\d){7,}[\s()-]*")


def arrived_formatted(before: str, after: str, text: str) -> bool:
    """
    Return True if the field accepted `text`, ignoring case and any punctuation that it added between letters and
    digits: fields for telephone, card and account numbers and dates group digits, others capitalise. Punctuation of
    `text` may be replaced by other punctuation but not dropped: 12.50 is not 1250. `text` must contain a letter or
    digit.
    """
    plain, punctuation = _letters_and_punctuation(text)
    now, shown_punctuation = _letters_and_punctuation(after)
    if not plain or not is_inserted(_letters_and_punctuation(before)[0], now, plain):
        return False
    if _TELEPHONE.fullmatch(text):  # numeric fields drop the separators with which people group digits
        punctuation = {place for place in punctuation if text.lstrip().startswith("+") and place == 0}
    starts = (at for at in range(len(now) - len(plain) + 1) if now.startswith(plain, at))
    return any(all(at + place in shown_punctuation for place in punctuation) for at in starts)


def _letters_and_punctuation(text: str) -> tuple[str, set[int]]:
    """
    Return a text's letters and digits, and for each punctuation character the number of them before it. Ignores
    whitespace.
    """
    letters, punctuation = "", set()
    for each in text.casefold():
        if each.isalnum():
            letters += each
        elif not each.isspace():
            punctuation.add(len(letters))
    return letters, punctuation


def is_inserted(before: str, after: str, text: str) -> bool:
    """Return True if `after` is `before` with `text` inserted, or with `text` in place of a part of it."""
    if after == text:
        return True
    at = after.find(text)
    while at >= 0:
        kept = len(after) - at - len(text)
        if before.startswith(after[:at]) and at + kept <= len(before) and before.endswith(after[at + len(text) :]):
            return True
        at = after.find(text, at + 1)
    return False
