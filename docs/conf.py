"""Sphinx configuration of the documentation site: `make docs` (docs/decisions/024-documentation-site.md)."""

from __future__ import annotations

import re

from sphinx.application import Sphinx

project = "Handeye"
author = "The Handeye developers"
language = "en"

extensions = ["myst_parser"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # the language names of some code blocks are for the tests

html_theme = "furo"
html_title = "Handeye"
html_show_copyright = html_show_sphinx = html_copy_source = False
html_extra_path = ["."]  # llms.txt, and each page as Markdown, for language models
exclude_patterns = ["**/conf.py", "**/images"]


def prepare(app: Sphinx, page: str, source: list[str]) -> None:
    """Turn links to files outside docs/ into downloads, and give the index its table of contents."""
    folder = (app.srcdir / f"{page}.md").parent

    def as_download(link: re.Match[str]) -> str:
        inside = (folder / link[1]).resolve().is_relative_to(app.srcdir)
        return link[0] if inside else f"](path:{link[1]})"

    source[0] = re.sub(r"\]\((\.\./[^)#]+)[^)]*\)", as_download, source[0])
    if page == "index":
        source[0] += navigation(source[0])


def navigation(index: str) -> str:
    """A hidden table of contents for each section of the index. A page that it does not list is a warning of Sphinx."""
    listed: set[str] = set()
    parts = []
    for section in index.split("\n## ")[1:]:
        title = section.partition("\n")[0]
        pages = [page for page in dict.fromkeys(re.findall(r"\]\(([\w/-]+)\.md", section)) if page not in listed]
        listed.update(pages)
        if pages:
            parts.append("\n".join(["", "```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""]))
    return "".join(parts)


def setup(app: Sphinx) -> None:
    app.connect("source-read", prepare)
