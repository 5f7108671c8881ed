"""The browser: an address field, a start page, results, and a page for every address."""

from __future__ import annotations

from functools import partial
from typing import Final
from urllib.parse import quote_plus, unquote_plus, urlsplit

from handeye.geometry import Box
from handeye_phone.apps.base import App, Host, spinner
from handeye_phone.drawing.scene import FillPaint, IconPaint, Label, Node, Scroller, TextField
from handeye_phone.drawing.widgets import LayoutContext, RowBuilder
from handeye_phone.system.intent import Intent

_SEARCH: Final = "https://search.example/?q="
_SHORTCUTS: Final = (
    ("新闻", "news", "https://news.example/"),
    ("天气", "weather", "https://weather.example/"),
    ("地图", "maps", "https://maps.example/"),
    ("邮箱", "mail", "https://mail.example/"),
)


class Browser(App):
    package = "com.android.chrome"
    label = "浏览器"
    activity = "com.google.android.apps.chrome.Main"
    icon = "chrome"
    version = "126.0"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.history: list[str] = [""]
        self.visited: list[str] = []  # every address that was opened, oldest first
        self.address = TextField(hint="搜索或输入网址", submit=self._go)
        self.scroller = Scroller()

    @property
    def url(self) -> str:
        """Current address; empty on the start page."""
        return self.history[-1]

    def screen_name(self) -> str:
        return "results" if self.url.startswith(_SEARCH) else ("page" if self.url else "start")

    def opened(self, intent: Intent | None, fresh: bool) -> None:
        if fresh:
            self.history = [""]
        if intent is not None and intent.data:
            self.visit(intent.data)
        else:
            self._show_address()
        self.load()

    def clear_data(self) -> None:
        self.history = [""]
        self._show_address()

    def visit(self, url: str) -> None:
        """Open an address."""
        self.history.append(url)
        self.visited.append(url)
        self.scroller.offset = 0.0
        self.host.set_focus(None)
        self._show_address()
        self.load()

    def _show_address(self) -> None:
        shown = unquote_plus(self.url[len(_SEARCH) :]) if self.url.startswith(_SEARCH) else self.url
        self.address.text, self.address.caret = shown, len(shown)

    def _go(self) -> None:
        typed = self.address.text.strip()
        if not typed:
            return
        if typed.startswith(("http://", "https://")):
            self.visit(typed)
        elif " " not in typed and "." in typed.strip(".") and typed.isascii():
            self.visit(f"https://{typed}")
        else:
            self.visit(_SEARCH + quote_plus(typed))

    def back(self) -> bool:
        if len(self.history) > 1:
            self.history.pop()
            self._show_address()
            return True
        return False

    def build(self, ui: LayoutContext) -> Node:
        if self.loading:
            return spinner(ui, self.host)
        bar = self._bar(ui)
        area = Box(0, bar.box.bottom, ui.size.width, max(bar.box.bottom, ui.body.bottom))
        rows: list[tuple[int, RowBuilder]]
        if self.url and not self._online:
            rows = [(ui.dp(320), lambda box: self._no_connection(ui, box))]
        elif not self.url:
            rows = [(max(ui.dp(320), area.height), lambda box: self._start(ui, box))]
        elif self.url.startswith(_SEARCH):
            query = unquote_plus(self.url[len(_SEARCH) :])
            rows = [(ui.dp(124), partial(self._result, ui, query, n)) for n in range(1, 9)]
        else:
            rows = [(ui.dp(520), lambda box: self._article(ui, box))]
        return ui.page(
            [ui.column(area, self.scroller, rows, rid="web", cls="android.webkit.WebView"), bar], fill=ui.theme.surface
        )

    @property
    def _online(self) -> bool:
        """True if pages load. The phone has no mobile data, so that this depends on WLAN alone."""
        flag = self.host.settings.flag
        return flag("global", "wifi_on") and not flag("global", "airplane_mode_on")

    def _no_connection(self, ui: LayoutContext, box: Box) -> Node:
        left, right = box.left + ui.dp(24), box.right - ui.dp(24)
        top = box.top + ui.dp(48)
        lines = (
            ("未连接到互联网", 24, ui.theme.text, 500, "main-message"),
            ("请检查网线、WLAN 或飞行模式", 15, ui.theme.dim, 400, "suggestion"),
            ("ERR_INTERNET_DISCONNECTED", 13, ui.theme.dim, 400, "error-code"),
        )
        kids = []
        for text, size, color, weight, rid in lines:
            line = Box(left, top, right, top + ui.dp(40))
            kids.append(ui.text(line, text, size, color, rid=rid, weight=weight))
            top = line.bottom
        return Node(box=box, cls="android.view.View", kids=tuple(kids))

    def _bar(self, ui: LayoutContext) -> Node:
        theme = ui.theme
        box = Box(0, 0, ui.size.width, ui.top + ui.dp(60))
        row = Box(0, ui.top, ui.size.width, box.bottom)
        side = ui.dp(46)
        home = Box(ui.dp(4), row.top, ui.dp(4) + side, row.bottom)
        tabs = Box(row.right - ui.dp(4) - side, row.top, row.right - ui.dp(4), row.bottom)
        shell = Box(home.right, row.top + ui.dp(8), tabs.left, row.bottom - ui.dp(8))
        go = Box(shell.right - ui.dp(44), shell.top, shell.right, shell.bottom)
        field = Box(shell.left + ui.dp(8), shell.top, go.left, shell.bottom)
        focused = ui.focus is self.address
        count = Node(
            box=tabs,
            cls="android.widget.ImageButton",
            rid="tab_switcher_button",
            desc="1 个打开的标签页",
            paint=(
                IconPaint("nav_recents", ui.dp(26), theme.text),
                Label(("1",), ui.dp(11), theme.text, "center", 500),
            ),
            on_tap=lambda: None,
        )
        kids = (
            ui.icon(home, "arrow_back", 21, tint=theme.text, desc="后退", rid="back_button", on_tap=self._back_button),
            Node(box=shell, paint=(FillPaint(theme.page, ui.dp(22)),), dumped=False),
            ui.edit(field, self.address, 15.5, rid="url_bar", inset=10),
            ui.icon(
                go, "search" if not focused else "key_enter", 20, tint=theme.dim, desc="前往", rid="go", on_tap=self._go
            ),
            count,
        )
        return Node(
            box=box,
            cls="android.view.ViewGroup",
            rid="toolbar",
            paint=(FillPaint(theme.surface),),
            kids=kids,
            block=True,
        )

    def _back_button(self) -> None:
        if not self.back():
            self.host.go_home()

    def _start(self, ui: LayoutContext, box: Box) -> Node:
        middle, side = box.center.x, ui.dp(84)
        top = box.top + min(ui.dp(72), box.height // 8)
        logo = Box(middle - side // 2, top, middle - side // 2 + side, top + side)
        name = Box(box.left, logo.bottom + ui.dp(6), box.right, logo.bottom + ui.dp(44))
        kids = [
            Node(box=logo, cls="android.widget.ImageView", paint=(IconPaint("chrome", side, dark=ui.theme.dark),)),
            ui.text(name, "浏览器", 24, ui.theme.text, align="center", weight=500),
        ]
        width, line = ui.dp(76), name.bottom + ui.dp(20)
        left = middle - width * len(_SHORTCUTS) // 2
        for index, (label, icon, url) in enumerate(_SHORTCUTS):
            cell = Box(left + index * width, line, left + (index + 1) * width, line + ui.dp(84))
            disc = Box(cell.center.x - ui.dp(26), cell.top + ui.dp(4), cell.center.x + ui.dp(26), cell.top + ui.dp(56))
            words = Box(cell.left, disc.bottom, cell.right, cell.bottom)
            kids.append(
                Node(
                    box=cell,
                    cls="android.widget.FrameLayout",
                    desc=label,
                    on_tap=partial(self.visit, url),
                    kids=(
                        Node(
                            box=disc,
                            paint=(FillPaint(ui.theme.page, ui.dp(26)), IconPaint(icon, ui.dp(32))),
                            dumped=False,
                        ),
                        ui.text(words, label, 12.5, ui.theme.text, align="center"),
                    ),
                )
            )
        return Node(box=box, cls="android.view.View", kids=tuple(kids))

    def _result(self, ui: LayoutContext, query: str, number: int, box: Box) -> Node:
        url = f"https://site{number}.example/{quote_plus(query)}"
        left, right = box.left + ui.dp(20), box.right - ui.dp(20)
        kids = (
            ui.text(Box(left, box.top + ui.dp(14), right, box.top + ui.dp(34)), url, 12.5, ui.theme.dim),
            ui.text(
                Box(left, box.top + ui.dp(34), right, box.top + ui.dp(62)),
                f"{query} - 结果 {number}",
                18,
                ui.theme.link,
                rid="result_title",
            ),
            ui.text(
                Box(left, box.top + ui.dp(62), right, box.top + ui.dp(110)),
                f"关于“{query}”的第 {number} 个网页，内容由虚拟手机生成，不来自互联网。",
                14,
                ui.theme.dim,
                lines=2,
            ),
            ui.divider(left, right, box.bottom - ui.dp(1)),
        )
        return Node(box=box, cls="android.view.View", kids=kids, on_tap=lambda: self.visit(url))

    def _article(self, ui: LayoutContext, box: Box) -> Node:
        parts = urlsplit(self.url)
        left, right = box.left + ui.dp(20), box.right - ui.dp(20)
        picture = Box(left, box.top + ui.dp(104), right, box.top + ui.dp(254))
        bars = []
        for index in range(6):
            y = picture.bottom + ui.dp(24 + index * 28)
            end = right if index % 3 < 2 else left + (right - left) * 3 // 5
            bars.append(
                Node(box=Box(left, y, end, y + ui.dp(12)), paint=(FillPaint(ui.theme.page, ui.dp(6)),), dumped=False)
            )
        kids = (
            ui.text(
                Box(left, box.top + ui.dp(20), right, box.top + ui.dp(62)),
                parts.netloc or self.url,
                26,
                ui.theme.text,
                rid="page_title",
                weight=500,
            ),
            ui.text(
                Box(left, box.top + ui.dp(62), right, box.top + ui.dp(92)), self.url, 14, ui.theme.dim, rid="page_url"
            ),
            Node(
                box=picture,
                cls="android.widget.Image",
                paint=(FillPaint(ui.theme.tonal, ui.dp(16)), IconPaint("globe", ui.dp(64), ui.theme.system)),
            ),
            *bars,
        )
        return Node(box=box, cls="android.view.View", kids=kids)
