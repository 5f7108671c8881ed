"""Words of Android's shell (mksh): every kind of quoting, parameters, `~`, and where a word ends."""

from __future__ import annotations

import itertools
import re
from abc import ABC, abstractmethod

from handeye_phone.shell.tree import Incomplete, Item, Parameter, Part, ShellSyntaxError, Substitution, Text, Word

BLANKS = " \t"
META = " \t\n;&|<>()"
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SPECIAL_PARAMETERS = "?$#@*!-0123456789"
PLAIN = re.compile(r"""[^\s;&|<>()\\'"$`~@+!*?]+""", re.ASCII)  # runs without special characters, consumed in one step
DOUBLE_QUOTED = re.compile(r'[^"\\$`]+')
TILDE_NAME = re.compile(r"[A-Za-z0-9_+-]+")
KNOWN_TILDES = {"+", "-", "root", "system", "shell"}
LAST_CHARACTER = 0xFFFF  # mksh knows the basic plane only
C_ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class WordReader(ABC):
    """A position in a text, and the words from there. `Parser` adds the commands."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    @property
    def _done(self) -> bool:
        return self._at >= len(self._text)

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._text[at] if at < len(self._text) else ""

    def _take(self, what: str) -> bool:
        if self._text.startswith(what, self._at):
            self._at += len(what)
            return True
        return False

    def _blanks(self, *, newlines: bool = False) -> None:
        while True:
            if self._peek() and self._peek() in BLANKS:
                self._at += 1
            elif not self._take("\\\n"):
                if self._peek() == "#":
                    end = self._text.find("\n", self._at)
                    self._at = len(self._text) if end < 0 else end
                if not (newlines and self._take("\n")):
                    return

    def _unexpected(self) -> ShellSyntaxError:
        if self._done:
            return Incomplete("syntax error: unexpected EOF")
        token = next((op for op in ("&&", "||", ";;", ">>", "<<") if self._text.startswith(op, self._at)), self._peek())
        return ShellSyntaxError(f"syntax error: unexpected '{'newline' if token == chr(10) else token}'")

    @staticmethod
    def _unsupported(what: str) -> ShellSyntaxError:
        return ShellSyntaxError(f"syntax error: {what} is not supported by the virtual phone's shell")

    @abstractmethod
    def _items(self, stop: str) -> tuple[Item, ...]:
        """Parse commands until `stop`, which is consumed; for `$(...)`. Implemented by the parser."""

    # ---- words
    def _word(self, *, assignment: bool = False) -> Word:
        parts: list[Part] = []
        first = self._at
        while not self._done and self._peek() not in META:
            char = self._peek()
            if char == "\\":
                self._backslash(parts)
            elif char == "'":
                parts.append(Text(self._until("'", self._at + 1), quoted=True))
            elif char == '"':
                self._at += 1
                self._double_quoted(parts)
            elif char == "$":
                self._dollar(parts, quoted=False)
            elif char == "`":
                raise self._unsupported("a backquote")
            elif char == "~" and self._tilde_here(first, parts, assignment):
                self._tilde(parts)
            else:
                if char in "@+!*?" and self._peek(1) == "(":
                    raise self._unsupported(f"the pattern {char}(")
                run = PLAIN.match(self._text, self._at)
                self._at = run.end() if run else self._at + 1
                parts.append(Text(run.group() if run else char, quoted=False))
        word = Word(_joined(parts))
        if not assignment and _has_brace_list(word):
            raise self._unsupported("a brace list")
        return word

    def _backslash(self, parts: list[Part]) -> None:
        follower = self._peek(1)
        self._at += 2
        if follower and follower != "\n":  # at the very end of a line the backslash itself disappears
            parts.append(Text(follower, quoted=True))

    def _until(self, quote: str, start: int) -> str:
        end = self._text.find(quote, start)
        if end < 0:
            raise Incomplete("syntax error: no closing quote")
        self._at = end + 1
        return self._text[start:end]

    def _double_quoted(self, parts: list[Part]) -> None:
        before = len(parts)
        while True:
            if self._done:
                raise Incomplete("syntax error: no closing quote")
            char = self._peek()
            if char == '"':
                self._at += 1
                if len(parts) == before:  # an empty word is a word
                    parts.append(Text("", quoted=True))
                return
            if char == "\\" and self._peek(1) and self._peek(1) in '$`"\\\n':
                if self._peek(1) != "\n":
                    parts.append(Text(self._peek(1), quoted=True))
                self._at += 2
            elif char == "$":
                self._dollar(parts, quoted=True)
            elif char == "`":
                raise self._unsupported("a backquote")
            else:
                run = DOUBLE_QUOTED.match(self._text, self._at)
                self._at = run.end() if run else self._at + 1
                parts.append(Text(run.group() if run else char, quoted=True))

    def _tilde_here(self, first: int, parts: list[Part], assignment: bool) -> bool:
        """True if `~` is expanded here: at the start of a word, after its first `=`, and in assignments after each `:`."""
        if self._at == first:
            return True
        last = parts[-1] if parts else None
        if not isinstance(last, Text) or last.quoted:
            return False
        if assignment:
            return last.value.endswith(":")
        plain = "".join(part.value for part in parts if isinstance(part, Text) and not part.quoted)
        return last.value.endswith("=") and plain.count("=") == 1

    def _tilde(self, parts: list[Part]) -> None:
        name = TILDE_NAME.match(self._text, self._at + 1)
        after = self._text[name.end() : name.end() + 1] if name else self._peek(1)
        whole = not after or after in META + "/:"
        self._at += 1
        if name is None and whole:
            parts.append(Parameter("HOME", quoted=True))
        elif name is not None and whole and name.group() in KNOWN_TILDES:
            raise self._unsupported(f"~{name.group()}")
        else:
            parts.append(Text("~", quoted=False))  # no user of that name: it stays as it is

    def _dollar(self, parts: list[Part], *, quoted: bool) -> None:
        self._at += 1
        char = self._peek()
        name = NAME.match(self._text, self._at)
        if name is not None:
            self._at = name.end()
            parts.append(Parameter(name.group(), quoted))
        elif char and char in SPECIAL_PARAMETERS:
            self._at += 1
            parts.append(Parameter(char, quoted))
        elif char == "{":
            parts.append(Parameter(self._braced_name(), quoted))
        elif char == "(":
            if self._peek(1) == "(":
                raise self._unsupported("arithmetic $((...))")
            self._at += 1
            parts.append(Substitution(self._items(")"), quoted))
        elif not quoted and char == "'":
            self._at += 1
            parts.append(Text(self._dollar_quoted(), quoted=True))
        elif not quoted and char == '"':
            pass  # $"..." is "..."
        elif char == "[":
            raise self._unsupported("arithmetic $[...]")
        else:
            parts.append(Text("$", quoted=True))

    def _braced_name(self) -> str:
        match = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[?$#@*!-])\}").match(self._text, self._at)
        if match is None:
            if "}" not in self._text[self._at :]:
                raise Incomplete("syntax error: unmatched '{'")
            raise self._unsupported("${...} other than a plain name")
        self._at = match.end()
        return match.group(1)

    def _dollar_quoted(self) -> str:
        out = bytearray()
        while True:
            if self._done:
                raise Incomplete("syntax error: no closing quote")
            char = self._peek()
            self._at += 1
            if char == "'":
                return out.decode("utf-8", "surrogateescape")
            if char == "\\" and not self._done:
                code = self._escape()
                if code == b"\0":  # a C string ends here: mksh drops the rest of the quoted text
                    self._until("'", self._at)
                    return out.decode("utf-8", "surrogateescape")
                out += code
            else:
                out += char.encode("utf-8", "surrogateescape")

    def _escape(self) -> bytes:
        """Return one C escape after the backslash, as bytes."""
        char = self._peek()
        self._at += 1
        if char in C_ESCAPES:
            return C_ESCAPES[char].encode()
        if char == "c":
            control = self._peek()
            self._at += 1
            return b"\x7f" if control == "?" else bytes([ord(control) & 0x1F]) if control.isascii() else b""
        for kind, pattern in (("x", "[0-9A-Fa-f]+"), ("u", "[0-9A-Fa-f]{1,4}"), ("U", "[0-9A-Fa-f]{1,8}")):
            match = re.compile(pattern).match(self._text, self._at) if char == kind else None
            if match is not None:
                self._at = match.end()
                return _character(int(match.group(), 16), byte=kind == "x")
        if char in "01234567":
            octal = re.compile("[0-7]{1,3}").match(self._text, self._at - 1)
            assert octal is not None
            self._at = octal.end()
            return bytes([int(octal.group(), 8) & 0xFF])
        return char.encode("utf-8", "surrogateescape")


def _character(code: int, *, byte: bool) -> bytes:
    """Return the bytes of a `\\x` (one byte) or `\\u` escape."""
    if byte:
        return bytes([code & 0xFF])
    return chr(code if code <= LAST_CHARACTER else 0xFFFD).encode("utf-8", "surrogatepass")


def _joined(parts: list[Part]) -> tuple[Part, ...]:
    """Join neighbouring texts of the same kind."""
    out: list[Part] = []
    for is_text, group in itertools.groupby(parts, key=lambda part: (isinstance(part, Text), part.quoted)):
        if is_text[0]:
            out.append(Text("".join(part.value for part in group if isinstance(part, Text)), is_text[1]))
        else:
            out += group
    return tuple(out)


def _has_brace_list(word: Word) -> bool:
    """Return True if mksh would expand `{a,b}` in this word: an unquoted brace pair with an unquoted comma in it."""
    marks = [
        char
        for part in word.parts
        if isinstance(part, Text) and not part.quoted
        for char in part.value
        if char in "{,}"
    ]
    depth: list[bool] = []
    for mark in marks:
        if mark == "{":
            depth.append(False)
        elif mark == "," and depth:
            depth[-1] = True
        elif mark == "}" and depth and depth.pop():
            return True
    return False
