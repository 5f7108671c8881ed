"""`python -m training.phrases.pictures --data DIR`: pictures of applications, DIR/pictures/NAME.png and pictures.json.

The written phrases (`training/phrases/written/`) name these pictures. Sources are Debian's applications, web pages of npm
packages, component libraries at phone size and the virtual phone; what `training/DATA.md` keeps out of training is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phrases import application_pictures, phone_pictures, web_pictures
from training.phrases.web_pages import DEBIAN, PACKAGES, PAGES

Picture = tuple[str, NDArray[np.uint8], dict[str, str]]  # its name, its BGR pixels, and what pictures.json says of it


def _phone(choices: argparse.Namespace) -> Iterator[Picture]:
    for screen, pixels in phone_pictures.pictures():
        source = {
            "source": "handeye.phone",
            "version": "",
            "licence": "own",
            "kind": "phone",
            "language": screen.language,
        }
        yield f"phone_{screen.name}", pixels, source


def _applications(choices: argparse.Namespace) -> Iterator[Picture]:
    only = frozenset(choices.applications.split(",")) - {""}
    for application, language, step, pixels in application_pictures.pictures(choices.seed, only):
        package, version = application_pictures.version_of(application.command[0])
        source = {
            "source": package,
            "version": version,
            "licence": "GPL or LGPL, see its copyright file",
            "kind": "desktop",
        }
        yield (
            f"{application.name}_{choices.seed}_{step}".replace("-", "_"),
            pixels,
            {**source, "language": language[:5]},
        )


def _web(choices: argparse.Namespace) -> Iterator[Picture]:
    modules = web_pictures.install_pages(choices.data, PACKAGES)
    documentation = [page for page in PAGES if page.package in DEBIAN]
    for page, picture in web_pictures.page_pictures(Path("/usr/share/doc"), documentation):
        version = application_pictures.version_of(f"/usr/share/doc/{page.package}/{page.file}")[1]
        source = {"source": page.package, "version": version, "licence": "see its copyright file", "kind": "web"}
        yield page.name, _pixels(picture), {**source, "language": page.language}
    for page, picture in web_pictures.page_pictures(modules, [page for page in PAGES if page not in documentation]):
        version, licence = web_pictures.about(modules / page.package)
        source = {
            "source": page.package,
            "version": version,
            "licence": licence,
            "kind": "web",
            "language": page.language,
        }
        yield page.name, _pixels(picture), source


def _libraries(choices: argparse.Namespace) -> Iterator[Picture]:
    screens = web_pictures.library_pictures(choices.data, choices.library_screens, choices.seed)
    for number, (name, order, picture) in enumerate(screens):
        source = {"source": name, "version": "", "licence": "MIT or own", "kind": "component library"}
        yield (
            f"{name}_{choices.seed}_{number}".replace("-", "_"),
            _pixels(picture),
            {**source, "language": order["language"]},
        )


def _pixels(encoded: bytes) -> NDArray[np.uint8]:
    return np.asarray(cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR), np.uint8)


KINDS: Final[dict[str, Callable[[argparse.Namespace], Iterator[Picture]]]] = {
    "phone": _phone,
    "desktop": _applications,
    "web": _web,
    "library": _libraries,
}


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("out/training"), help="where packages and pictures lie")
    parser.add_argument("--only", choices=tuple(KINDS), default=None, help="one kind of pictures; all without it")
    parser.add_argument("--seed", type=int, default=1, help="of the walks through applications and the library pages")
    parser.add_argument("--applications", default="", help="comma-separated names; all that are installed without it")
    parser.add_argument("--library-screens", type=int, default=32)
    choices = parser.parse_args(arguments)
    folder = choices.data / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    listing = folder / "pictures.json"
    known = json.loads(listing.read_text()) if listing.exists() else {}
    for kind in [choices.only] if choices.only else list(KINDS):
        for name, pixels, source in KINDS[kind](choices):
            cv2.imwrite(str(folder / f"{name}.png"), pixels)
            known[name] = {**source, "size": [pixels.shape[1], pixels.shape[0]]}
            listing.write_text(json.dumps(known, ensure_ascii=False, indent=1, sort_keys=True))
            print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
