"""cat, head, grep, printf and the other commands that handle text and bytes."""

from __future__ import annotations

import base64
import functools
import gzip as gzip_format
import hashlib
import re
import zlib
from collections.abc import Callable

from handeye.phone.shell.builtins import unescape
from handeye.phone.shell.options import parse_options
from handeye.phone.shell.process import Command, Process

MAX_UNPACKED = 64 * 1024 * 1024  # a small file that unpacks to more is an attack on the phone's memory
FAST_GZIP = 1


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
        await p.out(show(data))
    return status


def _count(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text) else None


def _numbered(args: list[str]) -> list[str]:
    """`-5` as `-n 5`."""
    return [word for arg in args for word in (["-n", arg[1:]] if re.fullmatch(r"-\d+", arg) else [arg])]


async def head(p: Process) -> int:
    options = parse_options(_numbered(p.args), "qv", "nc")
    count = _count(options.values.get("n") or options.values.get("c") or "10")
    if count is None:
        return await p.fail(f"not integer: {options.values.get('n') or options.values.get('c')}")
    if "c" in options:
        return await _each(p, options.operands, len(options.operands) > 1, lambda data: data[:count])
    return await _each(
        p, options.operands, len(options.operands) > 1, lambda data: b"".join(data.splitlines(keepends=True)[:count])
    )


async def tail(p: Process) -> int:
    if "-f" in p.args:
        return await p.fail("-f is not supported by the virtual phone")
    options = parse_options(_numbered(p.args), "q", "nc")
    text = options.values.get("n") or options.values.get("c") or "10"
    count = _count(text)
    if count is None:
        return await p.fail(f"not integer: {text}")
    start = count - 1 if text.startswith("+") else None

    def show(data: bytes) -> bytes:
        parts = [data[index : index + 1] for index in range(len(data))] if "c" in options else data.splitlines(True)
        return b"".join(parts[start:] if start is not None else parts[-abs(count) :] if count else [])

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
        numbers = {
            "l": data.count(b"\n"),
            "w": len(data.split()),
            "c": len(data),
            "m": len(data.decode("utf-8", "replace")),
        }
        for flag in asked:
            totals[flag] += numbers[flag]
        shown = " ".join(str(numbers[flag]) for flag in asked)
        await p.out(shown + (f" {operand}" if options.operands else "") + "\n")
    if len(options.operands) > 1:
        await p.out(" ".join(str(totals[flag]) for flag in asked) + " total\n")
    return status


async def grep(p: Process) -> int:
    """Extended and basic patterns as far as Python's agree with them; `-F` takes the text as it is."""
    options = parse_options(p.args, "EFvinclqoxwhHras", "eAm")
    operands = list(options.operands)
    pattern = options.values.get("e") or (operands.pop(0) if operands else None)
    if pattern is None:
        return await p.fail("Needs 1 argument", 2)
    try:
        matcher = _matcher(pattern, options.flags)
    except re.error:
        return await p.fail(f"bad regex '{pattern}'", 2)
    limit = _count(options.values.get("m", "999999999")) or 0
    named = (len(operands) > 1 or "H" in options) and "h" not in options
    matched = False
    status = 1
    for operand in operands or ["-"]:
        try:
            data = await p.read_operand(operand)
        except OSError as error:
            await p.fail(f"{operand}: {error.strerror}")
            status = 2
            continue
        name = "(standard input)" if operand == "-" else operand
        found = await _grep_one(p, options.flags, matcher, data, name if named else "", name, limit)
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
    source = re.sub(r"\[:(alpha|digit|alnum|space|upper|lower):\]", lambda match: CLASSES[match.group(1)], source)
    if "w" in flags:
        source = rf"\b(?:{source})\b"
    if "x" in flags:
        source = rf"^(?:{source})$"
    return re.compile(source, re.IGNORECASE if "i" in flags else 0)


CLASSES = {"alpha": "A-Za-z", "digit": "0-9", "alnum": "A-Za-z0-9", "space": r"\s", "upper": "A-Z", "lower": "a-z"}


