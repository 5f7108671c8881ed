"""`dumpsys`: the lines that tools parse, in the sections where Android prints them."""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable, Iterator

from handeye.geometry import Size
from handeye_phone.drawing.scene import Window
from handeye_phone.model import DARK_SIZE, PANELS, PhoneModel
from handeye_phone.shell.android.intents import full_component, short_component
from handeye_phone.shell.android.packages import apk_path, main_component, uid
from handeye_phone.shell.process import Command, Process

TASK = 12
STATUS_BAR, NAVIGATION_BAR = "StatusBar", "NavigationBar0"


def token(name: str) -> str:
    """Return seven hex digits, the same for one object each time, like the identity hashes in Android's dumps."""
    return f"{zlib.crc32(name.encode()) & 0xFFFFFFF:07x}"


def _window(name: str, user: int = 0, display: int = 0) -> str:
    return f"Window{{{token(name + str(user or '') + '@' * display)} u{user} {full_component(name)}}}"


def _record(model: PhoneModel) -> str:
    """Return the record of the activity in front."""
    short = short_component(model.focused_activity)
    return f"ActivityRecord{{{token(short)} u{model.front.user} {short} t{TASK}}}"


def _bool(flag: bool) -> str:
    return str(flag).lower()


def _focus(p: Process, display: int) -> str:
    model = p.model.displays[display]
    window = model.focused_window if display == p.model.focused_display else None
    shown = _window(window, model.focused_user, display) if window else "null"
    return f"  mCurrentFocus={shown}\n  mFocusedApp={_record(model)}\n"


async def dump_window(p: Process, args: list[str]) -> int:
    section = args[0] if args else "all"
    if section in ("displays", "d", "all", "-a"):
        await _window_displays(p)
    if section in ("windows", "w", "all", "-a", "visible", "visible-apps"):
        await _window_windows(p, with_focus=section not in ("all", "-a"), visible=section.startswith("visible"))
    if section in ("policy", "p", "all", "-a"):
        await p.out(
            "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n"
            f"    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED\n    mRotation={p.model.rotation}\n"
            f"    mAwake={_bool(p.model.awake)} mScreenOnEarly={_bool(p.model.awake)}\n    mKeyguardDrawComplete=true\n"
            f"    KeyguardServiceDelegate\n      showing={_bool(p.model.keyguard_shown)}\n      occluded=false\n"
            f"      secure={_bool(p.model.scenario.lock == 'code')}\n"
            f"      KeyguardStateMonitor\n        mIsShowing={_bool(p.model.keyguard_shown)}\n"
        )
    if section in (
        "input",
        "sessions",
        "tokens",
        "policy",
        "displays",
        "d",
        "windows",
        "w",
        "all",
        "-a",
        "p",
        "visible",
    ):
        return 0
    if section == "visible-apps":
        return 0
    await p.out(f"Bad window command, or no windows match: {section}\nUse -h for help.\n")
    return 0


async def _window_displays(p: Process) -> None:
    await p.out("WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n")
    for display, model in p.model.displays.items():
        size, physical = model.size, model.physical_size
        await p.out(
            f"  Display: mDisplayId={display} (organized)\n"
            f"    init={physical.width}x{physical.height} {model.physical_density}dpi cur={size.width}x{size.height} "
            f"app={size.width}x{size.height} rng={min(size)}x{min(size)}-{max(size)}x{max(size)}\n"
            f"    mCurrentRotation=ROTATION_{model.rotation * 90}\n{_focus(p, display)}  mRotation={model.rotation}\n"
            f"  mTopFullscreenOpaqueWindowState={_window(model.focused_activity, model.front.user, display)}\n"
        )
    await p.out(f"  mTopFocusedDisplayId={p.model.focused_display}\n")


async def _window_windows(p: Process, *, with_focus: bool, visible: bool) -> None:
    focused = p.model.focused
    await p.out("WINDOW MANAGER WINDOWS (dumpsys window windows)\n")
    index = 0
    for display in p.model.displays:
        for line in _windows_of(p, display, visible=visible):
            await p.out(f"  Window #{index} {line}")
            index += 1
    await p.out(
        f"  mGlobalConfiguration={{1.0 {focused.density}dpi}}\n  mHasPermanentDpad=false\n"
        f"  mTopFocusedDisplayId={p.model.focused_display}\n"
        f"  mInputMethodWindow={_window('InputMethod') if focused.input_shown else 'null'}\n"
        f"{_focus(p, p.model.focused_display) if with_focus else ''}"
        f"  mInTouchMode=true\n  mLastDisplayFreezeDuration=0\n  mDisplayFrozen=false windows=0 client=false apps=0\n"
        f"    mRotation={focused.rotation}\n"
    )


