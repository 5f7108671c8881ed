"""`handeye trust`: files of a folder that Handeye uses only after a person has allowed them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field

from handeye.apps import PROJECT_FOLDER as MODULES
from handeye.commands.base import Context, ExitCode, Outcome
from handeye.commands.parameters import ARGUMENT
from handeye.errors import ConfigError, UsageError
from handeye.models import DEFAULT_FILE
from handeye.plan import PROJECT_FOLDER as PLANS
from handeye.report import is_run
from handeye.trusted_files import forget, trust
from handeye.visible import shown

USABLE: Final[Mapping[Path, Callable[[Path], bool]]] = {
    Path(DEFAULT_FILE): Path.is_file,  # a folder of that name is another program's
    PLANS: Path.is_dir,
    MODULES: Path.is_dir,
}
"""The parts of a working folder that are used, and the kind that each must be of."""

MOST_LISTED: Final = 20
"""Files of a folder that are named to a person; `--json` names all."""


class TrustParams(BaseModel):
    """Parameters of `trust`."""

    folder: Annotated[Path, ARGUMENT] = Field(
        Path(), description="A working folder, or the folder of another user's run."
    )
    forget: bool = Field(False, description="Trust it no longer.")


def trust_folder(params: TrustParams, context: Context) -> Outcome:
    """
    Trust the files of a folder that Handeye would use, as they are now. Those that cannot be trusted are warnings. Raises
    UsageError if there are none at all.
    """
    if not params.folder.is_dir():
        raise UsageError(f"{str(params.folder)!r} is no folder; name one with a .env, plans or app modules, or a run's")
    paths = usable_in(params.folder) + ([params.folder] if is_run(params.folder) else [])
    if params.forget:
        known = [path for path in (params.folder, *(params.folder / name for name in USABLE)) if forget(path)]
        told = tuple(f"{shown(str(path))}: no longer trusted" for path in known)
        return Outcome({"forgotten": list(map(str, known))}, told or ("nothing in it was trusted",))
    if not paths:
        raise UsageError(
            f"nothing in {str(params.folder)!r} has to be trusted: no {DEFAULT_FILE}, {PLANS} or {MODULES}"
        )
    lines: list[str] = []
    trusted: list[dict[str, Any]] = []
    failed: list[str] = []
    for path in paths:
        try:
            files = trust(path)
        except ConfigError as error:
            failed.append(f"{shown(str(error))}; it is not trusted")
            continue
        trusted.append({"path": str(path.resolve()), "files": dict(files)})
        lines.append(f"{shown(str(path))}: used from now on, until it changes")
        named = [name for name in files if name != "."]
        lines.extend(f"  {shown(name)}" for name in named[:MOST_LISTED])
        if (more := len(named) - MOST_LISTED) > 0:
            lines.append(f"  and {more} more")
    code = ExitCode.USAGE if failed else ExitCode.OK
    return Outcome({"trusted": trusted, "problems": failed}, tuple(lines), code, warnings=tuple(failed))


def usable_in(folder: Path) -> list[Path]:
    """Return the files and folders in a working folder that Handeye would use."""
    return [folder / name for name, is_usable in USABLE.items() if is_usable(folder / name)]
