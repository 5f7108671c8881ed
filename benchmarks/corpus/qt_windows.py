"""PySide6 windows, with the truth from their widgets. Each scale is a process of its own: Qt takes one per process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus.content import Page, page
from corpus.truth import Scene, Thing
from handeye.geometry import Box

SCALES: Final = (1.0, 1.5, 2.0)
LANGUAGES: Final = ("zh", "en")
WINDOW: Final = (1000, 700)
SEED: Final = 20


def render(folder: Path) -> Iterator[Scene]:
    """Show every window off screen and save its picture and truth in `folder`/screens."""
    screens = folder / "screens"
    screens.mkdir(parents=True, exist_ok=True)
    for scale in SCALES:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(scale)}
        command = [sys.executable, __file__, str(screens), str(scale)]
        subprocess.run(command, env=environment, check=True)
    for truth in sorted(screens.glob("qt-*.json")):
        yield Scene.load(truth)


def show_all(screens: Path, scale: float) -> None:
    """Show the windows of one process: two kinds in two languages, light or dark by the scale."""
    from PySide6.QtGui import QColor, QPalette
    from PySide6.QtWidgets import QApplication

    application = QApplication([])
    application.setStyle("Fusion")
    dark = scale == SCALES[1]
    if dark:
        palette = QPalette()
        for role, colour in (
            ("Window", "#2b2b2b"),
            ("Base", "#1e1e1e"),
            ("Button", "#3a3a3a"),
            ("AlternateBase", "#262626"),
        ):
            palette.setColor(getattr(QPalette.ColorRole, role), QColor(colour))
        for role in ("WindowText", "Text", "ButtonText", "PlaceholderText"):
            palette.setColor(
                getattr(QPalette.ColorRole, role), QColor("#e0e0e0" if role != "PlaceholderText" else "#8a8a8a")
            )
        application.setPalette(palette)
    for kind in ("form", "table"):
        for language in LANGUAGES:
            window = _window(page(kind, language, False, SEED))
            window.resize(*WINDOW)
            window.show()
            application.processEvents()
            _keep(window, kind, language, dark, scale, screens)
            window.close()


def _window(content: Page) -> Any:
    from PySide6.QtWidgets import QMainWindow, QToolBar

    values = content.values
    window = QMainWindow()
    window.setWindowTitle(values["title"])
    for name in values["menus"]:
        window.menuBar().addMenu(name)
    bar = QToolBar()
    for name in values["actions"][:3]:
        bar.addAction(name)
    window.addToolBar(bar)
    window.setCentralWidget(_form(values) if content.kind == "form" else _table(values))
    return window


def _form(values: dict[str, Any]) -> Any:
    from PySide6.QtWidgets import (
        QCheckBox,
        QFormLayout,
        QGroupBox,
        QHBoxLayout,
        QLabel,
        QLineEdit,
        QPushButton,
        QTabBar,
        QVBoxLayout,
        QWidget,
    )

    body = QWidget()
    outer = QVBoxLayout(body)
    tabs = QTabBar()
    for name in values["tabs"]:
        tabs.addTab(name)
    outer.addWidget(tabs)
    group = QGroupBox(values["title"])
    form = QFormLayout(group)
    for field in values["fields"]:
        line = QLineEdit()
        line.setPlaceholderText(field["hint"])
        form.addRow(QLabel(field["label"]), line)
    outer.addWidget(group)
    for choice in values["choices"]:
        box = QCheckBox(choice["label"])
        box.setChecked(choice["on"])
        outer.addWidget(box)
    buttons = QHBoxLayout()
    for name in values["actions"]:
        buttons.addWidget(QPushButton(name))
    outer.addLayout(buttons)
    outer.addStretch()
    return body


def _table(values: dict[str, Any]) -> Any:
    from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

    body = QWidget()
    outer = QVBoxLayout(body)
    table = QTableWidget(len(values["rows"]), len(values["columns"]))
    table.setHorizontalHeaderLabels(list(values["columns"]))
    for row, each in enumerate(values["rows"]):
        for column, key in enumerate(("name", "department", "date", "state")):
            table.setItem(row, column, QTableWidgetItem(each[key]))
        table.setCellWidget(row, len(values["columns"]) - 1, QPushButton(values["rowActions"][1]))
    outer.addWidget(table)
    buttons = QHBoxLayout()
    for name in values["pages"]:
        buttons.addWidget(QPushButton(name))
    outer.addLayout(buttons)
    return body


def _keep(window: Any, kind: str, language: str, dark: bool, scale: float, screens: Path) -> None:
    name = f"qt-{kind}-{language}-{scale}"
    picture = screens / f"{name}.png"
    window.grab().save(str(picture))
    things, rows = _truth(window, scale)
    Scene(name, picture, "qt", f"qt-{kind}-{language}", str(scale), language, dark, scale, True, things, rows).save()


def _truth(window: Any, scale: float) -> tuple[tuple[Thing, ...], tuple[Box, ...]]:
    from PySide6.QtWidgets import (
        QCheckBox,
        QGroupBox,
        QLabel,
        QLineEdit,
        QMenuBar,
        QPushButton,
        QTabBar,
        QTableWidget,
        QToolButton,
    )

    things: list[Thing] = []
    rows: list[Box] = []

    def add(role: str, text: str, widget: Any, rect: Any, enabled: bool = True) -> None:
        corner = widget.mapTo(window, rect.topLeft())
        box = Box(corner.x(), corner.y(), corner.x() + rect.width(), corner.y() + rect.height())
        box = Box(*(round(edge * scale) for edge in box))
        if text and box.intersect(Box(0, 0, *(round(side * scale) for side in WINDOW))) == box:
            things.append(Thing(len(things), role, text.replace("&", ""), box, None, "", None, enabled))

    def add_all(role: str, parts: Iterator[tuple[str, Any, Any]]) -> None:
        for part in parts:
            add(role, *part)

    for kind, role in ((QPushButton, "button"), (QToolButton, "button"), (QCheckBox, "checkbox"), (QLabel, "text")):
        for widget in window.findChildren(kind):
            if widget.isVisible():
                add(role, widget.text(), widget, widget.rect(), widget.isEnabled())
    for box in window.findChildren(QGroupBox):
        things.append(Thing(len(things), "group", box.title(), Box(0, 0, 1, 1), clipped=True))  # Qt reports no place
    for widget in window.findChildren(QLineEdit):
        add("input", widget.text() or widget.placeholderText(), widget, widget.rect())
    for bar in window.findChildren(QMenuBar):
        add_all("menu item", ((each.text(), bar, bar.actionGeometry(each)) for each in bar.actions()))
    for bar in window.findChildren(QTabBar):
        add_all("tab", ((bar.tabText(index), bar, bar.tabRect(index)) for index in range(bar.count())))
    for table in window.findChildren(QTableWidget):
        add_all("text", _column_titles(table))
        for row in range(table.rowCount()):
            add_all("text", _row_cells(table, row))
            left = things[-1].box
            rows.append(Box(0, left.top, round(WINDOW[0] * scale), left.bottom))
    return tuple(things), tuple(rows)


def _column_titles(table: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the text, the widget and the rectangle in it of each column header."""
    header = table.horizontalHeader()
    for column in range(table.columnCount()):
        rect = header.rect()
        rect.setLeft(header.sectionViewportPosition(column))
        rect.setWidth(header.sectionSize(column))
        yield table.horizontalHeaderItem(column).text(), header.viewport(), rect


def _row_cells(table: Any, row: int) -> Iterator[tuple[str, Any, Any]]:
    """Yield the text, the widget and the rectangle in it of a row's number and of each of its cells."""
    numbers = table.verticalHeader()
    rect = numbers.rect()
    rect.setTop(numbers.sectionViewportPosition(row))
    rect.setHeight(numbers.sectionSize(row))
    yield str(row + 1), numbers.viewport(), rect
    for column in range(table.columnCount()):
        if item := table.item(row, column):
            yield item.text(), table.viewport(), table.visualItemRect(item)


if __name__ == "__main__":
    show_all(Path(sys.argv[1]), float(sys.argv[2]))
