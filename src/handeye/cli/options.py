"""Options and arguments of a verb, made from the fields of its parameter model."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_origin

import typer

from handeye.cli.calling import call
from handeye.commands import Cli, Command

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

_JSON = inspect.Parameter(
    "as_json",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")],
)


def verb_function(command: Command) -> Callable[..., None]:
    """
    Return a function for Typer that runs the command. Its signature has a parameter for each field of the command's model, and
    `--json`. What is not given is left to the model's defaults.
    """

    def verb(*, as_json: bool, **given: Any) -> None:
        call(command, as_json, {name: value for name, value in given.items() if value is not None and value != []})

    parameters = [_parameter(name, field) for name, field in _fields(command.params)]
    verb.__signature__ = inspect.Signature([*parameters, _JSON])  # type: ignore[attr-defined]
    return verb


def _fields(model: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    """Yield the model's fields in the order of the help: its own before inherited ones."""
    inherited = getattr(model.__base__, "model_fields", {})
    yield from ((name, field) for name, field in model.model_fields.items() if name not in inherited)
    if inherited:
        yield from _fields(model.__base__)  # type: ignore[arg-type]


def _parameter(name: str, field: FieldInfo) -> inspect.Parameter:
    cli = next((each for each in field.metadata if isinstance(each, Cli)), Cli())
    default = inspect.Parameter.empty if field.is_required() else field.default
    if isinstance(default, Enum):
        default = default.value
    elif isinstance(default, list):
        default = None
    shown: dict[str, Any] = {"help": field.description, "envvar": cli.variable, "metavar": cli.metavar}
    if cli.argument:
        info = typer.Argument(**shown)
    elif cli.flags or default is True:  # Typer makes `--name/--no-name` of a True
        info = typer.Option(*cli.flags, **shown)
    else:
        info = typer.Option(f"--{name.replace('_', '-')}", **shown)
    kind = list[str] if cli.many else _type(field.annotation)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


def _type(annotation: Any) -> Any:
    """Return the type for Typer: text where the model has choices, whose error messages are the model's."""
    if get_origin(annotation) is Literal or (isinstance(annotation, type) and issubclass(annotation, Enum)):
        return str
    return annotation | None if get_origin(annotation) is list else annotation
