"""The home screen: pages of icons, page dots and a dock."""

from __future__ import annotations

import math
from typing import Final

from handeye.geometry import Box
from handeye_phone.apps.base import App, Host
from handeye_phone.drawing.scene import FillPaint, IconPaint, Label, Node, Scroller, Wallpaper
from handeye_phone.drawing.widgets import LayoutContext
from handeye_phone.system.intent import Intent

# (label, icon, package): the messenger is on the second page on purpose, so that looking for it needs a swipe.
PAGES: Final[tuple[tuple[tuple[str, str, str], ...], ...]] = (
    (
        ("时钟", "clock", "com.android.deskclock"),
        ("日历", "calendar", "com.android.calendar"),
        ("天气", "weather", "com.example.weather"),
        ("相册", "gallery", "com.android.gallery3d"),
        ("地图", "maps", "com.example.maps"),
        ("应用商店", "store", "com.example.market"),
        ("音乐", "music", "com.android.music"),
        ("视频", "video", "com.example.video"),
        ("备忘录", "notes", "com.example.notes"),
        ("文件管理", "files", "com.android.documentsui"),
        ("计算器", "calculator", "com.android.calculator2"),
        ("设置", "setting", "com.android.settings"),
    ),
    (
        ("新闻", "news", "com.example.news"),
        ("邮件", "mail", "com.android.email"),
        ("微信", "wechat", "com.tencent.mm"),
        ("微信读书", "books", "com.example.reader"),
        ("购物", "shopping", "com.example.shop"),
        ("钱包", "wallet", "com.example.wallet"),
        ("运动健康", "health", "com.example.health"),
        ("翻译", "translate", "com.example.translate"),
    ),
    (
        ("游戏中心", "games", "com.example.games"),
        ("录音机", "recorder", "com.android.soundrecorder"),
        ("指南针", "compass", "com.example.compass"),
        ("手电筒", "torch", "com.example.torch"),
        ("联系人", "contacts", "com.android.contacts"),
    ),
)
DOCK: Final = (
    ("电话", "call", "com.android.dialer"),
    ("信息", "messages", "com.android.messaging"),
    ("浏览器", "chrome", "com.android.chrome"),
    ("相机", "camera", "com.android.camera2"),
)
DATE: Final = "6月7日 星期五"  # a fixed date, so that pictures are reproducible


