"""One Chromium that shows page after page, standing still, and hands back the picture and what the DOM says."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path
from typing import Any, Final

from training.screens.libraries import Library

WEB: Final = Path(__file__).parent / "web"
SCRIPTS: Final = ("stage.js", "theme.js", "plain.js", "content.js", "sites.js", "pages.js", "truth.js")
STILL: Final = (
    "*,*::before,*::after{transition:none!important;animation-duration:0s!important;animation-delay:0s!important;"
    "caret-color:transparent!important;scroll-behavior:auto!important;pointer-events:auto!important}"
    ".column>*{flex-shrink:0}"
)
FLAGS: Final = (
    "--no-sandbox",
    "--allow-file-access-from-files",
    "--disable-gpu",
    "--disable-lcd-text",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-features=OverlayScrollbar",
)


def chromium() -> str:
    found = next(
        (path for name in ("chromium-headless-shell", "chromium", "google-chrome") if (path := shutil.which(name))),
        None,
    )
    if found is None:
        raise SystemExit("Chromium is missing; on Debian: apt-get install chromium-headless-shell")
    return found


class Browser:
    """A context manager: `load` a library's page once, then `shot` it many times."""

    def __init__(self, packages: Path, folder: Path) -> None:
        self._packages, self._folder = packages, folder

    def __enter__(self) -> Browser:
        from playwright.sync_api import sync_playwright

        self._driver = sync_playwright().start()
        self._start()
        return self

    def _start(self) -> None:
        self._browser = self._driver.chromium.launch(
            executable_path=chromium(), args=list(FLAGS), ignore_default_args=["--hide-scrollbars"]
        )
        self._tab: Any = None

    def __exit__(self, *_: object) -> None:
        self._browser.close()
        self._driver.stop()

    def load(self, library: Library) -> None:
        """A fresh page with the library, its adapter and the layouts; what it threw is raised as RuntimeError."""
        if self._tab is not None:
            self._tab.context.close()
        context = self._browser.new_context()
        self._tab = context.new_page()
        self._tab.set_default_timeout(20_000)
        self.faults: list[str] = []
        self._tab.on("pageerror", lambda error: self.faults.append(str(error)[:300]))
        self._cdp = context.new_cdp_session(self._tab)
        self._cdp.send("Animation.enable")
        self._cdp.send("Animation.setPlaybackRate", {"playbackRate": 1000})
        self._tab.goto(self._document(library).as_uri())
        self._settle = library.settle_ms

    def shot(self, order: dict[str, Any], quality: int | None) -> tuple[bytes, list[dict[str, Any]]]:
        """The encoded picture (JPEG of `quality`, PNG for None) of one page, and its elements in CSS pixels.

        An order with "again" shows the page that is there a moment later.
        """
        phone = order["phone"]
        self._cdp.send(
            "Emulation.setDeviceMetricsOverride",
            {"width": order["width"], "height": order["height"], "deviceScaleFactor": order["scale"], "mobile": False},
        )
        self._cdp.send("Emulation.setScrollbarsHidden", {"hidden": phone})
        scheme = "dark" if order["dark"] else "light"
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self._cdp.send("Emulation.setEmulatedMedia", {"features": features})
        step = "vary" if order.get("again") else "show"
        self._tab.evaluate(f"order => {step}(JSON.parse(order))", json.dumps(order))
        rest = (
            "ms => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, ms))))"
        )
        self._tab.evaluate(rest, 40 + self._settle)
        form = {"format": "jpeg", "quality": quality} if quality else {"format": "png", "optimizeForSpeed": True}
        truth = json.loads(self._tab.evaluate("() => JSON.stringify(readTruth())"))
        picture = base64.b64decode(
            self._cdp.send("Page.captureScreenshot", {**form, "captureBeyondViewport": False})["data"]
        )
        return picture, truth

    def _document(self, library: Library) -> Path:
        def url(name: str) -> str:
            return (self._packages / "node_modules" / name).as_uri()

        own = [WEB / each for each in (*SCRIPTS, *([f"{library.base}.js"] if library.base else []))]
        adapter = WEB / "adapters" / f"{library.adapter or library.name}.js"
        lines = ["<!doctype html><html><head><meta charset=utf-8><meta name=viewport content='width=device-width'>"]
        lines += [f'<link rel="stylesheet" href="{url(each)}">' for each in library.styles]
        lines += [f"<style>{STILL}</style></head><body><div id='app'></div>"]
        lines += [f'<script src="{url(each)}"></script>' for each in library.scripts]
        lines += [f'<script src="{each.as_uri()}"></script>' for each in own]
        lines += [
            f'<script src="{adapter.as_uri()}"></script>'
            if adapter.exists()
            else "<script>const Library = plain</script>"
        ]
        document = self._folder / f"{library.name}.html"
        document.write_text("\n".join([*lines, "</body></html>"]))
        return document
