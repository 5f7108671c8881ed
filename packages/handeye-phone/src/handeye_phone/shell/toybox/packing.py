"""gzip, base64 and the sums: bytes in another form."""

from __future__ import annotations

import base64
import functools
import gzip as gzip_format
import hashlib
import re
import zlib
from collections.abc import Callable

from handeye_phone.shell.options import parse_options
from handeye_phone.shell.process import Command, Process
from handeye_phone.shell.toybox.text import whole_number

MAX_UNPACKED = 64 * 1024 * 1024  # a small file that unpacks to more is a decompression bomb
FAST_GZIP = 1


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
            encoded = re.sub(rb"[^A-Za-z0-9+/=]" if "i" in options else rb"\s", b"", data)
            await p.out(base64.b64decode(encoded, validate=True))
        except ValueError:
            return await p.fail("bad input")
        return 0
    width = whole_number(options.values.get("w", "76"))
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
    "gunzip": gzip,
    "gzip": gzip,
    "md5sum": _digest("md5"),
    "sha1sum": _digest("sha1"),
    "sha256sum": _digest("sha256"),
    "zcat": zcat,
}
