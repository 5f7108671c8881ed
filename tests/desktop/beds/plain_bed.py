"""Two windows of one Qt 6 application: one is a main window, the other one a plain widget, as small programs have it."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QApplication, QMainWindow, QPushButton, QVBoxLayout, QWidget


def main() -> None:
    app = QApplication(sys.argv)
    first, plain = QMainWindow(), QWidget()
    first.setWindowTitle("A main window")
    first.setCentralWidget(QPushButton("Open"))
    plain.setWindowTitle("A plain widget")
    QVBoxLayout(plain).addWidget(QPushButton("Save"))
    for window in (first, plain):
        window.resize(300, 200)
        window.show()
    app.exec()


if __name__ == "__main__":
    main()
