from .budget import Budget
from .chat import ChatModel, Picture, Prompt, Reply
from .check_sheet import BUTTON
from .client.base import INSTALL, NOT_CONFIGURED
from .client.factory import open_model
from .config.environment import dotenv_variables
from .config.model_config import ROLES, LLMConfig, get_preset_config
from .config.secret import redacted_excerpt
from .config.settings import DEFAULT_FILE, Settings
from .configured import configuration, configured_vision, select_configuration, unselected_vendor_keys
from .families.images import SentImage, prepare
from .families.lookup import profile_to_use
from .families.profile import GUESSED, UNVERSIONED, Format, Order, Profile, Shape
from .grounding.acceptance import UNCONFIRMED_MOST, Accepted
from .grounding.grounder import Grounding, Place, Question
from .grounding.known_elements import ReadsLines
from .grounding.place_checks import LEAST_SIDE, MOST_OF_PICTURE
from .grounding.prompt_delimiter import MOST_CHARACTERS, MakeDelimiter, delimited, escape_invisible, random_delimiter
from .grounding.prompts import counted_in, encoded, verify_prompt
from .grounding.retry_on_parse_error import ask_until_read
from .grounding.verification import OUTLINE, Verdict, boxed, read_verdict
from .grounding.vision_agent import VisionAgent
from .model_check import Check, Finding, Part, check_model
from .reply.objects import denied, only_object, stated_confidence
from .reply.reader import ReadReply, WrittenPlace, places
from .structured import ask_json
from .task_models import TaskModels, configured_models

__all__ = [
    "BUTTON",
    "DEFAULT_FILE",
    "GUESSED",
    "INSTALL",
    "LEAST_SIDE",
    "MOST_CHARACTERS",
    "MOST_OF_PICTURE",
    "NOT_CONFIGURED",
    "OUTLINE",
    "ROLES",
    "UNCONFIRMED_MOST",
    "UNVERSIONED",
    "Accepted",
    "Budget",
    "ChatModel",
    "Check",
    "Finding",
    "Format",
    "Grounding",
    "LLMConfig",
    "MakeDelimiter",
    "Order",
    "Part",
    "Picture",
    "Place",
    "Profile",
    "Prompt",
    "Question",
    "ReadReply",
    "ReadsLines",
    "Reply",
    "SentImage",
    "Settings",
    "Shape",
    "TaskModels",
    "Verdict",
    "VisionAgent",
    "WrittenPlace",
    "ask_json",
    "ask_until_read",
    "boxed",
    "check_model",
    "configuration",
    "configured_models",
    "configured_vision",
    "counted_in",
    "delimited",
    "denied",
    "dotenv_variables",
    "encoded",
    "escape_invisible",
    "get_preset_config",
    "only_object",
    "open_model",
    "places",
    "prepare",
    "profile_to_use",
    "random_delimiter",
    "read_verdict",
    "redacted_excerpt",
    "select_configuration",
    "stated_confidence",
    "unselected_vendor_keys",
    "verify_prompt",
]
