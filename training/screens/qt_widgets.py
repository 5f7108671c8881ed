"""Random windows of Qt widgets: menus, toolbars, forms, trees, tables and dialogs, in random palettes and style sheets."""

from __future__ import annotations

import random
from typing import Any, Final

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QToolBar,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

FLAT: Final = (
    "QPushButton{{background:{button};border:1px solid {line};border-radius:{radius}px;padding:{pad}px {wide}px}}"
    "QPushButton:default{{background:{accent};color:white}}"
    "QLineEdit,QSpinBox,QPlainTextEdit{{background:{base};border:1px solid {line};border-radius:{radius}px;padding:{pad}px}}"
    "QToolButton{{border:0;padding:{pad}px;border-radius:{radius}px}}QGroupBox{{border:1px solid {line};margin-top:14px}}"
)


class Maker:
    """Random widgets from one chance, one language and one icon set."""

    def __init__(self, chance: random.Random, words: dict[str, Any], icons: dict[str, Any], dark: bool) -> None:
        self.chance, self.words, self.icons, self.dark = chance, words, icons, dark
        self.colours = self._colours()
        self.edge = chance.choice((16, 16, 18, 20, 22, 24, 28))

    def _colours(self) -> dict[str, str]:
        chance = self.chance
        hue, tint = chance.randrange(360), chance.choice((0, 0, 8, 15))
        level = chance.randint(10, 26) if self.dark else chance.randint(86, 98)
        away = 1 if self.dark else -1

        def colour(lightness: float, saturation: int = tint) -> str:
            return QColor.fromHsl(hue, saturation * 255 // 100, max(0, min(255, int(lightness * 2.55)))).name()

        return {
            "window": colour(level),
            "base": colour(max(4, level - 6) if self.dark else 100),
            "button": colour(level + 5 * away),
            "line": colour(level + 22 * away),
            "text": colour(90 if self.dark else 10),
            "muted": colour(58 if self.dark else 50),
            "accent": QColor.fromHsl(chance.randrange(360), 170, chance.randint(80, 150)).name(),
        }

    def palette(self) -> QPalette:
        palette, c = QPalette(), self.colours
        roles = QPalette.ColorRole
        for role, colour in (
            (roles.Window, c["window"]), (roles.Base, c["base"]), (roles.AlternateBase, c["button"]),
            (roles.Button, c["button"]), (roles.WindowText, c["text"]), (roles.Text, c["text"]),
            (roles.ButtonText, c["text"]), (roles.PlaceholderText, c["muted"]), (roles.Highlight, c["accent"]),
            (roles.HighlightedText, "#ffffff"), (roles.Link, c["accent"]),
        ):  # fmt: skip
            palette.setColor(role, QColor(colour))
        return palette

    def sheet(self) -> str:
        if self.chance.random() < 0.55:
            return ""
        pad = self.chance.randint(2, 7)
        return FLAT.format(**self.colours, radius=self.chance.choice((0, 2, 4, 6, 10)), pad=pad, wide=pad * 2)

    # -- words and icons

    def word(self, kind: str) -> str:
        return str(self.chance.choice(self.words[kind]))

    def icon(self, idea: str | None = None) -> tuple[QIcon, str]:
        """An icon in the text's colour, and its name; both empty where the drawing fails."""
        known = self.icons["named"]
        drawn = known.get(idea) if idea else self.chance.choice(list(known.values()) or self.icons["icons"])
        drawn = drawn or self.chance.choice(self.icons["icons"])
        body = drawn["body"].replace("currentColor", self.colours["text"])
        frame = f"{drawn['left']} {drawn['top']} {drawn['width']} {drawn['height']}"
        spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        svg = f'<svg {spaces} viewBox="{frame}">{body}</svg>'
        renderer = QSvgRenderer(QByteArray(svg.encode()))
        pixmap = QPixmap(QSize(self.edge, self.edge) * 3)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter)
        painter.end()
        return QIcon(pixmap), f"{drawn['set']}:{drawn['name']}"

    def _with_icon(self, widget: Any, idea: str | None = None) -> Any:
        icon, name = self.icon(idea)
        widget.setIcon(icon)
        widget.setIconSize(QSize(self.edge, self.edge))
        widget.setProperty("iconName", name)
        return widget

    # -- windows

    def main_window(self) -> QMainWindow:
        chance, window = self.chance, QMainWindow()
        window.setWindowTitle(self.word("nouns"))
        if chance.random() < 0.75:
            for name in chance.sample(self.words["nav"], min(len(self.words["nav"]), chance.randint(3, 9))):
                window.menuBar().addMenu(name)
        for _ in range(chance.choice((0, 1, 1, 2))):
            window.addToolBar(self.toolbar())
            if chance.random() < 0.5:
                window.addToolBarBreak()
        window.setCentralWidget(self.centre())
        if chance.random() < 0.55:
            for _ in range(chance.randint(1, 3)):
                window.statusBar().addWidget(QLabel(self.word("states")))
            if chance.random() < 0.3:
                window.statusBar().addPermanentWidget(self.slider())
        return window

    def toolbar(self) -> QToolBar:
        bar, chance = QToolBar(), self.chance
        bar.setMovable(chance.random() < 0.3)
        bar.setIconSize(QSize(self.edge, self.edge))
        styles = Qt.ToolButtonStyle
        bare, beside, under = styles.ToolButtonIconOnly, styles.ToolButtonTextBesideIcon, styles.ToolButtonTextUnderIcon
        bar.setToolButtonStyle(chance.choice((bare, bare, bare, beside, under)))
        for _ in range(chance.randint(4, 14)):
            if chance.random() < 0.12:
                bar.addSeparator()
            elif chance.random() < 0.08:
                bar.addWidget(self.combo())
            elif chance.random() < 0.05:
                bar.addWidget(self.line())
            else:
                icon, name = self.icon()
                action = QAction(icon, self.word("actions"), bar)
                action.setEnabled(chance.random() > 0.12)
                action.setCheckable(chance.random() < 0.1)
                bar.addAction(action)
                bar.widgetForAction(action).setProperty("iconName", name)
        return bar

    def centre(self, depth: int = 0) -> QWidget:
        kind = self.chance.choices(
            ("split", "tabs", "form", "table", "tree", "list", "text", "mixed"),
            (4 if depth < 2 else 0, 3 if depth < 2 else 0, 4, 2, 2, 2, 1, 4),
        )[0]  # fmt: skip
        if kind == "split":
            split = QSplitter(
                self.chance.choice((Qt.Orientation.Horizontal, Qt.Orientation.Horizontal, Qt.Orientation.Vertical))
            )
            split.addWidget(
                self.chance.choice((self.tree, self.list))() if self.chance.random() < 0.6 else self.centre(depth + 1)
            )
            split.addWidget(self.centre(depth + 1))
            split.setSizes([self.chance.randint(160, 300), 700])
            return split
        if kind == "tabs":
            tabs = QTabWidget()
            tabs.setTabPosition(
                self.chance.choice((QTabWidget.TabPosition.North,) * 5 + (QTabWidget.TabPosition.South,))
            )
            tabs.setTabsClosable(self.chance.random() < 0.15)
            for _ in range(self.chance.randint(2, 6)):
                tabs.addTab(self.centre(depth + 1) if tabs.count() == 0 else QWidget(), self.word("nouns"))
            return tabs
        return {
            "form": self.form,
            "table": self.table,
            "tree": self.tree,
            "list": self.list,
            "text": self.text,
            "mixed": self.mixed,
        }[kind]()

    def dialog(self) -> QWidget:
        body, layout = QWidget(), QVBoxLayout()
        body.setLayout(layout)
        body.setWindowTitle(self.word("nouns"))
        if self.chance.random() < 0.5:
            layout.addWidget(self.form())
        else:
            layout.addWidget(QLabel("\n".join(self.word("sentences") for _ in range(self.chance.randint(1, 3)))))
        buttons = QHBoxLayout()
        buttons.addStretch()
        for index in range(self.chance.randint(1, 3)):
            button = self.button()
            button.setDefault(index == 0)
            buttons.addWidget(button)
        layout.addLayout(buttons)
        return body

    def menu(self, parent: QWidget) -> QMenu:
        menu = QMenu(parent)
        for _ in range(self.chance.randint(3, 11)):
            if self.chance.random() < 0.15:
                menu.addSeparator()
                continue
            action = QAction(self.word("actions"), menu)
            if self.chance.random() < 0.4:
                icon, name = self.icon()
                action.setIcon(icon)
                action.setProperty("iconName", name)
            if self.chance.random() < 0.35:
                action.setShortcut(f"Ctrl+{self.chance.choice('ABCNOPQSVXZ')}")
            action.setEnabled(self.chance.random() > 0.15)
            menu.addAction(action)
        return menu

    # -- blocks

    def form(self) -> QWidget:
        group: QWidget = QGroupBox(self.word("nouns")) if self.chance.random() < 0.5 else QWidget()
        form = QFormLayout(group)
        for _ in range(self.chance.randint(3, 10)):
            form.addRow(QLabel(self.word("nouns") + ":"), self.field())
        row = QHBoxLayout()
        for _ in range(self.chance.randint(1, 4)):
            row.addWidget(self.button())
        form.addRow(row)
        return group

    def field(self) -> QWidget:
        return self.chance.choices(
            (self.line, self.combo, self.spin, self.check, self.radios, self.slider, self.text),
            (6, 3, 1.5, 2, 1.5, 1, 0.4),
        )[0]()

    def mixed(self) -> QWidget:
        body = QWidget()
        grid = QGridLayout(body)
        wide = self.chance.randint(2, 5)
        makers = (
            self.button,
            self.tool,
            self.check,
            self.radios,
            self.line,
            self.combo,
            self.slider,
            self.spin,
            self.label,
            self.progress,
        )
        for index in range(self.chance.randint(6, 24)):
            grid.addWidget(self.chance.choice(makers)(), index // wide, index % wide)
        grid.setRowStretch(99, 1)
        return body

    def label(self) -> QLabel:
        return QLabel(self.word(self.chance.choice(("nouns", "sentences", "states"))))

    def button(self) -> QPushButton:
        button = QPushButton(self.word("actions"))
        if self.chance.random() < 0.25:
            self._with_icon(button)
        button.setEnabled(self.chance.random() > 0.1)
        button.setFlat(self.chance.random() < 0.05)
        return button

    def tool(self) -> QToolButton:
        button = QToolButton()
        button.setAutoRaise(self.chance.random() < 0.5)
        return self._with_icon(button)

    def check(self) -> QCheckBox:
        box = QCheckBox(self.word("settings"))
        box.setChecked(self.chance.random() < 0.5)
        box.setEnabled(self.chance.random() > 0.1)
        return box

    def radios(self) -> QWidget:
        body, layout = QWidget(), QHBoxLayout()
        body.setLayout(layout)
        layout.setContentsMargins(0, 0, 0, 0)
        for index in range(self.chance.randint(2, 3)):
            radio = QRadioButton(self.word("nouns"))
            radio.setChecked(index == 0)
            layout.addWidget(radio)
        layout.addStretch()
        return body

    def line(self) -> QLineEdit:
        line = QLineEdit()
        line.setPlaceholderText(self.word("hints"))
        if self.chance.random() < 0.5:
            line.setText(self.word(self.chance.choice(("nouns", "names"))))
        line.setClearButtonEnabled(self.chance.random() < 0.2)
        return line

    def combo(self) -> QComboBox:
        box = QComboBox()
        box.addItems([self.word("nouns") for _ in range(3)])
        return box

    def spin(self) -> QSpinBox:
        box = QSpinBox()
        box.setMaximum(9999)
        box.setValue(self.chance.randrange(900))
        return box

    def slider(self) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setValue(self.chance.randrange(100))
        slider.setMinimumWidth(90)
        return slider

    def progress(self) -> QProgressBar:
        bar = QProgressBar()
        bar.setValue(self.chance.randrange(100))
        return bar

    def text(self) -> QPlainTextEdit:
        return QPlainTextEdit("\n".join(self.word("sentences") for _ in range(self.chance.randint(2, 30))))

    def list(self) -> QListWidget:
        box = QListWidget()
        icons = self.chance.random() < 0.5
        box.setIconSize(QSize(self.edge, self.edge))
        for _ in range(self.chance.randint(4, 24)):
            item = QListWidgetItem(self.word(self.chance.choice(("nouns", "names"))))
            if icons:
                icon, name = self.icon()
                item.setIcon(icon)
                item.setData(Qt.ItemDataRole.UserRole, name)
            box.addItem(item)
        box.setCurrentRow(self.chance.randrange(4))
        return box

    def tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setHeaderLabels([self.word("nouns") for _ in range(self.chance.randint(1, 3))])
        tree.setHeaderHidden(self.chance.random() < 0.5)
        tree.setIconSize(QSize(self.edge, self.edge))
        for _ in range(self.chance.randint(3, 8)):
            top = QTreeWidgetItem([self.word("nouns") for _ in range(tree.columnCount())])
            for _ in range(self.chance.randint(0, 5)):
                icon, name = self.icon("file")
                leaf = QTreeWidgetItem([self.word("nouns") for _ in range(tree.columnCount())])
                leaf.setIcon(0, icon)
                leaf.setData(0, Qt.ItemDataRole.UserRole, name)
                top.addChild(leaf)
            tree.addTopLevelItem(top)
            top.setExpanded(self.chance.random() < 0.6)
        return tree

    def table(self) -> QTableWidget:
        rows, columns = self.chance.randint(4, 30), self.chance.randint(3, 7)
        table = QTableWidget(rows, columns)
        table.setHorizontalHeaderLabels([self.word("nouns") for _ in range(columns)])
        table.setAlternatingRowColors(self.chance.random() < 0.4)
        table.setShowGrid(self.chance.random() < 0.7)
        table.verticalHeader().setVisible(self.chance.random() < 0.6)
        for row in range(rows):
            for column in range(columns):
                table.setItem(
                    row, column, QTableWidgetItem(self.word(self.chance.choice(("nouns", "names", "states"))))
                )
            if self.chance.random() < 0.25:
                table.setCellWidget(row, columns - 1, self.button())
        return table
