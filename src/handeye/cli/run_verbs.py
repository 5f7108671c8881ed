"""Verbs that run a task, and those about what was run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from handeye.cli.calling import Json, MinConfidence, ModelName, call, guarded


@guarded
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
    user: Annotated[
        int | None, typer.Option(help="Whose apps, by number: a work profile's (10), or those of cloned apps (999).")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the report.")] = None,
    report: Annotated[bool, typer.Option(help="Write the report.")] = True,
    junit: Annotated[Path | None, typer.Option(help="Write the run as JUnit XML, too.")] = None,
    permissions: Annotated[
        str, typer.Option(help="Permissions that apps ask for: ask, deny, or allow-listed (see --allow).")
    ] = "deny",
    allow: Annotated[
        list[str] | None,
        typer.Option(
            help="A permission that is granted: 位置, camera, 微信:位置; also how far: photos=selected. Repeat for more."
        ),
    ] = None,
    plans: Annotated[str, typer.Option(help="Plans that have worked: read-write, read-only or off.")] = "read-write",
    min_confidence: MinConfidence = None,
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Carry out a task in a person's words, and prove it."""
    from handeye.commands import RUN

    asked = {
        "task": task,
        "resume": resume,
        "device": device,
        "user": user,
        "out": out,
        "report": report,
        "junit": junit,
    }
    how = {"permissions": permissions, "allow": allow or [], "plans": plans, "model": model}
    call(RUN, as_json, **asked, **how, min_confidence=min_confidence)


@guarded
def trust(
    folder: Annotated[Path, typer.Argument(help="A working folder, or the folder of another user's run.")] = Path(),
    forget: Annotated[bool, typer.Option("--forget", help="Trust it no longer.")] = False,
    as_json: Json = False,
) -> None:
    """Use the .env, plans and app modules of a folder from now on, until they change."""
    from handeye.commands import TRUST

    call(TRUST, as_json, folder=folder, forget=forget)


@guarded
def report(
    folder: Annotated[Path, typer.Argument(help="A run folder, however its run ended.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The HTML file to write.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Write the run as JUnit XML, too.")] = None,
    as_json: Json = False,
) -> None:
    """Make the report of a run folder again."""
    from handeye.commands import REPORT

    call(REPORT, as_json, folder=folder, out=out, junit=junit)


@guarded
def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the reports.")] = Path("runs/demo"),
    scenario: Annotated[list[str] | None, typer.Option(help="Disturbances; once per run.")] = None,
    as_json: Json = False,
) -> None:
    """Run the main job on virtual phones, and check it in their own state."""
    from handeye.commands import DEMO, ROUNDS

    call(DEMO, as_json, out=out, scenario=scenario or list(ROUNDS))


@guarded
def runs_list(
    root: Annotated[Path, typer.Option(help="The folder with the run folders.")] = Path("runs"),
    limit: Annotated[int, typer.Option(help="So many at most, the newest.")] = 20,
    as_json: Json = False,
) -> None:
    """List what was run, newest first."""
    from handeye.commands import RUNS_LIST

    call(RUNS_LIST, as_json, root=root, limit=limit)


@guarded
def runs_show(
    run: Annotated[str, typer.Argument(help="A run folder, its name or the beginning of it, or: last")] = "last",
    root: Annotated[Path, typer.Option(help="The folder with the run folders.")] = Path("runs"),
    as_json: Json = False,
) -> None:
    """Show one run, step by step, with the evidence."""
    from handeye.commands import RUNS_SHOW

    call(RUNS_SHOW, as_json, run=run, root=root)
