"""Whether a field took a text that it shows in a form of its own: digits in groups, capitals."""

from __future__ import annotations

import re
from typing import Final

_TELEPHONE: Final = re.compile(r"\+?(?:[\s()-]*\d){7,}[\s()-]*")


def arrived_formatted(before: str, after: str, text: str) -> bool:
    """
    Whether the field took `text`, but for signs that it put between the letters and digits, and for capitals: fields for
    telephone numbers, cards, dates and account numbers group digits, others write capitals. A sign of the text may be another
    one there, but not missing: 12.50 is not 1250. `text` must have a letter or digit.
    """
    plain, signs = _letters_and_signs(text)
    now, shown = _letters_and_signs(after)
    if not plain or not is_inserted(_letters_and_signs(before)[0], now, plain):
        return False
    if _TELEPHONE.fullmatch(text):  # fields for digits alone leave out what people group them with
        signs = {place for place in signs if text.lstrip().startswith("+") and place == 0}
    starts = (at for at in range(len(now) - len(plain) + 1) if now.startswith(plain, at))
    return any(all(at + place in shown for place in signs) for at in starts)


def _letters_and_signs(text: str) -> tuple[str, set[int]]:
    """The letters and digits of a text, and how many of them stand before each of its signs. Blanks are no signs."""
    letters, signs = "", set()
    for each in text.casefold():
        if each.isalnum():
            letters += each
        elif not each.isspace():
            signs.add(len(letters))
    return letters, signs


def is_inserted(before: str, after: str, text: str) -> bool:
    """Whether `after` is `before` with `text` in it, perhaps in place of a part."""
    if after == text:
        return True
    at = after.find(text)
    while at >= 0:
        kept = len(after) - at - len(text)
        if before.startswith(after[:at]) and at + kept <= len(before) and before.endswith(after[at + len(text) :]):
            return True
        at = after.find(text, at + 1)
    return False
