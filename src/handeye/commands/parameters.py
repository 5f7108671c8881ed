"""Parameters that several commands share, and metadata for their command-line options."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, Field


@dataclass(frozen=True, slots=True)
class Cli:
    """
    Metadata of a field (in `Annotated`) for the command line.

    Without it a field is an option `--its-name`, a boolean with the default True `--its-name/--no-its-name`, and a list an
    option that may be repeated. `argument` makes it positional, `flags` replace the name, `variable` is the environment
    variable that is read if the option is not given, `metavar` names the value in the help. With `many` the words of an
    argument are given to the model as a list, which its validator takes apart.
    """

    argument: bool = False
    flags: tuple[str, ...] = ()
    variable: str | None = None
    metavar: str | None = None
    many: bool = False


ARGUMENT: Final = Cli(argument=True)

ImageArgument = Annotated[str, ARGUMENT, Field(min_length=1, description="An image file, or a device URI.")]
ModelName = Annotated[
    str | None,
    Field(
        min_length=1,
        description="The model for what nothing else finds: its name, or its provider's; off asks none.",
    ),
]
MinConfidence = Annotated[
    float | None,
    Field(
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="What is found less surely (0-1) is not acted on; HANDEYE_MIN_CONFIDENCE unless given.",
    ),
]
JunitFile = Annotated[Path | None, Field(description="Write the run as JUnit XML, too.")]


class NoParams(BaseModel):
    """A command without parameters."""
