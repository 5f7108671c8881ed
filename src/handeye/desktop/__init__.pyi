from .action_outcome import ActionOutcome
from .element_ids import SavedStates
from .pages import Filter, Page, as_data, lines_of, notes_of, page_of
from .session import DesktopSession, default_desktop
from .state import WindowState

__all__ = [
    "ActionOutcome",
    "DesktopSession",
    "Filter",
    "Page",
    "SavedStates",
    "WindowState",
    "as_data",
    "default_desktop",
    "lines_of",
    "notes_of",
    "page_of",
]
