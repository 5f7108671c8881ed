"""An access key that is hidden in output, and the redaction of server messages that may repeat it."""

from __future__ import annotations

import hmac
import re
from typing import Final, Never
from urllib.parse import quote, urlsplit

from handeye.errors import UsageError

MASK: Final = "•••"

# Length in characters from which a piece of the key is masked in a server's message: servers print "sk-proj-Ab12…", proxies cut
# lines. Shorter pieces are ordinary words ("api-key", "local").
TELLTALE: Final = 8

# Values of at least `_LONG` characters, or of `_RANDOM` with letters and digits, may be keys; names of providers and families
# are shorter. Of possible keys only the first `_SHOWN` characters are printed.
_LONG: Final = 24
_RANDOM: Final = 16
_SHOWN: Final = 4

# Patterns of keys of any provider: servers also repeat half-hidden ones ("sk-ab***wxyz").
_KEY_SHAPES: Final = re.compile(
    r"""
      \b(?:sk|pk|rk|ak)-[\w*.-]{8,}                                  # OpenAI, Anthropic, OpenRouter, DeepSeek, DashScope
    | \bAIza[\w-]{20,}                                               # Google
    | \bbearer\s+[\w.~+/*=-]{8,}
    | \b(?:x-)?(?:api|access|auth)[-_ ]?(?:key|token)["']?\s*[=:]\s*["']?[\w.~+/*=-]{6,}
    | [?&]key=[^&\s"']+
    | (?:(?<![\w-])[\w-]++)?\*{3,}[\w-]*                              # half hidden; looked for once in each word
    """,
    re.IGNORECASE | re.VERBOSE,
)


class Secret:
    """
    A key. `reveal()` is the only way to its text: it is hidden in `repr`, `str`, formatting, `dataclasses.asdict` and
    copies, and cannot be pickled.

    >>> key = Secret("sk-1234567890")
    >>> key, f"{key}", bool(key)
    (Secret('•••'), '•••', True)

    Raises UsageError for a text that an HTTP header cannot contain, without printing it.
    """

    __slots__ = ("__weakref__", "_text")

    def __init__(self, text: str = "") -> None:
        self._text = text.strip()
        del text  # crash reporters print the variables of frames
        self.check()

    @classmethod
    def unchecked(cls, text: str | Secret) -> Secret:
        """
        Wrap `text` without a check, so that a caller can delete the plain text before anything can fail; call `check`
        later.
        """
        if isinstance(text, Secret):
            return text
        made = cls()
        made._text = text.strip()
        return made

    def check(self) -> None:
        """Raise UsageError for a text that an HTTP header cannot contain."""
        if not all("!" <= character <= "~" for character in self._text):
            raise UsageError(
                "a key holds a space or a character that is not plain ASCII; copy it again from where you got it"
            )

    def reveal(self) -> str:
        """Return the text itself: only for the header of a request."""
        return self._text

    def hide(self, text: str) -> str:
        """
        Return an answer with this key masked, also where JSON escapes its characters, and otherwise unchanged. A short
        key may be an ordinary word, and is not masked.
        """
        if len(self._text) < 2 * TELLTALE:
            return text
        if "\\" not in text:
            return text.replace(self._text, MASK)
        escaped = (rf"\\{{0,4}}(?:{re.escape(letter)}|u(?i:{ord(letter):04x}))" for letter in self._text)
        return re.sub("".join(escaped), lambda _: MASK, text)

    def scrub(self, text: str) -> str:
        """
        Return `text` with this key, every piece of it of 8 characters or more, and everything that looks like a key
        masked.
        """
        for form in {self._text, quote(self._text, safe="")} - {""}:
            text = text.replace(form, MASK)
        return _KEY_SHAPES.sub(MASK, _without_pieces(text, self._text))

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return f"Secret({str(self)!r})"

    def __str__(self) -> str:
        return MASK if self._text else ""

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._text, other._text)

    def __hash__(self) -> int:
        return hash((Secret, self._text))

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, memo: object) -> Secret:
        return self

    def __reduce_ex__(self, protocol: object) -> Never:
        raise TypeError("a key is never pickled; read the configuration again where it is needed")

    def __getstate__(self) -> Never:
        raise TypeError("a key is never pickled; read the configuration again where it is needed")


def redacted_excerpt(text: str) -> str:
    """
    Return a wrong value for an error message, when it may be a key in the wrong place: the host of an address, or the
    beginning of a text that is long or looks random.
    """
    try:
        parts = urlsplit(text)
        host = parts.hostname if parts.scheme in ("http", "https") else None
    except ValueError:
        host = None
    if host:
        return Secret().scrub(f"{parts.scheme}://{host}")
    text = Secret().scrub(text)
    random = len(text) >= _RANDOM and any(map(str.isdigit, text)) and any(map(str.isalpha, text)) and " " not in text
    return text[:_SHOWN] + "…" if random or len(text) > _LONG else text


def _without_pieces(text: str, key: str) -> str:
    """Return `text` with every run of at least `TELLTALE` characters that also occurs in `key` masked."""
    if len(key) < TELLTALE:
        return text
    pieces = {key[start : start + TELLTALE] for start in range(len(key) - TELLTALE + 1)}
    kept: list[str] = []
    masked_to = position = 0
    while position < len(text):
        if text[position : position + TELLTALE] in pieces:
            if position >= masked_to:
                kept.append(MASK)
            masked_to = position + TELLTALE
        if position >= masked_to:
            kept.append(text[position])
        position += 1
    return "".join(kept)
