"""Qt 5 and 6: a list with more rows than it shows, `TITLE KIND ROWS`; it says which was chosen. KIND: list, table, tree."""

import json
import sys

try:
    from PySide6 import QtWidgets
except ModuleNotFoundError:
    from PyQt5 import QtWidgets


def told(row):
    print(json.dumps({"chosen": row}), flush=True)


def a_list(rows):
    view = QtWidgets.QListWidget()
    view.addItems(rows)
    view.currentItemChanged.connect(lambda now, _: told(now.text() if now else None))
    return view


def table(rows):
    view = QtWidgets.QTableWidget(len(rows), 2)
    view.setHorizontalHeaderLabels(["Name", "Notes"])
    for number, row in enumerate(rows):
        view.setItem(number, 0, QtWidgets.QTableWidgetItem(row))
        view.setItem(number, 1, QtWidgets.QTableWidgetItem(f"about {row}"))
    for number in (100, 120):
        if number < len(rows):
            view.item(number, 1).setText("twice")
    view.currentItemChanged.connect(lambda now, _: told(now.text() if now else None))
    return view


def tree(rows):
    view = QtWidgets.QTreeWidget()
    view.setHeaderLabels(["Name", "Notes"])
    for row in rows:
        QtWidgets.QTreeWidgetItem(view, [row, f"about {row}"])
    view.currentItemChanged.connect(lambda now, _: told(now.text(0) if now else None))
    return view


def main():
    title, kind, count = sys.argv[1:4]
    app = QtWidgets.QApplication(sys.argv)
    window = QtWidgets.QMainWindow()
    window.setWindowTitle(title)
    window.setCentralWidget(
        {"list": a_list, "table": table, "tree": tree}[kind]([f"Item {number}" for number in range(1, int(count) + 1)])
    )
    window.resize(420, 320)
    window.show()
    told(None)
    app.exec_() if hasattr(app, "exec_") else app.exec()


main()
