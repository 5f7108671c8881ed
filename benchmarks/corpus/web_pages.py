"""Rendering pages in headless Chromium, with the truth that the DOM tells."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.content import DESKTOP_PAGES, PHONE_PAGES, Page, page
from corpus.libraries import LIBRARIES, PACKAGES, Library
from corpus.truth import Scene, Thing
from handeye.geometry import Box

WEB = Path(__file__).parent / "web"
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 720}
SETTLED_MS = 350  # switches and ripples are still at rest after this, with every animation off
GLYPH_PX = 64
STILL = "*,*::before,*::after{transition:none!important;animation:none!important;caret-color:transparent!important}"


@dataclass(frozen=True)
class Look:
    name: str
    dark: bool
    scale: float
    changed: bool = False


DESKTOP_LOOKS = (Look("light", False, 1), Look("dark", True, 1.5), Look("changed", False, 1, True))
PHONE_LOOKS = (Look("light", False, 3), Look("dark", True, 2), Look("changed", False, 3, True))
CHANGING = ("table", "editor", "settings", "people")  # kinds whose second look differs enough to be worth a picture


def install(folder: Path) -> None:
    """The libraries, from npm, into `folder`/npm. Nothing of theirs runs outside the browser."""
    home = folder / "npm"
    wanted = "\n".join(PACKAGES)
    done = home / "installed.txt"
    if done.exists() and done.read_text() == wanted:
        return
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is missing, which brings the component libraries; on Debian: apt-get install npm")
    home.mkdir(parents=True, exist_ok=True)
    (home / "package.json").write_text('{"private": true}')
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", *PACKAGES]
    subprocess.run(command, cwd=home, check=True)
    done.write_text(wanted)


def pages_of(library: Library) -> Iterator[tuple[Page, Look]]:
    """Every page and look that a library is rendered in."""
    kinds, looks = (PHONE_PAGES, PHONE_LOOKS) if library.phone else (DESKTOP_PAGES, DESKTOP_LOOKS)
    languages = [("zh", kinds), ("en", kinds)]
    if library.extra_language:
        languages.append((library.extra_language, kinds[:2]))
    seed = LIBRARIES.index(library)
    for language, chosen in languages:
        for kind in chosen:
            for look in looks:
                if not look.changed or kind in CHANGING:
                    yield page(kind, language, library.phone, seed, look.changed), look


def render(folder: Path, only: str = "") -> Iterator[Scene]:
    """Render all pages of all libraries whose name holds `only` into `folder`/screens, one after the other."""
    from playwright.sync_api import sync_playwright

    screens, glyphs = folder / "screens", folder / "glyphs"
    for each in (screens, glyphs):
        each.mkdir(parents=True, exist_ok=True)
    browser_path = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )
    if browser_path is None:
        raise SystemExit("Chromium is missing; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=["--no-sandbox", "--allow-file-access-from-files", "--hide-scrollbars"]
        )
        for library in LIBRARIES:
            document = _document(library, folder)
            for content, look in pages_of(library):
                if only not in f"{library.name}-{content.name}-{look.name}":
                    continue
                view = PHONE if library.phone else DESKTOP
                context = browser.new_context(viewport=view, device_scale_factor=look.scale)
                tab = context.new_page()
                tab.goto(document.as_uri())
                tab.add_style_tag(content=STILL)
                tab.evaluate(
                    "page => show(page)",
                    {**content.values, "language": content.language, "dark": look.dark, "phone": content.phone},
                )
                tab.wait_for_timeout(SETTLED_MS)
                tab.evaluate("document.fonts.ready")
                yield _scene(tab, library, content, look, screens, glyphs)
                context.close()
        browser.close()


def _document(library: Library, folder: Path) -> Path:
    """The page that loads a library, its adapter and the layouts."""
    modules = folder / "npm" / "node_modules"

    def url(name: str) -> str:
        return (WEB / name if "/" not in name else modules / name).as_uri()

    own = (f"{library.name}.js", "layout.js", "truth.js")
    parts = ["<!doctype html><meta charset=utf-8>"]
    parts += [f'<link rel="stylesheet" href="{url(style)}">' for style in library.styles]
    parts += ['<body><div id="app"></div>']
    parts += [f'<script src="{url(script)}"></script>' for script in (*library.scripts, *own)]
    document = folder / f"{library.name}.html"
    document.write_text("\n".join(parts))
    return document


def _scene(tab: Any, library: Library, content: Page, look: Look, screens: Path, glyphs: Path) -> Scene:
    name = f"{library.name}-{content.name}-{look.name}"
    picture = screens / f"{name}.png"
    tab.screenshot(path=picture)
    truth = tab.evaluate("() => readTruth(ui.roles || {})")
    scene = Scene(
        name,
        picture,
        library.name,
        f"{library.name}-{content.name}",
        look.name,
        content.language,
        look.dark,
        look.scale,
        library.held_out,
        tuple(_thing(each, look.scale) for each in truth["things"]),
        tuple(_box(row, look.scale) for row in truth["rows"]),
        glyphs=_draw_glyphs(tab, truth["glyphs"], glyphs),
    )
    scene.save()
    return scene


def _draw_glyphs(tab: Any, drawn: dict[str, str], folder: Path) -> dict[str, str]:
    """Each SVG icon alone, on nothing, so that its picture has an alpha channel."""
    files = {}
    for outline, markup in drawn.items():
        key = _key(outline)
        path = folder / f"{key}.png"
        if not path.exists():
            tab.evaluate("([markup, px]) => showAlone(markup, px)", [markup, GLYPH_PX])
            clip = {"x": 0, "y": 0, "width": GLYPH_PX, "height": GLYPH_PX}
            tab.screenshot(path=path, clip=clip, omit_background=True)
        files[key] = path.name
    return files


def _thing(values: dict[str, Any], scale: float) -> Thing:
    values = {**values, "box": _box(values["box"], scale)}
    if values.get("label_box"):
        values["label_box"] = _box(values["label_box"], scale)
    if values.get("glyph"):
        values["glyph"] = _key(values["glyph"])
    return Thing(**values)


def _key(outline: str) -> str:
    return hashlib.sha1(outline.encode(), usedforsecurity=False).hexdigest()[:12]


def _box(edges: list[float], scale: float) -> Box:
    return Box(*(round(edge * scale) for edge in edges))
