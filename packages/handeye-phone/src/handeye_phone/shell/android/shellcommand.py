"""Shared parts of Android's command-line services: argument queues and exception reports."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from handeye_phone.shell.process import Process

EXIT_EXCEPTION = 255


class JavaException(Exception):
    """An exception a service would throw while it executes a command; `kind` is its Java class."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message

    @classmethod
    def argument(cls, message: str) -> JavaException:
        return cls("java.lang.IllegalArgumentException", message)


class Arguments:
    """Takes words one after another, as `android.os.ShellCommand` does."""

    def __init__(self, words: list[str]) -> None:
        self._words = list(words)
        self._at = 0

    def next(self) -> str | None:
        """Return the next word, or None at the end."""
        if self._at >= len(self._words):
            return None
        self._at += 1
        return self._words[self._at - 1]

    def required(self) -> str:
        """Return the next word. Raises JavaException."""
        word = self.next()
        if word is None:
            previous = self._words[self._at - 1] if self._at else ""
            raise JavaException.argument(f'Argument expected after "{previous}"')
        return word

    def option(self) -> str | None:
        """Return the next word if it is an option, else None."""
        if self._at < len(self._words) and self._words[self._at].startswith("-") and self._words[self._at] != "-":
            return self.next()
        return None

    def peek(self) -> str | None:
        return self._words[self._at] if self._at < len(self._words) else None

    @property
    def rest(self) -> list[str]:
        """Return all words not yet taken."""
        return self._words[self._at :]

    def number(self) -> float:
        """Return the next word as a number. Raises JavaException."""
        word = self.required()
        try:
            value = float(word)
        except ValueError as error:
            raise JavaException("java.lang.NumberFormatException", f'For input string: "{word}"') from error
        if value != value or value in (float("inf"), float("-inf")):
            raise JavaException("java.lang.NumberFormatException", f'For input string: "{word}"')
        return value

    def integer(self) -> int:
        """Return the next word as a 32-bit integer. Raises JavaException."""
        word = self.required()
        if not word.lstrip("+-").isascii() or not word.lstrip("+-").isdigit() or not -(2**31) <= int(word) < 2**31:
            raise JavaException("java.lang.NumberFormatException", f'For input string: "{word}"')
        return int(word)


def user_of(p: Process, args: Arguments) -> int | None:
    """Return the user that `--user` names; None for all users. Raises JavaException."""
    word = args.required()
    if word in ("current", "cur"):
        return 0
    if word == "all":
        return None
    if not word.isascii() or not word.isdigit() or int(word) not in p.model.users:
        raise JavaException.argument(f"Invalid user: {word}")
    return int(word)


async def guarded(p: Process, body: Callable[[Process, Arguments], Awaitable[int]]) -> int:
    """Run a service's command; an exception is printed as Android prints it and exits with 255."""
    try:
        return await body(p, Arguments(p.args))
    except JavaException as error:
        sub_command = next(iter(p.args), "")
        await p.err(f"\nException occurred while executing '{sub_command}':\n{error.kind}: {error.message}\n")
        return EXIT_EXCEPTION


async def unknown(p: Process, word: str | None, usage: str) -> int:
    """Print Android's answer to an unknown sub-command."""
    if word is None or word in ("help", "-h", "--help"):
        await p.out(usage)
        return EXIT_EXCEPTION if word is None else 0
    await p.err(f"Unknown command: {word}\n")
    return EXIT_EXCEPTION
