"""The component libraries that pages are made with: what npm installs, what a page loads, and what is held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

REACT: Final = ("react/umd/react.production.min.js", "react-dom/umd/react-dom.production.min.js")
VUE: Final = ("vue/dist/vue.global.prod.js",)


@dataclass(frozen=True)
class Library:
    """A library, and how its page is put together.

    `base`: "react", "vue" or "classes", whose bridge the page loads; `adapter`: whose script it speaks, if not its own;
    `held_out`: its pages are never trained on; `views`: the widths it is for; `weight`: how often it is drawn; `settle_ms`:
    what its components need to come to rest; `dark`: whether it has a dark look.
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
    adapter: str = ""
    dark: bool = True


def _sheet(name: str, package: str, *styles: str, **more: Any) -> Library:
    """A library that is a style sheet, driven by its adapter's class names."""
    return Library(name, (package,), (), styles, **{"base": "classes", **more})


def _react(name: str, package: str, script: str, *styles: str, **more: Any) -> Library:
    return Library(name, ("react@18.3.1", "react-dom@18.3.1", package), (*REACT, script), styles, base="react", **more)


def _vue(name: str, package: str, script: str, *styles: str, **more: Any) -> Library:
    return Library(name, ("vue@3.5.45", "@mdi/font@7.4.47", package), (*VUE, script), styles, base="vue", **more)


LIBRARIES: Final = (
    Library("plain", weight=3.0, licence="own"),
    Library("native", weight=0.6, base="classes", licence="own"),
    _sheet("bootstrap", "bootstrap@5.3.9", "bootstrap/dist/css/bootstrap.min.css", base="", weight=1.2),
    _sheet("tabler", "@tabler/core", "@tabler/core/dist/css/tabler.min.css", base="", adapter="bootstrap", weight=0.8),
    _sheet(
        "coreui", "@coreui/coreui", "@coreui/coreui/dist/css/coreui.min.css", base="", adapter="bootstrap", weight=0.7
    ),
    _sheet("adminlte", "admin-lte@4", "admin-lte/dist/css/adminlte.min.css", base="", adapter="bootstrap", weight=0.5),
    _sheet("fomantic", "fomantic-ui-css", "fomantic-ui-css/semantic.min.css", base=""),
    _sheet("uikit", "uikit", "uikit/dist/css/uikit.min.css", dark=False),
    _sheet("foundation", "foundation-sites", "foundation-sites/dist/css/foundation.min.css", weight=0.7, dark=False),
    _sheet("materialize", "@materializecss/materialize", "@materializecss/materialize/dist/css/materialize.min.css"),
    _sheet("spectre", "spectre.css", "spectre.css/dist/spectre.min.css", weight=0.7, dark=False),
    _sheet("pico", "@picocss/pico", "@picocss/pico/css/pico.min.css", weight=0.7),
    _sheet("water", "water.css", "water.css/out/water.min.css", weight=0.5),
    _sheet("milligram", "milligram", "milligram/dist/milligram.min.css", weight=0.4, dark=False),
    _sheet("layui", "layui", "layui/dist/css/layui.css", dark=False),
    _sheet("weui", "weui", "weui/dist/style/weui.min.css", views="phone"),
    _sheet("bulma", "bulma", "bulma/css/bulma.min.css", held_out=True),
    _sheet("primer", "@primer/css", "@primer/css/dist/primer.css", held_out=True),
    _sheet(
        "framework7",
        "framework7@9.2.0",
        "framework7/framework7-bundle.min.css",
        held_out=True,
        views="phone",
        weight=1.5,
    ),
    Library(
        "antd",
        ("react@18.3.1", "react-dom@18.3.1", "dayjs", "antd@5.29.3"),
        (*REACT, "dayjs/dayjs.min.js", "antd/dist/antd.min.js"),
        ("antd/dist/reset.css",),
        weight=1.6,
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
    _react("mui", "@mui/material@5.18.0", "@mui/material/umd/material-ui.production.min.js", weight=1.4),
    _react(
        "arco",
        "@arco-design/web-react",
        "@arco-design/web-react/dist/arco.min.js",
        "@arco-design/web-react/dist/css/arco.min.css",
        weight=1.2,
    ),
    _react(
        "antd-mobile",
        "antd-mobile@5.43.0",
        "antd-mobile/bundle/antd-mobile.umd.js",
        "antd-mobile/bundle/style.css",
        views="phone",
        weight=1.2,
    ),
    _vue("quasar", "quasar", "quasar/dist/quasar.umd.prod.js", "quasar/dist/quasar.prod.css", weight=1.3),
    _vue("naive", "naive-ui", "naive-ui/dist/index.js", weight=1.2, settle_ms=60),
    _vue(
        "tdesign",
        "tdesign-vue-next",
        "tdesign-vue-next/dist/tdesign.min.js",
        "tdesign-vue-next/dist/tdesign.min.css",
        weight=1.2,
    ),
    _vue(
        "element-plus",
        "element-plus@2.14.8",
        "element-plus/dist/index.full.min.js",
        "element-plus/dist/index.css",
        "element-plus/theme-chalk/dark/css-vars.css",
        held_out=True,
    ),
    _vue(
        "vuetify",
        "vuetify@3.13.5",
        "vuetify/dist/vuetify.min.js",
        "vuetify/dist/vuetify.min.css",
        "@mdi/font/css/materialdesignicons.min.css",
        held_out=True,
        settle_ms=60,
    ),
)
