from .base import PASSIVE, Blocker, BlockerType, DismissSuggestion, Grant, SuggestionAction
from .detector import failed_page, find_blocker, keyboard_at
from .dialogs import back
from .permission_policy import Ask, PermissionChoice, PermissionPolicy

__all__ = [
    "PASSIVE",
    "Ask",
    "Blocker",
    "BlockerType",
    "DismissSuggestion",
    "Grant",
    "PermissionChoice",
    "PermissionPolicy",
    "SuggestionAction",
    "back",
    "failed_page",
    "find_blocker",
    "keyboard_at",
]
