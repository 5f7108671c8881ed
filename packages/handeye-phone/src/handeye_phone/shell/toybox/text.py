"""cat, head, grep, sort and the other commands that handle text and bytes."""

from __future__ import annotations

import asyncio
import codecs
import errno
import re
from collections.abc import Callable
from typing import Final

from handeye_phone.shell.options import parse_options
from handeye_phone.shell.process import Command, Process
from handeye_phone.shell.toybox.patterns import PATTERN_SECONDS, find_all

MOST_TEXT: Final = 4 << 20
"""Most bytes of files whose lines are needed at once: as Python strings, short lines take eighty times their size."""

_LEADING_NUMBER: Final = re.compile(r"\s*-?\d+(\.\d+)?")
_BLOCK: Final = 1 << 20


async def cat(p: Process) -> int:
    options = parse_options(p.args, "ue")
    status = 0
    for operand in options.operands or ["-"]:
        if operand == "-":
            while chunk := await p.streams.stdin.read():
                await p.out(chunk)
            continue
        try:
            await p.out(await p.read_operand(operand))
        except OSError as error:
            status = await p.fail(f"{operand}: {error.strerror}")
    return status


async def _each(p: Process, operands: list[str], titled: bool, show: Callable[[bytes], bytes]) -> int:
    status = 0
    for index, operand in enumerate(operands or ["-"]):
        try:
            data = await p.read_operand(operand)
        except OSError as error:
            status = await p.fail(f"{operand}: {error.strerror}")
            continue
        if titled:
            await p.out(("\n" if index else "") + f"==> {operand} <==\n")
        await p.out(await asyncio.to_thread(show, data))  # for half a gigabyte it takes seconds
    return status


def whole_number(text: str) -> int | None:
    """Return a whole number of lines or bytes, None for anything else."""
    return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text) else None


def _after_lines(data: bytes, count: int) -> int:
    """Return the index after the first `count` lines; a carriage return ends no line."""
    if count <= 0:
        return 0
    for begin in range(0, len(data), _BLOCK):
        if (here := data.count(b"\n", begin, begin + _BLOCK)) >= count:
            at = begin
            for _ in range(count):
                at = data.index(b"\n", at) + 1
            return at
        count -= here
    return len(data)


def _last_lines(data: bytes, count: int) -> int:
    """Return the index at which the last `count` lines begin."""
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    return _after_lines(data, max(0, lines - count))


def _numbered(args: list[str]) -> list[str]:
    """Rewrite a first word `-5` as `-n 5`."""
    return ["-n", args[0][1:], *args[1:]] if args and re.fullmatch(r"-\d+", args[0]) else args


async def head(p: Process) -> int:
    options = parse_options(_numbered(p.args), "qv", "nc")
    count = whole_number(options.values.get("n") or options.values.get("c") or "10")
    if count is None:
        return await p.fail(f"not integer: {options.values.get('n') or options.values.get('c')}")
    if "c" in options:
        return await _each(p, options.operands, len(options.operands) > 1, lambda data: data[:count])

    def show(data: bytes) -> bytes:
        return data[: _after_lines(data, count) if count >= 0 else _last_lines(data, -count)]

    return await _each(p, options.operands, len(options.operands) > 1, show)


async def tail(p: Process) -> int:
    if "-f" in p.args:
        return await p.fail("-f is not supported by the virtual phone")
    options = parse_options(_numbered(p.args), "q", "nc")
    text = options.values.get("n") or options.values.get("c") or "10"
    count = whole_number(text)
    if count is None:
        return await p.fail(f"not integer: {text}")
    from_start = text.startswith("+")

    def show(data: bytes) -> bytes:
        if "c" in options:
            return data[max(0, count - 1 if from_start else len(data) - abs(count)) :]
        return data[_after_lines(data, count - 1) if from_start else _last_lines(data, abs(count)) :]

    return await _each(p, options.operands, len(options.operands) > 1, show)


async def wc(p: Process) -> int:
    options = parse_options(p.args, "lwcm")
    asked = [flag for flag in "lwmc" if flag in options] or ["l", "w", "c"]
    totals = dict.fromkeys(asked, 0)
    status = 0
    for operand in options.operands or ["-"]:
        try:
            data = await p.read_operand(operand)
        except OSError as error:
            status = await p.fail(f"{operand}: {error.strerror}")
            continue
        numbers = await asyncio.to_thread(_counts, data)
        for flag in asked:
            totals[flag] += numbers[flag]
        shown = " ".join(str(numbers[flag]) for flag in asked)
        await p.out(shown + (f" {operand}" if options.operands else "") + "\n")
    if len(options.operands) > 1:
        await p.out(" ".join(str(totals[flag]) for flag in asked) + " total\n")
    return status


def _counts(data: bytes) -> dict[str, int]:
    """Count lines, words, bytes and characters block by block: all words at once would take many times the memory."""
    words, characters, in_word = 0, 0, False
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for at in range(0, len(data), _BLOCK):
        block = data[at : at + _BLOCK]
        words += len(block.split()) - (in_word and not block[:1].isspace())
        in_word = not block[-1:].isspace()
        characters += len(decoder.decode(block))
    characters += len(decoder.decode(b"", final=True))
    return {"l": data.count(b"\n"), "w": words, "c": len(data), "m": characters}


