from .apps import APPS_CHECK, APPS_LIST, APPS_NEW, APPS_SCHEMA
from .base import Command, Context, ExitCode, Table, exit_code_of
from .desktop_input import CLICK, CLICK_AT, DRAG, DRAG_AT, PRESS, SCROLL, TYPE
from .desktop_windows import FOCUS, INSPECT, STATE, WINDOWS
from .devices import CONNECT, DEVICES, SCREENSHOT
from .doctor import DOCTOR
from .flow import FLOW
from .locate import LOCATE, TAP
from .model import MODEL_CHECK
from .phone import DEMO, PHONE_SCENARIO, PHONE_START, PHONE_STATE, ROUNDS
from .pictures import MATCH, OCR, PARSE
from .plan import PLAN
from .run import RUN
from .runs import REPORT, RUNS_LIST, RUNS_SHOW
from .trust import TRUST
from .verify import VERIFY

__all__ = [
    "APPS_CHECK",
    "APPS_LIST",
    "APPS_NEW",
    "APPS_SCHEMA",
    "CLICK",
    "CLICK_AT",
    "CONNECT",
    "DEMO",
    "DEVICES",
    "DOCTOR",
    "DRAG",
    "DRAG_AT",
    "FLOW",
    "FOCUS",
    "INSPECT",
    "LOCATE",
    "MATCH",
    "MODEL_CHECK",
    "OCR",
    "PARSE",
    "PHONE_SCENARIO",
    "PHONE_START",
    "PHONE_STATE",
    "PLAN",
    "PRESS",
    "REPORT",
    "ROUNDS",
    "RUN",
    "RUNS_LIST",
    "RUNS_SHOW",
    "SCREENSHOT",
    "SCROLL",
    "STATE",
    "TAP",
    "TRUST",
    "TYPE",
    "VERIFY",
    "WINDOWS",
    "Command",
    "Context",
    "ExitCode",
    "Table",
    "exit_code_of",
]
