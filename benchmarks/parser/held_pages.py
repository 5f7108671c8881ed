"""
Pages of component libraries that training never saw, drawn with icons that it never saw, and a person's words for their parts.

A page is one file of `web/`: a comment that names its library, and what is asked there ("ask: words => the part, as a CSS
selector"; "absent: words" for what the page does not show), then its contents. <x-icon n="set:name" s="pixels"> is an icon.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from handeye.geometry import Box
from parser.held_icons import add, plain_name
from parser.held_icons import install as icon_sets
from parser.questions import NamedIcon, Question, Scene

WEB: Final = Path(__file__).parent / "web"
PACKAGES: Final = (
    "bulma@1.0.4",
    "@primer/css@22.3.2",
    "framework7@9.2.0",
    "element-plus@2.14.8",
    "vuetify@3.13.5",
    "vue@3.5.45",
    "@mdi/font@7.4.47",
)
VIEWS: Final = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 360, "height": 720}}
LOOKS: Final = {
    "desktop": (("light", False, 1.0), ("dark", True, 1.5)),
    "phone": (("light", False, 3.0), ("dark", True, 2.0)),
}
SETTLED_MS: Final = 500
STILL: Final = (
    "*,*::before,*::after{transition:none!important;animation:none!important;caret-color:transparent!important}"
)
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_ICON = re.compile(r'<x-icon n="([^"]+)"')


@dataclass(frozen=True)
class Library:
    """Its styles and scripts in node_modules, and the script that shows a page's contents."""

    styles: tuple[str, ...]
    scripts: tuple[str, ...] = ()
    show: str = "document.getElementById('app').innerHTML = contents"


_VUE = "Vue.createApp({template: contents}%s).use(%s).mount('#app')"
LIBRARIES: Final[Mapping[str, Library]] = {
    "bulma": Library(
        ("bulma/css/bulma.min.css",), (), "root.dataset.theme = dark ? 'dark' : 'light';" + Library(()).show
    ),
    "primer": Library(
        ("@primer/css/dist/primer.css",),
        (),
        "root.dataset.colorMode = dark ? 'dark' : 'light'; root.dataset.lightTheme = 'light'; root.dataset.darkTheme = 'dark';"
        + Library(()).show,
    ),
    "framework7": Library(
        ("framework7/framework7-bundle.min.css",),
        (),
        "root.classList.add('ios'); root.classList.toggle('dark', dark);"
        "document.body.style.background = dark ? '#000' : '#fff'; document.body.style.color = dark ? '#fff' : '#000';"
        "app.className = 'framework7-root'; app.style.overflow = 'visible';" + Library(()).show,
    ),
    "element-plus": Library(
        ("element-plus/dist/index.css", "element-plus/theme-chalk/dark/css-vars.css"),
        ("vue/dist/vue.global.prod.js", "element-plus/dist/index.full.min.js"),
        "root.classList.toggle('dark', dark); document.body.style.background = dark ? '#141414' : '#fff';"
        "document.body.style.color = dark ? '#ddd' : '#333';" + _VUE % ("", "ElementPlus"),
    ),
    "vuetify": Library(
        ("vuetify/dist/vuetify.min.css", "@mdi/font/css/materialdesignicons.min.css"),
        ("vue/dist/vue.global.prod.js", "vuetify/dist/vuetify.min.js"),
        "contents = '<v-app>' + contents + '</v-app>';"
        + _VUE % ("", "Vuetify.createVuetify({theme: {defaultTheme: dark ? 'dark' : 'light'}})"),
    ),
}


@dataclass(frozen=True)
class Page:
    name: str
    library: str
    view: str
    language: str
    asked: tuple[tuple[str, str], ...]
    absent: tuple[str, ...]
    contents: str

    @classmethod
    def read(cls, path: Path) -> Page:
        head, _, contents = path.read_text(encoding="utf-8").removeprefix("<!--").partition("-->")
        lines = [tuple(part.strip() for part in line.split(":", 1)) for line in head.strip().splitlines()]
        about = {name: value for name, value in lines if name not in ("ask", "absent")}
        asked = tuple(tuple(value.split(" => ")) for name, value in lines if name == "ask")
        absent = tuple(value for name, value in lines if name == "absent")
        return cls(path.stem, about["library"], about["view"], about["language"], asked, absent, contents)


def pages() -> list[Page]:
    return [Page.read(path) for path in sorted(WEB.glob("*.html"))]


def install(folder: Path) -> Path:
    """The libraries and the icons, from npm, into `folder`; its node_modules."""
    modules = folder / "node_modules"
    if not all((modules / package.rpartition("@")[0]).exists() for package in PACKAGES):
        add(folder, PACKAGES)
    icon_sets(folder)
    return modules


