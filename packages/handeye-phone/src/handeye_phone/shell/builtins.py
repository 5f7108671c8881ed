"""Built-in commands of mksh: they read and change the shell they run in."""

from __future__ import annotations

import asyncio
import re

from handeye_phone.shell.expand import ExpansionError
from handeye_phone.shell.interpreter import EXIT_NOT_FOUND, MAX_NESTED_SHELLS, Shell, ShellExit
from handeye_phone.shell.process import Command, Process
from handeye_phone.shell.words import LAST_CHARACTER, NAME

ECHO_ESCAPES = {"a": 7, "b": 8, "e": 27, "E": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92}
ECHO_ESCAPE = re.compile(
    r"\\(?:([abeEfnrtv\\c])|0([0-7]{0,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8}))"
)


async def echo(p: Process) -> int:
    """Print words; backslash escapes are interpreted unless `-E` is given, as in mksh."""
    args, newline, escapes = list(p.args), True, True
    while args and re.fullmatch(r"-[neE]+", args[0]):
        for letter in args.pop(0)[1:]:
            newline = newline and letter != "n"
            escapes = {"e": True, "E": False}.get(letter, escapes)
    data, cut = " ".join(args).encode("utf-8", "surrogateescape"), False
    if escapes:
        data, cut = unescape(" ".join(args), stop=False)
    await p.out(data + (b"\n" if newline and not cut else b""))
    return 0


def unescape(text: str, *, stop: bool = True) -> tuple[bytes, bool]:
    """Return the text with its escapes resolved, and True if it had a `\\c`.

    `\\c` ends printf's output (`stop`); mksh's echo only drops its newline.
    """
    out = bytearray()
    at = 0
    cut = False
    for match in ECHO_ESCAPE.finditer(text):
        out += text[at : match.start()].encode("utf-8", "surrogateescape")
        at = match.end()
        plain, octal, byte, short, long = match.groups()
        if plain == "c":
            cut = True
            if stop:
                return bytes(out), True
        elif plain:
            out.append(ECHO_ESCAPES[plain])
        elif octal is not None:
            out.append(int(octal or "0", 8) & 0xFF)
        elif byte:
            out.append(int(byte, 16))
        else:
            code = int(short or long, 16)
            out += chr(code if code <= LAST_CHARACTER else 0xFFFD).encode("utf-8", "surrogatepass")
    out += text[at:].encode("utf-8", "surrogateescape")
    return bytes(out), cut


async def true(p: Process) -> int:
    return 0


async def false(p: Process) -> int:
    return 1


async def exit_shell(p: Process) -> int:
    if not p.args:
        raise ShellExit(p.shell.status)
    if not re.fullmatch(r"[+-]?\d+", p.args[0]):
        await report_error(p, f"exit: {p.args[0]}: bad number")
        raise ShellExit(1)
    raise ShellExit(int(p.args[0]) & 0xFF)


async def report_error(p: Process, message: str, code: int = 1) -> int:
    """Write an error message of the shell."""
    await p.err(f"{p.shell.name}: {message}\n")
    return code


async def cd(p: Process) -> int:
    args = [arg for arg in p.args if arg not in ("-L", "-P", "--")]
    target = args[0] if args else p.shell.value("HOME") or "/"
    if target == "-":
        previous = p.shell.value("OLDPWD")
        if previous is None:
            return await report_error(p, "cd: no OLDPWD", 2)
        target = previous
        await p.out(target + "\n")
    path = p.path(target)
    try:
        node = p.files.stat(path)
        if not node.is_dir:
            return await report_error(p, f"cd: {target}: Not a directory", 2)
        if not node.allows(1):
            return await report_error(p, f"cd: {target}: Permission denied", 2)
    except OSError as error:
        return await report_error(p, f"cd: {target}: {error.strerror}", 2)
    p.shell.variables["OLDPWD"] = p.shell.cwd
    p.shell.cwd = _normalized_path(path)
    return 0


