"""Pages in headless Chromium without a network, and the visible elements that their DOM gives."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from grounding.pages.catalogue import VIEWS, Page
from grounding.pages.tree import read_tree

READ_DOM: Final = (Path(__file__).parent / "dom.js").read_text(encoding="utf-8")
SETTLED_MS: Final = 400
STILL: Final = (
    "*,*::before,*::after{transition:none!important;animation:none!important;caret-color:transparent!important}"
)
FLAGS: Final = (
    "--no-sandbox",
    "--hide-scrollbars",
    "--allow-file-access-from-files",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
# Some pages shuffle pictures of their sponsors.
NO_CHANCE: Final = "Math.random = () => 0.5"
Edges = tuple[int, int, int, int]


@dataclass(frozen=True)
class Element:
    """
    A control, link, heading or image of a page.

    `boxes` are the lines of a wrapped link, else one box, in pixels of the picture. An element that the viewport cuts or
    something covers is not `visible`: it is never asked for, but its text makes an equal one ambiguous.
    """

    role: str
    text: str
    boxes: tuple[Edges, ...]
    visible: bool
    painted: bool = True
    """False where the text is a name that is not written on the page, as an image's."""
    part: bool = False
    """True where other text stands right beside it on the same line."""

    @property
    def bounds(self) -> Edges:
        """The box around all lines."""
        lefts, tops, rights, bottoms = zip(*self.boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)


@dataclass(frozen=True)
class Passage:
    """A run of text in one style, all of it visible, cut into words and what is between them."""

    pieces: tuple[str, ...]
    label: bool
    """True within a link, a button or a heading."""


@dataclass(frozen=True)
class Rendered:
    """A picture with the elements and the texts in it."""

    page: Page
    picture: Path
    size: tuple[int, int]
    elements: tuple[Element, ...]
    texts: tuple[str, ...]
    passages: tuple[Passage, ...] = ()
    tree: tuple[dict[str, Any], ...] = ()
    """What Chromium tells of the page as its accessibility tree, where that was asked for."""

    @cached_property
    def folded_text(self) -> str:
        """All text written on the page, in one line."""
        return fold(" ".join(self.texts))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Folded texts of all elements, names of images included."""
        return tuple(fold(each.text) for each in self.elements if each.text)


def fold(text: str) -> str:
    """Text without case and width, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@contextmanager
def chromium(font_configuration: Path | None = None) -> Iterator[Any]:
    """A headless browser of Playwright. Raises SystemExit that names what is missing."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise SystemExit("Playwright is missing: pip install -r benchmarks/parser/requirements.txt") from error
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("Chromium is missing; on Debian: apt-get install chromium")
    environment: dict[str, str | float | bool] = dict(os.environ)
    if font_configuration is not None:
        environment["FONTCONFIG_FILE"] = str(font_configuration)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS), env=environment)
        try:
            yield browser
        finally:
            browser.close()


def render(browser: Any, page: Page, document: Path, folder: Path, *, with_tree: bool = False) -> Rendered:
    """Draw `document` as `page` asks into `folder`."""
    width, height, scale = VIEWS[page.view]
    phone = page.view == "phone"
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        is_mobile=phone,
        has_touch=phone,
        color_scheme="dark" if page.dark else "light",
        locale={"zh": "zh-CN", "en": "en-US"}.get(page.language, page.language),
        offline=True,
    )
    try:
        context.add_init_script(NO_CHANCE)
        tab = context.new_page()
        if page.dark:
            context.new_cdp_session(tab).send("Emulation.setAutoDarkModeOverride", {"enabled": True})
        tab.goto(document.as_uri())
        tab.add_style_tag(content=STILL)
        tab.wait_for_timeout(SETTLED_MS)
        if page.after:
            tab.locator(page.after).first.evaluate("element => element.scrollIntoView()")
            tab.wait_for_timeout(SETTLED_MS)
        picture = folder / f"{page.name}.png"
        tab.screenshot(path=picture)
        # A phone shrinks a page that is wider than its screen, so the picture's pixels per CSS pixel are measured.
        zoom, left, top, shown_width = tab.evaluate(
            "[visualViewport.scale, visualViewport.offsetLeft, visualViewport.offsetTop, innerWidth]"
        )
        found = tab.evaluate(READ_DOM)
        tree = tuple(read_tree(context.new_cdp_session(tab), zoom * scale)) if with_tree else ()
    finally:
        context.close()
    if left or top or abs(zoom * shown_width - width) > 2:
        raise SystemExit(f"{page.name}: the page is wider than its viewport, so boxes and picture would not agree")
    size = (round(width * scale), round(height * scale))
    elements = tuple(_element(each, zoom * scale) for each in found["elements"])
    passages = tuple(Passage(tuple(each["pieces"]), each["label"]) for each in found["passages"])
    return Rendered(page, picture, size, elements, tuple(found["texts"]), passages, tree)


def _element(values: dict[str, Any], scale: float) -> Element:
    boxes = tuple(_scaled(box, scale) for box in values["boxes"])
    return Element(values["role"], values["text"], boxes, values["visible"], values["painted"], values["part"])


def _scaled(box: Sequence[float], scale: float) -> Edges:
    left, top, right, bottom = (round(edge * scale) for edge in box)
    return left, top, right, bottom
