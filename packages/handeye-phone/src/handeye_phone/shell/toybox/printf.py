"""printf."""

from __future__ import annotations

import re

from handeye_phone.shell.builtins import unescape
from handeye_phone.shell.process import Command, Process

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
    """Print the layout once. Return True if `\\c` ended the output. Raises ValueError."""
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
    """Rewrite printf's `\\101` as echo's `\\0101`."""
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


COMMANDS: dict[str, Command] = {"printf": printf}
