"""Pictures of web pages that npm packages contain, and of component libraries at phone size."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from training.screens.browser import FLAGS, WEB, Browser, chromium
from training.screens.icons import IconSets
from training.screens.libraries import LIBRARIES
from training.screens.make import web_order
from training.screens.packages import install
from training.screens.words import LANGUAGES

SIZES: Final = {"desktop": (1200, 800), "laptop": (1024, 720), "phone": (400, 800)}
SETTLE_MS: Final = 900
BENCHMARKS: Final = Path(__file__).parents[2] / "benchmarks"
# How the pages' icon fonts are written.
ICONS: Final = "i[class*='fa-'],span[class*='fa-'],[class*=glyphicon-],.material-icons,.cke_button_icon,.ui-icon"


@dataclass(frozen=True)
class WebPage:
    """A page of a package and how it is shown: the window's size, a selector that is clicked first, the pixels scrolled."""

    name: str
    package: str
    file: str
    size: str = "desktop"
    click: str = ""
    scroll: int = 0
    language: str = "en"


def install_pages(folder: Path, packages: tuple[str, ...]) -> Path:
    """The folder with `node_modules` of the packages that hold pages; installs those that are missing."""
    home = folder / "written_npm"
    missing = [name for name in packages if not (home / "node_modules" / name.partition("@")[0]).exists()]
    if missing:
        home.mkdir(parents=True, exist_ok=True)
        (home / "package.json").touch()
        if not (home / "package.json").read_text():
            (home / "package.json").write_text('{"private": true}')
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("npm is missing, which brings the web pages; on Debian: apt-get install npm")
        options = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--loglevel=error"]
        subprocess.run([npm, "install", *options, *missing], cwd=home, check=True)
    return home / "node_modules"


def about(folder: Path) -> tuple[str, str]:
    """Version and licence of a package as its package.json has them."""
    held = json.loads((folder / "package.json").read_text())
    licence = held.get("license", "")
    return held.get("version", ""), licence if isinstance(licence, str) else str(licence.get("type", ""))


def page_pictures(modules: Path, pages: Sequence[WebPage]) -> Iterator[tuple[WebPage, bytes, dict[str, Any]]]:
    """Each page with its encoded PNG and its truth, elements in CSS pixels; nothing outside the folder is loaded."""
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        for page in pages:
            width, height = SIZES[page.size]
            tab = browser.new_page(viewport={"width": width, "height": height}, locale=page.language)
            tab.set_default_timeout(15_000)
            tab.route(
                "**/*", lambda route: route.continue_() if route.request.url.startswith("file:") else route.abort()
            )
            try:
                tab.goto((modules / page.package / page.file).as_uri(), wait_until="load")
                tab.wait_for_timeout(SETTLE_MS)
                if page.click:
                    tab.click(page.click)
                if page.scroll:
                    tab.mouse.move(width / 2, height / 2)
                    tab.mouse.wheel(0, page.scroll)
                tab.wait_for_timeout(SETTLE_MS)
                picture = tab.screenshot()
                yield page, picture, _truth(tab, page)
            except Error as error:
                print(f"{page.package} {page.file}: {str(error)[:200]}", flush=True)
            tab.close()
        browser.close()


def _truth(tab: Any, page: WebPage) -> dict[str, Any]:
    """The elements of a page's DOM, and the tree that Chromium makes of it."""
    sys.path.insert(0, str(BENCHMARKS))
    from grounding.pages.tree import read_tree

    session = tab.context.new_cdp_session(tab)
    tree = read_tree(session, 1.0)
    session.detach()
    script = (WEB / "truth.js").read_text(encoding="utf-8")
    raw = tab.evaluate(f"icons => {{ {script}\nreturn JSON.stringify(Truth.read({{icons}})) }}", ICONS)
    truth = {"kind": "web", "library": page.package, "scale": 1.0, "dark": False, "phone": page.size == "phone"}
    return {**truth, "elements": json.loads(raw), "tree": tree}


def library_pictures(
    folder: Path, count: int, seed: int
) -> Iterator[tuple[str, dict[str, Any], bytes, list[dict[str, Any]]]]:
    """Libraries of the training split at phone size: name, what the page was made from, encoded PNG, elements in CSS pixels."""
    packages, icons = install(folder), IconSets(folder)
    libraries = [each for each in LIBRARIES if not each.held_out and each.views != "desktop"]
    pages = folder / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    with Browser(packages, pages) as browser:
        for number in range(count):
            library = libraries[number % len(libraries)]
            chance = random.Random(f"written {seed} {number}")
            browser.load(library)
            order = {**web_order(chance, library, chance.randrange(2**31)), **icons.order(chance, held_out=False)}
            order |= {"phone": True, "width": 393, "height": 786, "scale": 2}
            picture, raw = browser.shot({**order, "words": LANGUAGES[order["language"]]}, None)
            yield library.name, order, picture, raw
