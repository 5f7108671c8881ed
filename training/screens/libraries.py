"""The component libraries that pages are made with: what npm installs, what a page loads, and what is held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

REACT: Final = ("react/umd/react.production.min.js", "react-dom/umd/react-dom.production.min.js")
VUE: Final = ("vue/dist/vue.global.prod.js",)


@dataclass(frozen=True)
class Library:
    """A library, and how its page is put together.

    `base`: "react" or "vue", whose bridge the page loads; `held_out`: its pages are never trained on; `views`: the widths
    it is for; `weight`: how often it is drawn; `settle_ms`: what its components need to come to rest.
    """

    name: str
    packages: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    held_out: bool = False
    views: str = "both"  # "desktop", "phone" or "both"
    weight: float = 1.0
    settle_ms: int = 0
    licence: str = "MIT"
    base: str = ""


LIBRARIES: Final = (
    Library("plain", weight=3.0, licence="own"),
    Library(
        "bootstrap",
        ("bootstrap@5.3.9",),
        ("bootstrap/dist/js/bootstrap.bundle.min.js",),
        ("bootstrap/dist/css/bootstrap.min.css",),
        weight=1.4,
    ),
    Library("fomantic", ("fomantic-ui-css",), (), ("fomantic-ui-css/semantic.min.css",)),
    Library(
        "antd",
        ("react@18.3.1", "react-dom@18.3.1", "dayjs", "antd@5.29.3"),
        (*REACT, "dayjs/dayjs.min.js", "antd/dist/antd.min.js"),
        ("antd/dist/reset.css",),
        weight=1.8,
        base="react",
    ),
    Library(
        "vant",
        ("vue@3.5.45", "vant@4.10.2"),
        (*VUE, "vant/lib/vant.min.js"),
        ("vant/lib/index.css",),
        views="phone",
        weight=1.5,
        base="vue",
    ),
)
