"""Linux desktop backend for X11. Importing it raises MissingPart if python-xlib or mss is not installed."""

from __future__ import annotations

from importlib.util import find_spec

from handeye.errors import MissingPart

if find_spec("Xlib") is None or find_spec("mss") is None:
    raise MissingPart("control of a Linux desktop", "pip install 'handeye[linux]'")