def _windows_of(p: Process, display: int, *, visible: bool) -> Iterator[str]:
    """Yield the dump of each window of a display."""
    model = p.model.displays[display]
    names = [(NAVIGATION_BAR, 0), (STATUS_BAR, 0)]
    if model.input_shown:
        names.append(("InputMethod", 0))
    focused = [(model.focused_window, model.focused_user)] if model.focused_window else []
    front = (*focused, (model.focused_activity, model.front.user))
    names += list(dict.fromkeys((full_component(name), user) for name, user in front))
    opened = [(full_component(name), user) for name, user in model.activity_stack]
    beneath = [] if visible else [each for each in opened if each not in names]
    for name, user in (*names, *beneath):
        number, package = _owner(p, name, model)
        seen = _bool((name, user) in names)
        secure = "SECURE " if model.is_protected(package) else ""
        yield (
            f"{_window(name, user, display)}:\n    mDisplayId={display} mSession=Session{{{token('session' + name)}}}\n"
            f"    mOwnerUid={user * 100_000 + number} showForAllUsers=false package={package} appop=NONE\n"
            "    mAttrs={(0,0)(fillxfill) sim={adjust=resize} ty=BASE_APPLICATION\n"
            f"      fl=LAYOUT_IN_SCREEN LAYOUT_INSET_DECOR {secure}SPLIT_TOUCH HARDWARE_ACCELERATED\n"
            "      pfl=NO_MOVE_ANIMATION}\n"
            f"    isOnScreen={seen}\n    isVisible={seen}\n"
        )


def _owner(p: Process, window: str, model: PhoneModel) -> tuple[int, str]:
    """Return the user id and the package of a window's owner."""
    package = window.partition("/")[0] if "/" in window else model.window_owner(window)
    return _user(p, package), package


async def dump_activity(p: Process, args: list[str]) -> int:
    component = short_component(p.model.focused_activity)
    package, owner = component.partition("/")[0], p.model.front.user
    section = args[0] if args else "all"
    if section == "top":
        await p.out(
            f"TASK {package} id={TASK} userId={owner}\n  ACTIVITY {component} {token(component)} pid={_pid(package)}\n"
            f"    Local Activity {token('local' + component)} State:\n      mResumed=true mStopped=false mFinished=false\n"
        )
        return 0
    if section in ("activities", "a", "all", "recents", "r", "containers"):
        await p.out(
            "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"
            "Display #0 (activities from top to bottom):\n"
            f"  * Task{{{token('task' + package)} #{TASK} type=standard A={_user(p, package)}:{package} U={owner} visible=true "
            f"visibleRequested=true mode=fullscreen translucent=false sz=1}}\n"
            f"    mResumedActivity: {_record(p.model)}\n"
            f"    * Hist  #0: {_record(p.model)}\n      packageName={package} processName={package}\n"
            f"      state=RESUMED\n\n"
            f"  Resumed activities in task display areas (from top to bottom):\n    Resumed: {_record(p.model)}\n"
            f"  ResumedActivity: {_record(p.model)}\n\n"
            f"  topResumedActivity={_record(p.model)}\n  mFocusedApp={_record(p.model)}\n"
        )
        return 0
    await p.out(f"Bad activity command, or no activities match: {section}\nUse -h for help.\n")
    return 0


def _user(p: Process, package: str) -> int:
    return uid(p, package) if package in p.model.packages else 1000


def _pid(name: str) -> int:
    return 2000 + zlib.crc32(name.encode()) % 20000


async def dump_input_method(p: Process, args: list[str]) -> int:
    model = p.model
    shown = _bool(any(each.input_shown for each in model.displays.values()))
    await p.out("Current Input Method Manager state:\n  Input Methods: mMethodMapUpdateCount=1\n")
    for name in model.input_methods:
        await p.out(f"  InputMethod #{model.input_methods.index(name)}:\n    mId={name} mIsVrOnly=false\n")
    await p.out(
        f"  mCurMethodId={model.input_method}\n  mCurId={model.input_method} mHaveConnection=true mBoundToMethod=true\n"
        f"  mShowRequested={shown} mShowExplicitlyRequested={shown} mShowForced=false mInputShown={shown}\n"
        f"  mInputShown={shown}\n  mSystemReady=true mInteractive=true\n"
    )
    return 0


