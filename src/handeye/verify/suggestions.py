"""Suggest the next action after a verdict (docs/spec/vision-agent.md): each suggestion for exactly one situation."""

from __future__ import annotations

from typing import Final

from handeye.blockers import Blocker, BlockerType, SuggestionAction
from handeye.matching import Change

# From this share of changed pixels on, the page is another one. A pressed button, a filled field or a new message came to
# 0.1-8 % on the virtual phone, a keyboard to 30 %, another page to 40 % and more in light themes.
ANOTHER_PAGE: Final = 0.35


def suggestion(holds: bool | None, change: Change | None, blocker: Blocker | None) -> tuple[SuggestionAction, str]:
    """
    Return the suggested action and its reason. `change` is None when there was no earlier frame.

    * continue: it is proved, or cannot be decided
    * skip: it is proved, and the screen is as before: it was so already
    * wait: the page still loads
    * dismiss: something that can be closed lies over the page
    * abort: what lies over the page needs a person (a password, a captcha, a login)
    * retry: the act had no effect, or not the wanted one on the same page
    * replan: another page came up, or something lies over the page that cannot be closed
    """
    if holds:
        if change is not None and not change:
            return SuggestionAction.SKIP, "it was so before, and nothing changed"
        return SuggestionAction.CONTINUE, ""
    if blocker is not None and blocker.type is not BlockerType.NONE:
        return _for_blocker(blocker)
    if change is not None and not change:
        return SuggestionAction.RETRY, "nothing happened: try the step again"
    if holds is None:
        return SuggestionAction.CONTINUE, "it could not be decided whether the step did what it should"
    if change is not None and change.fraction >= ANOTHER_PAGE:
        return SuggestionAction.REPLAN, "another page came up than was expected"
    return SuggestionAction.RETRY, "what was expected is not seen"


def _for_blocker(blocker: Blocker) -> tuple[SuggestionAction, str]:
    if blocker.type is BlockerType.LOADING:
        return SuggestionAction.WAIT, blocker.description
    if blocker.needs_person:
        return SuggestionAction.ABORT, f"{blocker.description}: a person has to do that"
    if blocker.dismiss_suggestion is None:
        return SuggestionAction.REPLAN, f"{blocker.description}, and nobody knows how to close it"
    return SuggestionAction.DISMISS, f"{blocker.description}: {blocker.dismiss_suggestion.description}"
