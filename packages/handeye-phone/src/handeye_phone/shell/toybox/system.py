"""sleep, date, id, ps, test and the other commands about the phone as a computer."""

from __future__ import annotations

import asyncio
import datetime
import re
import time
import zlib

from handeye_phone.shell.options import parse_options
from handeye_phone.shell.process import Command, Process

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
MAX_SLEEP_S = 24 * 3600.0
GROUPS = (
    "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),"
    "1078(ext_data_rw),1079(ext_obb_rw),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc),"
    "3011(uhid),3012(readtracefs) context=u:r:shell:s0"
)


async def sleep(p: Process) -> int:
    if not p.args:
        return await p.fail(f'Needs 1 argument (see "{p.name} --help")')
    total = 0.0
    for word in p.args:
        match = re.fullmatch(r"(\d{0,9}(?:\.\d{0,9})?)([smhd]?)", word)
        if match is None or not match.group(1).strip("."):
            return await p.fail(f"bad number '{word}'")
        total += float(match.group(1)) * UNITS[match.group(2)]
    await asyncio.sleep(min(total, MAX_SLEEP_S))
    return 0


async def date(p: Process) -> int:
    options = parse_options(p.args, "uR", "dD")
    if "d" in options or "D" in options:
        return await p.fail("reading a date is not supported by the virtual phone")
    now = datetime.datetime.now(datetime.UTC)
    if not options.operands:
        await p.out(now.strftime("%a %b %e %H:%M:%S UTC %Y\n"))
        return 0
    layout = options.operands[0]
    if not layout.startswith("+"):
        return await p.fail("cannot set date: Operation not permitted")
    values = {"s": str(int(now.timestamp())), "N": f"{now.microsecond * 1000:09}", "Z": "UTC", "z": "+0000"}
    known = set("aAbBcdDeFgGHIjklmMnpPrRStTuUVwWxXyY%")

    def value(match: re.Match[str]) -> str:
        letter = match.group(1)
        if letter in values:
            return values[letter]
        return now.strftime(f"%{letter}") if letter in known else match.group()

    await p.out(re.sub(r"%([a-zA-Z%])", value, layout[1:]) + "\n")
    return 0


async def identity(p: Process) -> int:
    options = parse_options(p.args, "ugGn")
    if "u" in options or "g" in options:
        await p.out("shell\n" if "n" in options else "2000\n")
    elif "G" in options:
        await p.out(" ".join(re.findall(r"(\d+)\(", GROUPS.partition("groups=")[2])) + "\n")
    else:
        await p.out(GROUPS + "\n")
    return 0


async def whoami(p: Process) -> int:
    await p.out("shell\n")
    return 0


async def uname(p: Process) -> int:
    options = parse_options(p.args, "asnrvmo")
    fields = {
        "s": "Linux",
        "n": "localhost",
        "r": "5.15.110-android14-11",
        "v": "#1 SMP PREEMPT",
        "m": "aarch64",
        "o": "Toybox",
    }
    asked = "snrvm" if "a" in options else [letter for letter in "snrvmo" if letter in options] or ["s"]
    await p.out(" ".join(fields[letter] for letter in asked) + "\n")
    return 0


async def ps(p: Process) -> int:
    parse_options(p.args, "AefTlw", "opu")
    if "-o" in p.args:
        return await p.fail("-o is not supported by the virtual phone")
    await p.out("USER           PID  PPID        VSZ    RSS WCHAN            ADDR S NAME\n")
    package = p.model.focused_activity.partition("/")[0]
    rows = [("root", 1, 0, "init"), ("system", 1203, 601, "system_server"), ("shell", p.phone.shell_pid, 1, "sh")]
    rows.append(("u0_a100", 2000 + zlib.crc32(package.encode()) % 20000, 601, package))
    for user, pid, parent, name in rows:
        await p.out(f"{user:<12} {pid:>5} {parent:>5} {4_000_000:>10} {90_000:>6} {'0':<16} {0:>4} S {name}\n")
    return 0


async def pidof(p: Process) -> int:
    package = p.model.focused_activity.partition("/")[0]
    known = {"system_server": 1203, "init": 1, package: 2000 + zlib.crc32(package.encode()) % 20000}
    found = [str(known[name]) for name in p.args if name in known]
    if found:
        await p.out(" ".join(found) + "\n")
    return 0 if found else 1


async def which(p: Process) -> int:
    options = parse_options(p.args, "a")
    status = 0
    for name in options.operands:
        if p.files.exists(f"/system/bin/{name}") and "/" not in name:
            await p.out(f"/system/bin/{name}\n")
        else:
            status = 1
    return status if options.operands else 1


async def uptime(p: Process) -> int:
    minutes = int(time.monotonic() - p.phone.started) // 60
    now = datetime.datetime.now(datetime.UTC).strftime("%H:%M:%S")
    await p.out(f" {now} up {minutes} min,  0 users,  load average: 0.10, 0.08, 0.05\n")
    return 0


