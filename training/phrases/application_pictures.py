"""Pictures of Debian's applications on a private X server, in several themes and languages."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from handeye.errors import HandeyeError
from training.screens.desktop import APPLICATIONS, Application, walk_application

LANGUAGES: Final = ("en_US", "zh_CN", "en_US", "de_DE", "zh_TW", "en_US", "es_ES", "fr_FR", "pt_BR", "zh_CN", "ja_JP")
UNTRANSLATED: Final = ("gpick", "claws-mail", "pcmanfm-qt")  # their packages hold no translations
STEPS: Final = (0, 2, 5)  # screens of a walk that are kept


def in_language(application: Application, locale: str) -> Application:
    """The application started in a locale, whose translations and `locales` entry must be installed."""
    words = ("env", f"LANG={locale}.UTF-8", f"LC_ALL={locale}.UTF-8", f"LANGUAGE={locale}")
    return replace(application, command=(*words, *application.command))


def version_of(program: str) -> tuple[str, str]:
    """Debian package and version of an installed program, empty where dpkg does not know it."""
    path = Path(shutil.which(program) or program).resolve()
    for each in (path, Path(str(path).removeprefix("/usr"))):
        found = subprocess.run(["dpkg", "-S", str(each)], capture_output=True, text=True, check=False).stdout
        if found:
            package = found.partition(":")[0].split(",")[0]
            asked = ["dpkg-query", "-W", "-f", "${Version}", package]
            return package, subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    return "", ""


def pictures(
    seed: int, only: frozenset[str]
) -> Iterator[tuple[Application, str, int, NDArray[np.uint8], dict[str, Any]]]:
    """Application, language, step of the walk, BGR pixels and truth, for each installed application (or those in `only`)."""
    for number, application in enumerate(APPLICATIONS):
        if not shutil.which(application.command[0]) or (only and application.name not in only):
            continue
        locale = LANGUAGES[(number + seed) % len(LANGUAGES)]
        chance = random.Random(f"written {seed} {application.name}")
        try:
            walk = walk_application(in_language(application, locale), chance)
            for step, (pixels, elements, dark) in enumerate(walk):
                if step in STEPS:
                    truth = {"kind": "atspi", "library": application.name, "scale": 1.0, "dark": dark, "phone": False}
                    told = "en" if application.name in UNTRANSLATED else locale
                    yield application, told, step, pixels, {**truth, "elements": elements}
                if step >= STEPS[-1]:
                    break
        except (HandeyeError, OSError, subprocess.SubprocessError) as error:
            print(f"{application.name}: {str(error)[:200]}", flush=True)
