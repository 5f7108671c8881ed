from .base import (
    DEFAULT_WAIT_AFTER,
    ActionName,
    Condition,
    DefaultTime,
    PlanOrigin,
    StepPlan,
    TargetType,
    TaskPlan,
    TaskPlanner,
    target_type_of,
)
from .consent.effects import ACCOUNT, CALLING, DELETE, PAY, POWER, SEND, SHARE, Act, mentions, named_acts
from .consent.objections import objections, objections_at
from .consent.proof import unproved_reason
from .planner.app_knowledge import Modules, app_knowledge_for
from .planner.memory import PROJECT_FOLDER, CacheMode, default_memory
from .planner.planner import Planner
from .serialization import REDACTION, SHORTEST_SECRET, hidden, is_secret, plan_from_dict, plan_to_dict, secret_slots
from .templates.dictation import is_plainly_one_text
from .templates.slots import HOST, QUOTES, Slot, SlotType, fold, with_hosts
from .templates.template import TASK_LIMIT, Pattern, TemplateMatch, TextTemplate
from .validation import params_problems

__all__ = [
    "ACCOUNT",
    "CALLING",
    "DEFAULT_WAIT_AFTER",
    "DELETE",
    "HOST",
    "PAY",
    "POWER",
    "PROJECT_FOLDER",
    "QUOTES",
    "REDACTION",
    "SEND",
    "SHARE",
    "SHORTEST_SECRET",
    "TASK_LIMIT",
    "Act",
    "ActionName",
    "CacheMode",
    "Condition",
    "DefaultTime",
    "Modules",
    "Pattern",
    "PlanOrigin",
    "Planner",
    "Slot",
    "SlotType",
    "StepPlan",
    "TargetType",
    "TaskPlan",
    "TaskPlanner",
    "TemplateMatch",
    "TextTemplate",
    "app_knowledge_for",
    "default_memory",
    "fold",
    "hidden",
    "is_plainly_one_text",
    "is_secret",
    "mentions",
    "named_acts",
    "objections",
    "objections_at",
    "params_problems",
    "plan_from_dict",
    "plan_to_dict",
    "secret_slots",
    "target_type_of",
    "unproved_reason",
    "with_hosts",
]
