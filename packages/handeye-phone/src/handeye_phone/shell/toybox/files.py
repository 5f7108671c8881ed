"""rm, mkdir, mv, cp, find and the other commands that change or seek files."""

from __future__ import annotations

import errno
import fnmatch
import re
import stat as modes
from collections.abc import Iterator

from handeye_phone.shell.files import MAX_DEPTH
from handeye_phone.shell.options import parse_options
from handeye_phone.shell.process import Command, Process


async def report_error(p: Process, error: OSError, path: str) -> int:
    """Write `name: path: reason` to standard error, as toybox does."""
    return await p.fail(f"{path}: {error.strerror}")


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
                status = await report_error(p, error, operand)
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
            status = await report_error(p, error, operand)
    return status


def _target(p: Process, target: str, source: str, *, many: bool) -> str | None:
    """Return the destination of `source`: in the folder `target`, or that name; None if several sources need a folder."""
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
    """Return the mode changed by `755`, `u+x`, `go-w` or `a=r`; None for anything else."""
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


# ---- names
async def realpath(p: Process) -> int:
    status = 0
    for operand in p.args:
        try:
            await p.out(p.files.real_path(p.path(operand)) + "\n")
        except OSError as error:
            status = await report_error(p, error, operand)
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


async def find(p: Process) -> int:
    """`find [DIR...] [-name PATTERN] [-type f|d|l] [-maxdepth N]`."""
    args = list(p.args)
    folders: list[str] = []
    while args and not args[0].startswith(("-", "(", "!")):
        folders.append(args.pop(0))
    tests = {"-name": "*", "-type": "", "-maxdepth": str(MAX_DEPTH)}
    while args:
        test = args.pop(0)
        if test == "-print":
            continue
        if test not in tests or not args:
            return await p.fail(f"bad arg '{test}'")
        tests[test] = args.pop(0)
    if not tests["-maxdepth"].isdigit() or tests["-type"] not in ("", "f", "d", "l"):
        return await p.fail("bad arg")
    status = 0
    for folder in folders or ["."]:
        errors: list[OSError] = []
        try:
            for line in _found(p, folder, tests, errors):
                await p.out(line + "\n")
        except OSError as error:
            errors.append(error)
        for problem in errors:
            status = await report_error(p, problem, str(problem.filename))
    return status


def _found(p: Process, folder: str, tests: dict[str, str], errors: list[OSError]) -> Iterator[str]:
    """Yield the paths below `folder` that pass the tests, written the way the folder was given."""
    base = folder.rstrip("/")
    start = p.path(folder).rstrip("/")
    for path, node in p.files.walk(start or "/", errors.append):
        below = path[len(start) :] if path != "/" else ""
        kind = "d" if node.is_dir else "l" if node.is_link else "f"
        name = path.rpartition("/")[2]
        if below.count("/") > int(tests["-maxdepth"]) or tests["-type"] not in ("", kind):
            continue
        if fnmatch.fnmatchcase(name, tests["-name"]):
            yield base + below or "/"


COMMANDS: dict[str, Command] = {
    "basename": basename,
    "chmod": chmod,
    "cp": cp,
    "dirname": dirname,
    "find": find,
    "ln": ln,
    "mkdir": mkdir,
    "mv": mv,
    "readlink": readlink,
    "realpath": realpath,
    "rm": rm,
    "rmdir": rmdir,
    "touch": touch,
}
