from .base import (
    USUAL_WAIT_AFTER,
    ActionName,
    Condition,
    PlanOrigin,
    StepPlan,
    TargetType,
    TaskPlan,
    TaskPlanner,
    Unsaid,
    target_type_of,
)
from .consent.effects import ACCOUNT, CALLING, DELETE, PAY, POWER, SEND, SHARE, Act, mentions, named_acts
from .consent.objections import objections, objections_at
from .consent.proof import goal_doubt
from .planner.app_knowledge import Modules, known_for
from .planner.memory import PROJECT_FOLDER, CacheMode, usual_memory
from .planner.planner import Planner
from .serialization import HIDDEN, SHORTEST_SECRET, hidden, is_secret, plan_from_dict, plan_to_dict, secret_slots
from .templates.dictation import is_plainly_one_text
from .templates.slots import HOST, QUOTES, Slot, SlotType, fold, with_hosts
from .templates.template import TASK_LIMIT, Pattern, TemplateMatch, TextTemplate
from .validation import params_problems

__all__ = [
    "ACCOUNT",
    "CALLING",
    "DELETE",
    "HIDDEN",
    "HOST",
    "PAY",
    "POWER",
    "PROJECT_FOLDER",
    "QUOTES",
    "SEND",
    "SHARE",
    "SHORTEST_SECRET",
    "TASK_LIMIT",
    "USUAL_WAIT_AFTER",
    "Act",
    "ActionName",
    "CacheMode",
    "Condition",
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
    "Unsaid",
    "fold",
    "goal_doubt",
    "hidden",
    "is_plainly_one_text",
    "is_secret",
    "known_for",
    "mentions",
    "named_acts",
    "objections",
    "objections_at",
    "params_problems",
    "plan_from_dict",
    "plan_to_dict",
    "secret_slots",
    "target_type_of",
    "usual_memory",
    "with_hosts",
]
