"""Debian packages that hold the documentation and the fonts, downloaded and unpacked without installing them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

PACKAGES: Final = (
    "apache2-doc",
    "debian-faq-zh-cn",
    "debian-handbook",
    "debian-reference-common",
    "debian-reference-zh-cn",
    "debmake-doc",
    "fish-common",
    "gimp-help-common",
    "gimp-help-zh-cn",
    "git-doc",
    "installation-guide-amd64",
    "libreoffice-help-common",
    "libreoffice-help-en-us",
    "libreoffice-help-zh-cn",
    "lilypond-doc-html",
    "lilypond-doc-html-zh",
    "linuxcnc-doc-zh-cn",
    "maint-guide-zh-cn",
    "postgresql-doc-15",
    "python-django-doc",
    "python-flask-doc",
    "python3.11-doc",
    "sphinx-doc",
    "sqlite3-doc",
)
FONT_PACKAGES: Final = ("fonts-dejavu-core", "fonts-liberation2", "fonts-noto-cjk")
# Fonts of the host must not change the pictures, so Chromium sees these packages alone.
FONT_RULES: Final = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
  {aliases}
</fontconfig>
"""
FONT_ALIASES: Final = {
    "sans-serif": ("Liberation Sans", "Noto Sans CJK SC"),
    "serif": ("Liberation Serif", "Noto Serif CJK SC"),
    "monospace": ("DejaVu Sans Mono", "Noto Sans Mono CJK SC"),
    "system-ui": ("DejaVu Sans", "Noto Sans CJK SC"),
    "Arial": ("Liberation Sans", "Noto Sans CJK SC"),
    "Helvetica": ("Liberation Sans", "Noto Sans CJK SC"),
    "Times New Roman": ("Liberation Serif", "Noto Serif CJK SC"),
    "Georgia": ("Liberation Serif", "Noto Serif CJK SC"),
    "Verdana": ("DejaVu Sans", "Noto Sans CJK SC"),
    "Courier New": ("Liberation Mono", "Noto Sans Mono CJK SC"),
}


def unpack(folder: Path, packages: Sequence[str] = PACKAGES) -> Path:
    """Download the packages below `folder` and unpack them; return the root of their files, as they would be installed."""
    for program, package in (("apt-get", "apt"), ("dpkg-deb", "dpkg")):
        if shutil.which(program) is None:
            raise SystemExit(f"{program} is missing: the pages come from packages of Debian ({package})")
    archives, root = folder / "archives", folder / "root"
    archives.mkdir(parents=True, exist_ok=True)
    wanted = [*packages, *FONT_PACKAGES]
    missing = [package for package in wanted if not list(archives.glob(f"{package}_*.deb"))]
    if missing:
        command = ["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", *missing]
        done = subprocess.run(command, cwd=archives, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"downloading {', '.join(missing)} failed (apt-get update first?): {done.stderr.strip()}")
    done_list = root / "unpacked.txt"
    if not done_list.exists() or done_list.read_text(encoding="utf-8") != "\n".join(wanted):
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        for package in wanted:
            archive = next(archives.glob(f"{package}_*.deb"))
            subprocess.run(["dpkg-deb", "-x", str(archive), str(root)], check=True)
        _keep_links_inside(root)
        done_list.write_text("\n".join(wanted), encoding="utf-8")
    return root


def _keep_links_inside(root: Path) -> None:
    """Absolute links would show files that the host has or lacks: let them point below `root`, or remove them."""
    for path in [path for path in root.rglob("*") if path.is_symlink()]:
        target = path.readlink()
        if target.is_absolute():
            path.unlink()
            if (root / target.relative_to("/")).exists():
                path.symlink_to(root / target.relative_to("/"))


def versions(folder: Path) -> dict[str, str]:
    """Version of each downloaded package, by its name."""
    names = (path.name.split("_") for path in sorted((folder / "archives").glob("*.deb")))
    return {name: version.replace("%3a", ":") for name, version, *_ in names}


def font_configuration(folder: Path, root: Path) -> Path:
    """Write a fontconfig file that knows the fonts of FONT_PACKAGES only, and return its path."""
    fonts = root / "usr" / "share" / "fonts"
    aliases = "\n  ".join(
        f'<alias binding="same"><family>{family}</family><prefer>'
        + "".join(f"<family>{font}</family>" for font in preferred)
        + "</prefer></alias>"
        for family, preferred in FONT_ALIASES.items()
    )
    path = folder / "fonts.conf"
    path.write_text(FONT_RULES.format(fonts=fonts, cache=folder / "font-cache", aliases=aliases), encoding="utf-8")
    return path
