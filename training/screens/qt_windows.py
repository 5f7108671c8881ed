"""`python -m training.screens.qt_windows`: screens of random Qt windows, with the truth that the widgets tell.

Run by `training.screens.make`, a process for each scale: Qt takes one scale for a process.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFont, QImage, QLinearGradient, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMdiArea,
    QMdiSubWindow,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollBar,
    QSlider,
    QStyle,
    QStyleOptionButton,
    QStyleOptionTitleBar,
    QTabBar,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItemIterator,
    QWidget,
)

from training.screens.icons import IconSets
from training.screens.qt_widgets import Maker
from training.screens.save import save
from training.screens.truth import finish
from training.screens.words import LANGUAGES, SHARES

SIZES: Final = ((800, 600), (1024, 768), (1280, 800), (1366, 768), (1440, 900), (1600, 900), (1920, 1080))
PLAIN_ROLES: Final = (
    (QPushButton, "button"),
    (QToolButton, "button"),
    (QComboBox, "combo box"),
    (QLineEdit, "input"),
    (QAbstractSpinBox, "input"),
    (QPlainTextEdit, "input"),
    (QSlider, "slider"),
    (QScrollBar, "scroll bar"),
)


class Reader:
    """Reads every control of a window off its widgets, in logical pixels of `root`."""

    def __init__(self, root: QWidget) -> None:
        self.root = root
        self.found: list[dict[str, Any]] = []

    def read(self) -> list[dict[str, Any]]:
        for widget in self._shown(QMdiSubWindow):
            self._frame(widget)
        for kind, role in PLAIN_ROLES:
            for widget in self._shown(kind):
                self._plain(widget, role)
        for kind, role, part in (
            (QCheckBox, "checkbox", QStyle.SubElement.SE_CheckBoxIndicator),
            (QRadioButton, "radio", QStyle.SubElement.SE_RadioButtonIndicator),
        ):
            for widget in self._shown(kind):
                option = QStyleOptionButton()
                widget.initStyleOption(option)
                state = "checked" if widget.isChecked() else "unchecked"
                number = self._add(
                    role, widget, widget.style().subElementRect(part, option, widget), widget.text(), state
                )
                wide = widget.fontMetrics().horizontalAdvance(widget.text())
                left = option.rect.left() + widget.style().subElementRect(part, option, widget).width() + 6
                self._add("text", widget, QRect(left, 0, wide, widget.height()), widget.text(), parent=number)
        for bar in self._shown(QTabBar):
            for index in range(bar.count()):
                self._add(
                    "tab",
                    bar,
                    bar.tabRect(index),
                    bar.tabText(index),
                    "selected" if index == bar.currentIndex() else "",
                )
        for bar in self._shown(QMenuBar):
            for action in bar.actions():
                self._add("menu item", bar, bar.actionGeometry(action), action.text())
        for menu in self._shown(QMenu):
            self._menu(menu)
        for view in self._shown(QAbstractItemView):
            self._items(view)
        for label in self._shown(QLabel):
            if label.text():
                rect = label.fontMetrics().boundingRect(label.rect(), int(label.alignment()), label.text())
                self._add("text", label, rect, label.text())
        for group in self._shown(QGroupBox):
            metrics = group.fontMetrics()
            self._add(
                "text", group, QRect(8, 0, metrics.horizontalAdvance(group.title()), metrics.height()), group.title()
            )
        return self.found

    def _shown(self, kind: type) -> Iterator[Any]:
        for widget in self.root.findChildren(kind):
            if widget.isVisible() and not widget.visibleRegion().isEmpty():
                yield widget

    def _plain(self, widget: Any, role: str) -> None:
        parent = widget.parentWidget()
        if isinstance(widget, QLineEdit) and isinstance(parent, (QAbstractSpinBox, QComboBox)):
            return
        if isinstance(widget, QToolButton) and isinstance(parent, (QTabBar, QMenuBar)) and not widget.isEnabled():
            return
        text = (
            widget.text() if hasattr(widget, "text") else widget.currentText() if isinstance(widget, QComboBox) else ""
        )
        if isinstance(widget, QToolButton) and widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly:
            text = ""
        if isinstance(widget, QScrollBar) and widget.minimum() == widget.maximum():
            return
        state = "" if widget.isEnabled() else "disabled"
        number = self._add(role, widget, widget.rect(), text.replace("&", ""), state)
        if isinstance(widget, (QPushButton, QToolButton)):
            self._button_icon(widget, number, text)

    def _button_icon(self, button: Any, number: int | None, text: str) -> None:
        name, size = button.property("iconName"), button.iconSize()
        if not name or number is None:
            return
        rect, style = button.rect(), getattr(button, "toolButtonStyle", lambda: None)()
        edge = min(size.width(), rect.width() - 2, rect.height() - 2)
        middle = rect.center()
        left, top = middle.x() - edge // 2, middle.y() - edge // 2
        if isinstance(button, QPushButton):
            left = middle.x() - (edge + 4 + button.fontMetrics().horizontalAdvance(text)) // 2
        elif style == Qt.ToolButtonStyle.ToolButtonTextBesideIcon:
            left = rect.left() + 2
        elif style == Qt.ToolButtonStyle.ToolButtonTextUnderIcon:
            top = rect.top() + 1
        self._add("icon", button, QRect(left, top, edge + 2, edge + 2), "", parent=number, name=name, tight=True)

    def _menu(self, menu: QMenu) -> None:
        for action in menu.actions():
            if action.isSeparator():
                continue
            rect = menu.actionGeometry(action)
            number = self._add("menu item", menu, rect, action.text(), "" if action.isEnabled() else "disabled")
            if action.property("iconName") and number is not None:
                left = QRect(rect.left() + 1, rect.top(), 30, rect.height())
                self._add("icon", menu, left, "", parent=number, name=action.property("iconName"), tight=True)

    def _items(self, view: Any) -> None:
        port = view.viewport()
        if isinstance(view, QListWidget):
            rows = [
                (view.visualItemRect(each), each.text(), each.data(Qt.ItemDataRole.UserRole))
                for each in map(view.item, range(view.count()))
            ]
        elif isinstance(view, QTreeWidget):
            rows, walk = [], QTreeWidgetItemIterator(view)
            while walk.value():
                item = walk.value()
                rows.append((view.visualItemRect(item), item.text(0), item.data(0, Qt.ItemDataRole.UserRole)))
                walk += 1
        else:
            self._cells(view)
            return
        for rect, text, name in rows:
            if rect.isEmpty():
                continue
            whole = QRect(0, rect.top(), port.width(), rect.height())
            number = self._add("list item", port, whole, text)
            if number is not None and name:
                edge = view.iconSize().width()
                place = QRect(rect.left() + 1, rect.top(), edge + 6, rect.height())
                self._add("icon", port, place, "", parent=number, name=name, tight=True)

    def _cells(self, view: Any) -> None:
        if not hasattr(view, "item"):
            return
        for row in range(view.rowCount()):
            for column in range(view.columnCount()):
                item = view.item(row, column)
                if item and not view.cellWidget(row, column):
                    rect = view.visualItemRect(item).adjusted(3, 0, 0, 0)
                    rect.setWidth(min(rect.width(), view.fontMetrics().horizontalAdvance(item.text()) + 2))
                    self._add("text", view.viewport(), rect, item.text())

    def _frame(self, window: QMdiSubWindow) -> None:
        number = self._add("window", window, window.rect(), window.windowTitle())
        option = QStyleOptionTitleBar()
        option.initFrom(window)
        option.titleBarFlags = window.windowFlags()
        option.titleBarState = 0
        option.subControls = QStyle.SubControl.SC_All
        high = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight, option, window)
        option.rect = QRect(0, 0, window.width(), high)
        for part in (
            QStyle.SubControl.SC_TitleBarCloseButton,
            QStyle.SubControl.SC_TitleBarMaxButton,
            QStyle.SubControl.SC_TitleBarMinButton,
        ):
            rect = window.style().subControlRect(QStyle.ComplexControl.CC_TitleBar, option, part, window)
            made = self._add("button", window, rect, "", parent=number)
            if made is not None:
                self._add("icon", window, rect.adjusted(1, 1, -1, -1), "", parent=made, tight=True)

    def _add(
        self,
        role: str,
        widget: QWidget,
        rect: QRect,
        text: str,
        state: str = "",
        parent: int | None = None,
        name: str = "",
        tight: bool = False,
    ) -> int | None:
        if rect.isEmpty():
            return None
        region = widget.visibleRegion().intersected(rect)
        seen = region.boundingRect()
        if seen.isEmpty():
            return None
        area = sum(each.width() * each.height() for each in region)
        corner = widget.mapTo(self.root, seen.topLeft()) if widget is not self.root else seen.topLeft()
        box = [corner.x(), corner.y(), corner.x() + seen.width(), corner.y() + seen.height()]
        on_top = self._on_top(widget, seen)
        if not on_top:
            return None
        self.found.append({
            "role": role, "box": box, "visible": min(on_top, area / (rect.width() * rect.height())), "covered": False,
            "state": state, "text": text.replace("&", ""), "name": name, "parent": parent,
            "interactive": role not in ("text", "icon", "window") and "disabled" not in state, "pointer": False, "tight": tight,
        })  # fmt: skip
        return len(self.found) - 1

    def _on_top(self, widget: QWidget, seen: QRect) -> float:
        """The share of five points at which the widget, or what is in it, is what one would hit."""
        points = [seen.center(), *(seen.adjusted(2, 2, -2, -2).topLeft(), seen.adjusted(2, 2, -2, -2).bottomRight())]
        hits = 0
        for point in points:
            at = self.root.childAt(widget.mapTo(self.root, point)) or self.root
            hits += at is widget or widget.isAncestorOf(at) or at.isAncestorOf(widget)
        return hits / len(points)


class Wallpaper(QMdiArea):
    """A desktop with windows on it."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        gradient = QLinearGradient(0, 0, 900, 900)
        for place in (0.0, 1.0):
            gradient.setColorAt(
                place, QColor.fromHsl(chance.randrange(360), chance.randrange(200), chance.randrange(20, 220))
            )
        self.setBackground(gradient)