async def dump_display(p: Process, args: list[str]) -> int:
    panels = [(panel, model) for panel, model in p.model.panels.items() if model is not None]
    displays = list(zip(p.model.displays, panels, strict=True))
    viewports = (_viewport(display, panel, port, model) for port, (display, (panel, model)) in enumerate(displays))
    await p.out(f"DISPLAY MANAGER (dumpsys display)\n  mViewports=[{', '.join(viewports)}]\n")
    physical = p.model.physical_size
    await p.out(f"  mStableDisplaySize=Point({physical.width}, {physical.height})\n  mScreenState=ON\n")
    await p.out(f"Display Devices: size={len(p.model.panels)}\n")
    for panel, shown in p.model.panels.items():
        size = shown.physical_size if shown is not None else DARK_SIZE
        state = "ON" if shown is not None and shown.lit and shown.awake else "OFF"
        await p.out(
            f'  DisplayDeviceInfo{{"Built-in Screen": uniqueId="local:{panel}", {size.width} x {size.height}, modeId 1, '
            f"density 420, touch INTERNAL, rotation 0, type INTERNAL, state {state}}}\n"
        )
    await p.out(f"Logical Displays: size={len(displays)}\n")
    for display, (panel, model) in displays:
        await p.out(
            f"  Display {display}:\n    mDisplayId={display}\n    mLayerStack={display}\n"
            f"    mBaseDisplayInfo={_display_info(display, panel, model, model.physical_size, 0)}\n"
            f"    mOverrideDisplayInfo={_display_info(display, panel, model, model.size, model.rotation)}\n"
        )
    return 0


def _viewport(display: int, panel: str, port: int, model: PhoneModel) -> str:
    size = model.size
    frame = f"Rect(0, 0 - {size.width}, {size.height})"
    return (
        f"DisplayViewport{{type=INTERNAL, valid=true, isActive={_bool(model.lit)}, displayId={display}, "
        f"uniqueId='local:{panel}', physicalPort={port}, orientation={model.rotation}, logicalFrame={frame}, "
        f"physicalFrame={frame}, deviceWidth={size.width}, deviceHeight={size.height}}}"
    )


def _display_info(display: int, panel: str, model: PhoneModel, size: Size, rotation: int) -> str:
    name = "Built-in Screen" if display == 0 else "Second Screen"
    state = "ON" if model.lit and model.awake else "OFF"
    return (
        f'DisplayInfo{{"{name}", displayId {display}, displayGroupId 0, FLAG_SECURE, FLAG_SUPPORTS_PROTECTED_BUFFERS, '
        f"real {size.width} x {size.height}, largest app {max(size)} x {max(size)}, rotation {rotation}, state {state}, "
        f'committedState {state}, type INTERNAL, uniqueId "local:{panel}", density {model.density} (420.0 x 420.0) dpi}}'
    )


async def dump_input(p: Process, args: list[str]) -> int:
    size, quarter = p.model.size, p.model.rotation
    await p.out(
        "INPUT MANAGER (dumpsys input)\nInput Reader State:\n  Device 2: virtual_touchscreen\n    Touch Input Mapper:\n"
        f"      SurfaceWidth: {size.width}px\n      SurfaceHeight: {size.height}px\n      SurfaceOrientation: {quarter}\n"
        f"  Viewport INTERNAL: displayId=0, uniqueId=local:{PANELS[0]}, port=0, orientation={quarter}, "
        f"logicalFrame=[0, 0, {size.width}, {size.height}], physicalFrame=[0, 0, {size.width}, {size.height}], "
        f"deviceSize=[{size.width}, {size.height}], isActive=[1]\n"
        "Input Dispatcher State:\n  DispatchEnabled: true\n  DispatchFrozen: false\n"
    )
    shown = {number: model.windows if model.awake else () for number, model in p.model.displays.items()}
    await p.out("  FocusedWindows:\n")
    for number, windows in shown.items():
        for window in [each for each in windows if each.focusable][:1]:
            await p.out(f"    displayId={number}, name='{_input_name(window, number)}'\n")
    for number, windows in shown.items():
        await p.out(f"  Display: {number}\n    Windows:\n      {_gesture_monitor(number)}\n")
        for place, window in enumerate(windows, 1):
            left, top, right, bottom = window.root.box
            region = f"[{left},{top}][{right},{bottom}]"
            config = "0x0" if window.focusable else "NOT_FOCUSABLE | NOT_TOUCH_MODAL | TRUSTED_OVERLAY"
            await p.out(
                f"      {place}: name='{_input_name(window, number)}', id={place + 40}, displayId={number}, "
                f"inputConfig={config}, "
                f"alpha=1.00, frame={region}, globalScale=1.000000, applicationInfo.name=, applicationInfo.token=<null>, "
                f"touchableRegion={region}, ownerPid={_pid(window.package)}, ownerUid={_user(p, window.package)}, "
                "dispatchingTimeout=5000ms, hasToken=true, touchOcclusionMode=BLOCK_UNTRUSTED\n"
                "        transform (ROT_0) (IDENTITY)\n"
            )
    return 0


