"""`am` and `monkey`: start, stop and broadcast to apps."""

from __future__ import annotations

from handeye_phone.shell.android.intents import LAUNCHER, MAIN, IntentBuilder, describe, full_component
from handeye_phone.shell.android.shellcommand import Arguments, JavaException, guarded, unknown, user_of
from handeye_phone.shell.process import Command, Process
from handeye_phone.system.intent import Intent, StartResult

USAGE = """Activity manager (activity) commands:
  start-activity [-D] [-N] [-W] [-S] [--user <USER_ID>] <INTENT>
  broadcast [--user <USER_ID>] <INTENT>
  force-stop [--user <USER_ID>] <PACKAGE>
  kill [--user <USER_ID>] <PACKAGE>
  get-current-user
"""
NEW_TASK = 0x10000000  # FLAG_ACTIVITY_NEW_TASK, which `am start` always sets
FOREGROUND = 0x400000  # FLAG_RECEIVER_FROM_SHELL, which `am broadcast` always sets
COLD_START_MS, WARM_START_MS = 180, 40  # what `-W` reports; the virtual phone's apps open at once


async def am(p: Process) -> int:
    return await guarded(p, _dispatch)


async def _dispatch(p: Process, args: Arguments) -> int:
    word = args.next()
    action = ACTIONS.get(word or "")
    return await action(p, args) if action is not None else await unknown(p, word, USAGE)


async def _start(p: Process, args: Arguments) -> int:
    builder = IntentBuilder()
    wait = stop = False
    user: int | None = None
    display = 0
    while (option := args.option()) is not None:
        if option == "-W":
            wait = True
        elif option == "-S":
            stop = True
        elif option == "--user":
            user = user_of(p, args)
        elif option == "--display":
            display = args.integer()
        elif option in ("-R", "--windowingMode", "--activityType"):
            args.integer()
        elif option not in ("-D", "-N") and not builder.option(option, args):
            return await _unknown_option(p, option)
    intent = builder.finish(args)
    if display not in p.model.displays:
        raise JavaException.argument(f"Invalid display: {display}")
    if stop and (package := _package_of(intent)) is not None:
        await p.out(f"Stopping: {package}\n")
        p.model.force_stop(package, user)
    await p.out(f"Starting: {describe(intent, builder.flags)}\n")
    result = p.model.displays[display].start_activity(intent, user)
    p.model.focused_display = display
    launched = await _report(p, intent, result, builder.flags | NEW_TASK)
    if wait and launched:
        took = COLD_START_MS if result is StartResult.OK else WARM_START_MS
        state = "COLD" if result is StartResult.OK else "HOT"
        await p.out(
            f"Status: ok\nLaunchState: {state}\nActivity: {p.model.focused_activity}\n"
            f"TotalTime: {took}\nWaitTime: {took + 4}\nComplete\n"
        )
    return 0  # also for errors: Android's `am start` has exit code 0 then, too


async def _unknown_option(p: Process, option: str) -> int:
    raise JavaException.argument(f"Unknown option: {option}")


def _package_of(intent: Intent) -> str | None:
    return intent.component.partition("/")[0] if intent.component else intent.package


async def _report(p: Process, intent: Intent, result: StartResult, flags: int) -> bool:
    """Write Android's message for the outcome to standard error. Return True if an activity is now in front."""
    if result is StartResult.BROUGHT_TO_FRONT:
        await p.err("Warning: Activity not started, its current task has been brought to the front\n")
    elif result is StartResult.DELIVERED_TO_TOP:
        await p.err(
            "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n"
        )
    elif result is StartResult.NOT_FOUND:
        name = full_component(intent.component or intent.package or "")
        await p.err(f"Error type 3\nError: Activity class {{{name}}} does not exist.\n")
        return False
    elif result is StartResult.UNRESOLVED:
        await p.err(f"Error: Activity not started, unable to resolve {describe(intent, flags)}\n")
        return False
    elif result is StartResult.DENIED:
        raise JavaException(
            "java.lang.SecurityException",
            f"Permission Denial: starting {describe(intent, flags)} from null (pid={p.phone.shell_pid}, uid=2000) "
            "not exported from uid 10100",
        )
    return True


