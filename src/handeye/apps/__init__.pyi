from .check import check_module
from .discovery import PROJECT_FOLDER, Place, Source, modules_in, place_of, places
from .handler import AppHandler, DefaultHandler, Score
from .images import AssetsManager, ImageSearch
from .json_schemas import write_schemas
from .registry import ModuleRegistry, Routing
from .scaffold import SCHEMAS, NewModule

__all__ = [
    "PROJECT_FOLDER",
    "SCHEMAS",
    "AppHandler",
    "AssetsManager",
    "DefaultHandler",
    "ImageSearch",
    "ModuleRegistry",
    "NewModule",
    "Place",
    "Routing",
    "Score",
    "Source",
    "check_module",
    "modules_in",
    "place_of",
    "places",
    "write_schemas",
]
