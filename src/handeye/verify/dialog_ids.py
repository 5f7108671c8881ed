"""Resource ids of dialogs' buttons, as data: they are the same in every language."""

from __future__ import annotations

import re
from typing import Final

from handeye.blockers.base import Grant

# The ids of AOSP's GrantPermissionsActivity, which makers keep when they rename its package. A refusal that is not for good
# comes first; to keep what was granted before ("no upgrade", "don't select more") is to refuse the rest.
PERMISSION_REFUSALS: Final = (
    "permission_deny_button",
    "permission_no_upgrade_button",
    "permission_no_upgrade_one_time_button",
    "permission_dont_allow_more_selected_button",
    "permission_deny_and_dont_ask_again_button",
    "permission_no_upgrade_and_dont_ask_again_button",
    "permission_no_upgrade_one_time_and_dont_ask_again_button",
)
PERMISSION_GRANTS: Final[dict[Grant, tuple[str, ...]]] = {
    Grant.ONCE: ("permission_allow_one_time_button",),
    Grant.WHILE_IN_USE: ("permission_allow_foreground_only_button",),
    Grant.SELECTED: ("permission_allow_selected_button",),
    Grant.ALL: ("permission_allow_button", "permission_allow_all_button"),
    Grant.ALWAYS: ("permission_allow_always_button",),
}
PERMISSION_MESSAGE: Final = "permission_message"
PERMISSION_PARTS: Final = frozenset(
    (PERMISSION_MESSAGE, *PERMISSION_REFUSALS, *(name for names in PERMISSION_GRANTS.values() for name in names))
)
# Android's reports of an app that hangs or has died. To wait is milder than to close.
FAILED_APP: Final = ("aerr_wait", "aerr_close")
# The buttons of Android's AlertDialog, and what other libraries call the same: the one that agrees, the one that refuses, and
# a third way.
POSITIVE, NEGATIVE, NEUTRAL = "positive", "negative", "neutral"
_ALERT: Final = {"button1": POSITIVE, "button2": NEGATIVE, "button3": NEUTRAL}

# What is left of the id of a button that closes something and nothing else, without the words that every id has. An id that has
# another word as well ("cancel_order", "close_account") may do more.
_CLOSES: Final = frozenset(
    {"close", "skip", "dismiss", "later", "cancel", "notnow", "nothanks", "maybelater", "reject"}
)
_AROUND: Final = frozenset(
    (
        *(
            "btn",
            "button",
            "iv",
            "img",
            "image",
            "icon",
            "ic",
            "tv",
            "text",
            "txt",
            "view",
            "layout",
            "container",
            "handler",
        ),
        *(
            "dialog",
            "popup",
            "pop",
            "modal",
            "card",
            "banner",
            "ad",
            "ads",
            "advert",
            "splash",
            "interstitial",
            "native",
        ),
        *("sheet", "top", "bottom", "left", "right", "all", "default", "md"),
    )
)
ADVERTS: Final = frozenset({"ad", "ads", "advert", "interstitial", "splash"})
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_of(name: str) -> tuple[str, ...]:
    """
    The words of a resource id's last part.

    >>> words_of("iv_adClose")
    ('iv', 'ad', 'close')
    """
    return tuple(word.casefold() for word in _WORD.findall(name))


def says_close(name: str) -> bool:
    """
    Whether a button of that name closes what it stands on, and nothing else.

    >>> says_close("btn_ad_close"), says_close("close_account"), says_close("cancel_order_button")
    (True, False, False)
    """
    return _said(name) in _CLOSES


def answer_of(name: str) -> str | None:
    """
    Which of a dialog's buttons has that name; None for what is none of them.

    >>> answer_of("button2"), answer_of("md_buttonDefaultPositive"), answer_of("negative_feedback")
    ('negative', 'positive', None)
    """
    said = _ALERT.get(name) or _said(name)
    return said if said in (POSITIVE, NEGATIVE, NEUTRAL) else None


def _said(name: str) -> str:
    """What is left of it without the words that every id has."""
    return "".join(word for word in words_of(name) if word not in _AROUND)