async def _grep_one(
    p: Process, flags: frozenset[str], matcher: re.Pattern[str], data: bytes, prefix: str, name: str, limit: int
) -> bool:
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    hits = [(number, line) for number, line in enumerate(lines, 1) if bool(matcher.search(line)) != ("v" in flags)][
        :limit
    ]
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
    for number, line in hits:
        place = f"{start}{number}:" if "n" in flags else start
        if "o" in flags:
            for match in matcher.finditer(line):
                await p.out(f"{place}{match.group()}\n")
        else:
            await p.out(f"{place}{line}\n")
    return bool(hits)


async def sort(p: Process) -> int:
    options = parse_options(p.args, "rnuf")
    lines: list[str] = []
    for operand in options.operands or ["-"]:
        lines += (await p.read_operand(operand)).decode("utf-8", "surrogateescape").splitlines()
    if "u" in options:
        lines = list(dict.fromkeys(lines))
    if "n" in options:
        lines.sort(key=lambda line: float(match.group()) if (match := re.match(r"\s*-?\d+(\.\d+)?", line)) else 0.0)
    else:
        lines.sort(key=str.lower if "f" in options else None)
    await p.out("".join(line + "\n" for line in (reversed(lines) if "r" in options else lines)))
    return 0


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


# ---- printf
FORMAT = re.compile(r"%(?:(%)|([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?([diouxXcsbeEfFgGaq]))")
MAX_WIDTH = 65_536


async def printf(p: Process) -> int:
    if not p.args:
        return await p.fail(f'Needs 1 argument (see "{p.name} --help")')
    layout, args = p.args[0], list(p.args[1:])
    out = bytearray()
    while True:
        before = len(args)
        try:
            ended = _print_once(layout, args, out)
        except ValueError as error:
            await p.out(bytes(out))
            return await p.fail(str(error))
        if ended or not args or len(args) == before:
            break
    await p.out(bytes(out))
    return 0


def _print_once(layout: str, args: list[str], out: bytearray) -> bool:
    """One pass over the layout; True when `\\c` ended the output. Raises ValueError."""
    at = 0
    for match in FORMAT.finditer(layout):
        if "%" in layout[at : match.start()]:
            raise ValueError(f"bad %{layout[layout.index('%', at) + 1 : layout.index('%', at) + 2]}@1")
        text, ended = unescape(_octal_escapes(layout[at : match.start()]))
        out += text
        if ended:
            return True
        at = match.end()
        if match.group(1):
            out += b"%"
            continue
        text, ended = _converted(match, args)
        out += text
        if ended:
            return True
    rest = layout[at:]
    if "%" in rest:
        raise ValueError(f"bad %{rest[rest.index('%') + 1 : rest.index('%') + 2]}@1")
    text, ended = unescape(_octal_escapes(rest))
    out += text
    return ended


def _octal_escapes(text: str) -> str:
    """`\\101` as printf knows it, in the form `\\0101` that echo knows."""
    return re.sub(
        r"\\\\|\\([1-7][0-7]{0,2})", lambda match: f"\\0{match.group(1)}" if match.group(1) else match.group(), text
    )


def _converted(match: re.Match[str], args: list[str]) -> tuple[bytes, bool]:
    _, flags, width, precision, kind = match.groups()
    if width == "*":
        width = str(_number(args.pop(0)) if args else 0)
    if precision == "*":
        precision = str(_number(args.pop(0)) if args else 0)
    if any(value is not None and abs(int(value)) > MAX_WIDTH for value in (width, precision)):
        raise ValueError("the width is too large")
    spec = "%" + flags + (width or "") + (f".{precision}" if precision is not None else "")
    word = args.pop(0) if args else None
    if kind == "b":
        return unescape(word or "")
    if kind == "q":
        return ("'" + (word or "").replace("'", "'\\''") + "'").encode("utf-8", "surrogateescape"), False
    if kind == "s":
        return _padded(spec, word or ""), False
    if kind == "c":
        return _padded(spec, (word or "")[:1]), False
    if kind in "eEfFgGa":
        return ((spec + kind.replace("a", "g")) % float(word or 0)).encode(), False
    return ((spec + ("d" if kind in "iu" else kind)) % _number(word or "0")).encode(), False


def _padded(spec: str, text: str) -> bytes:
    return (f"{spec}s" % text).encode("utf-8", "surrogateescape")


