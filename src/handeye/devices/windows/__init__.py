"""
Windows desktop backend through ctypes, without further packages. Importable on every system; `Native` works on Windows
only.
"""
