"""`pm` and `cmd package`: installed packages."""

from __future__ import annotations

from handeye_phone.shell.android.intents import IntentBuilder, short_component
from handeye_phone.shell.android.shellcommand import EXIT_EXCEPTION, Arguments, JavaException, guarded, unknown, user_of
from handeye_phone.shell.process import Command, Process
from handeye_phone.system.intent import Intent, Package

USAGE = """Package manager (package) commands:
  list packages [-f] [-d] [-e] [-s] [-3] [-u] [-U] [--user USER_ID] [FILTER]
  list features | users
  path [--user USER_ID] PACKAGE
  clear [--user USER_ID] PACKAGE
  enable | disable-user [--user USER_ID] PACKAGE
  grant | revoke [--user USER_ID] PACKAGE PERMISSION
  resolve-activity [--brief] [--components] [--user USER_ID] INTENT
  query-activities [--brief] [--components] [--user USER_ID] INTENT
"""
FIRST_UID = 10050
HOME = "android.intent.category.HOME"
CHOOSER = "android/com.android.internal.app.ResolverActivity"
DEBUG_PAGE = "leakcanary.internal.activity.LeakLauncherActivity"
_MATCH = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true"
LAUNCHER_PACKAGE = "com.android.launcher3"


async def pm(p: Process) -> int:
    return await guarded(p, dispatch)


async def dispatch(p: Process, args: Arguments) -> int:
    """Run `pm`'s commands, also as `cmd package`."""
    word = args.next()
    action = ACTIONS.get(word or "")
    return await action(p, args) if action is not None else await unknown(p, word, USAGE)


def uid(p: Process, name: str) -> int:
    """Return the Linux user id of the package."""
    return FIRST_UID + sorted(p.model.packages).index(name)


def apk_path(package: Package) -> str:
    """Return the path of the package's file."""
    if package.system:
        folder = (
            package.label if package.label.isascii() and package.label.isalnum() else package.name.rpartition(".")[2]
        )
        return f"/system/app/{folder}/{folder}.apk"
    return f"/data/app/~~{package.name[::-1].replace('.', '')}==/{package.name}-1==/base.apk"


def main_component(package: Package) -> str:
    """Return `package/activity`."""
    return package.activity if "/" in package.activity else f"{package.name}/{package.activity}"


async def _list(p: Process, args: Arguments) -> int:
    what = args.next()
    if what in ("package", "packages"):
        return await _list_packages(p, args)
    if what == "features":
        await p.out("feature:android.hardware.screen.portrait\nfeature:android.hardware.touchscreen\n")
        return 0
    if what == "users":
        names = {0: "Owner:4c13", 10: "Work profile:1030", 999: "XSpace:801010"}
        lines = (f"\tUserInfo{{{user}:{names.get(user, 'User:410')}}} running\n" for user in p.model.users)
        await p.out("Users:\n" + "".join(lines))
        return 0
    await p.err(f"Error: unknown list type '{what}'\n")
    return EXIT_EXCEPTION


async def _list_packages(p: Process, args: Arguments) -> int:
    chosen = sorted(p.model.packages.values(), key=lambda package: package.name)
    with_file = with_uid = False
    user: int | None = 0
    while (option := args.option()) is not None:
        if option == "-f":
            with_file = True
        elif option == "-U":
            with_uid = True
        elif option == "-3":
            chosen = [package for package in chosen if not package.system]
        elif option == "-s":
            chosen = [package for package in chosen if package.system]
        elif option == "-d":
            chosen = []  # nothing is ever disabled
        elif option == "--user":
            user = user_of(p, args)
        elif option not in ("-e", "-a", "-u", "-l", "-i"):
            await p.err(f"Error: Unknown option: {option}\n")
            return EXIT_EXCEPTION
    wanted = args.next()
    for package in chosen:
        owners = p.model.users if user is None else (user,)
        if (wanted or "") not in package.name or not any(p.model.is_installed(package.name, each) for each in owners):
            continue
        line = f"{apk_path(package)}={package.name}" if with_file else package.name
        await p.out(f"package:{line}{f' uid:{uid(p, package.name)}' if with_uid else ''}\n")
    return 0


def _package(p: Process, args: Arguments) -> tuple[str, Package | None]:
    user: int | None = 0
    while (option := args.option()) is not None:
        if option != "--user":
            raise JavaException.argument(f"Unknown option: {option}")
        user = user_of(p, args)
    name = args.required()
    return name, p.model.packages.get(name) if p.model.is_installed(name, user or 0) else None


