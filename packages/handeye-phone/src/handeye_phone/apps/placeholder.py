"""Apps that exist only as icons: each opens a page with its icon and name."""

from __future__ import annotations

from handeye.geometry import Box
from handeye_phone.apps.base import App, Host
from handeye_phone.drawing.scene import IconPaint, Node
from handeye_phone.drawing.widgets import LayoutContext


class Placeholder(App):
    """An app with one empty page."""

    activity = ".MainActivity"

    def __init__(self, host: Host, package: str, label: str, icon: str) -> None:
        super().__init__(host)
        self.package, self.label, self.icon = package, label, icon
        self.system = not package.startswith("com.example.")

    def build(self, ui: LayoutContext) -> Node:
        middle = ui.body.center
        side = ui.dp(88)
        picture = Box(middle.x - side // 2, middle.y - side, middle.x - side // 2 + side, middle.y)
        title = Box(0, picture.bottom + ui.dp(14), ui.size.width, picture.bottom + ui.dp(46))
        words = Box(0, title.bottom, ui.size.width, title.bottom + ui.dp(28))
        return ui.page(
            [
                Node(
                    box=picture, cls="android.widget.ImageView", paint=(IconPaint(self.icon, side, dark=ui.theme.dark),)
                ),
                ui.text(title, self.label, 22, ui.theme.text, rid="title", align="center", weight=500),
                ui.text(words, "暂无内容", 14, ui.theme.dim, rid="empty", align="center"),
            ],
            fill=ui.theme.surface,
        )
