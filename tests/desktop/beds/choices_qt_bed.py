"""
A window of choices in Qt 5 (python3-pyqt5, the system's Python) or Qt 6 (PySide6): combo boxes, tabs, a context menu; tells
what was chosen, a line of JSON for each.

    python choices_qt_bed.py TITLE [--opened]     --opened: each list was open once, and is closed again
"""

import json
import sys

try:
    from PyQt5 import QtCore, QtGui, QtWidgets

    Action = QtWidgets.QAction
except ImportError:
    from PySide6 import QtCore, QtGui, QtWidgets

    Action = QtGui.QAction

BOXES = {
    "Size": [f"Option {n}" for n in range(1, 7)],
    "Paint": ["Red", "Teal", "蓝色"],
    "Border": ["Thin", "Lime", "Teal"],
    "Country": [f"Country {n}" for n in range(1, 121)],
    "Font": ["Serif", "Sans", "Mono"],
    "Locked": ["Never", "Always"],
}
PAGES = ("General", "Paper", "网络")


def told(what):
    print(json.dumps(what, ensure_ascii=False), flush=True)


class Bed(QtWidgets.QWidget):
    def __init__(self, title):
        super().__init__()
        self.setWindowTitle(title)
        self.resize(640, 480)
        form = QtWidgets.QFormLayout(self)
        for name in ("Name", "Password"):
            field = QtWidgets.QLineEdit()
            field.setAccessibleName(name)
            form.addRow(name, field)
        self.boxes = {name: self.box(form, name, entries) for name, entries in BOXES.items()}
        self.boxes["Font"].setEditable(True)
        self.boxes["Locked"].setEnabled(False)
        form.addRow("Files", self.files())
        form.addRow(self.tabs())
        save = QtWidgets.QPushButton("Save")
        save.clicked.connect(lambda: told("Save"))
        form.addRow(save)

    def box(self, form, name, entries):
        made = QtWidgets.QComboBox()
        made.setAccessibleName(name)
        made.addItems(entries)
        made.currentTextChanged.connect(lambda text: told(f"{name}: {text}"))
        form.addRow(name, made)
        return made

    def files(self):
        """A list whose rows have a context menu with a submenu."""
        made = QtWidgets.QListWidget()
        made.setAccessibleName("Files")
        made.addItems(["report.txt", "照片.png"])
        made.setFixedHeight(60)
        made.setContextMenuPolicy(QtCore.Qt.ContextMenuPolicy.CustomContextMenu)
        self.menu = QtWidgets.QMenu(made)
        more = QtWidgets.QMenu("More", self.menu)
        for menu, names in ((self.menu, ("Rename", "Delete")), (more, ("Compress",))):
            for name in names:
                action = Action(name, menu)
                action.triggered.connect(lambda _=False, name=name: told(f"menu: {name}"))
                menu.addAction(action)
        self.menu.addMenu(more)
        made.customContextMenuRequested.connect(lambda at: self.menu.popup(made.mapToGlobal(at)))
        return made

    def tabs(self):
        made = QtWidgets.QTabWidget()
        for name in PAGES:
            made.addTab(QtWidgets.QLabel(f"This is the page {name}"), name)
        made.currentChanged.connect(lambda at: told(f"tab: {made.tabText(at)}"))
        return made

    def open_each(self):
        for number, box in enumerate(self.boxes.values()):
            QtCore.QTimer.singleShot(600 * number + 200, box.showPopup)
            QtCore.QTimer.singleShot(600 * number + 600, box.hidePopup)
        QtCore.QTimer.singleShot(600 * len(self.boxes) + 400, lambda: told("each was open"))


def main():
    app = QtWidgets.QApplication(sys.argv[:1])
    app.setStyle("Fusion")
    app.setFont(QtGui.QFont("sans-serif", 10))
    bed = Bed(sys.argv[1])
    if "--opened" in sys.argv:
        bed.open_each()
    bed.show()
    sys.exit(app.exec_() if hasattr(app, "exec_") else app.exec())


if __name__ == "__main__":
    main()
