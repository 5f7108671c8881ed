"""`handeye`: the verbs of `commands/` as a Typer application."""

from __future__ import annotations

import codecs
import functools
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, ParamSpec

import rich.box
import rich.table
import rich.text
import typer
from pydantic import ValidationError
from rich.console import Console
from rich.markup import escape

from handeye._version import __version__
from handeye.cli.progress import Progress
from handeye.commands.base import Command, Context, ExitCode, Table, exit_code_of
from handeye.errors import HandeyeError, UsageError

app = typer.Typer(
    name="handeye",
    help="See a screen, find what a person names, act on it, check what happened, recover.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
phone_app = typer.Typer(name="phone", help="The virtual phone.", no_args_is_help=True)
app.add_typer(phone_app)
model_app = typer.Typer(name="model", help="The configured vision-language model.", no_args_is_help=True)
app.add_typer(model_app)
apps_app = typer.Typer(name="apps", help="What Handeye knows about apps.", no_args_is_help=True)
app.add_typer(apps_app)
runs_app = typer.Typer(name="runs", help="What was run.", no_args_is_help=True)
app.add_typer(runs_app)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
DeviceUri = Annotated[
    str, typer.Option("--device", "-d", envvar="HANDEYE_DEVICE", help="android:///SERIAL, android:, phone:, image:FILE")
]
ModelName = Annotated[
    str | None,
    typer.Option("--model", help="The model for what nothing else finds: its name, or its provider's; off asks none."),
]
ANY = "android:"
_WIDE = 200  # columns of a table that no terminal shows
Parameters = ParamSpec("Parameters")


def _call(command: Command[Any], as_json: bool, **params: Any) -> None:
    """Run a command: its answer goes to stdout, progress to stdout for people and to stderr beside JSON."""
    console = Console(stderr=as_json)
    answered: list[Mapping[str, Any]] = []

    def answer(data: Mapping[str, Any]) -> None:
        if as_json and not answered:
            answered.append(data)
            print_json(data)

    context = Context(
        Progress(console),
        lambda line: console.print(line, highlight=False, soft_wrap=True, markup=False),
        answer,
        None if as_json or not _somebody_is_there() else _choose,
    )
    try:
        outcome = command.run(_checked(command, params), context)
    except HandeyeError as error:
        code = exit_code_of(error)
        if as_json and not answered:
            print_json({"error": str(error), "kind": type(error).__name__, "exit_code": int(code)})
        else:
            _complain(f"[red]handeye: {escape(str(error))}[/]")
        raise typer.Exit(code) from error
    answer(outcome.data)
    if not as_json:
        for line in outcome.lines:
            typer.echo(line)
        if outcome.table is not None:
            _print_table(outcome.table)
    for line in outcome.warnings:
        _complain(f"[yellow]handeye: {escape(line)}[/]")
    raise typer.Exit(outcome.exit_code)


def print_json(data: Mapping[str, Any]) -> None:
    """One document on stdout, at once; escaped where stdout cannot hold every character."""
    try:
        plain = codecs.lookup(sys.stdout.encoding or "").name != "utf-8"
    except LookupError:
        plain = True
    typer.echo(json.dumps(data, ensure_ascii=plain))
    sys.stdout.flush()


def _print_table(table: Table) -> None:
    """Aligned columns; where no terminal sets a width, one line a row for other programs to read."""
    console = Console(width=None if sys.stdout.isatty() else _WIDE)
    drawn = rich.table.Table(*table.columns, box=rich.box.SIMPLE_HEAD, pad_edge=False)
    for row in table.rows:
        drawn.add_row(*map(rich.text.Text, row))  # not as markup: it may hold a screen's text
    console.print(drawn)


def _somebody_is_there() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _choose(question: str, count: int) -> int | None:
    """A number from 1 to `count`; None for an empty line."""
    while answer := typer.prompt(f"{question} 1-{count}, or Enter for none", default="", show_default=False).strip():
        if answer.isdecimal() and 1 <= int(answer) <= count:
            return int(answer)
        typer.echo(f"{answer!r} is not one of them")
    return None


def _complain(markup: str) -> None:
    Console(stderr=True).print(markup, highlight=False, soft_wrap=True)


def _guarded(verb: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Ctrl-C at any moment of a verb, its imports included, is one line or one JSON document, and 130."""

    @functools.wraps(verb)
    def guarded(*args: Parameters.args, **options: Parameters.kwargs) -> None:
        try:
            verb(*args, **options)
        except KeyboardInterrupt:
            if options.get("as_json"):
                print_json({"error": "interrupted", "exit_code": int(ExitCode.INTERRUPTED)})
            _complain("interrupted; the device was let go")
            raise typer.Exit(ExitCode.INTERRUPTED) from None

    return guarded


def _checked(command: Command[Any], params: dict[str, Any]) -> Any:
    """The parameters as the command wants them. Raises UsageError, which names what is wrong."""
    try:
        return command.params(**params)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise UsageError(f"{command.name}: {wrong}") from None


@app.command()
@_guarded
def run(
    task: Annotated[str | None, typer.Argument(help="What to do, for example 给张三发微信消息说你好")] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with the run in this folder, which ended early; nothing is done twice.")
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            "--device", "-d", envvar="HANDEYE_DEVICE", help="android:///SERIAL, android: (the only one), phone:"
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the report.")] = None,
    report: Annotated[bool, typer.Option(help="Write the report.")] = True,
    junit: Annotated[Path | None, typer.Option(help="Write the run as JUnit XML, too.")] = None,
    permissions: Annotated[
        str, typer.Option(help="Permissions that apps ask for: ask, deny, or allow-listed (see --allow).")
    ] = "deny",
    allow: Annotated[
        list[str] | None, typer.Option(help="A permission that is granted: 位置, camera, 微信:位置. Repeat for more.")
    ] = None,
    plans: Annotated[str, typer.Option(help="Plans that have worked: read-write, read-only or off.")] = "read-write",
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Carry out a task in a person's words, and prove it."""
    from handeye.commands.run import RUN

    asked = {"task": task, "resume": resume, "device": device, "out": out, "report": report, "junit": junit}
    how = {"permissions": permissions, "allow": allow or [], "plans": plans, "model": model}
    _call(RUN, as_json, **asked, **how)


@app.command()
@_guarded
def devices(as_json: Json = False) -> None:
    """List the Android devices that adb knows."""
    from handeye.commands.devices import DEVICES

    _call(DEVICES, as_json)


@app.command()
@_guarded
def connect(address: Annotated[str, typer.Argument(help="HOST:PORT")], as_json: Json = False) -> None:
    """Connect to a phone over TCP."""
    from handeye.commands.devices import CONNECT

    _call(CONNECT, as_json, address=address)


@app.command()
@_guarded
def screenshot(
    out: Annotated[Path, typer.Option("--out", "-o", help="The PNG file to write.")] = Path("screenshot.png"),
    device: DeviceUri = ANY,
    as_json: Json = False,
) -> None:
    """Save what the device shows as PNG."""
    from handeye.commands.devices import SCREENSHOT

    _call(SCREENSHOT, as_json, out=out, device=device)


@app.command()
@_guarded
def locate(
    image: Annotated[str, typer.Argument(help="An image file, or a device URI.")],
    query: Annotated[
        str, typer.Argument(help="A text, a picture's name or path, or a phrase: the switch in the row WLAN")
    ],
    strategy: Annotated[
        str | None, typer.Option(help="A preset (ocr_first), or strategies in their order (ocr,template).")
    ] = None,
    threshold: Annotated[float | None, typer.Option(help="Finds that are less sure are candidates only (0-1).")] = None,
    draw: Annotated[Path | None, typer.Option(help="Write the picture with the boxes drawn.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show every strategy that was tried.")] = False,
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Find something on a picture, and say how it was found."""
    from handeye.commands.locate import LOCATE

    limits = {} if threshold is None else {"threshold": threshold}
    asked = {"image": image, "query": query, "strategy": strategy, "draw": draw, "explain": explain, "model": model}
    _call(LOCATE, as_json, **asked, **limits)


@app.command()
@_guarded
def ocr(
    image: Annotated[str, typer.Argument(help="An image file, or a device URI.")],
    region: Annotated[str | None, typer.Option(help="Read only left,top,right,bottom (pixels).")] = None,
    reader: Annotated[str, typer.Option(help="Which text reader: paddle, rapidocr or tesseract.")] = "paddle",
    draw: Annotated[Path | None, typer.Option(help="Write the picture with the lines' boxes drawn.")] = None,
    as_json: Json = False,
) -> None:
    """Read the text of a picture, with boxes."""
    from handeye.commands.ocr import OCR

    _call(OCR, as_json, image=image, region=region, reader=reader, draw=draw)


@app.command()
@_guarded
def match(
    reference: Annotated[str, typer.Argument(help="A picture file, or the name of a reference image.")],
    image: Annotated[str, typer.Argument(help="An image file, or a device URI.")],
    every: Annotated[bool, typer.Option("--all", help="All places are wanted: several are no failure.")] = False,
    draw: Annotated[Path | None, typer.Option(help="Write the picture with the places drawn.")] = None,
    as_json: Json = False,
) -> None:
    """Find a picture on a picture, with the evidence."""
    from handeye.commands.match import MATCH

    _call(MATCH, as_json, reference=reference, image=image, every=every, draw=draw)


@app.command()
@_guarded
def tap(
    query: Annotated[str, typer.Argument(help="What to tap: a text or a reference image.")],
    device: DeviceUri = ANY,
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Find something on the device and tap it; what is not there or not unique is not tapped."""
    from handeye.commands.locate import TAP

    _call(TAP, as_json, query=query, device=device, model=model)


@app.command()
@_guarded
def plan(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[IMAGE] TASK", help="What to do, and before it a picture for a model that plans."),
    ],
    screenshot: Annotated[str | None, typer.Option(help="The picture, named so.")] = None,
    device: Annotated[
        str | None, typer.Option("--device", "-d", help="The device to look at, in place of a picture.")
    ] = None,
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Show the steps that a task would take, and who made them; nothing is done."""
    from handeye.commands.plan import PLAN

    *images, task = words
    if len(images) > 1 or (images and screenshot is not None):
        raise typer.BadParameter("name one picture and one task; a task of several words stands in quotation marks")
    picture = images[0] if images else screenshot
    _call(PLAN, as_json, task=task, screenshot=picture, device=device, model=model)


@app.command()
@_guarded
def verify(
    image: Annotated[str, typer.Argument(help="An image file, or a device URI.")],
    expected: Annotated[
        str, typer.Argument(help='What must be seen; texts in "quotation marks" are read, a model judges the rest.')
    ] = "",
    before: Annotated[str | None, typer.Option(help="A picture from before, to compare with.")] = None,
    reference: Annotated[
        str | None, typer.Option(help="A picture that must be seen: a file, or a reference image's name.")
    ] = None,
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Say whether a picture shows what is expected, with the evidence."""
    from handeye.commands.verify import VERIFY

    _call(VERIFY, as_json, image=image, expected=expected, before=before, reference=reference, model=model)


@app.command()
@_guarded
def flow(
    image: Annotated[str, typer.Argument(help="An image file, or a device URI.")],
    task: Annotated[str, typer.Argument(help="What to do, for example 打开微信")],
    draw: Annotated[Path | None, typer.Option(help="Write the picture with the places drawn.")] = None,
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Plan a task, find its steps' targets on one picture, and say what would be verified; nothing is done."""
    from handeye.commands.flow import FLOW

    _call(FLOW, as_json, image=image, task=task, draw=draw, model=model)


@app.command()
@_guarded
def report(
    folder: Annotated[Path, typer.Argument(help="A run folder, however its run ended.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The HTML file to write.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Write the run as JUnit XML, too.")] = None,
    as_json: Json = False,
) -> None:
    """Make the report of a run folder again."""
    from handeye.commands.report import REPORT

    _call(REPORT, as_json, folder=folder, out=out, junit=junit)


@app.command()
@_guarded
def doctor(as_json: Json = False) -> None:
    """Say what is installed, what is missing, and how to get it."""
    from handeye.commands.doctor import DOCTOR

    _call(DOCTOR, as_json)


@app.command()
@_guarded
def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the reports.")] = Path("runs/demo"),
    scenario: Annotated[list[str] | None, typer.Option(help="Disturbances; once per run.")] = None,
    as_json: Json = False,
) -> None:
    """Run the main job on virtual phones, and check it in their own state."""
    from handeye.commands.demo import DEMO, ROUNDS

    _call(DEMO, as_json, out=out, scenario=scenario or list(ROUNDS))


@app.command()
@_guarded
def version(as_json: Json = False) -> None:
    """Print the version."""
    if as_json:
        print_json({"version": __version__})
    else:
        typer.echo(f"handeye {__version__}")


@phone_app.command("start")
@_guarded
def phone_start(
    port: Annotated[int, typer.Option(help="TCP port on 127.0.0.1; 0 picks a free one.")] = 15555,
    scenario: Annotated[str, typer.Option(help="Disturbances: names joined by commas, or a file.")] = "calm",
    window: Annotated[bool, typer.Option("--window", help="Show it live in a local web page.")] = False,
    auth: Annotated[str, typer.Option(help="How keys are treated: open, keys or refuse.")] = "open",
    as_json: Json = False,
) -> None:
    """Run the virtual phone until Ctrl-C."""
    from handeye.commands.phone import PHONE_START

    _call(PHONE_START, as_json, port=port, scenario=scenario, window=window, auth=auth)


@phone_app.command("state")
@_guarded
def phone_state(port: Annotated[int, typer.Option(help="Its port.")] = 15555, as_json: Json = False) -> None:
    """Print what the virtual phone itself says."""
    from handeye.commands.phone import PHONE_STATE

    _call(PHONE_STATE, as_json, port=port)


@phone_app.command("scenario")
@_guarded
def phone_scenario(
    names: Annotated[str | None, typer.Argument(help="Names joined by commas, or a file; none lists them.")] = None,
    port: Annotated[int, typer.Option(help="Its port.")] = 15555,
    as_json: Json = False,
) -> None:
    """Switch disturbances on, or list them."""
    from handeye.commands.phone import PHONE_SCENARIO

    _call(PHONE_SCENARIO, as_json, names=names, port=port)


@model_app.command("check")
@_guarded
def model_check(
    model: Annotated[str | None, typer.Option(help="Another model than the one that is configured.")] = None,
    preset: Annotated[str | None, typer.Option(help="Another provider: claude, qwen, ollama ...")] = None,
    profile: Annotated[str | None, typer.Option(help="Another family's way of writing coordinates.")] = None,
    role: Annotated[str, typer.Option(help="Which of the configured models: locator, verifier, planner.")] = "locator",
    as_json: Json = False,
) -> None:
    """Ask the configured model with a real picture: does it answer, see, and say where things are?"""
    from handeye.commands.model import MODEL_CHECK

    _call(MODEL_CHECK, as_json, model=model, preset=preset, profile=profile, role=role)


@runs_app.command("list")
@_guarded
def runs_list(
    root: Annotated[Path, typer.Option(help="The folder with the run folders.")] = Path("runs"),
    limit: Annotated[int, typer.Option(help="So many at most, the newest.")] = 20,
    as_json: Json = False,
) -> None:
    """List what was run, newest first."""
    from handeye.commands.runs import RUNS_LIST

    _call(RUNS_LIST, as_json, root=root, limit=limit)


@runs_app.command("show")
@_guarded
def runs_show(
    run: Annotated[str, typer.Argument(help="A run folder, its name or the beginning of it, or: last")] = "last",
    root: Annotated[Path, typer.Option(help="The folder with the run folders.")] = Path("runs"),
    as_json: Json = False,
) -> None:
    """Show one run, step by step, with the evidence."""
    from handeye.commands.runs import RUNS_SHOW

    _call(RUNS_SHOW, as_json, run=run, root=root)


@apps_app.command("list")
@_guarded
def apps_list(as_json: Json = False) -> None:
    """List the app modules and where they come from."""
    from handeye.commands.apps import APPS_LIST

    _call(APPS_LIST, as_json)


@apps_app.command("check")
@_guarded
def apps_check(
    folders: Annotated[
        list[Path] | None, typer.Argument(help="Modules, or folders with modules; none is every module there is.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Name every problem of app modules, with file and line."""
    from handeye.commands.apps import APPS_CHECK

    _call(APPS_CHECK, as_json, folders=folders or [])


@apps_app.command("new")
@_guarded
def apps_new(
    name: Annotated[str, typer.Argument(help="The module's name: letters, digits and _.")],
    title: Annotated[str | None, typer.Option(help="What people call the app.")] = None,
    package: Annotated[str | None, typer.Option(help="Its Android package, such as com.tencent.mm.")] = None,
    folder: Annotated[Path, typer.Option(help="Where the module's folder is made.")] = Path("handeye_apps"),
    as_json: Json = False,
) -> None:
    """Begin an app module; nothing that is there is overwritten."""
    from handeye.commands.apps import APPS_NEW

    _call(APPS_NEW, as_json, name=name, title=title, package=package, folder=folder)


@apps_app.command("schema")
@_guarded
def apps_schema(
    folder: Annotated[Path, typer.Argument(help="Where they are written.")] = Path("handeye_apps/.schema"),
    as_json: Json = False,
) -> None:
    """Write the JSON Schemas of a module's files, for editors."""
    from handeye.commands.apps import APPS_SCHEMA

    _call(APPS_SCHEMA, as_json, folder=folder)