async def _text_of(p: Process, operand: str, most: int) -> bytes:
    """Return the content for a command that needs all lines at once. Raises OSError, also for more than `most` bytes."""
    if len(data := await p.read_operand(operand)) > most:
        raise OSError(errno.EFBIG, f"larger than the {MOST_TEXT >> 20} MB that the virtual phone handles", operand)
    return data


async def grep(p: Process) -> int:
    """Search with extended and basic patterns, as far as Python's agree with them; `-F` takes the text literally."""
    options = parse_options(p.args, "EFvinclqoxwhHras", "em")
    operands = list(options.operands)
    pattern = options.values.get("e") or (operands.pop(0) if operands else None)
    if pattern is None:
        return await p.fail("Needs 1 argument", 2)
    try:
        matcher = _matcher(pattern, options.flags)
    except (re.error, RecursionError, OverflowError):
        return await p.fail(f"bad regex '{pattern}'", 2)
    limit = whole_number(options.values.get("m", "999999999")) or 0
    named = (len(operands) > 1 or "H" in options) and "h" not in options
    matched = False
    status = 1
    for operand in operands or ["-"]:
        try:
            data = await _text_of(p, operand, MOST_TEXT)
        except OSError as error:
            await p.fail(f"{operand}: {error.strerror}")
            status = 2
            continue
        name = "(standard input)" if operand == "-" else operand
        try:
            found = await _grep_one(p, options.flags, matcher, data, name if named else "", name, limit)
        except TimeoutError:
            return await p.fail(f"'{pattern}' takes more than {PATTERN_SECONDS:g} s on {name}", 2)
        except OSError as error:
            return await p.fail(f"{name}: {error.strerror}", 2)
        matched = matched or found
    return 0 if matched else status


def _matcher(pattern: str, flags: frozenset[str]) -> re.Pattern[str]:
    if "F" in flags:
        source = "|".join(re.escape(line) for line in pattern.split("\n"))
    elif "E" in flags:
        source = pattern
    else:  # basic patterns: \( \) \{ \} \| \+ \? are the operators, the bare characters are themselves
        source = re.sub(
            r"\\?[(){}|+?]",
            lambda match: match.group()[1:] if len(match.group()) == 2 else "\\" + match.group(),
            pattern,
        )
    source = re.sub(
        r"\[:(alpha|digit|alnum|space|upper|lower|blank|punct|xdigit):\]", lambda match: CLASSES[match.group(1)], source
    )
    if "w" in flags:
        source = rf"\b(?:{source})\b"
    if "x" in flags:
        source = rf"^(?:{source})$"
    return re.compile(source, re.IGNORECASE if "i" in flags else 0)


CLASSES = {
    **{"alpha": "A-Za-z", "digit": "0-9", "alnum": "A-Za-z0-9", "space": r"\s", "upper": "A-Z", "lower": "a-z"},
    **{"blank": r" \t", "punct": r"!-/:-@\[-`{-~", "xdigit": "0-9A-Fa-f"},
}


async def _grep_one(
    p: Process, flags: frozenset[str], matcher: re.Pattern[str], data: bytes, prefix: str, name: str, limit: int
) -> bool:
    lines = await asyncio.to_thread(_lines, data)
    places = await find_all(matcher, lines)
    hits = [number for number, found in enumerate(places) if bool(found) != ("v" in flags)][:limit]
    if "q" in flags:
        return bool(hits)
    if "l" in flags:
        if hits:
            await p.out(name + "\n")
        return bool(hits)
    start = f"{prefix}:" if prefix else ""
    if "c" in flags:
        await p.out(f"{start}{len(hits)}\n")
        return bool(hits)
    for number in hits:
        line = lines[number]
        place = f"{start}{number + 1}:" if "n" in flags else start
        if "o" in flags:
            for begin, end in places[number]:
                await p.out(f"{place}{line[begin:end]}\n")
        else:
            await p.out(f"{place}{line}\n")
    return bool(hits)


def _lines(data: bytes) -> list[str]:
    """Return the lines without their ends; a carriage return ends no line."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


async def sort(p: Process) -> int:
    options = parse_options(p.args, "rnuf")
    data = b""
    for operand in options.operands or ["-"]:
        try:
            piece = await _text_of(p, operand, MOST_TEXT - len(data))
        except OSError as error:
            return await p.fail(f"{operand}: {error.strerror}", 2)
        data += piece if piece.endswith(b"\n") or not piece else piece + b"\n"
    await p.out(await asyncio.to_thread(_sorted, data, options.flags))
    return 0


def _sorted(data: bytes, flags: frozenset[str]) -> str:
    lines = _lines(data)
    if "u" in flags:
        lines = list(dict.fromkeys(lines))
    lines.sort(key=str.lower if "f" in flags else None)
    if "n" in flags:  # equal numbers keep the order of their texts
        lines.sort(key=lambda line: float(match.group()) if (match := _LEADING_NUMBER.match(line)) else 0.0)
    return "".join(line + "\n" for line in (reversed(lines) if "r" in flags else lines))


async def tee(p: Process) -> int:
    options = parse_options(p.args, "ai")
    data = await p.streams.stdin.read_all()
    await p.out(data)
    for operand in options.operands:
        if "a" in options:
            p.files.append(p.path(operand), data)
        else:
            p.files.write(p.path(operand), data)
    return 0


COMMANDS: dict[str, Command] = {
    "cat": cat,
    "egrep": grep,
    "grep": grep,
    "head": head,
    "sort": sort,
    "tail": tail,
    "tee": tee,
    "wc": wc,
}
