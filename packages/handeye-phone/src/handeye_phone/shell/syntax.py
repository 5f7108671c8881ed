"""Command lines of Android's shell (mksh) as a tree.

Supported: words with every kind of quoting, `$NAME` `${NAME}` `$?` `$1` `$@`, `$(...)`, `*?[]` patterns, `~`,
`;` `&` `&&` `||` `|` `!` newline, redirections, assignments, `( )` and `{ }`, comments. Anything else (control structures,
arithmetic, here-documents, backquotes, brace lists, functions, arrays) raises ShellSyntaxError: a line is never
run in part. Checked against mksh R59, the version in Android 14; see packages/handeye-phone/tests/shell.
"""

from __future__ import annotations

import re
from dataclasses import replace

from handeye_phone.shell.tree import (
    Assignment,
    Group,
    Incomplete,
    Item,
    Pipeline,
    Redirect,
    ShellSyntaxError,
    SimpleCommand,
    Text,
    Word,
)
from handeye_phone.shell.words import BLANKS, META, NAME, WordReader

UNSUPPORTED_WORDS = {
    "if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do", "done", "function",
    "time", "[[", "coproc",
}  # fmt: skip
DECLARATIONS = {"export"}  # their `NAME=value` words are expanded like assignments
MAX_DEPTH = 50  # nesting of $( ) and ( ); deeper than any real line, shallower than Python's stack


class Parser(WordReader):
    """Reads one line of commands at a time, as mksh does: lines before a syntax error have already run."""

    def next_line(self) -> tuple[Item, ...] | None:
        """Return the commands up to the next newline outside quotes, or None at the end. Raises ShellSyntaxError."""
        while True:
            self._blanks()
            if self._done:
                return None
            if self._take("\n"):
                continue
            return self._items(stop="\n")

    # ---- commands
    def _items(self, stop: str) -> tuple[Item, ...]:
        """Return items until `stop`: a newline (or the end of the text), `)` or `}`; the stop is consumed."""
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

    def _command(self) -> SimpleCommand | Group:
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

    def _simple(self) -> SimpleCommand:
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
        return SimpleCommand(tuple(assignments), tuple(words), tuple(redirects))

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


def _declaration(assignment: Assignment) -> Word:
    """Return `NAME=value` as a word that is neither split nor matched."""
    name = Text(assignment.name + ("+=" if assignment.append else "="), quoted=True)
    return Word((name, *(replace(part, quoted=True) for part in assignment.value.parts)))