async def environment(p: Process) -> int:
    args = list(p.args)
    env = dict(p.env)
    while args and re.match(r"[A-Za-z_]\w*=", args[0]):
        name, _, value = args.pop(0).partition("=")
        env[name] = value
    if args and args[0].startswith("-"):
        return await p.fail(f"Unknown option '{args[0]}' (see \"{p.name} --help\")")
    if args:
        return await p.shell.execute(args, p.streams, env)
    await p.out("".join(f"{name}={value}\n" for name, value in env.items()))
    return 0


async def seq(p: Process) -> int:
    if not 1 <= len(p.args) <= 3 or not all(re.fullmatch(r"-?\d{1,6}", word) for word in p.args):
        return await p.fail("one to three integers are supported by the virtual phone")
    numbers = [int(word) for word in p.args]
    first, step, last = {1: (1, 1, *numbers), 2: (numbers[0], 1, numbers[-1]), 3: tuple(numbers)}[len(numbers)]
    if step:
        await p.out("".join(f"{number}\n" for number in range(first, last + (1 if step > 0 else -1), step)))
    return 0


async def toybox(p: Process) -> int:
    """Run `toybox NAME ARGS`: the same commands by another name."""
    if not p.args:
        await p.out(" ".join(sorted(p.shell.commands)) + "\n")
        return 0
    return await p.shell.execute(p.args, p.streams, p.env)


async def nohup(p: Process) -> int:
    if not p.args:
        return await p.fail(f'Needs 1 argument (see "{p.name} --help")', 125)
    return await p.shell.execute(p.args, p.streams, p.env)


# ---- test
UNARY = frozenset("bcdefghknprstuwxzLSOGN")
COMPARISONS = {"-eq", "-ne", "-lt", "-le", "-gt", "-ge"}


class _Bad(Exception):
    pass


async def test(p: Process) -> int:
    args = list(p.args)
    if p.name == "[" and (not args or args.pop() != "]"):
        return await p.fail("missing ]", 2)
    try:
        return int(not _expression(p, args))
    except _Bad as error:
        return await p.fail(str(error), 2)


def _expression(p: Process, args: list[str]) -> bool:
    """Evaluate by the number of arguments, as POSIX specifies; longer expressions are joined by -a and -o."""
    match args:
        case []:
            return False
        case [word]:
            return word != ""
        case ["!", word]:
            return word == ""
        case [operator, word] if operator[:1] == "-" and operator[1:] in UNARY and len(operator) == 2:
            return _unary(p, operator[1], word)
        case [left, operator, right] if operator in COMPARISONS or operator in (
            "=",
            "==",
            "!=",
            "<",
            ">",
            "-nt",
            "-ot",
        ):
            return _binary(p, left, operator, right)
        case ["!", *rest]:
            return not _expression(p, rest)
        case ["(", *rest, ")"]:
            return _expression(p, rest)
    for joint, both in (("-o", False), ("-a", True)):
        if joint in args[1:-1]:
            at = args.index(joint, 1)
            before, after = _expression(p, args[:at]), _expression(p, args[at + 1 :])
            return (before and after) if both else (before or after)
    raise _Bad(f"{args[0]}: unexpected operator/operand")


def _unary(p: Process, operator: str, word: str) -> bool:
    if operator in "zn":
        return (word != "") == (operator == "n")
    if operator == "t":
        return False
    try:
        node = p.files.stat(p.path(word), follow=operator not in "hL")
    except OSError:
        return False
    answers = {
        "e": True,
        "f": node.is_file,
        "d": node.is_dir,
        "h": node.is_link,
        "L": node.is_link,
        "s": node.size > 0,
        "r": node.allows(4),
        "w": node.allows(2) and not node.read_only,
        "x": node.allows(1),
        "c": not (node.is_file or node.is_dir or node.is_link),
    }
    return answers.get(operator, False)


def _binary(p: Process, left: str, operator: str, right: str) -> bool:
    if operator in ("=", "=="):
        return left == right
    if operator == "!=":
        return left != right
    if operator in "<>":
        return left < right if operator == "<" else left > right
    if operator in ("-nt", "-ot"):
        times = [p.files.stat(p.path(word)).mtime if p.files.exists(p.path(word)) else 0.0 for word in (left, right)]
        return times[0] > times[1] if operator == "-nt" else times[0] < times[1]
    numbers = []
    for word in (left, right):
        if not re.fullmatch(r"\s*[+-]?\d{1,18}\s*", word):
            raise _Bad(f"{word}: bad number")
        numbers.append(int(word))
    a, b = numbers
    return {"-eq": a == b, "-ne": a != b, "-lt": a < b, "-le": a <= b, "-gt": a > b, "-ge": a >= b}[operator]


COMMANDS: dict[str, Command] = {
    "[": test,
    "date": date,
    "env": environment,
    "id": identity,
    "nohup": nohup,
    "pidof": pidof,
    "ps": ps,
    "seq": seq,
    "sleep": sleep,
    "test": test,
    "toybox": toybox,
    "uname": uname,
    "uptime": uptime,
    "which": which,
    "whoami": whoami,
}
