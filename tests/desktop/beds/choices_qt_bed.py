"""
A window of choices in Qt 5 (python3-pyqt5, the system's Python) or Qt 6 (PySide6): combo boxes of every kind, tabs, a context
menu. Tells what was chosen, a line of JSON for each.
"""

import json
import sys

try:
    from PyQt5.QtCore import Qt, QTimer
    from PyQt5.QtGui import QFont
    from PyQt5.QtWidgets import (
        QAction,
        QApplication,
        QComboBox,
        QFormLayout,
        QLabel,
        QLineEdit,
        QListWidget,
        QPushButton,
        QTabWidget,
        QWidget,
    )
except ImportError:
    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtGui import QAction, QFont
    from PySide6.QtWidgets import (
        QApplication,
        QComboBox,
        QFormLayout,
        QLabel,
        QLineEdit,
        QListWidget,
        QPushButton,
        QTabWidget,
        QWidget,
    )


def told(what):
    print(json.dumps(what, ensure_ascii=False), flush=True)


class Bed(QWidget):
    def __init__(self, title):
        super().__init__()
        self.setWindowTitle(title)
        self.resize(640, 480)
        form = QFormLayout(self)
        for name in ("Name", "Password"):
            field = QLineEdit()
            field.setAccessibleName(name)
            field.textChanged.connect(lambda text, name=name: told(f"{name}: {text}"))
            form.addRow(name, field)
        self.combos = {}
        for name, entries in (
            ("Size", [f"Option {n}" for n in range(1, 7)]),
            ("Colour", ["Red", "Green", "Blue", "蓝色"]),
            ("Border", ["Red", "None"]),
            ("Country", [f"Country {n}" for n in range(1, 121)]),
        ):
            self.combo(form, name, entries)
        self.combos["Colour"].currentTextChanged.connect(self.also)
        font = self.combo(form, "Font", ["Serif", "Sans", "Mono"])
        font.setEditable(True)
        locked = self.combo(form, "Locked", ["Never", "Always"])
        locked.setEnabled(False)
        self.list = QListWidget()
        self.list.setAccessibleName("Files")
        self.list.addItems(["report.txt", "照片.png"])
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for name in ("Rename", "Delete"):
            action = QAction(name, self.list)
            action.triggered.connect(lambda _=False, name=name: told(f"menu: {name}"))
            self.list.addAction(action)
        self.list.setFixedHeight(60)
        form.addRow("Files", self.list)
        self.tabs = QTabWidget()
        for name in ("General", "Paper", "网络"):
            self.tabs.addTab(QLabel(f"This is the page {name}"), name)
        self.tabs.currentChanged.connect(lambda at: told(f"tab: {self.tabs.tabText(at)}"))
        form.addRow(self.tabs)
        save = QPushButton("Save")
        save.clicked.connect(lambda: told("Save"))
        form.addRow(save)

    def combo(self, form, name, entries):
        made = QComboBox()
        made.setAccessibleName(name)
        made.addItems(entries)
        made.currentTextChanged.connect(lambda text: told(f"{name}: {text}"))
        form.addRow(name, made)
        self.combos[name] = made
        return made

    def also(self, text):
        """The application opens another box by itself for a moment."""


def main():
    app = QApplication(sys.argv[:1])
    app.setStyle("Fusion")
    app.setFont(QFont("sans-serif", 10))
    bed = Bed(sys.argv[1])
    if "--opened" in sys.argv:  # each list was open once
        for n, combo in enumerate(bed.combos.values()):
            QTimer.singleShot(600 * n + 200, combo.showPopup)
            QTimer.singleShot(600 * n + 600, combo.hidePopup)
        QTimer.singleShot(600 * len(bed.combos) + 400, lambda: told("opened all"))
    bed.show()
    sys.exit(app.exec_() if hasattr(app, "exec_") else app.exec())


if __name__ == "__main__":
    main()
