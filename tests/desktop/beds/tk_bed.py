"""A window of Tk, which tells no accessibility tree: a form, a list and a menu. It says what became of it, see `Told`."""

from __future__ import annotations

import sys
import tkinter as tk
from tkinter import ttk
from typing import Any

from told import LOOK_MS, Told


def main() -> None:
    root = tk.Tk()
    root.title(sys.argv[1])
    root.geometry("520x420+80+60")
    name, secret, agreed, colour = tk.StringVar(), tk.StringVar(), tk.BooleanVar(), tk.StringVar(value="Amber")

    def state() -> dict[str, Any]:
        return {"name": name.get(), "secret": secret.get(), "agreed": agreed.get(), "colour": colour.get()}

    told = Told(state)
    status = ttk.Label(root, text="Nothing saved yet")

    def press(what: str) -> None:
        told.clicks[what] += 1
        if what == "Save":
            status["text"] = f"Saved {told.clicks[what]} times"

    menu = tk.Menu(root)
    entries = tk.Menu(menu, tearoff=False)
    for label in ("Open project", "Export all", "Quit"):
        entries.add_command(label=label, command=lambda label=label: told.menu.append(label))
    menu.add_cascade(label="File", menu=entries)
    root["menu"] = menu

    form = ttk.Frame(root, padding=16)
    form.pack(fill="x")
    for row, (label, variable, shown) in enumerate((("Full name", name, ""), ("Passphrase", secret, "*"))):
        ttk.Label(form, text=label).grid(row=row, column=0, sticky="w", pady=6)
        ttk.Entry(form, textvariable=variable, width=34, show=shown).grid(row=row, column=1, padx=12)
    ttk.Checkbutton(form, text="Keep me informed", variable=agreed).grid(row=2, column=1, sticky="w", pady=6)
    buttons = ttk.Frame(root, padding=16)
    buttons.pack(fill="x")
    for label in ("Save", "Discard", "Idle"):
        tk.Button(buttons, text=label, width=10, command=lambda label=label: press(label)).pack(side="left", padx=8)
    status.pack(anchor="w", padx=24, pady=8)

    def look() -> None:
        told.tell()
        root.after(LOOK_MS, look)

    look()
    root.mainloop()


if __name__ == "__main__":
    main()
