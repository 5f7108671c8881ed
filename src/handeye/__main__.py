"""Entry point of `python -m handeye`."""

from handeye.cli import main

main()
