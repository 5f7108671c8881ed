"""Texts of interfaces in the encoder's languages: the translations inside Debian's and npm's packages."""

from __future__ import annotations

import gettext
import io
import json
import re
import struct
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

LANGUAGES: Final = (
    "ar",
    "de",
    "en",
    "es",
    "fr",
    "it",
    "ja",
    "ko",
    "nl",
    "pl",
    "pt",
    "ru",
    "th",
    "tr",
    "vi",
    "zh",
    "zh_TW",
)
"""The sixteen that the encoder learned, and Vietnamese."""
HELD: Final = frozenset(
    {
        "rhythmbox-data",
        "okular",
        "thunar-data",
        "gnome-calendar",
        "filezilla-common",
        "mousepad",
        "neochat",
        "korganizer",
    }
)
"""Programs whose texts choose nothing: what is measured is measured on them."""
LONGEST: Final = 60
"""Characters of a text that counts: labels, not help."""
PACKAGES: Final = Path(__file__).with_name("packages.txt")

_MNEMONIC: Final = re.compile(r"\(?[_&](\w)\)?")
_LITERAL: Final = re.compile(r'"((?:[^"\\\n]|\\.){1,80})"|\'((?:[^\'\\\n]|\\.){1,80})\'')
_FLUENT: Final = re.compile(r"^(?:[\w-]+|\s+\.[\w-]+) = (.+)$", re.MULTILINE)
_LOCALE: Final = re.compile(
    r"[/_-](ar|de|en|es|fr|it|ja|ko|nl|pl|pt|ru|th|tr|vi|zh)(?:[_-](\w{2,4}))?[/._@]", re.IGNORECASE
)


class Text(NamedTuple):
    """A text of `program`; `english` is what it translates, or empty."""

    program: str
    language: str
    english: str
    text: str


def fetch(folder: Path) -> None:
    """Download the packages into `folder`, those that are not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for line in PACKAGES.read_text().splitlines():
        origin, _, name = line.partition(" ")
        if origin == "debian" and not list(folder.glob(f"{name}_*.deb")):
            subprocess.run(["apt-get", "download", "-q", name], cwd=folder, check=True)
        elif origin == "npm" and not list(folder.glob(f"{name.strip('@').replace('/', '-')}-[0-9]*.tgz")):
            subprocess.run(["npm", "pack", "-s", name], cwd=folder, check=True)


def read_texts(folder: Path) -> Iterator[Text]:
    """Yield each short text of the packages in `folder`, as often as it is there."""
    for package in sorted([*folder.glob("*.deb"), *folder.glob("*.tgz")]):
        program = re.split(r"_|-\d", package.name)[0]
        for path, content in _members(package):
            for language, english, text in _texts(path, content):
                shown, source = _shown(text), _shown(english)
                if language in LANGUAGES and 0 < len(shown) <= LONGEST and len(source) <= LONGEST:
                    yield Text(program, language, source, shown)


def _members(package: Path) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the files that may hold texts."""
    if package.suffix == ".deb":
        archive = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], check=True, capture_output=True).stdout
    else:
        archive = package.read_bytes()
    with tarfile.open(fileobj=io.BytesIO(archive)) as held:
        for member in held:
            path = member.name
            if not member.isfile() or not path.endswith((".mo", ".pak", ".xpi", ".json", ".js", ".mjs")):
                continue
            opened = held.extractfile(member)
            if opened is not None:
                yield path, opened.read()


def _texts(path: str, content: bytes) -> Iterator[tuple[str, str, str]]:
    """Yield language, English text or nothing, and text of a file."""
    match PurePosixPath(path).suffix:
        case ".mo":
            yield from _catalogue(path, content)
        case ".pak":
            language = _language(f"/{PurePosixPath(path).stem}.")
            yield from ((language, "", text) for text in _pack(content))
        case ".xpi":
            with zipfile.ZipFile(io.BytesIO(content)) as held:
                language = _language(f"/{re.sub('.*langpack-', '', path)}")
                for name in held.namelist():
                    if name.endswith(".ftl"):
                        yield from ((language, "", text) for text in _FLUENT.findall(held.read(name).decode()))
        case ".json" if "i18n/" in path and "/extensions/" not in path:  # MediaWiki: a file for each language
            language = _language(f"/{PurePosixPath(path).name}")
            with_names = json.loads(content)
            yield from ((language, "", text) for text in with_names.values() if isinstance(text, str))
        case ".json" | ".js" | ".mjs" if re.search(
            "/(locale|lang|langs|i18n|dist|lib)/|primelocale|package/[a-z]{2}.json", path
        ):
            if _LOCALE.search(path) and len(content) < 200_000:
                language = _language(path)
                yield from (
                    (language, "", a or b)
                    for a, b in _LITERAL.findall(content.decode(errors="replace"))
                    if " " in a + b or not a.isascii()
                )


def _catalogue(path: str, content: bytes) -> Iterator[tuple[str, str, str]]:
    language = _language(path.replace("/LC_MESSAGES/", "."))
    if language not in LANGUAGES:
        return
    try:
        held = gettext.GNUTranslations(io.BytesIO(content))._catalog  # type: ignore[attr-defined]
    except (OSError, UnicodeDecodeError, ValueError, struct.error):
        return
    for key, text in held.items():
        english = key[0] if isinstance(key, tuple) else key
        if english:
            yield language, english.rpartition("\x04")[2], text
            yield "en", "", english.rpartition("\x04")[2]


def _pack(content: bytes) -> Iterator[str]:
    """Yield the texts of Chromium's .pak (version 5): a table of numbers and offsets, then the texts."""
    version, _encoding, count = struct.unpack_from("<IB3xH", content)
    if version != 5:
        return
    offsets = [struct.unpack_from("<HI", content, 12 + 6 * place)[1] for place in range(count + 1)]
    for start, end in pairwise(offsets):
        if end - start < 4 * LONGEST:
            try:
                yield content[start:end].decode()
            except UnicodeDecodeError:
                continue


def _language(path: str) -> str:
    """Return the language that a path names, or nothing."""
    found = _LOCALE.findall(path)
    if not found:
        return ""
    language, region = found[-1]
    traditional = language.lower() == "zh" and region.lower() in {"tw", "hk", "hant"}
    return "zh_TW" if traditional else language.lower()


def _shown(text: str) -> str:
    """Return a text as it is shown: without the mark of the letter to press; nothing for texts with code in them."""
    if re.search(r"[<>{}\n$]|%[(\d]|\\[nu]|https?:|_\w+_", text):
        return ""
    return re.sub(r"\s+", " ", _MNEMONIC.sub(lambda mark: mark[1] if "(" not in mark[0] else "", text)).strip()


def store_texts(folder: Path, stored: Path) -> None:
    """Write each text of the packages in `folder` once, as a table."""
    with stored.open("w", encoding="utf-8") as lines:
        lines.writelines("\t".join(text) + "\n" for text in dict.fromkeys(read_texts(folder)))


def read_stored(stored: Path) -> Iterator[Text]:
    """Yield the texts of a table."""
    with stored.open(encoding="utf-8") as lines:
        for line in lines:
            yield Text(*line.rstrip("\n").split("\t")[:4])
