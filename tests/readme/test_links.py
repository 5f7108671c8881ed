"""Relative links of the documentation lead to files and headings that exist, and its pages can be reached."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), DOCS / "llms.txt"])

_FENCE = re.compile(r"^ *(```+).*?^ *\1", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)")


def prose(page: Path) -> str:
    """The text of a page without its code blocks."""
    return _FENCE.sub("", page.read_text("utf-8"))


def links(page: Path) -> list[tuple[Path, str]]:
    """The files that a page links to, each with the anchor or ""."""
    without_code = re.sub(r"`[^`\n]*`", "", prose(page))
    return [(page.parent / path if path else page, anchor) for path, anchor in _LINK.findall(without_code)]


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as GitHub and MyST make them."""
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} (.+)$", prose(page), re.MULTILINE):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        slug = base = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        number = 0
        while slug in found:
            number += 1
            slug = f"{base}-{number}"
        found.add(slug)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in links(page):
        assert target.exists(), target.relative_to(ROOT)
        if anchor:
            assert anchor in anchors(target), f"{target.relative_to(ROOT)}#{anchor}"


def test_the_index_lists_every_page() -> None:
    index = DOCS / "index.md"
    listed = {target.resolve() for target, _ in links(index)}
    assert {page for page in DOCS.rglob("*.md") if page != index} <= listed


def test_llms_txt_has_the_form() -> None:
    title, blank, summary, *rest = (DOCS / "llms.txt").read_text("utf-8").splitlines()
    assert title.startswith("# ")
    assert not blank
    assert summary.startswith("> ")
    first = next(number for number, line in enumerate(rest) if line.startswith("## "))
    entries = [line for line in rest[first:] if line and not line.startswith("## ")]
    assert all(re.fullmatch(r"- \[[^]]+\]\([^)]+\): .+", entry) for entry in entries)


def test_troubleshooting_quotes_messages_that_exist() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    joined = re.sub(r'"\s*\n\s*f?"', "", sources)  # adjacent string literals
    page = (DOCS / "troubleshooting.md").read_text("utf-8")
    blocks = re.findall(r"^```text\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    messages = [line for block in blocks for line in block.splitlines()]
    assert len(messages) >= 10
    for message in messages:
        for part in message.split("…"):
            assert part.strip() in joined, part
