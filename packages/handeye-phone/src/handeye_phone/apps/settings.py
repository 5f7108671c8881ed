"""The settings app: a long list, sub pages, and switches that write the real settings tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from handeye.geometry import Box
from handeye_phone.apps.base import App, Host
from handeye_phone.drawing.scene import FillPaint, IconPaint, Node, Scroller, TextField
from handeye_phone.drawing.widgets import LayoutContext, RowBuilder
from handeye_phone.system.intent import Intent

BAR_DP: Final = 56
_ROW_DP: Final = 68


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `key` is `namespace/name` of its switch; `page` the sub page it opens; else it is information only."""

    title: str
    note: str = ""
    icon: str = ""
    color: str = ""
    key: str = ""
    page: str = ""
    on: str = "1"
    off: str = "0"
    gap: bool = False  # a group ends here


MAIN: Final = (
    Row("飞行模式", icon="airplane", color="#f59e42", key="global/airplane_mode_on"),
    Row("WLAN", "家里的网络", "wifi", "#3b82f6", page="wifi"),
    Row("蓝牙", "与设备配对", "bluetooth", "#2563eb", page="bluetooth"),
    Row("移动网络", "SIM 卡、流量", "signal", "#10b981", page="mobile"),
    Row("个人热点", "已关闭", "globe", "#0ea5e9", page="hotspot", gap=True),
    Row("显示", "深色模式、亮度、字体大小", "sun", "#f97316", page="display"),
    Row("深色模式", icon="moon", color="#6366f1", key="secure/ui_night_mode", on="2", off="1"),
    Row("壁纸与个性化", "颜色、图标、壁纸", "star", "#ec4899", page="wallpaper"),
    Row("声音与振动", "音量、铃声、勿扰", "volume", "#8b5cf6", page="sound"),
    Row("通知", "通知历史、对话", "bell", "#ef4444", page="notifications", gap=True),
    Row("应用", "权限、默认应用", "apps", "#14b8a6", page="apps"),
    Row("电池", "87% · 预计还可用 1 天", "battery", "#22c55e", page="battery"),
    Row("存储", "已使用 42% · 剩余 74 GB", "folder", "#f59e0b", page="storage"),
    Row("自动旋转屏幕", icon="refresh", color="#06b6d4", key="system/accelerometer_rotation", gap=True),
    Row("锁屏与密码", "指纹、人脸、密码", "lock", "#64748b", page="lock"),
    Row("隐私", "权限、账号活动", "person", "#0891b2", page="privacy"),
    Row("位置信息", "已开启", "location", "#e11d48", page="location"),
    Row("安全与紧急情况", "SOS、医疗信息", "info", "#dc2626", page="emergency", gap=True),
    Row("数字健康", "屏幕使用时间", "check", "#16a34a", page="wellbeing"),
    Row("账号与同步", "2 个账号", "group", "#2563eb", page="accounts"),
    Row("无障碍", "显示、互动、音频", "person", "#7c3aed", page="accessibility"),
    Row("语言和输入法", "简体中文", "globe", "#0d9488", page="language"),
    Row("日期和时间", "自动", "star", "#ca8a04", page="date"),
    Row("备份与恢复", "已开启", "refresh", "#0284c7", page="backup", gap=True),
    Row("儿童模式", icon="smile", color="#f472b6", key="secure/kids_mode"),
    Row("勿扰模式", icon="moon", color="#4f46e5", key="global/zen_mode"),
    Row("省电模式", icon="battery", color="#65a30d", key="global/low_power"),
    Row("护眼模式", icon="sun", color="#d97706", key="secure/night_display_activated"),
    Row("NFC", icon="tag", color="#0f766e", key="global/nfc_on", gap=True),
    Row("系统更新", "已是最新版本", "refresh", "#475569", page="update"),
    Row("开发者选项", "USB 调试", "info", "#334155", page="developer"),
    Row("关于手机", "Handeye Virtual Phone", "phone", "#0369a1", page="about"),
)
PAGES: Final[dict[str, tuple[str, tuple[Row, ...]]]] = {
    "wifi": (
        "WLAN",
        (
            Row("使用 WLAN", key="global/wifi_on", gap=True),
            Row("家里的网络", "已连接，安全"),
            Row("Office-5G", "已保存"),
            Row("咖啡店免费网络", "开放网络"),
            Row("TP-LINK_3F2A", "加密"),
            Row("添加网络", "输入名称"),
        ),
    ),
    "bluetooth": (
        "蓝牙",
        (
            Row("使用蓝牙", key="global/bluetooth_on", gap=True),
            Row("设备名称", "Handeye Virtual Phone"),
            Row("车载音响", "未连接"),
            Row("无线耳机", "未连接"),
        ),
    ),
    "display": (
        "显示",
        (
            Row("深色模式", "减少眩光", key="secure/ui_night_mode", on="2", off="1"),
            Row("自动旋转屏幕", key="system/accelerometer_rotation"),
            Row("护眼模式", key="secure/night_display_activated"),
            Row("自动调节亮度", key="system/screen_brightness_mode", gap=True),
            Row("亮度", "50%"),
            Row("字体大小", "默认"),
            Row("屏幕超时", "1 分钟"),
        ),
    ),
    "sound": (
        "声音与振动",
        (
            Row("静音模式", key="global/mode_ringer_silent"),
            Row("触摸时振动", key="system/haptic_feedback_enabled"),
            Row("按键音", key="system/sound_effects_enabled", gap=True),
            Row("来电铃声", "清晨"),
            Row("通知音", "水滴"),
        ),
    ),
    "developer": (
        "开发者选项",
        (
            Row("USB 调试", key="global/adb_enabled"),
            Row("保持唤醒状态", key="global/stay_on_while_plugged_in"),
            Row("显示点按操作反馈", key="system/show_touches", gap=True),
            Row("窗口动画缩放", "1x"),
        ),
    ),
    "about": (
        "关于手机",
        (
            Row("设备名称", "Handeye Virtual Phone"),
            Row("Android 版本", "14"),
            Row("处理器", "虚拟"),
            Row("版本号", "HE.2026.1"),
            Row("序列号", "HANDEYE0001"),
        ),
    ),
}
_ACTIONS: Final = {
    "android.settings.SETTINGS": "",
    "android.settings.WIFI_SETTINGS": "wifi",
    "android.settings.BLUETOOTH_SETTINGS": "bluetooth",
    "android.settings.DISPLAY_SETTINGS": "display",
    "android.settings.SOUND_SETTINGS": "sound",
    "android.settings.DEVICE_INFO_SETTINGS": "about",
    "android.settings.APPLICATION_DEVELOPMENT_SETTINGS": "developer",
}


