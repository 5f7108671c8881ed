"""`settings`, `getprop` and `setprop`."""

from __future__ import annotations

from handeye_phone.shell.android.shellcommand import EXIT_EXCEPTION, Arguments, guarded, unknown
from handeye_phone.shell.process import Command, Process

NAMESPACES = ("system", "secure", "global")
USAGE = """Settings provider (settings) commands:
  get [--user <USER_ID> | current] NAMESPACE KEY
  put [--user <USER_ID> | current] NAMESPACE KEY VALUE [TAG] [default]
  delete [--user <USER_ID> | current] NAMESPACE KEY
  list [--user <USER_ID> | current] NAMESPACE
"""
MAX_PROPERTY = 92  # PROP_VALUE_MAX
WRITABLE_PROPERTIES = ("debug.", "log.", "persist.log.tag", "persist.sys.locale")  # what the shell user may set


async def settings(p: Process) -> int:
    return await guarded(p, _settings)


async def _settings(p: Process, args: Arguments) -> int:
    verb = args.next()
    if verb not in ("get", "put", "delete", "list"):
        return await unknown(p, verb, USAGE)
    while (option := args.option()) is not None:
        if option != "--user":
            return await _refuse(p, f"Unknown option: {option}")
        args.required()
    namespace = args.next()
    if namespace is None:
        return await _refuse(p, "Invalid arguments: no namespace specified")
    if namespace not in NAMESPACES:
        return await _refuse(p, f"Invalid namespace '{namespace}'")
    store = p.model.settings
    if verb == "list":
        await p.out("".join(f"{key}={value}\n" for key, value in store.items(namespace)))
        return 0
    key = args.next()
    if key is None:
        return await _refuse(p, "Bad arguments")
    if verb == "get":
        value = store.get(namespace, key)
        await p.out(("null" if value is None else value) + "\n")
    elif verb == "delete":
        await p.out(f"Deleted {int(bool(store.delete(namespace, key)))} rows\n")
    else:
        new = args.next()
        if new is None:
            return await _refuse(p, "Bad arguments")
        store.put(namespace, key, new)
    return 0


async def _refuse(p: Process, message: str) -> int:
    await p.err(f"{message}\n{USAGE}")
    return EXIT_EXCEPTION


async def getprop(p: Process) -> int:
    args = [arg for arg in p.args if arg not in ("-Z", "-T")]
    if len(args) != len(p.args):
        return await p.fail("only values are supported by the virtual phone")
    if not args:
        await p.out("".join(f"[{name}]: [{value}]\n" for name, value in sorted(p.model.props.items())))
        return 0
    if len(args) > 2:
        return await p.fail(f'Max 2 arguments (see "{p.name} --help")')
    await p.out((p.model.props.get(args[0]) or (args[1] if len(args) == 2 else "")) + "\n")
    return 0


async def setprop(p: Process) -> int:
    if len(p.args) != 2:
        return await p.fail(f'Need 2 arguments (see "{p.name} --help")')
    name, value = p.args
    if len(value.encode("utf-8", "surrogateescape")) >= MAX_PROPERTY:
        return await p.fail(f"value '{value}' too long; try '{value[: MAX_PROPERTY - 1]}'")
    if not name.startswith(WRITABLE_PROPERTIES):
        return await p.fail(f"failed to set property '{name}' to '{value}'")
    p.model.props[name] = value
    return 0


COMMANDS: dict[str, Command] = {"settings": settings, "getprop": getprop, "setprop": setprop}
