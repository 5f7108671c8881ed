from .base import Context, ExitCode, Table, exit_code_of
from .parameters import Cli
from .table import COMMANDS, GROUPS, Command, Effect

__all__ = [
    "COMMANDS",
    "GROUPS",
    "Cli",
    "Command",
    "Context",
    "Effect",
    "ExitCode",
    "Table",
    "exit_code_of",
]
