"""Reads COM interfaces out of an IDL file, in the form of `handeye.perceive.uia.interfaces`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from handeye.perceive.uia.interfaces import Interface

WINE_IDL: Final = Path("/usr/include/wine/wine/windows/uiautomationclient.idl")
"""Wine's definitions of UI Automation, of Debian's package libwine-dev."""

_INTERFACE: Final = re.compile(
    r"\[(?P<about>[^\[\]]*uuid\((?P<iid>[-0-9a-f]+)\)[^\[\]]*)\]\s*interface\s+(?P<name>\w+)\s*:\s*(?P<base>\w+)\s*\{(?P<body>.*?)\n\s*\}",
    re.DOTALL,
)
_METHOD: Final = re.compile(r"(?P<about>\[[^\]]*\]\s*)?HRESULT\s+(?P<name>\w+)\s*\((?P<arguments>.*?)\)\s*;", re.DOTALL)
_ARGUMENT: Final = re.compile(r"(?:\[(?P<about>[^\]]*)\])?\s*(?P<kind>[^\[,]*?)(?P<name>\w+)\s*(?=,|$)", re.DOTALL)
# Numbers with a name: enumerations, and ids of properties, patterns, events, ...
_NUMBERS: Final = re.compile(r"enum \w+|PROPERTYID|PATTERNID|CONTROLTYPEID|TEXTATTRIBUTEID|EVENTID|HEADINGLEVELID")


def interfaces_in(file: Path) -> dict[str, Interface]:
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = (_interface(match) for match in _INTERFACE.finditer(text))
    return {interface.name: interface for interface in found}


def _interface(match: re.Match[str]) -> Interface:
    methods = tuple(_signature(method) for method in _METHOD.finditer(match["body"]))
    return Interface(match["name"], match["iid"], match["base"], methods)


def _signature(method: re.Match[str]) -> str:
    about = method["about"] or ""
    prefix = "get_" if "propget" in about else "put_" if "propput" in about else ""
    arguments = ", ".join(_argument(argument) for argument in _ARGUMENT.finditer(method["arguments"]))
    return f"{prefix}{method['name']}({arguments})"


def _argument(argument: re.Match[str]) -> str:
    out = "out" in [word.strip() for word in (argument["about"] or "").split(",")]
    kind = re.sub(r"\s+", "", _NUMBERS.sub("int", argument["kind"]))
    kind = re.sub(r"SAFEARRAY\((\w+)\)", r"\1[]", kind)
    if out:
        assert kind.endswith("*"), kind
        kind = kind.removesuffix("*")
    return f"{'out' if out else 'in'} {kind}"
