"""ls, rm, mkdir, mv, cp and the other commands that handle files."""

from __future__ import annotations

import datetime
import errno
import re
import stat as modes

from handeye.phone.shell.files import Node
from handeye.phone.shell.options import Options, parse_options
from handeye.phone.shell.process import Command, Process

OWNERS = {0: "root", 1000: "system", 1015: "sdcard_rw", 2000: "shell", 9997: "everybody"}
BLOCK_KB = 4


async def complain(p: Process, error: OSError, path: str) -> int:
    """`name: path: reason`, the way toybox says it."""
    return await p.fail(f"{path}: {error.strerror}")


# ---- ls
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
            status = await complain(p, error, operand)
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
    """1234567 as 1.1M."""
    if size < 1024:
        return str(size)
    power = min((size.bit_length() - 1) // 10, 4)
    value = size / 1024**power
    return f"{value:.1f}{'KMGT'[power - 1]}" if value < 10 else f"{value:.0f}{'KMGT'[power - 1]}"


# ---- changing
async def rm(p: Process) -> int:
    options = parse_options(p.args, "rRfiv")
    force = "f" in options
    if not options.operands and not force:
        return await p.fail(f'Needs 1 argument (see "{p.name} --help")')
    status = 0
    for operand in options.operands:
        path = p.path(operand)
        try:
            if operand.rstrip("/").rpartition("/")[2] in (".", ".."):
                status = await p.fail(f"bad path {operand}")
                continue
            node = p.files.stat(path.rstrip("/") or "/", follow=False)
            if node.is_dir and not {"r", "R"} & options.flags:
                status = await p.fail(f"{operand}: is directory")
                continue
            for below, _ in reversed(list(p.files.walk(path.rstrip("/") or "/"))):
                p.files.remove(below)
        except OSError as error:
            if not (force and error.errno == errno.ENOENT):
                status = await complain(p, error, operand)
    return status


async def mkdir(p: Process) -> int:
    options = parse_options(p.args, "pv", "m")
    mode = _octal(options.values.get("m"))
    if not options.operands or ("m" in options and mode is None):
        return await p.fail(f'Needs 1 argument (see "{p.name} --help")')
    status = 0
    for operand in options.operands:
        try:
            if "p" in options:
                p.files.make_dirs(p.path(operand))
            else:
                p.files.make_dir(p.path(operand), mode=0o771 if mode is None else mode)
        except OSError as error:
            status = await p.fail(f"'{operand}': {error.strerror}")
    return status


async def rmdir(p: Process) -> int:
    options = parse_options(p.args, "p")
    status = 0
    for operand in options.operands:
        try:
            if not p.files.stat(p.path(operand), follow=False).is_dir:
                status = await p.fail(f"{operand}: Not a directory")
                continue
            p.files.remove(p.path(operand))
        except OSError as error:
            status = await complain(p, error, operand)
    return status


def _target(p: Process, target: str, source: str, *, many: bool) -> str | None:
    """Where `source` goes: into the folder `target`, or to that name; None when many need a folder."""
    try:
        is_folder = p.files.stat(p.path(target)).is_dir
    except OSError:
        is_folder = False
    if is_folder:
        return p.path(f"{target.rstrip('/')}/{source.rstrip('/').rpartition('/')[2]}")
    return None if many or target.endswith("/") else p.path(target)


async def mv(p: Process) -> int:
    options = parse_options(p.args, "finv")
    if len(options.operands) < 2:
        return await p.fail(f'Needs 2 arguments (see "{p.name} --help")')
    *sources, target = options.operands
    status = 0
    for source in sources:
        to = _target(p, target, source, many=len(sources) > 1)
        if to is None:
            return await p.fail(f"'{target}' not directory")
        try:
            if "n" in options and p.files.exists(to):
                continue
            p.files.rename(p.path(source), to)
        except OSError as error:
            status = await p.fail(f"bad '{source}': {error.strerror}")
    return status


async def cp(p: Process) -> int:
    options = parse_options(p.args, "rRapfivnd")
    if len(options.operands) < 2:
        return await p.fail(f'Needs 2 arguments (see "{p.name} --help")')
    *sources, target = options.operands
    status = 0
    for source in sources:
        to = _target(p, target, source, many=len(sources) > 1)
        if to is None:
            return await p.fail(f"'{target}' not directory")
        try:
            path = p.path(source)
            if p.files.stat(path).is_dir and not {"r", "R", "a"} & options.flags:
                status = await p.fail(f"Skipped dir '{source}'")
                continue
            folder, _, name = to.rpartition("/")
            if f"{p.files.real_path(folder + '/')}/{name}/".startswith(p.files.real_path(path) + "/"):
                status = await p.fail(f"'{source}' is '{target}'")
                continue
            _copy(p, path, to)
        except OSError as error:
            status = await p.fail(f"bad '{source}': {error.strerror}")
    return status


def _copy(p: Process, source: str, target: str) -> None:
    node = p.files.stat(source)
    if not node.is_dir:
        p.files.write(target, p.files.read(source), mode=node.mode & 0o777)
        return
    entries = p.files.list(source)
    if not p.files.exists(target):
        p.files.make_dir(target)
    for name, _ in entries:
        _copy(p, f"{source.rstrip('/')}/{name}", f"{target.rstrip('/')}/{name}")


async def touch(p: Process) -> int:
    options = parse_options(p.args, "acm")
    status = 0
    for operand in options.operands:
        try:
            if "c" not in options or p.files.exists(p.path(operand)):
                p.files.touch(p.path(operand))
        except OSError as error:
            status = await p.fail(f"'{operand}': {error.strerror}")
    return status


async def ln(p: Process) -> int:
    options = parse_options(p.args, "sfn")
    if "s" not in options:
        return await p.fail("only symbolic links (-s) are supported by the virtual phone")
    if len(options.operands) != 2:
        return await p.fail(f'Needs 2 arguments (see "{p.name} --help")')
    target, name = options.operands
    path = _target(p, name, target, many=False) or p.path(name)
    try:
        if "f" in options and p.files.exists(path):
            p.files.remove(path)
        p.files.link(target, path)
    except OSError as error:
        return await p.fail(f"cannot create symbolic link from '{target}' to '{name}': {error.strerror}")
    return 0


# ---- modes
def _octal(text: str | None) -> int | None:
    return int(text, 8) if text is not None and re.fullmatch(r"[0-7]{1,4}", text) else None


def _changed_mode(mode: int, text: str) -> int | None:
    """`755`, `u+x`, `go-w`, `a=r`; None for anything else."""
    number = _octal(text)
    if number is not None:
        return number
    for clause in text.split(","):
        match = re.fullmatch(r"([ugoa]*)([+=-])([rwxX]*)", clause)
        if match is None:
            return None
        who, operator, what = match.groups()
        bits = sum({"r": 4, "w": 2, "x": 1, "X": 1}[letter] for letter in set(what.replace("X", "x")))
        for letter, shift in (("u", 6), ("g", 3), ("o", 0)):
            if who and letter not in who and "a" not in who:
                continue
            if operator == "+":
                mode |= bits << shift
            elif operator == "-":
                mode &= ~(bits << shift)
            else:
                mode = mode & ~(7 << shift) | bits << shift
    return mode & 0o7777


async def chmod(p: Process) -> int:
    operands = [arg for arg in p.args if arg not in ("-R", "-v", "-f", "--")]
    if len(operands) < 2:
        return await p.fail(f'Needs 2 arguments (see "{p.name} --help")')
    status = 0
    for operand in operands[1:]:
        try:
            paths = [path for path, _ in p.files.walk(p.path(operand))] if "-R" in p.args else [p.path(operand)]
            for path in paths:
                mode = _changed_mode(modes.S_IMODE(p.files.stat(path).mode), operands[0])
                if mode is None:
                    return await p.fail(f"bad mode '{operands[0]}'")
                p.files.set_mode(path, mode)
        except OSError as error:
            status = await p.fail(f"chmod '{operand}' to {operands[0]}: {error.strerror}")
    return status


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


# ---- names
async def realpath(p: Process) -> int:
    status = 0
    for operand in p.args:
        try:
            await p.out(p.files.real_path(p.path(operand)) + "\n")
        except OSError as error:
            status = await complain(p, error, operand)
    return status


async def readlink(p: Process) -> int:
    options = parse_options(p.args, "fenq")
    if len(options.operands) != 1:
        return await p.fail(f'Needs 1 argument (see "{p.name} --help")')
    path = p.path(options.operands[0])
    try:
        text = p.files.real_path(path) if {"f", "e"} & options.flags else p.files.stat(path, follow=False).target
    except OSError:
        return 1
    if not text:
        return 1
    await p.out(text + ("" if "n" in options else "\n"))
    return 0


async def basename(p: Process) -> int:
    if not 1 <= len(p.args) <= 2:
        return await p.fail(f'Needs 1 argument (see "{p.name} --help")')
    name = p.args[0].rstrip("/").rpartition("/")[2] or "/"
    if len(p.args) == 2 and name != p.args[1]:
        name = name.removesuffix(p.args[1])
    await p.out(name + "\n")
    return 0


async def dirname(p: Process) -> int:
    for operand in p.args:
        folder, slash, _ = operand.rstrip("/").rpartition("/")
        await p.out((folder.rstrip("/") or ("/" if slash or operand.startswith("/") else ".")) + "\n")
    return 0 if p.args else await p.fail(f'Needs 1 argument (see "{p.name} --help")')


async def du(p: Process) -> int:
    options = parse_options(p.args, "shkac")
    for operand in options.operands or ["."]:
        total = sum(_blocks(node) for _, node in p.files.walk(p.path(operand)))
        await p.out(f"{human(total * 1024) if 'h' in options else total}\t{operand}\n")
    return 0


async def df(p: Process) -> int:
    parse_options(p.args, "hkH")
    await p.out(
        "Filesystem     1K-blocks    Used Available Use% Mounted on\n"
        "/dev/fuse         524288    4096    520192   1% /storage/emulated\n"
    )
    return 0


async def find(p: Process) -> int:
    """`find [DIR...] [-name PATTERN] [-type f|d|l] [-maxdepth N]`."""
    import fnmatch

    args = list(p.args)
    folders: list[str] = []
    while args and not args[0].startswith(("-", "(", "!")):
        folders.append(args.pop(0))
    name, kind, depth = "*", "", 1 << 30
    while args:
        test = args.pop(0)
        if test == "-print":
            continue
        if test not in ("-name", "-iname", "-type", "-maxdepth") or not args:
            return await p.fail(f"bad arg '{test}'")
        value = args.pop(0)
        if test == "-maxdepth":
            if not value.isdigit():
                return await p.fail(f"bad -maxdepth '{value}'")
            depth = int(value)
        elif test == "-type":
            kind = value
        else:
            name = value
    status = 0
    for folder in folders or ["."]:
        base = folder.rstrip("/") or "/"
        try:
            for path, node in p.files.walk(p.path(base)):
                shown = base + path[len(p.path(base)) :]
                type_ = "d" if node.is_dir else "l" if node.is_link else "f"
                below = shown[len(base) :].count("/")
                if (
                    below <= depth
                    and (not kind or kind == type_)
                    and fnmatch.fnmatchcase(path.rpartition("/")[2], name)
                ):
                    await p.out(shown + "\n")
        except OSError as error:
            status = await complain(p, error, folder)
    return status


COMMANDS: dict[str, Command] = {
    "basename": basename,
    "chmod": chmod,
    "cp": cp,
    "df": df,
    "dirname": dirname,
    "du": du,
    "find": find,
    "ln": ln,
    "ls": ls,
    "mkdir": mkdir,
    "mv": mv,
    "readlink": readlink,
    "realpath": realpath,
    "rm": rm,
    "rmdir": rmdir,
    "stat": stat,
    "touch": touch,
}
