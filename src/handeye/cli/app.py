"""`handeye`: the verbs of `commands/` as a Typer application, in the order in which its help lists them."""

from __future__ import annotations

from typing import Annotated

import typer

from handeye.cli import app_verbs, desktop_verbs, device_verbs, picture_verbs, run_verbs
from handeye.cli.dashes import DashedArguments
from handeye.cli.terminal import Verbs


def _print_version(asked: bool) -> None:
    if asked:
        device_verbs.version()
        raise typer.Exit()


app = typer.Typer(
    name="handeye",
    cls=Verbs,
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


@app.callback()
def handeye(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """See a screen, find what a person names, act on it, check what happened, recover."""


for verb in (
    run_verbs.run,
    device_verbs.devices,
    device_verbs.connect,
    device_verbs.screenshot,
    picture_verbs.locate,
    picture_verbs.ocr,
    picture_verbs.parse,
    picture_verbs.match,
    picture_verbs.tap,
    picture_verbs.plan,
    picture_verbs.verify,
    picture_verbs.flow,
    run_verbs.report,
    run_verbs.trust,
    device_verbs.doctor,
    run_verbs.demo,
    device_verbs.version,
):
    app.command()(verb)
for desktop_verb in (
    desktop_verbs.state,
    desktop_verbs.inspect,
    desktop_verbs.click,
    desktop_verbs.drag,
    desktop_verbs.scroll,
    desktop_verbs.click_at,
    desktop_verbs.drag_at,
    desktop_verbs.press,
    desktop_verbs.windows,
    desktop_verbs.focus,
):
    app.command(cls=DashedArguments, rich_help_panel="Desktop")(desktop_verb)
app.command("type", cls=DashedArguments, rich_help_panel="Desktop")(desktop_verbs.type_text)
phone_app.command("start")(device_verbs.phone_start)
phone_app.command("state")(device_verbs.phone_state)
phone_app.command("scenario")(device_verbs.phone_scenario)
model_app.command("check")(device_verbs.model_check)
runs_app.command("list")(run_verbs.runs_list)
runs_app.command("show")(run_verbs.runs_show)
apps_app.command("list")(app_verbs.apps_list)
apps_app.command("check")(app_verbs.apps_check)
apps_app.command("new")(app_verbs.apps_new)
apps_app.command("schema")(app_verbs.apps_schema)
