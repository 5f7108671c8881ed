"""
An application of the tests in Qt 6 (PySide6): every kind of control that the tiers of perception speak of.

    python qt_bed.py [--rows 8] [--title "Handeye Qt bed"] [--tab Table] [--rtl] [--dock]

It writes its state as JSON lines to standard output (`told.Told`): sizes in pixels, texts, what is chosen, what was clicked.
The corner of the table and the heart on the canvas are not in the accessibility tree; a click or drag on them works.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QDockWidget,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSlider,
    QSpinBox,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)
from told import LOOK_MS, Told

COLUMNS = ("Name", "Size", "Modified", "Owner")
CORNER = 8
"""The side of the table's own resize handle, in pixels (docs/spec/perception-tiers.md ResizeHandle)."""
HEART = QPoint(60, 30)
HEART_RADIUS = 12


class CornerTable(QTableWidget):
    """A table that a drag of its bottom right corner makes larger or smaller."""

    def __init__(self, rows: int) -> None:
        super().__init__(rows, len(COLUMNS))
        self.setAccessibleName("Files")
        self.setHorizontalHeaderLabels(COLUMNS)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for row in range(rows):
            for column, name in enumerate(COLUMNS):
                self.setItem(row, column, QTableWidgetItem(f"{name} {row + 1}"))
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
            header.setStretchLastSection(False)
        self.setFixedSize(520, 300)
        self._from: tuple[QPoint, QSize] | None = None
        self.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.viewport() or not isinstance(event, QMouseEvent):
            return super().eventFilter(watched, event)
        at = event.globalPosition().toPoint()
        if event.type() == QEvent.Type.MouseButtonPress and self._in_corner(at):
            self._from = (at, self.size())
        elif event.type() == QEvent.Type.MouseMove and self._from is not None:
            start, size = self._from
            self.setFixedSize(max(100, size.width() + at.x() - start.x()), max(80, size.height() + at.y() - start.y()))
        elif event.type() == QEvent.Type.MouseButtonRelease and self._from is not None:
            self._from = None
        else:
            return super().eventFilter(watched, event)
        return True

    def _in_corner(self, at: QPoint) -> bool:
        inside = self.mapFromGlobal(at)
        return inside.x() >= self.width() - CORNER and inside.y() >= self.height() - CORNER


class Canvas(QWidget):
    """A drawing with a heart on it: a button that only the eye can find."""

    def __init__(self, told: Told) -> None:
        super().__init__()
        self._told = told
        self.setFixedSize(120, 60)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor("white"))
        painter.setBrush(QColor("crimson"))
        painter.setPen(Qt.PenStyle.NoPen)
        x, y, r = HEART.x(), HEART.y(), HEART_RADIUS
        painter.drawEllipse(QPointF(x - r / 2, y - r / 3), r / 2, r / 2)
        painter.drawEllipse(QPointF(x + r / 2, y - r / 3), r / 2, r / 2)
        painter.drawPolygon(QPolygonF([QPointF(x - r, y - r / 8), QPointF(x + r, y - r / 8), QPointF(x, y + r)]))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        away = event.position().toPoint() - HEART
        if max(abs(away.x()), abs(away.y())) <= HEART_RADIUS:
            self._told.clicks["heart"] += 1