async def _broadcast(p: Process, args: Arguments) -> int:
    builder = IntentBuilder()
    while (option := args.option()) is not None:
        if option == "--user":
            user_of(p, args)
        elif option == "--receiver-permission":
            args.required()
        elif option != "--async" and not builder.option(option, args):
            return await _unknown_option(p, option)
    intent = builder.finish(args)
    if intent.action and intent.action.startswith("android.intent.action.") and intent.action.endswith("_COMPLETED"):
        raise JavaException(
            "java.lang.SecurityException",
            f"Permission Denial: not allowed to send broadcast {intent.action} from pid={p.phone.shell_pid}, uid=2000",
        )
    await p.out(f"Broadcasting: {describe(intent, builder.flags | FOREGROUND)}\n")
    p.model.focused.broadcast(intent)
    await p.out("Broadcast completed: result=0\n")  # with or without a receiver
    return 0


async def _force_stop(p: Process, args: Arguments) -> int:
    user: int | None = None
    while (option := args.option()) is not None:
        if option != "--user":
            return await _unknown_option(p, option)
        user = user_of(p, args)
    p.model.force_stop(args.required(), user)  # as on Android, an unknown package is no error
    return 0


async def _kill(p: Process, args: Arguments) -> int:
    """End a package in the background; one that is in front stays."""
    while (option := args.option()) is not None:
        if option != "--user":
            return await _unknown_option(p, option)
        user_of(p, args)
    package = args.required()
    if p.model.focused_activity.partition("/")[0] != package:
        p.model.force_stop(package)
    return 0


async def _current_user(p: Process, args: Arguments) -> int:
    await p.out("0\n")
    return 0


ACTIONS = {
    "start": _start,
    "start-activity": _start,
    "broadcast": _broadcast,
    "force-stop": _force_stop,
    "stop-app": _force_stop,
    "kill": _kill,
    "get-current-user": _current_user,
}

MONKEY_USAGE = """usage: monkey [-p ALLOWED_PACKAGE [-p ALLOWED_PACKAGE] ...]
              [-c MAIN_CATEGORY [-c MAIN_CATEGORY] ...]
              [-v [-v] ...] COUNT
"""


async def monkey(p: Process) -> int:
    """Open the package's main activity. Only COUNT 1 is accepted: random events are not supported."""
    return await guarded(p, _monkey)


async def _monkey(p: Process, args: Arguments) -> int:
    packages: list[str] = []
    categories: list[str] = []
    while (option := args.option()) is not None:
        if option == "-p":
            packages.append(args.required())
        elif option == "-c":
            categories.append(args.required())
        elif option in ("-s", "--throttle") or option.startswith("--pct"):
            args.number()
        elif option not in ("-v", "--ignore-crashes", "--ignore-timeouts", "--ignore-security-exceptions"):
            await p.err(f"** Error: Unknown option: {option}\n{MONKEY_USAGE}")
            return 1
    count = args.next()
    if count is None or not count.isdigit() or args.rest:
        await p.err(f"** Error: Count not specified\n{MONKEY_USAGE}")
        return 1
    if count != "1":
        await p.err("** Error: only one event is supported on the virtual phone\n")
        return 1
    found = [package for name in packages if (package := p.model.packages.get(name)) is not None and package.activity]
    usual = not categories or set(categories) <= {LAUNCHER, "android.intent.category.MONKEY"}
    if not found or not usual:
        await p.err("** No activities found to run, monkey aborted.\n")
        return 252
    intent = Intent(action=MAIN, package=found[0].name, categories=(LAUNCHER,))
    p.model.start_activity(intent)
    await p.out("Events injected: 1\n## Network stats: elapsed time=11ms (0ms mobile, 0ms wifi, 11ms not connected)\n")
    return 0


COMMANDS: dict[str, Command] = {"am": am, "monkey": monkey}