def screen_of(maker: Maker, width: int, height: int) -> QWidget:
    """One window that fills the screen, or several on a desktop; perhaps with a menu open."""
    chance = maker.chance
    if chance.random() < 0.55:
        root: QWidget = maker.main_window()
    else:
        root = Wallpaper(chance)
        for _ in range(chance.randint(1, 4)):
            inner = maker.dialog() if chance.random() < 0.4 else maker.main_window()
            window = root.addSubWindow(inner)
            wide, high = chance.randint(420, int(width * 0.85)), chance.randint(300, int(height * 0.9))
            window.setGeometry(
                chance.randint(-20, width - wide + 120), chance.randint(0, height - high + 60), wide, high
            )
    root.resize(width, height)
    if chance.random() < 0.25:
        menu = maker.menu(root)
        menu.setWindowFlags(Qt.WindowType.Widget)
        menu.move(QPoint(chance.randint(0, width // 2), chance.randint(20, height // 2)))
        menu.resize(menu.sizeHint())
        menu.show()
        menu.raise_()
    return root


def pixels_of(root: QWidget, scale: float) -> NDArray[np.uint8]:
    image = QImage(round(root.width() * scale), round(root.height() * scale), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    painter = QPainter(image)
    root.render(painter, QPoint(0, 0))
    painter.end()
    data = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return np.ascontiguousarray(data[:, : image.width(), :3])


def make(folder: Path, first: int, count: int, seed: int, scale: float) -> int:
    application = QApplication.instance() or QApplication([])
    icons = IconSets(folder)
    made = 0
    for number in range(first, first + count):
        chance = random.Random(f"qt {seed} {number} {scale}")
        language = chance.choices(list(SHARES), list(SHARES.values()))[0]
        dark = chance.random() < 0.42
        drawn = icons.order(chance, held_out=False)
        maker = Maker(chance, LANGUAGES[language], drawn, dark)
        application.setStyle(chance.choice(("Fusion", "Fusion", "Fusion", "Windows")))
        application.setPalette(maker.palette())
        application.setStyleSheet(maker.sheet())
        application.setFont(
            QFont(chance.choice(("Noto Sans", "DejaVu Sans", "Liberation Sans")), chance.randint(8, 12))
        )
        width, height = chance.choice(SIZES if scale < 1.5 else SIZES[:4])
        root = screen_of(maker, width, height)
        root.show()
        application.processEvents()
        pixels = pixels_of(root, scale)
        elements = finish(Reader(root).read(), pixels, scale)
        root.close()
        root.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # without a loop nothing else does
        ending, options = (".png", []) if chance.random() < 0.3 else (".jpg", [cv2.IMWRITE_JPEG_QUALITY, 95])
        picture = cv2.imencode(ending, pixels, options)[1].tobytes()
        about = {"kind": "qt", "library": "pyside6", "icon_set": drawn["set"], "phone": False}
        about |= {"scale": scale, "language": language, "dark": dark, "seed": seed}
        place, name = folder / "screens" / "train" / "pyside6", f"qt-{seed}-{scale}-{number:05}"
        save(place, name, picture, ending, pixels.shape, about, elements)
        made += 1
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--screens", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0)
    choices = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(make(choices.data, choices.first, choices.screens, choices.seed, choices.scale), "screens of Qt windows")


if __name__ == "__main__":
    main()