async def _path(p: Process, args: Arguments) -> int:
    _, package = _package(p, args)
    if package is None:
        return 1
    await p.out(f"package:{apk_path(package)}\n")
    return 0


async def _clear(p: Process, args: Arguments) -> int:
    name, package = _package(p, args)
    if package is None:
        await p.out("Failed\n")
        return 1
    p.model.clear_data(name)
    await p.out("Success\n")
    return 0


async def _enable(p: Process, args: Arguments) -> int:
    name, package = _package(p, args)
    if package is None:
        raise JavaException.argument(f"Unknown package: {name}")
    await p.out(f"Package {name} new state: enabled\n")
    return 0


async def _grant(p: Process, args: Arguments) -> int:
    name, package = _package(p, args)
    permission = args.required()
    if package is None:
        raise JavaException.argument(f"Unknown package: {name}")
    if not permission.startswith("android.permission."):
        raise JavaException.argument(f"Unknown permission: {permission}")
    return 0


async def _refuse(p: Process, args: Arguments) -> int:
    await p.err("Failure [INSTALL_FAILED_USER_RESTRICTED: the virtual phone's packages are fixed]\n")
    return 1


async def _parse_query(p: Process, args: Arguments) -> tuple[Intent, bool, int] | None:
    """Parse a query into (intent, brief, user). Return None, after printing an error, for an unknown option."""
    builder = IntentBuilder()
    brief, user = False, 0
    while (option := args.option()) is not None:
        if option in ("--brief", "--components"):
            brief = True
        elif option == "--user":
            user = user_of(p, args) or 0
        elif option == "--query-flags":
            args.required()
        elif not builder.option(option, args):
            await p.err(f"Error: Unknown option: {option}\n")
            return None
    return builder.finish(args), brief, user


async def _query(p: Process, args: Arguments) -> int:
    query = await _parse_query(p, args)
    if query is None:
        return EXIT_EXCEPTION
    found = _start_pages(p, query[0], query[2])
    await p.out(f"{len(found)} activities found:\n" if found else "No activities found\n")
    for number, component in enumerate(found):
        await p.out(f"  Activity #{number}:\n    {_MATCH}\n    {short_component(component)}\n")
    return 0


def _start_pages(p: Process, intent: Intent, user: int) -> list[str]:
    main = _main_activity_of(p, intent, user)
    if main is None:
        return []
    package = main.partition("/")[0]
    tool = p.model.scenario.debug_page and package == p.model.scenario.app and intent.component is None
    return [f"{package}/{DEBUG_PAGE}", main] if tool else [main]


async def _resolve(p: Process, args: Arguments) -> int:
    query = await _parse_query(p, args)
    if query is None:
        return EXIT_EXCEPTION
    intent, brief, user = query
    found = _start_pages(p, intent, user)
    if not found:
        await p.out("No activity found\n")
        return 0
    component = found[0] if len(found) == 1 else CHOOSER
    if brief:
        await p.out(f"{_MATCH}\n{short_component(component)}\n")
    else:
        package, _, name = component.partition("/")
        await p.out(
            f"ActivityInfo:\n  name={package + name if name.startswith('.') else name}\n  packageName={package}\n"
        )
    return 0


def _main_activity_of(p: Process, intent: Intent, user: int) -> str | None:
    """Return the main activity that an intent names, or None. Actions that only apps can resolve stay unresolved."""
    name = intent.component.partition("/")[0] if intent.component else intent.package
    if name is None and HOME in intent.categories:
        name = LAUNCHER_PACKAGE
    package = p.model.packages.get(name or "")
    if package is None or not package.activity or not p.model.is_installed(package.name, user):
        return None
    main = main_component(package)
    return main if not intent.component or short_component(intent.component) == short_component(main) else None


async def _dump(p: Process, args: Arguments) -> int:
    from handeye_phone.shell.android.dumpsys import dump_package

    return await dump_package(p, args.rest)


ACTIONS = {
    "list": _list,
    "path": _path,
    "clear": _clear,
    "enable": _enable,
    "disable-user": _refuse,
    "disable": _refuse,
    "install": _refuse,
    "install-create": _refuse,
    "uninstall": _refuse,
    "grant": _grant,
    "revoke": _grant,
    "resolve-activity": _resolve,
    "query-activities": _query,
    "dump": _dump,
}
COMMANDS: dict[str, Command] = {"pm": pm}
