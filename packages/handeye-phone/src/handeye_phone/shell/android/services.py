"""`cmd`, `svc`, `logcat`: services without a command of their own, and the virtual phone's own, `vphone`."""

from __future__ import annotations

import json
from dataclasses import replace

from handeye_phone.scenario import Scenario, ScenarioError
from handeye_phone.shell.android.am import am
from handeye_phone.shell.android.ime import run as ime
from handeye_phone.shell.android.input import run as input_command
from handeye_phone.shell.android.packages import pm
from handeye_phone.shell.android.properties import settings
from handeye_phone.shell.android.shellcommand import EXIT_EXCEPTION, Arguments, JavaException, guarded, unknown
from handeye_phone.shell.android.wm import run as wm
from handeye_phone.shell.process import Command, Process
from handeye_phone.system.system_ui import VOLUME_STEPS

EXIT_NO_SERVICE = 20
NIGHT_MODES = {"auto": "0", "no": "1", "yes": "2"}  # UiModeManager.MODE_NIGHT_*
# AudioManager's streams: name, loudest step, and the step of those that this phone's keys do not change.
MUSIC = 3
STREAMS = {
    0: ("STREAM_VOICE_CALL", 5, 4),
    1: ("STREAM_SYSTEM", 7, 5),
    2: ("STREAM_RING", 7, 5),
    MUSIC: ("STREAM_MUSIC", VOLUME_STEPS, 7),
    4: ("STREAM_ALARM", 7, 6),
    5: ("STREAM_NOTIFICATION", 7, 5),
}
VPHONE_USAGE = """Virtual phone (vphone) commands:
  state                       what is on the phone, as JSON
  scenario NAME[,NAME...]     switch to named scenarios
  scenario-json JSON          switch to the scenario with these values
  scenario-show               the current scenario, as JSON
"""


async def cmd(p: Process) -> int:
    args = list(p.args)
    while args[:1] in (["-w"], ["-t"]):
        args.pop(0)
    if not args:
        await p.err("cmd: No service specified; use -l to list all running services. use -w to start and wait.\n")
        return EXIT_NO_SERVICE
    if args[0] == "-l":
        await p.out("Currently running services:\n" + "".join(f"  {name}\n" for name in sorted(SERVICES)))
        return 0
    service = SERVICES.get(args[0])
    if service is None:
        await p.err(f"cmd: Can't find service: {args[0]}\n")
        return EXIT_NO_SERVICE
    return await service(replace(p, name=args[0], args=args[1:]))


async def uimode(p: Process) -> int:
    return await guarded(p, _uimode)


async def _uimode(p: Process, args: Arguments) -> int:
    word = args.next()
    if word != "night":
        return await unknown(p, word, "UiModeManager service (uimode) commands:\n  night [yes|no|auto]\n")
    mode = args.next()
    store = p.model.settings
    if mode is not None:
        value = NIGHT_MODES.get(mode)
        if value is None:
            await p.err("Error: mode must be 'yes', 'no', or 'auto'\n")
            return EXIT_EXCEPTION
        store.put("secure", "ui_night_mode", value)
    names = {value: name for name, value in NIGHT_MODES.items()}
    await p.out(f"Night mode: {names.get(store.get('secure', 'ui_night_mode') or '1', 'unknown')}\n")
    return 0


async def vphone(p: Process) -> int:
    return await guarded(p, _vphone)


async def _vphone(p: Process, args: Arguments) -> int:
    word = args.next()
    if word == "state":
        await p.out(json.dumps(p.model.state.to_dict(), ensure_ascii=False) + "\n")
        return 0
    if word == "scenario-show":
        await p.out(json.dumps(p.phone.scenario.to_dict(), ensure_ascii=False) + "\n")
        return 0
    if word not in ("scenario", "scenario-json"):
        return await unknown(p, word, VPHONE_USAGE)
    text = args.required()
    try:
        scenario = Scenario.parse(text) if word == "scenario" else Scenario.from_mapping(json.loads(text))
    except (ScenarioError, ValueError, RecursionError) as error:
        await p.err(f"Error: {error}\n")
        return EXIT_EXCEPTION
    p.phone.set_scenario(scenario)
    await p.out("Success\n")
    return 0


async def media_session(p: Process) -> int:
    return await guarded(p, _media_session)


async def _media_session(p: Process, args: Arguments) -> int:
    """Read and set the volume, as `VolumeCtrl` does. Nothing plays on this phone, so there are no sessions."""
    word = args.next()
    if word == "list-sessions":
        await p.out("Sessions:\n")
        return 0
    if word != "volume":
        return await unknown(
            p, word, "usage: media_session [subcommand] [options]\n       media_session volume [options]\n"
        )
    stream, level, asked = MUSIC, None, False
    while (option := args.option()) is not None:
        match option:
            case "--show":
                pass
            case "--get":
                asked = True
                await p.out("[V] will get volume\n")
            case "--stream":
                stream = args.integer()
                name = STREAMS[stream][0] if stream in STREAMS else f"UNKNOWN_STREAM_{stream}"
                await p.out(f"[V] will control stream={stream} ({name})\n")
            case "--set":
                level = args.integer()
                await p.out(f"[V] will set volume to index={level}\n")
            case _:
                raise JavaException.argument(f"Unknown argument: {option}")
    await p.out("[V] Connecting to AudioService\n")
    if stream not in STREAMS:
        raise JavaException.argument(f"Bad stream type {stream}")
    _name, most, usual = STREAMS[stream]
    if level is not None and not 0 <= level <= most:
        await p.out(f"Error: invalid volume index {level} for stream {stream} (should be in [0..{most}])\n")
        return 0
    if level is not None and stream == MUSIC:
        p.model.set_volume(level)
    if asked:
        await p.out(f"[V] volume is {p.model.volume if stream == MUSIC else usual} in range [0..{most}]\n")
    return 0


async def svc(p: Process) -> int:
    """Switch radios and the screen's sleep."""
    match p.args:
        case ["wifi" | "data" | "bluetooth" | "nfc" as radio, "enable" | "disable" as verb]:
            key = {"wifi": "wifi_on", "data": "mobile_data", "bluetooth": "bluetooth_on", "nfc": "nfc_on"}[radio]
            p.model.settings.put("global", key, "1" if verb == "enable" else "0")
            return 0
        case ["power", "stayon", "true" | "false" | "usb" | "ac" | "wireless" as when]:
            plugs = {"true": "7", "false": "0", "ac": "1", "usb": "2", "wireless": "4"}[when]
            p.model.settings.put("global", "stay_on_while_plugged_in", plugs)
            return 0
    await p.err(
        "usage: svc [wifi|data|bluetooth|nfc] [enable|disable]\n       svc power stayon [true|false|usb|ac|wireless]\n"
    )
    return 1


async def logcat(p: Process) -> int:
    """Print an empty log; `-d` and `-c` return at once, following the log never returns."""
    if not {"-d", "-c", "-t", "-g"} & set(p.args):
        return await p.fail("following the log is not supported by the virtual phone; use -d")
    return 0


SERVICES: dict[str, Command] = {
    "activity": am,
    "input": input_command,
    "input_method": ime,
    "media_session": media_session,
    "package": pm,
    "settings": settings,
    "uimode": uimode,
    "vphone": vphone,
    "window": wm,
}
COMMANDS: dict[str, Command] = {"cmd": cmd, "svc": svc, "logcat": logcat}