def _gesture_monitor(display: int) -> str:
    """Return the topmost input window: it observes every touch and consumes none."""
    return (
        f"0: name='[Gesture Monitor] edge-swipe', id=12, displayId={display}, "
        "inputConfig=NOT_FOCUSABLE | TRUSTED_OVERLAY | SPY, "
        "alpha=1.00, frame=[0,0][0,0], globalScale=1.000000, touchableRegion=[-14799,-14799][14800,14800], ownerPid=1, "
        "ownerUid=1000, dispatchingTimeout=5000ms, hasToken=true, touchOcclusionMode=BLOCK_UNTRUSTED"
    )


def _input_name(window: Window, display: int) -> str:
    return f"{token(window.component + '@' * display)} {full_component(window.component)}"


async def dump_package(p: Process, args: list[str]) -> int:
    names = [arg for arg in args if not arg.startswith("-")]
    chosen = sorted(p.model.packages) if not names else [name for name in names if name in p.model.packages]
    for name in names:
        if name not in p.model.packages:
            await p.out(f"Unable to find package: {name}\n")
    for name in chosen:
        package = p.model.packages[name]
        if package.activity:
            await p.out(
                "Activity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:\n"
                f"        {token(name)} {short_component(main_component(package))} filter {token(name + 'filter')}\n"
                '          Action: "android.intent.action.MAIN"\n          Category: "android.intent.category.LAUNCHER"\n\n'
            )
        flags = "SYSTEM HAS_CODE ALLOW_CLEAR_USER_DATA" if package.system else "HAS_CODE ALLOW_CLEAR_USER_DATA"
        await p.out(
            f"Packages:\n  Package [{name}] ({token(name)}):\n    userId={uid(p, name)}\n    codePath={apk_path(package)}\n"
            f"    versionCode={_version_code(package.version)} minSdk=26 targetSdk=34\n    versionName={package.version}\n"
            f"    flags=[ {flags} ]\n"
            + "".join(
                f"    User {user}: ceDataInode=4711 installed={_bool(p.model.is_installed(name, user))} hidden=false "
                "suspended=false stopped=false enabled=0\n"
                for user in p.model.users
            )
        )
    return 0


def _version_code(version: str) -> int:
    digits = [int(part) for part in version.split(".") if part.isascii() and part.isdigit()]
    return sum(value * 100**place for place, value in enumerate(reversed(digits[:3]))) or 1


async def dump_battery(p: Process, args: list[str]) -> int:
    await p.out(
        "Current Battery Service state:\n  AC powered: false\n  USB powered: true\n  Wireless powered: false\n  status: 2\n"
        "  health: 2\n  present: true\n  level: 86\n  scale: 100\n  voltage: 4210\n  temperature: 270\n"
        "  technology: Li-ion\n"
    )
    return 0


async def dump_power(p: Process, args: list[str]) -> int:
    await p.out(
        f"POWER MANAGER (dumpsys power)\n  mWakefulness={'Awake' if p.model.awake else 'Asleep'}\n"
        f"  mHoldingDisplaySuspendBlocker={_bool(p.model.awake)}\n"
        f"Display Power: state={'ON' if p.model.awake else 'OFF'}\n"
    )
    return 0


async def dump_surface_flinger(p: Process, args: list[str]) -> int:
    for port, panel in enumerate(p.model.panels):
        about = f' (HWC display {port}): port={port} pnpId=VPH displayName="virtual"' if "--display-id" in args else ""
        await p.out(f"Display {panel}{about}\n")
    return 0


SERVICES: dict[str, Callable[[Process, list[str]], Awaitable[int]]] = {
    "SurfaceFlinger": dump_surface_flinger,
    "activity": dump_activity,
    "battery": dump_battery,
    "display": dump_display,
    "input": dump_input,
    "input_method": dump_input_method,
    "package": dump_package,
    "power": dump_power,
    "window": dump_window,
}


async def run(p: Process) -> int:
    args = list(p.args)
    while args and args[0].startswith("-"):
        option = args.pop(0)
        if option == "-l":
            await p.out("Currently running services:\n" + "".join(f"  {name}\n" for name in SERVICES))
            return 0
        if option == "-t" and args:
            args.pop(0)
        elif option not in ("--priority", "--proto"):
            await p.err(f"dumpsys: unknown option {option}\nusage: dumpsys [-l | SERVICE [ARGS]]\n")
            return 1
    if not args:
        for name, dump in SERVICES.items():
            await p.out(
                f"-------------------------------------------------------------------------------\nDUMP OF SERVICE {name}:\n"
            )
            await dump(p, [])
        return 0
    found = SERVICES.get(args[0])
    if found is None:
        await p.err(f"Can't find service: {args[0]}\n")
        return 0  # dumpsys itself succeeded, as on Android
    return await found(p, args[1:])


COMMANDS: dict[str, Command] = {"dumpsys": run}