class Bed(QMainWindow):
    def __init__(self, title: str, rows: int) -> None:
        super().__init__()
        self.told = Told(self.state)
        self.setWindowTitle(title)
        self.resize(1000, 680)
        self.texts: dict[str, QLineEdit | QPlainTextEdit] = {}
        self.toggles: dict[str, QAbstractButton] = {}
        self._menus()
        self._tools()
        self.table = CornerTable(rows)
        self.tabs = QTabWidget()
        for name, page in (("Form", self._form()), ("Table", self._table_page()), ("Text", self._text_page())):
            self.tabs.addTab(page, name)
        self.list = QListWidget()
        self.list.setAccessibleName("Places")
        self.list.addItems(["Home", "Desktop", "Documents", "图片", "Downloads"])
        self.side = QSplitter(Qt.Orientation.Vertical)
        self.side.addWidget(self.list)
        self.side.addWidget(self._tree())
        self.main = QSplitter(Qt.Orientation.Horizontal)
        self.main.addWidget(self.side)
        self.main.addWidget(self.tabs)
        self.main.setSizes([240, 740])
        self.setCentralWidget(self.main)
        self.dock = QDockWidget("Outline")
        self.statusBar().showMessage("Ready")
        self.statusBar().setSizeGripEnabled(True)
        timer = QTimer(self)
        timer.timeout.connect(self.told.tell)
        timer.start(LOOK_MS)

    def add_dock(self) -> None:
        """A panel at the right that can be moved, closed and made wider; what is in it is longer than the window."""
        steps = QWidget()
        down = QVBoxLayout(steps)
        for number in range(1, 31):
            down.addWidget(self._button(f"Step {number}"))
        area = QScrollArea()
        area.setWidget(steps)
        self.dock.setWidget(area)
        self.resize(1160, 680)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)

    # -- parts

    def _menus(self) -> None:
        file = self.menuBar().addMenu("File")
        for name in ("New", "Open", "Save as"):
            self._entry(file, name)
        recent = file.addMenu("Recent")
        for name in ("report.txt", "照片.png"):
            self._entry(recent, name)
        edit = self.menuBar().addMenu("Edit")
        for name in ("Copy", "Paste"):
            self._entry(edit, name)

    def _entry(self, menu: QMenu, name: str) -> None:
        menu.addAction(name).triggered.connect(lambda: self.told.menu.append(name))

    def _tools(self) -> None:
        self.bar = bar = self.addToolBar("Tools")
        bar.setMovable(True)
        for name in ("Refresh", "Print"):
            bar.addAction(name).triggered.connect(lambda _=False, name=name: self._clicked(name))

    def _clicked(self, name: str) -> None:
        self.told.clicks[name] += 1
        self.statusBar().showMessage(f"{name} was clicked")

    def _button(self, name: str) -> QPushButton:
        button = QPushButton(name)
        button.clicked.connect(lambda: self._clicked(name))
        return button

    def _form(self) -> QWidget:
        page = QWidget()
        form = QFormLayout(page)
        for name in ("Name", "Password"):
            edit = QLineEdit()
            edit.setAccessibleName(name)
            self.texts[name] = edit
            form.addRow(name, edit)
        self.texts["Password"].setEchoMode(QLineEdit.EchoMode.Password)  # type: ignore[union-attr]
        for name in ("Remember me", "Send reports"):
            self.toggles[name] = QCheckBox(name)
            form.addRow("", self.toggles[name])
        group = QGroupBox("Quality")
        across = QHBoxLayout(group)
        for name in ("Low", "High"):
            self.toggles[name] = QRadioButton(name)
            across.addWidget(self.toggles[name])
        form.addRow(group)
        self.volume = QSlider(Qt.Orientation.Horizontal)
        self.volume.setAccessibleName("Volume")
        self.volume.setRange(0, 100)
        form.addRow("Volume", self.volume)
        self.colour = QComboBox()
        self.colour.setAccessibleName("Colour")
        self.colour.addItems(["Red", "Green", "Blue", "蓝色"])
        form.addRow("Colour", self.colour)
        self.copies = QSpinBox()
        self.copies.setAccessibleName("Copies")
        form.addRow("Copies", self.copies)
        buttons = QHBoxLayout()
        for name in ("Save", "Cancel", "保存"):
            buttons.addWidget(self._button(name))
        form.addRow(buttons)
        form.addRow("Sketch", Canvas(self.told))
        return page

    def _table_page(self) -> QWidget:
        page = QWidget()
        down = QVBoxLayout(page)
        down.addWidget(QLabel("Files of this folder"))
        down.addWidget(self.table, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        down.addStretch(1)
        return page

    def _text_page(self) -> QWidget:
        notes = QPlainTextEdit()
        notes.setAccessibleName("Notes")
        self.texts["Notes"] = notes
        return notes

    def _tree(self) -> QTreeWidget:
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Folders")
        self.tree.setHeaderLabels(["Folder", "Items"])
        for name, parts in (("Music", ("Jazz", "Rock")), ("Work", ("2024", "2025"))):
            top = QTreeWidgetItem(self.tree, [name, str(len(parts))])
            for part in parts:
                QTreeWidgetItem(top, [part, "0"])
        self.tree.expandAll()
        return self.tree

    # -- the world's own word

    def state(self) -> dict[str, Any]:
        chosen = self.list.currentItem()
        return {
            "window": [self.width(), self.height()],
            "columns": {name: self.table.columnWidth(column) for column, name in enumerate(COLUMNS)},
            "tree_columns": {"Folder": self.tree.columnWidth(0)},
            "rows": [self.table.rowHeight(row) for row in range(min(20, self.table.rowCount()))],
            "table": [self.table.width(), self.table.height()],
            "dock": self.dock.width(),
            "splitters": {"main": self.main.sizes(), "side": self.side.sizes()},
            "texts": {
                name: part.text() if isinstance(part, QLineEdit) else part.toPlainText()
                for name, part in self.texts.items()
            },
            "checked": {name: part.isChecked() for name, part in self.toggles.items()},
            "chosen": {
                "tab": self.tabs.tabText(self.tabs.currentIndex()),
                "colour": self.colour.currentText(),
                "list": chosen.text() if chosen else None,
            },
            "toolbar": "floating" if self.bar.isFloating() else self.toolBarArea(self.bar).name,
            "volume": self.volume.value(),
            "copies": self.copies.value(),
        }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--title", default="Handeye Qt bed")
    parser.add_argument("--tab", default="Form")
    parser.add_argument("--rtl", action="store_true")
    parser.add_argument("--dock", action="store_true")
    wanted = parser.parse_args()
    app = QApplication(sys.argv[:1])
    app.setStyle("Fusion")  # the same on every machine
    app.setFont(QFont("sans-serif", 10))
    if wanted.rtl:
        app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    bed = Bed(wanted.title, wanted.rows)
    if wanted.dock:
        bed.add_dock()
    for index in range(bed.tabs.count()):
        if bed.tabs.tabText(index) == wanted.tab:
            bed.tabs.setCurrentIndex(index)
    bed.show()
    sys.exit(app.exec())


if __name__ == "__main__":
    main()
