"""
A Windows desktop, through ctypes: nothing has to be installed. Importable on every system; `Native` works on Windows only.
"""
