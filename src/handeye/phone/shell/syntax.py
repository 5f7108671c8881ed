"""Command lines of Android's shell (mksh) as a tree.

What is understood: words with every kind of quoting, `$NAME` `${NAME}` `$?` `$1` `$@`, `$(...)`, `*?[]` patterns, `~`,
`;` `&` `&&` `||` `|` `!` newline, redirections, assignments, `( )` and `{ }`, comments. What is not (control structures,
arithmetic, here-documents, backquotes, brace lists, functions, arrays) raises ShellSyntaxError: a line is never
half understood. Checked against mksh R59, the version in Android 14; see tests/phone/shell.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace

BLANKS = " \t"
META = " \t\n;&|<>()"
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SPECIAL_PARAMETERS = "?$#@*!-0123456789"
PLAIN = re.compile(r"""[^\s;&|<>()\\'"$`~@+!*?]+""", re.ASCII)  # runs without meaning, taken in one step
DOUBLE_QUOTED = re.compile(r'[^"\\$`]+')
TILDE_NAME = re.compile(r"[A-Za-z0-9_+-]+")
KNOWN_TILDES = {"+", "-", "root", "system", "shell"}
UNSUPPORTED_WORDS = {
    "if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do", "done", "function",
    "time", "[[", "coproc",
}  # fmt: skip
DECLARATIONS = {"export"}  # their `NAME=value` words are expanded like assignments
LAST_CHARACTER = 0xFFFF  # mksh knows the basic plane only
MAX_DEPTH = 50  # nesting of $( ) and ( ); deeper than any real line, shallower than Python's stack
C_ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class ShellSyntaxError(Exception):
    """The line is wrong, or uses something the virtual phone's shell does not have."""


class Incomplete(ShellSyntaxError):
    """The text ends inside a quote or a bracket: more lines may complete it."""


@dataclass(frozen=True, slots=True)
class Text:
    """Characters as they are. Unquoted ones may form a pattern."""

    value: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Parameter:
    """`$NAME`. Unquoted, its value is split into words."""

    name: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$(...)`."""

    body: tuple[Item, ...]
    quoted: bool


Part = Text | Parameter | Substitution


@dataclass(frozen=True, slots=True)
class Word:
    """One word before expansion."""

    parts: tuple[Part, ...]

    @property
    def plain(self) -> str | None:
        """The word if it is only unquoted characters: what can be a reserved word or an assignment's name."""
        texts = [part.value for part in self.parts if isinstance(part, Text) and not part.quoted]
        return "".join(texts) if len(texts) == len(self.parts) else None


@dataclass(frozen=True, slots=True)
class Redirect:
    """`fd` to or from `target`: operator `<`, `>`, `>>`, `>&`, or `<&`."""

    fd: int
    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Assignment:
    name: str
    value: Word
    append: bool


@dataclass(frozen=True, slots=True)
class Simple:
    """A command with its words."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """`{ ...; }`, or `( ... )` when `subshell`."""

    body: tuple[Item, ...]
    redirects: tuple[Redirect, ...]
    subshell: bool


@dataclass(frozen=True, slots=True)
class Pipeline:
    commands: tuple[Simple | Group, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Item:
    """Pipelines joined by `&&` and `||`: (operator, pipeline), the first operator is empty."""

    chain: tuple[tuple[str, Pipeline], ...]
    background: bool


class Parser:
    """Reads one line of commands at a time, as mksh does: lines before a syntax error have already run."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def next_line(self) -> tuple[Item, ...] | None:
        """The commands up to the next newline outside quotes, None at the end. Raises ShellSyntaxError."""
        while True:
            self._blanks()
            if self._done:
                return None
            if self._take("\n"):
                continue
            return self._items(stop="\n")

    # ---- characters
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

    # ---- commands
    def _items(self, stop: str) -> tuple[Item, ...]:
        """Items until `stop`: a newline (or the end of the text), `)` or `}`; the stop is taken."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._unsupported("such deep nesting")
        items: list[Item] = []
        while True:
            self._blanks(newlines=stop != "\n")
            if self._at_stop(stop):
                break
            chain = self._chain()
            self._blanks()
            background = False
            if self._peek() == ";" and self._peek(1) != ";":
                self._at += 1
            elif self._peek() == "&" and self._peek(1) not in ("&", ">"):
                self._at += 1
                background = True
            elif not (self._done or self._peek() in ("\n", stop)):
                raise self._unexpected()
            items.append(Item(chain, background))
        self._depth -= 1
        return tuple(items)

    def _at_stop(self, stop: str) -> bool:
        if self._done:
            if stop == "\n":
                return True
            raise Incomplete(f"syntax error: unmatched '{'(' if stop == ')' else '{'}'")
        if stop == "}" and self._peek() == "}" and self._peek(1) not in META:
            return False
        return self._take(stop)

    def _chain(self) -> tuple[tuple[str, Pipeline], ...]:
        chain = [("", self._pipeline())]
        while True:
            self._blanks()
            operator = self._text[self._at : self._at + 2]
            if operator not in ("&&", "||"):
                return tuple(chain)
            self._at += 2
            self._blanks(newlines=True)
            chain.append((operator, self._pipeline()))

    def _pipeline(self) -> Pipeline:
        negated = False
        while self._peek() == "!" and self._peek(1) and self._peek(1) in BLANKS + "\n":
            negated = not negated
            self._at += 1
            self._blanks()
        commands = [self._command()]
        while True:
            self._blanks()
            if self._peek() != "|" or self._peek(1) == "|":
                return Pipeline(tuple(commands), negated)
            if self._peek(1) == "&":
                raise self._unsupported("a co-process (|&)")
            self._at += 1
            self._blanks(newlines=True)
            commands.append(self._command())

    def _command(self) -> Simple | Group:
        if self._peek() == "(":
            if self._peek(1) == "(":
                raise self._unsupported("arithmetic ((...))")
            self._at += 1
            return self._group(")")
        if self._peek() == "{" and (self._peek(1) == "" or self._peek(1) in META):
            self._at += 1
            return self._group("}")
        return self._simple()

    def _group(self, stop: str) -> Group:
        body = self._items(stop)
        redirects: list[Redirect] = []
        while True:
            self._blanks()
            redirect = self._redirect()
            if redirect is None:
                break
            redirects += redirect
        return Group(body, tuple(redirects), subshell=stop == ")")

    def _simple(self) -> Simple:
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            self._blanks()
            redirect = self._redirect()
            if redirect is not None:
                redirects += redirect
                continue
            if self._done or self._peek() in META:
                break
            declares = bool(words) and words[0].plain in DECLARATIONS
            assignment = self._assignment() if not words or declares else None
            if assignment is not None:
                if declares:
                    words.append(_declaration(assignment))
                else:
                    assignments.append(assignment)
                continue
            word = self._word()
            if not words and not assignments and not redirects and word.plain is not None:
                self._check_reserved(word.plain)
            words.append(word)
            if self._peek() == "(":
                raise self._unsupported("a function definition") if len(words) == 1 else self._unexpected()
        if not (assignments or words or redirects):
            raise self._unexpected()
        return Simple(tuple(assignments), tuple(words), tuple(redirects))

    def _check_reserved(self, word: str) -> None:
        if word in UNSUPPORTED_WORDS:
            raise self._unsupported(f"{word!r}")
        if word == "}":
            raise ShellSyntaxError("syntax error: unexpected '}'")

    def _assignment(self) -> Assignment | None:
        match = NAME.match(self._text, self._at)
        if match is None:
            return None
        after = self._text[match.end() : match.end() + 2]
        if after[:1] == "[" and re.compile(r"\[[^\]\s]*\]\+?=").match(self._text, match.end()):
            raise self._unsupported("an array")
        append = after == "+="
        if not append and after[:1] != "=":
            return None
        self._at = match.end() + (2 if append else 1)
        if self._peek() == "(":
            raise self._unsupported("an array")
        return Assignment(match.group(), self._word(assignment=True), append)

    def _redirect(self) -> list[Redirect] | None:
        fd: int | None = None
        start = self._at
        if self._peek().isascii() and self._peek().isdigit() and self._peek(1) and self._peek(1) in "<>":
            fd = int(self._peek())
            self._at += 1
        both = fd is None and self._text.startswith("&>", self._at)
        if both:
            self._at += 1
        if self._peek() not in ("<", ">"):
            self._at = start
            return None
        for operator in ("<<", "<>", ">>", ">|", ">&", "<&", "<", ">"):
            if self._take(operator):
                break
        if operator in ("<<", "<>") or (operator == "<" and self._peek() == "("):
            raise self._unsupported(f"the redirection {operator}")
        self._blanks()
        if self._done or self._peek() in META:
            raise self._unexpected()
        target = self._word()
        if operator == ">|":
            operator = ">"
        if fd is None:
            fd = 0 if operator[0] == "<" else 1
        redirects = [Redirect(fd, operator, target)]
        if both:
            redirects.append(Redirect(2, ">&", Word((Text("1", quoted=False),))))
        return redirects

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
        """At the start of a word or of a value: after the word's first `=`, and in assignments after each `:`."""
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
            parts.append(Text("~", quoted=False))  # nobody of that name: it stays as it is

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
        """One C escape after the backslash, as bytes."""
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
    """A `\\x` (one byte) or `\\u` escape's bytes."""
    if byte:
        return bytes([code & 0xFF])
    return chr(code if code <= LAST_CHARACTER else 0xFFFD).encode("utf-8", "surrogatepass")


def _declaration(assignment: Assignment) -> Word:
    """`NAME=value` as a word that is neither split nor matched."""
    name = Text(assignment.name + ("+=" if assignment.append else "="), quoted=True)
    return Word((name, *(replace(part, quoted=True) for part in assignment.value.parts)))


def _joined(parts: list[Part]) -> tuple[Part, ...]:
    """Neighbouring texts of the same kind as one."""
    out: list[Part] = []
    for is_text, group in itertools.groupby(parts, key=lambda part: (isinstance(part, Text), part.quoted)):
        if is_text[0]:
            out.append(Text("".join(part.value for part in group if isinstance(part, Text)), is_text[1]))
        else:
            out += group
    return tuple(out)


def _has_brace_list(word: Word) -> bool:
    """Whether mksh would expand `{a,b}` in this word: an unquoted brace pair with an unquoted comma in it."""
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