def render(folder: Path) -> Iterator[Scene]:
    """Every page in its looks, into `folder`/pages. Raises SystemExit that names what is missing."""
    from playwright.sync_api import sync_playwright

    modules = install(folder)
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    browser_path = next((path for name in ("chromium", "google-chrome") if (path := shutil.which(name))), None)
    if browser_path is None:
        raise SystemExit("Chromium is missing; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--allow-file-access-from-files", "--hide-scrollbars"]
        browser = playwright.chromium.launch(executable_path=browser_path, args=flags)
        for page in pages():
            for look, dark, scale in LOOKS[page.view]:
                context = browser.new_context(viewport=VIEWS[page.view], device_scale_factor=scale)
                tab = context.new_page()
                document = folder / "pages" / f"{page.name}.html"
                document.write_text(_document(page, dark, modules), encoding="utf-8")
                tab.goto(document.as_uri())
                tab.wait_for_timeout(SETTLED_MS)
                yield _scene(tab, page, look, scale, folder / "pages")
                context.close()
        browser.close()


def _document(page: Page, dark: bool, modules: Path) -> str:
    library = LIBRARIES[page.library]
    drawings = {name: _drawing(modules, name) for name in sorted(set(_ICON.findall(page.contents)))}
    values = f"const drawings = {json.dumps(drawings)}, dark = {json.dumps(dark)}; let contents = {json.dumps(page.contents)};"
    styles = [f'<link rel="stylesheet" href="{(modules / style).as_uri()}">' for style in library.styles]
    scripts = [f'<script src="{(modules / script).as_uri()}"></script>' for script in library.scripts]
    return "\n".join(
        (
            f'<!doctype html><html lang="{page.language}"><meta charset="utf-8">',
            *styles,
            f"<style>{STILL} body{{margin:0;font-family:system-ui,'Noto Sans','Noto Sans CJK SC',sans-serif}}"
            "x-icon,span[id]:has(>x-icon:only-child){display:inline-flex;vertical-align:middle}</style>",
            *_STYLE.findall(page.contents),  # a template of Vue drops its styles
            '<body><div id="app"></div>',
            *scripts,
            f"<script>{values} const root = document.documentElement, app = document.getElementById('app');",
            'contents = contents.replace(/<x-icon n="([^"]+)" s="(\\d+)"(?: c="([^"]+)")?>/g, (_, name, side, colour) =>'
            ' `<x-icon data-name="${name}"${colour ? ` style="color:${colour}"` : \'\'}><svg width="${side}" height="${side}"'
            ' viewBox="${drawings[name][1]}">${drawings[name][0]}</svg>`)',
            f"{library.show}</script>",
        )
    )


@cache
def _held(modules: Path, icon_set: str) -> dict[str, Any]:
    return json.loads((modules / "@iconify-json" / icon_set / "icons.json").read_text(encoding="utf-8"))


def _drawing(modules: Path, name: str) -> tuple[str, str]:
    icon_set, _, own = name.partition(":")
    held = _held(modules, icon_set)
    own = held.get("aliases", {}).get(own, {}).get("parent", own)
    values = held["icons"][own]
    sides = (values.get(side, held.get(side, 16)) for side in ("width", "height"))
    return values["body"], f"0 0 {' '.join(map(str, sides))}"


def _scene(tab: Any, page: Page, look: str, scale: float, folder: Path) -> Scene:
    name = f"{page.name}-{look}"
    picture = folder / f"{name}.png"
    tab.screenshot(path=picture)
    asked = [Question(words, tuple(_boxes(tab, selector, scale, page))) for words, selector in page.asked]
    absent = [Question(words, ()) for words in page.absent]
    icons = tab.evaluate(_ICONS)
    named = [NamedIcon(plain_name(*each["name"].split(":")), _box(each["box"], scale)) for each in icons]
    scene = Scene(name, picture, page.library, page.language, tuple(asked + absent), tuple(named))
    scene.save()
    return scene


# Each icon that nothing covers, and what takes a click on it: its button, or the small piece of text it stands in (a tab's).
_ICONS = """() => [...document.querySelectorAll('x-icon')].map(icon => {
  const box = icon.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2
  const top = document.elementFromPoint(x, y)
  if (!top || !(icon.contains(top) || top.contains(icon))) return null
  const control = icon.closest('button,.button,.btn,a') || icon
  const piece = icon.parentElement.tagName === 'SPAN' ? icon.parentElement.getBoundingClientRect() : box
  const small = piece.width * piece.height <= 8 * box.width * box.height ? piece : box
  const whole = control.textContent.trim() || control === icon ? small : control.getBoundingClientRect()
  return {name: icon.dataset.name, box: [whole.x, whole.y, whole.right, whole.bottom]}
}).filter(each => each)"""


def _boxes(tab: Any, selector: str, scale: float, page: Page) -> Iterator[Box]:
    found = tab.evaluate(
        "css => [...document.querySelectorAll(css)].map(each => { const b = each.getBoundingClientRect();"
        " return [b.x, b.y, b.right, b.bottom] })",
        selector,
    )
    if len(found) != 1 or found[0][0] >= found[0][2]:
        raise SystemExit(f"{page.name}: {selector} names {len(found)} parts, not one")
    yield _box(found[0], scale)


def _box(edges: list[float], scale: float) -> Box:
    return Box(*(round(edge * scale) for edge in edges))
