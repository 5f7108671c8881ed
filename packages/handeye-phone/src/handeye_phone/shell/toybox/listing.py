"""ls, stat, du and df."""

from __future__ import annotations

import datetime
import re
import stat as modes

from handeye_phone.shell.files import Node
from handeye_phone.shell.options import Options, parse_options
from handeye_phone.shell.process import Command, Process
from handeye_phone.shell.toybox.files import report_error

OWNERS = {0: "root", 1000: "system", 1015: "sdcard_rw", 2000: "shell", 9997: "everybody"}
BLOCK_KB = 4


async def ls(p: Process) -> int:
    options = parse_options(p.args, "1aAdlhRiFpnsStrC", long={"all": "a", "color": "C"})
    status = 0
    folders: list[tuple[str, list[tuple[str, Node]]]] = []
    single: list[tuple[str, Node]] = []
    for operand in options.operands or ["."]:
        try:
            follow = not ("l" in options or "d" in options) or operand.endswith("/")
            node = p.files.stat(p.path(operand), follow=follow)
            if node.is_dir and "d" not in options:
                folders.append((operand, p.files.list(p.path(operand))))
            else:
                single.append((operand, node))
        except OSError as error:
            status = await report_error(p, error, operand)
    await _print_entries(p, options, single)
    titled = len(options.operands) > 1 or "R" in options
    for index, (name, entries) in enumerate(folders):
        if titled:
            await p.out(("\n" if index or single else "") + f"{name}:\n")
        await _print_folder(p, options, name, entries)
    return status


async def _print_folder(p: Process, options: Options, name: str, entries: list[tuple[str, Node]]) -> None:
    shown = [entry for entry in entries if {"a", "A"} & options.flags or not entry[0].startswith(".")]
    if "a" in options:
        here = p.files.stat(p.path(name))
        shown = [(".", here), ("..", here), *shown]
    if "l" in options or "s" in options:
        await p.out(f"total {sum(_blocks(node) for _, node in shown)}\n")
    await _print_entries(p, options, shown)
    if "R" in options:
        for child, node in shown:
            if node.is_dir and child not in (".", ".."):
                path = f"{name.rstrip('/')}/{child}"
                await p.out(f"\n{path}:\n")
                await _print_folder(p, options, path, p.files.list(p.path(path)))


async def _print_entries(p: Process, options: Options, entries: list[tuple[str, Node]]) -> None:
    if "S" in options:
        entries = sorted(entries, key=lambda entry: -entry[1].size)
    if "t" in options:
        entries = sorted(entries, key=lambda entry: -entry[1].mtime)
    if "r" in options:
        entries = entries[::-1]
    for name, node in entries:
        await p.out(_long(options, name, node) if "l" in options or "n" in options else _short(options, name, node))


def _short(options: Options, name: str, node: Node) -> str:
    mark = ""
    if "F" in options or "p" in options:
        mark = "/" if node.is_dir else "@" if node.is_link and "F" in options else ""
    number = f"{node.inode:>7} " if "i" in options else ""
    return f"{number}{name}{mark}\n"


def _long(options: Options, name: str, node: Node) -> str:
    when = datetime.datetime.fromtimestamp(node.mtime, datetime.UTC).strftime("%Y-%m-%d %H:%M")
    owner, group = (str(node.uid), str(node.gid)) if "n" in options else (_name(node.uid), _name(node.gid))
    size = human(node.size) if "h" in options else str(node.size)
    arrow = f" -> {node.target}" if node.is_link else ""
    links = 2 if node.is_dir else 1
    return f"{modes.filemode(node.mode)} {links} {owner:<6} {group:<6} {size:>6} {when} {name}{arrow}\n"


def _name(number: int) -> str:
    return OWNERS.get(number, str(number))


def _blocks(node: Node) -> int:
    return -(-node.size // 4096) * BLOCK_KB


def human(size: int) -> str:
    """Return a size for people: 1234567 as 1.1M."""
    if size < 1024:
        return str(size)
    power = min((size.bit_length() - 1) // 10, 4)
    value = size / 1024**power
    return f"{value:.1f}{'KMGT'[power - 1]}" if value < 10 else f"{value:.0f}{'KMGT'[power - 1]}"


async def stat(p: Process) -> int:
    options = parse_options(p.args, "Lt", "c", long={"format": "c"})
    if not options.operands:
        return await p.fail(f'Needs 1 argument (see "{p.name} --help")')
    status = 0
    for operand in options.operands:
        try:
            node = p.files.stat(p.path(operand), follow="L" in options)
        except OSError as error:
            status = await p.fail(f"'{operand}': {error.strerror}")
            continue
        await p.out(_stat_text(options.values.get("c"), operand, node))
    return status


def _stat_text(layout: str | None, name: str, node: Node) -> str:
    kind = "directory" if node.is_dir else "symbolic link" if node.is_link else "regular file"
    when = datetime.datetime.fromtimestamp(node.mtime, datetime.UTC).strftime("%Y-%m-%d %H:%M:%S.000000000 +0000")
    values = {
        "n": name,
        "N": f"`{name}'" + (f" -> `{node.target}'" if node.is_link else ""),
        "s": str(node.size),
        "a": f"{modes.S_IMODE(node.mode):o}",
        "A": modes.filemode(node.mode),
        "F": "regular empty file" if node.is_file and not node.size else kind,
        "u": str(node.uid),
        "U": _name(node.uid),
        "g": str(node.gid),
        "G": _name(node.gid),
        "Y": str(int(node.mtime)),
        "y": when,
        "X": str(int(node.mtime)),
        "Z": str(int(node.mtime)),
        "i": str(node.inode),
        "h": "2" if node.is_dir else "1",
        "b": str(_blocks(node) * 2),
        "B": "512",
        "f": f"{node.mode:x}",
        "%": "%",
    }
    if layout is not None:
        return re.sub(r"%([%a-zA-Z])", lambda match: values.get(match.group(1), match.group()), layout) + "\n"
    return (
        f"  File: {values['N']}\n  Size: {node.size}\t Blocks: {values['b']}\t IO Blocks: 512\t{kind}\n"
        f"Access: ({modes.S_IMODE(node.mode):04o}/{values['A']})\tUid: ({node.uid}/{values['U']})\t"
        f"Gid: ({node.gid}/{values['G']})\nModify: {when}\n"
    )


async def du(p: Process) -> int:
    options = parse_options(p.args, "shkac")
    errors: list[OSError] = []
    for operand in options.operands or ["."]:
        total = sum(_blocks(node) for _, node in p.files.walk(p.path(operand), errors.append))
        await p.out(f"{human(total * 1024) if 'h' in options else total}\t{operand}\n")
    for problem in errors:
        await report_error(p, problem, str(problem.filename))
    return int(bool(errors))


async def df(p: Process) -> int:
    parse_options(p.args, "hkH")
    await p.out(
        "Filesystem     1K-blocks    Used Available Use% Mounted on\n"
        "/dev/fuse         524288    4096    520192   1% /storage/emulated\n"
    )
    return 0


COMMANDS: dict[str, Command] = {"df": df, "du": du, "ls": ls, "stat": stat}
