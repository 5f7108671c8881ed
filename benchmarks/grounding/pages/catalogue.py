"""The pages of the set: package, file, language, viewport, colours and scroll position of each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

VIEWS: Final = {
    "desktop": (1280, 800, 1.0),
    "wide": (1440, 900, 1.0),
    "phone": (412, 915, 2.0),
}
"""Width and height of the viewport in CSS pixels, and pixels of the picture per CSS pixel."""

Language = Literal["en", "zh", "de", "es", "fr", "ja", "ru"]


@dataclass(frozen=True)
class Page:
    """One page as it is rendered. `after` is a selector that is scrolled to the top of the viewport."""

    name: str
    package: str
    path: str
    language: Language
    view: str = "desktop"
    dark: bool = False
    after: str = ""


def read(path: Path) -> tuple[Page, ...]:
    """The pages of another list: a JSON array of them."""
    return tuple(Page(**each) for each in json.loads(path.read_text(encoding="utf-8")))


_DOC: Final = "usr/share/doc"
_GIMP: Final = "usr/share/gimp/2.0/help/zh_CN"
_GUIDE: Final = f"{_DOC}/installation-guide-amd64"
_HANDBOOK: Final = f"{_DOC}/debian-handbook/html"
_LIBREOFFICE: Final = "usr/share/libreoffice/help"
_LILYPOND: Final = f"{_DOC}/lilypond/html/Documentation"
_MAINTAINERS: Final = f"{_DOC}/maint-guide-zh-cn/html"
_REFERENCE: Final = "usr/share/debian-reference"

PAGES: Final = (
    Page("apache_start", "apache2-doc", f"{_DOC}/apache2-doc/manual/en/sections.html", "en"),
    Page("apache_index", "apache2-doc", f"{_DOC}/apache2-doc/manual/en/index.html", "en", "wide"),
    Page("apache_modules_phone", "apache2-doc", f"{_DOC}/apache2-doc/manual/en/mod/index.html", "en", "phone"),
    Page("fish_tutorial", "fish-common", f"{_DOC}/fish/tutorial.html", "en"),
    Page("fish_index_dark", "fish-common", f"{_DOC}/fish/index.html", "en", "wide", dark=True),
    Page("git_index", "git-doc", f"{_DOC}/git-doc/index.html", "en"),
    Page("git_tutorial_dark", "git-doc", f"{_DOC}/git-doc/giteveryday.html", "en", "desktop", dark=True),
    Page("handbook_en", "debian-handbook", f"{_HANDBOOK}/en-US/index.html", "en"),
    Page("handbook_en_install", "debian-handbook", f"{_HANDBOOK}/en-US/sect.installation-steps.html", "en", "wide"),
    Page("guide_en", "installation-guide-amd64", f"{_GUIDE}/en/index.html", "en"),
    Page("guide_en_phone", "installation-guide-amd64", f"{_GUIDE}/en/ch06s01.html", "en", "phone"),
    Page("debmake_en", "debmake-doc", f"{_DOC}/debmake-doc/html/index.en.html", "en", "wide"),
    Page("lilypond_learning", "lilypond-doc-html", f"{_LILYPOND}/learning/index.html", "en"),
    Page("lilypond_notation", "lilypond-doc-html", f"{_LILYPOND}/notation/pitches.html", "en", "wide"),
    Page("postgres_index", "postgresql-doc-15", f"{_DOC}/postgresql-doc-15/html/index.html", "en"),
    Page("postgres_select", "postgresql-doc-15", f"{_DOC}/postgresql-doc-15/html/tutorial-join.html", "en", "wide"),
    Page("django_index", "python-django-doc", f"{_DOC}/python-django-doc/html/index.html", "en"),
    Page(
        "django_forms_dark",
        "python-django-doc",
        f"{_DOC}/python-django-doc/html/topics/forms/index.html",
        "en",
        "wide",
        True,
    ),
    Page("flask_index", "python-flask-doc", f"{_DOC}/python-flask-doc/html/index.html", "en"),
    Page("flask_quickstart", "python-flask-doc", f"{_DOC}/python-flask-doc/html/quickstart.html", "en", "wide"),
    Page(
        "flask_patterns_phone", "python-flask-doc", f"{_DOC}/python-flask-doc/html/patterns/index.html", "en", "phone"
    ),
    Page("python_index", "python3.11-doc", f"{_DOC}/python3.11/html/index.html", "en"),
    Page(
        "python_lists_dark", "python3.11-doc", f"{_DOC}/python3.11/html/tutorial/datastructures.html", "en", dark=True
    ),
    Page("python_library_phone", "python3.11-doc", f"{_DOC}/python3.11/html/library/index.html", "en", "phone"),
    Page("sphinx_index", "sphinx-doc", f"{_DOC}/sphinx-doc/html/index.html", "en", "wide"),
    Page("sphinx_theming", "sphinx-doc", f"{_DOC}/sphinx-doc/html/usage/quickstart.html", "en"),
    Page("sphinx_tutorial_phone", "sphinx-doc", f"{_DOC}/sphinx-doc/html/tutorial/index.html", "en", "phone"),
    Page("sqlite_index", "sqlite3-doc", f"{_DOC}/sqlite3/index.html", "en"),
    Page("sqlite_docs_phone", "sqlite3-doc", f"{_DOC}/sqlite3/docs.html", "en", "phone"),
    Page("writer_en", "libreoffice-help-en-us", f"{_LIBREOFFICE}/en-US/text/swriter/main0100.html", "en"),
    Page("faq_zh", "debian-faq-zh-cn", f"{_DOC}/debian/FAQ/zh-cn/index.zh-cn.html", "zh"),
    Page(
        "faq_packages_zh", "debian-faq-zh-cn", f"{_DOC}/debian/FAQ/zh-cn/pkg-basics.zh-cn.html", "zh", "wide", dark=True
    ),
    Page("handbook_zh", "debian-handbook", f"{_HANDBOOK}/zh-CN/index.html", "zh"),
    Page("handbook_steps_zh", "debian-handbook", f"{_HANDBOOK}/zh-CN/sect.installation-steps.html", "zh", "wide"),
    Page("reference_zh", "debian-reference-zh-cn", f"{_REFERENCE}/index.zh-cn.html", "zh"),
    Page("reference_system_zh", "debian-reference-zh-cn", f"{_REFERENCE}/ch02.zh-cn.html", "zh", "wide"),
    Page("reference_phone_zh", "debian-reference-zh-cn", f"{_REFERENCE}/ch05.zh-cn.html", "zh", "phone"),
    Page("debmake_zh", "debmake-doc", f"{_DOC}/debmake-doc/html/ch04.zh-cn.html", "zh", dark=True),
    Page("gimp_index_zh", "gimp-help-zh-cn", f"{_GIMP}/index.html", "zh"),
    Page("gimp_blur_zh", "gimp-help-zh-cn", f"{_GIMP}/filters-blur.html", "zh", "wide"),
    Page("gimp_brush_zh", "gimp-help-zh-cn", f"{_GIMP}/gimp-brush-dialog.html", "zh", "desktop", dark=True),
    Page("gimp_tools_phone_zh", "gimp-help-zh-cn", f"{_GIMP}/gimp-tools.html", "zh", "phone"),
    Page("guide_zh", "installation-guide-amd64", f"{_GUIDE}/zh_CN/index.html", "zh", "wide"),
    Page("guide_chapter_zh", "installation-guide-amd64", f"{_GUIDE}/zh_CN/ch03.html", "zh"),
    Page("guide_phone_zh", "installation-guide-amd64", f"{_GUIDE}/zh_CN/ch02s01.html", "zh", "phone", dark=True),
    Page("writer_zh", "libreoffice-help-zh-cn", f"{_LIBREOFFICE}/zh-CN/text/swriter/main0000.html", "zh"),
    Page("calc_zh", "libreoffice-help-zh-cn", f"{_LIBREOFFICE}/zh-CN/text/scalc/main0000.html", "zh", "wide"),
    Page("lilypond_zh", "lilypond-doc-html-zh", f"{_LILYPOND}/web/index.zh.html", "zh"),
    Page("lilypond_download_zh", "lilypond-doc-html-zh", f"{_LILYPOND}/web/download.zh.html", "zh", "wide"),
    Page("gcode", "linuxcnc-doc-zh-cn", f"{_DOC}/linuxcnc/gcode_zh_CN.html", "en"),
    Page("maintainers_zh", "maint-guide-zh-cn", f"{_MAINTAINERS}/index.zh-cn.html", "zh"),
    Page("maintainers_start_zh", "maint-guide-zh-cn", f"{_MAINTAINERS}/start.zh-cn.html", "zh", "wide"),
)