def _normalized_path(path: str) -> str:
    """Return the path without `.`, `..` and doubled slashes; links are not resolved, as in `cd`."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


async def pwd(p: Process) -> int:
    physical = "-P" in p.args
    await p.out((p.files.real_path(p.shell.cwd) if physical else p.shell.cwd) + "\n")
    return 0


async def export(p: Process) -> int:
    if not p.args or p.args == ["-p"]:
        await p.out("".join(f"export {name}={_quoted(value)}\n" for name, value in sorted(p.shell.exported.items())))
        return 0
    for arg in p.args:
        name, equals, value = arg.partition("=")
        if not NAME.fullmatch(name):
            return await report_error(p, f"export: {arg}: is not an identifier")
        p.shell.export(name, value if equals else None)
    return 0


def _quoted(value: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_/.:,+@%^-]+", value):
        return value
    return "'" + value.replace("'", "'\\''") + "'"


async def unset(p: Process) -> int:
    for name in p.args:
        if name in ("-v", "--"):
            continue
        if not NAME.fullmatch(name):
            return await report_error(p, f"unset: {name}: is not an identifier")
        p.shell.unset(name)
    return 0


async def set_options(p: Process) -> int:
    """List variables, or set the positional parameters; options are refused, because they change how lines run."""
    if not p.args:
        known = {**p.shell.exported, **p.shell.variables}
        await p.out("".join(f"{name}={_quoted(value)}\n" for name, value in sorted(known.items())))
        return 0
    if p.args[0] == "--" or not p.args[0].startswith(("-", "+")):
        p.shell.arguments = p.args[1:] if p.args[0] == "--" else list(p.args)
        return 0
    return await report_error(p, f"set: {p.args[0]}: options are not supported by the virtual phone's shell")


async def shift(p: Process) -> int:
    count = int(p.args[0]) if p.args and p.args[0].isdigit() else 1
    if count > len(p.shell.arguments):
        return await report_error(p, "shift: nothing to shift")
    del p.shell.arguments[:count]
    return 0


async def evaluate(p: Process) -> int:
    if p.shell.depth >= MAX_NESTED_SHELLS:
        raise ExpansionError("shells are nested too deeply")
    p.shell.depth += 1
    p.shell.status = 0
    try:
        await p.shell.run_lines(" ".join(p.args), p.streams)
    finally:
        p.shell.depth -= 1
    return p.shell.status


async def read(p: Process) -> int:
    names = [arg for arg in p.args if arg != "-r"]
    raw = "-r" in p.args
    if any(name.startswith("-") or not NAME.fullmatch(name) for name in names):
        return await report_error(
            p, f"read: {' '.join(names)}: only -r and names are supported by the virtual phone's shell"
        )
    line = await p.streams.stdin.read_line()
    text = line.decode("utf-8", "surrogateescape").removesuffix("\n")
    if not raw:
        text = re.sub(r"\\(.)", r"\1", text)
    names = names or ["REPLY"]
    fields = text.strip(" \t").split(None, len(names) - 1)
    for index, name in enumerate(names):
        p.shell.assign(name, fields[index].rstrip(" \t") if index < len(fields) else "")
    return 0 if line else 1


async def wait(p: Process) -> int:
    jobs = set(p.shell.jobs)
    if jobs:
        await asyncio.wait(jobs)
    return 0


async def sh(p: Process) -> int:
    """Run `sh -c LINE [NAME ARG...]`, `sh FILE [ARG...]`, or commands from standard input."""
    if p.shell.depth >= MAX_NESTED_SHELLS:
        return await p.fail("shells are nested too deeply")
    shell = Shell(p.phone, p.shell.commands, environment=p.env, cwd=p.shell.cwd, depth=p.shell.depth + 1, name=p.name)
    shell.jobs = p.shell.jobs
    args = p.args
    if args and args[0] == "-c":
        if len(args) < 2:
            return await report_error(p, "-c: requires argument")
        if len(args) > 2:
            shell.name, shell.arguments = args[2], args[3:]
        return await shell.run(args[1], p.streams)
    if args and args[0].startswith("-") and args[0] not in ("-", "-s", "-i"):
        return await report_error(p, f"{args[0]}: unknown option")
    if args and not args[0].startswith("-"):
        try:
            script = p.files.read(p.path(args[0])).decode("utf-8", "surrogateescape")
        except OSError as error:
            return await report_error(p, f"{args[0]}: {error.strerror}", EXIT_NOT_FOUND)
        shell.name, shell.arguments = args[0], args[1:]
        return await shell.run(script, p.streams)
    return await shell.run_interactive(p.streams)


async def command(p: Process) -> int:
    """Describe a name (`command -v NAME`) or run it (`command NAME ...`)."""
    if p.args[:1] == ["-v"]:
        status = 0
        for name in p.args[1:]:
            found = p.shell.find(name)
            if found is None:
                status = 1
            else:
                await p.out((name if name in BUILTINS else f"/system/bin/{name}") + "\n")
        return status
    if not p.args:
        return 0
    return await p.shell.execute(p.args, p.streams, p.env)


async def replace(p: Process) -> int:
    """Run `exec COMMAND ...` and end the shell. Without a command it is refused: it would redirect all later output."""
    if not p.args:
        return await refuse(p)
    raise ShellExit(await p.shell.execute(p.args, p.streams, p.env))


async def kind(p: Process) -> int:
    """Run `type NAME`."""
    status = 0
    for name in p.args:
        if name in BUILTINS:
            await p.out(f"{name} is a shell builtin\n")
        elif p.shell.find(name) is not None:
            await p.out(f"{name} is /system/bin/{name}\n")
        else:
            await p.out(f"{name} not found\n")
            status = 1
    return status


async def refuse(p: Process) -> int:
    """Refuse a builtin that would change the meaning of later commands."""
    return await report_error(p, f"{p.name}: not supported by the virtual phone's shell")


REFUSED = (
    ".", "source", "alias", "unalias", "trap", "return", "break", "continue", "local", "let", "typeset",
    "readonly", "bind", "builtin", "fc", "fg", "bg", "jobs", "ulimit", "whence", "print", "getopts", "kill", "global",
    "hash", "suspend", "times", "umask",
)  # fmt: skip
BUILTINS: dict[str, Command] = {
    ":": true,
    "cd": cd,
    "command": command,
    "echo": echo,
    "eval": evaluate,
    "exec": replace,
    "exit": exit_shell,
    "export": export,
    "false": false,
    "pwd": pwd,
    "read": read,
    "set": set_options,
    "shift": shift,
    "true": true,
    "type": kind,
    "unset": unset,
    "wait": wait,
    **dict.fromkeys(REFUSED, refuse),
}
PROGRAMS: dict[str, Command] = {"sh": sh}
