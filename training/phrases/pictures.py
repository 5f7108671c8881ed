"""`python -m training.phrases.pictures --data DIR`: DIR/pictures/NAME.png of applications, and their truth, NAME.json.

The written phrases (`training/phrases/written/`) name these pictures; pictures.json says where each is from. Sources are
Debian's applications, web pages of npm packages, component libraries at phone size and the virtual phone; what
`training/DATA.md` keeps out of training is left out. The truth is as `training/DATA.md` describes it, with the tree that the
source itself tells. With `--truths`, pictures that are there stay as they are, and those that come out the same to the pixel
get their NAME.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phrases import application_pictures, phone_pictures, web_pictures
from training.phrases.web_pages import DEBIAN, PACKAGES, PAGES
from training.screens.save import save, save_truth
from training.screens.truth import finish

Truth = dict[str, Any]
Picture = tuple[str, NDArray[np.uint8], dict[str, str], Truth]  # name, BGR pixels, what pictures.json says of it, truth


def _phone(choices: argparse.Namespace) -> Iterator[Picture]:
    for screen, pixels, truth in phone_pictures.pictures():
        source = {
            "source": "handeye.phone",
            "version": "",
            "licence": "own",
            "kind": "phone",
            "language": screen.language,
        }
        yield f"phone_{screen.name}", pixels, source, truth


def _applications(choices: argparse.Namespace) -> Iterator[Picture]:
    only = frozenset(choices.applications.split(",")) - {""}
    for application, language, step, pixels, truth in application_pictures.pictures(choices.seed, only):
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
            truth,
        )


def _web(choices: argparse.Namespace) -> Iterator[Picture]:
    modules = web_pictures.install_pages(choices.data, PACKAGES)
    documentation = [page for page in PAGES if page.package in DEBIAN]
    for page, picture, truth in web_pictures.page_pictures(Path("/usr/share/doc"), documentation):
        version = application_pictures.version_of(f"/usr/share/doc/{page.package}/{page.file}")[1]
        source = {"source": page.package, "version": version, "licence": "see its copyright file", "kind": "web"}
        pixels = _pixels(picture)
        yield page.name, pixels, {**source, "language": page.language}, _finished(truth, pixels)
    for page, picture, truth in web_pictures.page_pictures(
        modules, [page for page in PAGES if page not in documentation]
    ):
        version, licence = web_pictures.about(modules / page.package)
        source = {
            "source": page.package,
            "version": version,
            "licence": licence,
            "kind": "web",
            "language": page.language,
        }
        pixels = _pixels(picture)
        yield page.name, pixels, source, _finished(truth, pixels)


def _libraries(choices: argparse.Namespace) -> Iterator[Picture]:
    screens = web_pictures.library_pictures(choices.data, choices.library_screens, choices.seed)
    for number, (name, order, picture, raw) in enumerate(screens):
        source = {"source": name, "version": "", "licence": "MIT or own", "kind": "component library"}
        pixels = _pixels(picture)
        truth = {"kind": "web", "library": name, "icon_set": order["set"], "elements": raw}
        truth |= {key: order[key] for key in ("phone", "scale", "dark", "seed")}
        yield (
            f"{name}_{choices.seed}_{number}".replace("-", "_"),
            pixels,
            {**source, "language": order["language"]},
            _finished(truth, pixels),
        )


def _finished(truth: Truth, pixels: NDArray[np.uint8]) -> Truth:
    """A truth whose elements are as the page's DOM has them, with those that the picture shows."""
    return {**truth, "elements": finish(truth["elements"], pixels, truth["scale"])}


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
    parser.add_argument(
        "--truths", action="store_true", help="only NAME.json, beside pictures that are there and the same"
    )
    choices = parser.parse_args(arguments)
    folder = choices.data / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    listing = folder / "pictures.json"
    known = json.loads(listing.read_text()) if listing.exists() else {}
    for kind in [choices.only] if choices.only else list(KINDS):
        for name, pixels, source, truth in KINDS[kind](choices):
            elements = truth.pop("elements")
            about = {"language": source["language"], **truth}
            if choices.truths:
                there = cv2.imread(str(folder / f"{name}.png"))
                same = there is not None and np.array_equal(there, pixels)
                print(name, "" if same else "is another picture" if there is not None else "is not there", flush=True)
                if same:
                    save_truth(folder, name, pixels.shape, about, elements)
                continue
            save(folder, name, cv2.imencode(".png", pixels)[1].tobytes(), ".png", pixels.shape, about, elements)
            known[name] = {**source, "size": [pixels.shape[1], pixels.shape[0]]}
            listing.write_text(json.dumps(known, ensure_ascii=False, indent=1, sort_keys=True))
            print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