class Launcher(App):
    package = "com.android.launcher3"
    label = "桌面"
    activity = ".uioverrides.QuickstepLauncher"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.pager = Scroller(horizontal=True, paged=True)

    @property
    def page(self) -> int:
        return round(self.pager.offset / self.pager.viewport) if self.pager.viewport else 0

    @property
    def light_ink(self) -> bool:
        return True

    def opened(self, intent: Intent | None, fresh: bool) -> None:
        if intent is None:
            self.pager.offset = 0.0  # HOME on the home screen goes to its first page

    def screen_name(self) -> str:
        return f"page {self.page + 1}"

    def build(self, ui: LayoutContext) -> Node:
        dock_height = ui.dp(88 if not ui.landscape else 76)
        dots_height = ui.dp(24)
        body = ui.body
        area = Box(
            0, body.top + ui.dp(4 if ui.landscape else 20), ui.size.width, body.bottom - dock_height - dots_height
        )
        offset = self.pager.fit(area.width, area.width * len(PAGES))
        pages = tuple(
            self._page(ui, area, number, number * area.width - offset)
            for number in range(len(PAGES))
            if abs(number * area.width - offset) < area.width
        )
        workspace = Node(
            box=area, cls="android.widget.ScrollView", rid="workspace", kids=pages, scroller=self.pager, clip=True
        )
        dots = self._dots(ui, Box(0, area.bottom, ui.size.width, area.bottom + dots_height))
        dock = self._dock(ui, Box(0, area.bottom + dots_height, ui.size.width, area.bottom + dots_height + dock_height))
        return Node(
            box=ui.screen,
            cls="android.widget.FrameLayout",
            paint=(Wallpaper(ui.theme.dark),),
            kids=(workspace, dots, dock),
        )

    def _page(self, ui: LayoutContext, area: Box, number: int, shift: int) -> Node:
        columns = max(4, min(8, area.width // ui.dp(110))) if ui.landscape else 4
        rows = math.ceil(max(len(page) for page in PAGES) / columns)
        widget = self._widget_height(ui, area, rows)
        height = min(ui.dp(116), (area.height - widget) // max(1, rows))
        margin = ui.dp(12)
        width = (area.width - 2 * margin) // columns
        shift += area.left
        first = area.top + (widget if number == 0 else 0)
        cells = []
        if number == 0 and widget:
            cells.append(self._clock(ui, Box(shift, area.top, shift + area.width, first)))
        for index, app in enumerate(PAGES[number]):
            if not self.host.is_installed(app[2]):
                continue
            left = shift + margin + index % columns * width
            top = first + index // columns * height
            cells.append(self._cell(ui, Box(left, top, left + width, top + height), app, label=True))
        box = Box(shift, area.top, shift + area.width, area.bottom)
        return Node(box=box, cls="android.view.ViewGroup", kids=tuple(cells))

    def _widget_height(self, ui: LayoutContext, area: Box, rows: int) -> int:
        """Return the height of the clock widget; 0 on screens without room for it above the icons."""
        spare = area.height - rows * ui.dp(100)
        return ui.dp(172) if spare >= ui.dp(172) else 0

    def _clock(self, ui: LayoutContext, box: Box) -> Node:
        time = Box(box.left, box.top + ui.dp(22), box.right, box.top + ui.dp(108))
        date = Box(box.left, time.bottom, box.right, time.bottom + ui.dp(30))
        kids = (
            ui.text(time, ui.clock, 72, "#ffffff", rid="clock", align="center"),
            ui.text(date, DATE, 17, "#ffffff", rid="date", align="center", weight=500),
        )
        return Node(box=box, cls="android.widget.FrameLayout", rid="clock_widget", kids=kids)

    def _cell(self, ui: LayoutContext, box: Box, app: tuple[str, str, str], *, label: bool) -> Node:
        name, icon, package = app
        text = ui.dp(20) if label else 0
        side = min(ui.dp(60), box.height - text - ui.dp(8), box.width - ui.dp(6))
        picture = Box(box.left, box.top + ui.dp(6), box.right, box.top + ui.dp(6) + side)
        kids = [Node(box=picture, paint=(IconPaint(icon, side, dark=ui.theme.dark),), dumped=False)]
        if label:
            strip = Box(box.left, picture.bottom, box.right, picture.bottom + text)
            lines = (name,)
            size = ui.dp(12.5)
            shade = Box(strip.left, strip.top + max(1, ui.dp(0.7)), strip.right, strip.bottom + max(1, ui.dp(0.7)))
            kids.append(Node(box=shade, paint=(Label(lines, size, "#00000070", "center"),), dumped=False))
            kids.append(Node(box=strip, paint=(Label(lines, size, "#ffffff", "center", 500),), dumped=False))
        return Node(
            box=box,
            cls="android.widget.TextView",
            rid="icon",
            text=name,
            desc=name,
            kids=tuple(kids),
            on_tap=lambda: self.host.launch(package),
            on_long=lambda: None,
        )

    def _dots(self, ui: LayoutContext, box: Box) -> Node:
        gap, radius = ui.dp(14), ui.dp(3)
        left = box.center.x - gap * (len(PAGES) - 1) // 2
        dots = []
        for number in range(len(PAGES)):
            x, y = left + number * gap, box.center.y
            color = "#ffffff" if number == self.page else "#ffffff80"
            dot = Box(x - radius, y - radius, x + radius, y + radius)
            dots.append(Node(box=dot, paint=(FillPaint(color, radius),), dumped=False))
        words = f"第 {self.page + 1} 页，共 {len(PAGES)} 页"
        return Node(box=box, rid="page_indicator", desc=words, kids=tuple(dots))

    def _dock(self, ui: LayoutContext, box: Box) -> Node:
        inner = Box(box.left + ui.dp(12), box.top + ui.dp(2), box.right - ui.dp(12), box.bottom - ui.dp(6))
        width = inner.width // len(DOCK)
        cells = []
        for index, app in enumerate(DOCK):
            left = inner.left + index * width
            cells.append(
                self._cell(ui, Box(left, inner.top + ui.dp(4), left + width, inner.bottom - ui.dp(4)), app, label=False)
            )
        paint = FillPaint("#ffffff38" if not ui.theme.dark else "#00000050", ui.dp(26))
        return Node(box=inner, cls="android.view.ViewGroup", rid="hotseat", paint=(paint,), kids=tuple(cells))
