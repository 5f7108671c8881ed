"""The component libraries that pages are made with: what npm installs, and what a page loads."""

from __future__ import annotations

from dataclasses import dataclass

REACT = ("react/umd/react.production.min.js", "react-dom/umd/react-dom.production.min.js")
VUE = ("vue/dist/vue.global.prod.js",)


@dataclass(frozen=True)
class Library:
    """`held_out`: nothing may be tuned on its pages, so that they say what happens on pages nobody has seen."""

    name: str
    packages: tuple[str, ...]
    scripts: tuple[str, ...]
    styles: tuple[str, ...] = ()
    phone: bool = False
    held_out: bool = False
    extra_language: str = ""


LIBRARIES = (
    Library(
        "antd",
        ("react@18.3.1", "react-dom@18.3.1", "dayjs@1.11.23", "antd@5.29.3", "@ant-design/icons@5.6.1"),
        (*REACT, "dayjs/dayjs.min.js", "antd/dist/antd.min.js", "@ant-design/icons/dist/index.umd.min.js"),
        ("antd/dist/reset.css",),
        extra_language="zh-Hant",
    ),
    Library(
        "bootstrap",
        ("bootstrap@5.3.9", "bootstrap-icons@1.13.2"),
        ("dom.js",),
        ("bootstrap/dist/css/bootstrap.min.css", "bootstrap-icons/font/bootstrap-icons.min.css"),
        extra_language="de",
    ),
    Library("vant", ("vue@3.5.45", "vant@4.10.2"), (*VUE, "vant/lib/vant.min.js"), ("vant/lib/index.css",), phone=True),
    Library(
        "element-plus",
        ("vue@3.5.45", "element-plus@2.14.8", "@element-plus/icons-vue@2.3.2"),
        (*VUE, "element-plus/dist/index.full.min.js", "@element-plus/icons-vue/dist/index.iife.min.js"),
        ("element-plus/dist/index.css", "element-plus/theme-chalk/dark/css-vars.css"),
        held_out=True,
        extra_language="zh-Hant",
    ),
    Library(
        "mui",
        ("@mui/material@5.18.0", "@mdi/font@7.4.47"),
        (*REACT, "@mui/material/umd/material-ui.production.min.js"),
        ("@mdi/font/css/materialdesignicons.min.css",),
        held_out=True,
        extra_language="de",
    ),
    Library(
        "vuetify",
        ("vue@3.5.45", "vuetify@3.13.5", "@mdi/font@7.4.47"),
        (*VUE, "vuetify/dist/vuetify.min.js"),
        ("vuetify/dist/vuetify.min.css", "@mdi/font/css/materialdesignicons.min.css"),
        held_out=True,
    ),
    Library(
        "antd-mobile",
        ("antd-mobile@5.43.0", "@ant-design/icons@5.6.1"),
        (*REACT, "antd-mobile/bundle/antd-mobile.umd.js", "@ant-design/icons/dist/index.umd.min.js"),
        ("antd-mobile/bundle/style.css",),
        phone=True,
        held_out=True,
    ),
    Library(
        "framework7",
        ("framework7@9.2.0", "framework7-icons@5.0.5"),
        ("dom.js",),
        ("framework7/framework7-bundle.min.css", "framework7-icons/css/framework7-icons.css"),
        phone=True,
        held_out=True,
    ),
)
PACKAGES = tuple(dict.fromkeys(package for library in LIBRARIES for package in library.packages))