class SettingsApp(App):
    package = "com.android.settings"
    label = "设置"
    activity = ".Settings"
    icon = "setting"
    version = "14"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.pages: list[str] = [""]
        self.scrollers: dict[str, Scroller] = {}
        self.filter = TextField(hint="搜索设置项", changed=lambda: self.scrollers.clear())

    def handles(self, action: str) -> bool:
        """Return True if a settings action has a page here."""
        return action in _ACTIONS

    def switches(self) -> dict[str, bool]:
        """Every switch by its title."""
        rows = [*MAIN, *(row for _, page in PAGES.values() for row in page)]
        return {row.title: self._is_on(row) for row in rows if row.key}

    def screen_name(self) -> str:
        return self.pages[-1] or "main"

    @property
    def open_activities(self) -> tuple[str, ...]:
        return (".SubSettings", self.activity) if len(self.pages) > 1 else (self.activity,)

    def opened(self, intent: Intent | None, fresh: bool) -> None:
        if fresh or intent is not None:
            self.pages = [""]
            self.filter.text, self.filter.caret = "", 0
            self.scrollers.clear()
        page = _ACTIONS.get((intent.action or "") if intent else "", "")
        if page:
            self.pages.append(page)
        self.load()

    def back(self) -> bool:
        if len(self.pages) > 1:
            self.pages.pop()
            return True
        if self.filter.text:
            self.filter.replace("")
            return True
        return False

    def _up(self) -> None:
        self.back()

    def _is_on(self, row: Row) -> bool:
        namespace, _, key = row.key.partition("/")
        return self.host.settings.get(namespace, key) == row.on

    def _press(self, row: Row) -> None:
        if row.key:
            namespace, _, key = row.key.partition("/")
            self.host.settings.put(namespace, key, row.off if self._is_on(row) else row.on)
        elif row.page:
            self.pages.append(row.page)
            self.host.set_focus(None)

    def build(self, ui: LayoutContext) -> Node:
        page = self.pages[-1]
        title: str = "设置"
        rows: tuple[Row, ...] = MAIN
        if page:
            title, rows = PAGES.get(page) or (self._title_of(page), (Row("这里没有可更改的内容"),))
        wanted = self.filter.text.strip().casefold() if not page else ""
        if wanted:
            rows = tuple(row for row in rows if wanted in row.title.casefold() or wanted in row.note.casefold())
        built: list[tuple[int, RowBuilder]] = []
        for index, row in enumerate(rows):
            first = index == 0 or rows[index - 1].gap
            last = index == len(rows) - 1 or row.gap
            built.append((ui.dp(_ROW_DP), partial(self._row, ui, row, first, last)))
            if row.gap:
                built.append((ui.dp(12), lambda box: Node(box=box, dumped=False)))
        built.append((ui.dp(24), lambda box: Node(box=box, dumped=False)))
        head = self._head(ui, title, search=not page)
        area = Box(0, head.box.bottom, ui.size.width, max(head.box.bottom, ui.body.bottom))
        scroller = self.scrollers.setdefault(page, Scroller())
        fill = "#f3f4f9" if not ui.theme.dark else "#0f1013"
        return ui.page([ui.column(area, scroller, built), head], fill=fill)

    def _title_of(self, page: str) -> str:
        return next((row.title for row in MAIN if row.page == page), page)

    def _head(self, ui: LayoutContext, title: str, *, search: bool) -> Node:
        theme = ui.theme
        fill = "#f3f4f9" if not theme.dark else "#0f1013"
        height = ui.dp(BAR_DP)
        kids = []
        if search:
            row = Box(0, ui.top, ui.size.width, ui.top + height)
            kids.append(ui.text(row, title, 26, theme.text, rid="title", inset=24, weight=500))
            shell = Box(ui.dp(16), row.bottom + ui.dp(2), ui.size.width - ui.dp(16), row.bottom + ui.dp(46))
            field = Box(shell.left + ui.dp(42), shell.top, shell.right - ui.dp(12), shell.bottom)
            lens = Box(shell.left + ui.dp(8), shell.top, shell.left + ui.dp(42), shell.bottom)
            kids += [
                Node(box=shell, paint=(FillPaint(theme.surface, ui.dp(22)),), dumped=False),
                Node(box=lens, paint=(IconPaint("search", ui.dp(18), theme.dim),), dumped=False),
                ui.edit(field, self.filter, 16, rid="search_src_text", inset=2),
            ]
            bottom = shell.bottom + ui.dp(10)
        else:
            row = Box(ui.dp(56), ui.top, ui.size.width, ui.top + height)
            back = Box(ui.dp(4), ui.top, ui.dp(52), ui.top + height)
            kids.append(ui.icon(back, "arrow_back", 22, tint=theme.text, desc="返回", rid="back", on_tap=self._up))
            kids.append(ui.text(row, title, 22, theme.text, rid="title", weight=500))
            bottom = row.bottom
        box = Box(0, 0, ui.size.width, bottom)
        return Node(
            box=box, cls="android.view.ViewGroup", rid="toolbar", paint=(FillPaint(fill),), kids=tuple(kids), block=True
        )

    def _row(self, ui: LayoutContext, row: Row, first: bool, last: bool, box: Box) -> Node:
        theme = ui.theme
        card = Box(box.left + ui.dp(16), box.top, box.right - ui.dp(16), box.bottom)
        kids, left = [], card.left + ui.dp(18)
        if row.icon:
            side = ui.dp(36)
            round_box = Box(left, card.center.y - side // 2, left + side, card.center.y - side // 2 + side)
            paint = (FillPaint(row.color, side // 2), IconPaint(row.icon, ui.dp(19), "#ffffff"))
            kids.append(Node(box=round_box, cls="android.widget.ImageView", rid="android:id/icon", paint=paint))
            left = round_box.right + ui.dp(16)
        right = card.right - ui.dp(16)
        if row.key:
            kids.append(ui.switch(Box(left, card.top, right, card.bottom), self._is_on(row)))
            right -= ui.dp(64)
        elif row.page:
            arrow = Box(right - ui.dp(14), card.top, right, card.bottom)
            kids.append(Node(box=arrow, paint=(IconPaint("chevron", ui.dp(14), theme.faint),), dumped=False))
            right -= ui.dp(22)
        if row.note:
            middle = card.center.y
            upper = Box(left, card.top + ui.dp(11), right, middle + ui.dp(2))
            lower = Box(left, middle + ui.dp(2), right, card.bottom - ui.dp(11))
            kids.append(ui.text(upper, row.title, 17, theme.text, rid="android:id/title"))
            kids.append(ui.text(lower, row.note, 13.5, theme.dim, rid="android:id/summary"))
        else:
            kids.append(
                ui.text(Box(left, card.top, right, card.bottom), row.title, 17, theme.text, rid="android:id/title")
            )
        if not last:
            kids.append(ui.divider(left, card.right, card.bottom - max(1, ui.dp(0.6))))
        fill = FillPaint(theme.surface, ui.dp(20), (first, first, last, last))
        return Node(
            box=card,
            cls="android.widget.LinearLayout",
            paint=(fill,),
            kids=tuple(kids),
            on_tap=(lambda: self._press(row)) if row.key or row.page else None,
        )
