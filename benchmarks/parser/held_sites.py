"""
Real web applications that training never saw, run on this computer: JupyterLab (BSD) and the editor of Node-RED (Apache-2.0).

Nothing outside of this computer is asked for, once pip and npm have brought them.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from handeye.geometry import Box
from parser.held_pages import STILL, VIEWS
from parser.questions import Question, Scene

JUPYTER, NODE_RED = "jupyterlab>=4.4", "node-red@4"
STARTS_S: Final = 90.0  # a first start on two busy cores
APPEARS_MS: Final = 60_000  # both draw themselves long after their page is loaded
SETTLED_MS: Final = 3000
NOTEBOOK: Final = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Sales"]},
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": ["total = 1200 + 980"]},
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def _titled(words: str) -> str:
    return f":is([title^='{words}'],[aria-label^='{words}'])"


@dataclass(frozen=True)
class View:
    """One screen of an application: what is clicked to come there, and what is asked, as CSS selectors."""

    name: str
    path: str
    before: tuple[str, ...]
    asked: tuple[tuple[str, str], ...]
    absent: tuple[str, ...]


_QUIET = ".jp-Notification-Toast-Close"
JUPYTER_VIEWS: Final = (
    View(
        "jupyter_kernel",
        "lab/tree/notes.ipynb",
        (),
        (
            ("the Select button", ".jp-Dialog-button.jp-mod-accept"),
            ("the No Kernel button of the dialog", ".jp-Dialog-button.jp-mod-reject"),
            ("the checkbox Always start the preferred kernel", ".jp-Dialog-checkbox"),
            ("the dropdown above Always start the preferred kernel", ".jp-Dialog select"),
            ("蓝色的 Select 按钮", ".jp-Dialog-button.jp-mod-accept"),
        ),
        ("the microphone",),
    ),
    View(
        "jupyter_notebook",
        "lab/tree/notes.ipynb",
        (".jp-Dialog-button.jp-mod-reject", _QUIET),
        (
            ("the scissors", _titled("Cut this cell")),
            ("the floppy disk", _titled("Save and create")),
            ("the stop icon in the toolbar", _titled("Interrupt the kernel")),
            ("the trash can", _titled("Delete the cell")),
            ("the funnel", _titled("Toggle File Filter")),
            ("the upload icon", _titled("Upload Files")),
            ("the bug icon", ".lm-TabBar-tab" + _titled("Debugger")),
            ("the puzzle piece", ".lm-TabBar-tab" + _titled("Extension Manager")),
            ("the fast forward icon", _titled("Restart the kernel and run")),
            ("the clipboard icon", _titled("Paste this cell")),
            ("the Markdown dropdown", "select" + _titled("Select the cell type")),
            ("the Kernel menu", ".lm-MenuBar-item:nth-child(5)"),
            ("剪刀图标", _titled("Cut this cell")),
            ("垃圾桶", _titled("Delete the cell")),
            ("上传图标", _titled("Upload Files")),
            ("漏斗", _titled("Toggle File Filter")),
            ("保存图标", _titled("Save and create")),
            ("铃铛", ".jp-StatusBar-GroupItem[title*='notification']"),
        ),
        ("the shopping cart", "麦克风"),
    ),
    View(
        "jupyter_launcher",
        "lab?reset",  # else it opens the notebook again
        (_QUIET,),
        (
            ("the blue plus button", "jp-button" + _titled("New Launcher")),
            ("the new folder icon", _titled("New Folder")),
            ("the refresh icon", _titled("Refresh the file browser")),
            ("the Terminal card", ".jp-LauncherCard" + _titled("Start a new terminal")),
            ("拼图图标", ".lm-TabBar-tab" + _titled("Extension Manager")),
            ("新建文件夹图标", _titled("New Folder")),
            ("刷新", _titled("Refresh the file browser")),
        ),
        ("the camera",),
    ),
)
NODE_RED_VIEWS: Final = (
    View(
        "nodered_question",
        "",
        (),
        (
            ("the No, do not enable notifications button", "button:has-text('do not enable')"),
            ("the documentation link", "a:has-text('documentation')"),
        ),
        ("the calendar icon",),
    ),
    View(
        "nodered_editor",
        "",
        ("button:has-text('do not enable')",),
        (
            ("the hamburger menu", "#red-ui-header-button-sidemenu"),
            ("the gear", "#red-ui-tab-config-link-button"),
            ("the bug icon", "#red-ui-tab-debug-link-button"),
            ("the book icon", "#red-ui-tab-help-link-button"),
            ("the minus icon", "#red-ui-view-zoom-out"),
            ("the map icon", "#red-ui-view-navigate"),
            ("the search box in the top left corner", "#red-ui-palette-search"),
            ("齿轮", "#red-ui-tab-config-link-button"),
            ("三条横线的菜单", "#red-ui-header-button-sidemenu"),
            ("虫子图标", "#red-ui-tab-debug-link-button"),
            ("减号", "#red-ui-view-zoom-out"),
        ),
        ("the paper plane", "打印机"),
    ),
)


def render(folder: Path) -> Iterator[Scene]:
    """
    Every view of both, into `folder`/pages.

    What cannot be installed is left out, and said so on the standard error stream.
    """
    from playwright.sync_api import sync_playwright

    (folder / "pages").mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--hide-scrollbars"])
        for serve, views in ((_jupyter, JUPYTER_VIEWS), (_node_red, NODE_RED_VIEWS)):
            try:
                with serve(folder) as url:
                    for view in views:
                        yield _scene(browser, url, view, folder / "pages")
            except (subprocess.CalledProcessError, TimeoutError) as error:
                print(f"left out {views[0].name}: {error}", file=sys.stderr)
        browser.close()


def _scene(browser: Any, url: str, view: View, folder: Path) -> Scene:
    context = browser.new_context(viewport=VIEWS["desktop"])
    tab = context.new_page()
    tab.goto(url + view.path)
    tab.locator(view.asked[0][1]).first.wait_for(timeout=APPEARS_MS)
    tab.wait_for_timeout(SETTLED_MS)
    tab.add_style_tag(content=STILL)
    for selector in view.before:
        if selector == _QUIET and not tab.locator(selector).count():
            continue  # a message that was seen before does not come again
        tab.locator(selector).first.click(timeout=APPEARS_MS)
        tab.wait_for_timeout(SETTLED_MS // 4)
    tab.mouse.move(640, 780)
    tab.wait_for_timeout(SETTLED_MS // 4)
    picture = folder / f"{view.name}.png"
    tab.screenshot(path=picture)
    asked = [Question(words, (_box(tab, selector, view.name),)) for words, selector in view.asked]
    absent = [Question(words, ()) for words in view.absent]
    scene = Scene(view.name, picture, view.name.partition("_")[0], "en", tuple(asked + absent))
    scene.save()
    context.close()
    return scene


def _box(tab: Any, selector: str, name: str) -> Box:
    found = tab.locator(selector).first.bounding_box(timeout=APPEARS_MS)
    if found is None:
        raise SystemExit(f"{name}: {selector} is not to be seen")
    left, top = found["x"], found["y"]
    return Box(round(left), round(top), round(left + found["width"]), round(top + found["height"]))


@contextlib.contextmanager
def _jupyter(folder: Path) -> Iterator[str]:
    home = folder / "jupyter"
    program = home / "venv" / "bin" / "jupyter-lab"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home / "venv")], check=True)
        subprocess.run([str(home / "venv" / "bin" / "pip"), "install", "-q", JUPYTER], check=True)
    files = home / "files"
    shutil.rmtree(files, ignore_errors=True)
    files.mkdir()
    (files / "notes.ipynb").write_text(json.dumps(NOTEBOOK))
    (files / "numbers.csv").write_text("Month,Sales\nJanuary,1200\n")
    port = _free_port()
    options = ("--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}", "--IdentityProvider.token=")
    with _serving([str(program), *options], files, f"http://127.0.0.1:{port}/"):
        yield f"http://127.0.0.1:{port}/"


@contextlib.contextmanager
def _node_red(folder: Path) -> Iterator[str]:
    home = folder / "nodered"
    program = home / "node_modules" / "node-red" / "red.js"
    if not program.exists():
        home.mkdir(parents=True, exist_ok=True)
        (home / "package.json").write_text('{"private": true}')
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", NODE_RED], cwd=home, check=True
        )
    user = home / "user"
    shutil.rmtree(user, ignore_errors=True)
    user.mkdir()
    (user / "settings.js").write_text("module.exports = {editorTheme: {tours: false}}")
    port = _free_port()
    with _serving(["node", str(program), "-u", str(user), "-p", str(port)], home, f"http://127.0.0.1:{port}/"):
        yield f"http://127.0.0.1:{port}/"


@contextlib.contextmanager
def _serving(command: list[str], home: Path, url: str) -> Iterator[None]:
    """The server runs with `home` as its home folder until the block is left. Raises TimeoutError when it does not answer."""
    environment = {**os.environ, "HOME": str(home)}
    process = subprocess.Popen(command, cwd=home, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + STARTS_S
        while not _answers(url):
            if process.poll() is not None or time.monotonic() > deadline:
                raise TimeoutError(f"{command[0]} does not answer at {url}")
            time.sleep(0.3)
        yield
    finally:
        process.kill()  # Jupyter asks back before it ends otherwise
        process.wait()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except (urllib.error.URLError, OSError):
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