def _number(text: str) -> int:
    if text[:1] in ("'", '"') and len(text) > 1:
        return ord(text[1])
    try:
        return int(text, 8) if re.fullmatch(r"[+-]?0[0-7]+", text) else int(text, 0)
    except ValueError as error:
        raise ValueError(f"not integer: {text}") from error


# ---- bytes
def _digest(algorithm: str) -> Command:
    async def run(p: Process) -> int:
        options = parse_options(p.args, "b")
        status = 0
        for operand in options.operands or ["-"]:
            try:
                data = await p.read_operand(operand)
            except OSError as error:
                status = await p.fail(f"{operand}: {error.strerror}")
                continue
            value = hashlib.new(algorithm, data, usedforsecurity=False).hexdigest()
            await p.out(value + ("" if "b" in options else f"  {operand}") + "\n")
        return status

    return run


async def base64_command(p: Process) -> int:
    options = parse_options(p.args, "di", "w")
    data = await p.read_operand(options.operands[0] if options.operands else "-")
    if "d" in options:
        try:
            kept = re.sub(rb"[^A-Za-z0-9+/=]" if "i" in options else rb"\s", b"", data)
            await p.out(base64.b64decode(kept, validate=True))
        except ValueError:
            return await p.fail("bad input")
        return 0
    width = _count(options.values.get("w", "76"))
    if width is None or width < 0:
        return await p.fail(f"not integer: {options.values.get('w')}")
    text = base64.b64encode(data)
    lines = [text[start : start + width] for start in range(0, len(text), width)] if width else [text]
    await p.out(b"".join(line + b"\n" for line in lines) if width else text)
    return 0


async def gzip(p: Process) -> int:
    options = parse_options(p.args, "cdfkq123456789")
    if "d" in options or p.name == "gunzip":
        return await _unpack(p, options.operands, to_output="c" in options, keep="k" in options)
    if not options.operands or options.operands == ["-"]:
        await p.out(await _in_background(p, gzip_format.compress, await p.streams.stdin.read_all()))
        return 0
    for operand in options.operands:
        packed = await _in_background(p, gzip_format.compress, await p.read_operand(operand))
        if "c" in options:
            await p.out(packed)
            continue
        p.files.write(p.path(operand + ".gz"), packed)
        if "k" not in options:
            p.files.remove(p.path(operand))
    return 0


async def _in_background(p: Process, pack: Callable[[bytes, int], bytes], data: bytes) -> bytes:
    return await p.phone.in_background(lambda: pack(data, FAST_GZIP))


async def _unpack(p: Process, operands: list[str], *, to_output: bool, keep: bool) -> int:
    for operand in operands or ["-"]:
        try:
            packed = await p.read_operand(operand)
            plain = await p.phone.in_background(functools.partial(_gunzipped, packed))
        except (zlib.error, EOFError, gzip_format.BadGzipFile):
            return await p.fail(f"{operand}: bad gzip")
        if plain is None:
            return await p.fail(f"{operand}: unpacks to more than {MAX_UNPACKED} bytes")
        if to_output or operand == "-":
            await p.out(plain)
            continue
        if not operand.endswith(".gz"):
            return await p.fail(f"no .gz: {operand}")
        p.files.write(p.path(operand.removesuffix(".gz")), plain)
        if not keep:
            p.files.remove(p.path(operand))
    return 0


def _gunzipped(data: bytes) -> bytes | None:
    unpacker = zlib.decompressobj(31)
    plain = unpacker.decompress(data, MAX_UNPACKED)
    if unpacker.unconsumed_tail:
        return None
    if not unpacker.eof:
        raise EOFError
    return plain


async def zcat(p: Process) -> int:
    return await _unpack(p, p.args, to_output=True, keep=True)


COMMANDS: dict[str, Command] = {
    "base64": base64_command,
    "cat": cat,
    "egrep": grep,
    "grep": grep,
    "gunzip": gzip,
    "gzip": gzip,
    "head": head,
    "md5sum": _digest("md5"),
    "printf": printf,
    "sha1sum": _digest("sha1"),
    "sha256sum": _digest("sha256"),
    "sort": sort,
    "tail": tail,
    "tee": tee,
    "wc": wc,
    "zcat": zcat,
}
