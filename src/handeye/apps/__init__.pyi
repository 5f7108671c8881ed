from .check import check_module
from .discovery import PROJECT_FOLDER, ModuleLocation, Source, module_location, module_locations, modules_in
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
    "ModuleLocation",
    "ModuleRegistry",
    "NewModule",
    "Routing",
    "Score",
    "Source",
    "check_module",
    "module_location",
    "module_locations",
    "modules_in",
    "write_schemas",
]
