"""`ime`: list, enable and select input methods."""

from __future__ import annotations

from handeye_phone.shell.android.shellcommand import EXIT_EXCEPTION, Arguments, JavaException, guarded, unknown
from handeye_phone.shell.process import Command, Process

USAGE = """ime <command>:
  list [-a] [-s]
  enable [--user <USER_ID>] <ID>
  disable [--user <USER_ID>] <ID>
  set [--user <USER_ID>] <ID>
  reset [--user <USER_ID>]
"""


async def run(p: Process) -> int:
    return await guarded(p, _dispatch)


async def _dispatch(p: Process, args: Arguments) -> int:
    word = args.next()
    if p.model.scenario.ime_forbidden:
        raise JavaException(
            "java.lang.SecurityException",
            f"Permission Denial: InputMethodManagerService.{word}() requires android.permission.WRITE_SECURE_SETTINGS",
        )
    if word == "list":
        return await _list(p, args)
    if word in ("enable", "disable"):
        return await _enable(p, _identifier(args), on=word == "enable")
    if word == "set":
        return await _set(p, _identifier(args))
    if word == "reset":
        return await _reset(p)
    return await unknown(p, word, USAGE)


def _identifier(args: Arguments) -> str:
    while (option := args.option()) is not None:
        if option != "--user":
            raise JavaException.argument(f"Unknown option: {option}")
        args.integer()
    return args.required()


async def _list(p: Process, args: Arguments) -> int:
    everything = short = False
    while (option := args.option()) is not None:
        if option == "--user":
            args.required()
            continue
        if not set(option[1:]) <= {"a", "s"}:
            raise JavaException.argument(f"Unknown option: {option}")
        everything = everything or "a" in option
        short = short or "s" in option
    for name in p.model.input_methods if everything else p.model.enabled_input_methods:
        if short:
            await p.out(name + "\n")
        else:
            await p.out(
                f"{name}:\n  mId={name} mSettingsActivityName=null mIsVrOnly=false "
                f"mSupportsSwitchingToNextInputMethod=false\n  mIsDefaultResId=0x0\n"
                f"  Service:\n    packageName={name.partition('/')[0]}\n"
            )
    return 0


async def _enable(p: Process, name: str, *, on: bool) -> int:
    verb = "enabled" if on else "disabled"
    if on and name not in p.model.input_methods:
        await p.err(f"Unknown input method {name} cannot be enabled for user #0\n")
        return EXIT_EXCEPTION
    before = name in p.model.enabled_input_methods
    if before == on:
        await p.out(f"Input method {name}: already {verb} for user #0\n")
        return 0
    if not p.model.enable_input_method(name, on):
        await p.err(f"Input method {name} cannot be {verb} for user #0\n")
        return EXIT_EXCEPTION
    await p.out(f"Input method {name}: now {verb} for user #0\n")
    return 0


async def _set(p: Process, name: str) -> int:
    if name not in p.model.enabled_input_methods or not p.model.set_input_method(name):
        await p.err(f"Unknown input method {name} cannot be selected for user #0\n")
        return EXIT_EXCEPTION
    await p.out(f"Input method {name} selected for user #0\n")
    return 0


async def _reset(p: Process) -> int:
    """Reset to the built-in keyboard."""
    default = p.model.input_methods[0]
    p.model.enable_input_method(default)
    p.model.set_input_method(default)
    for name in p.model.input_methods[1:]:
        p.model.enable_input_method(name, False)
    await p.out(
        f"Reset current and enabled IMEs for user #0\n  Newly selected IME for user #0: {default}\n"
        f"  Newly enabled IMEs for user #0:\n    {default}\n"
    )
    return 0


COMMANDS: dict[str, Command] = {"ime": run}
