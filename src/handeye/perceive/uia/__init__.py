"""UI Automation: the accessibility trees of Windows applications. Needs `pip install 'handeye[windows]'`."""

from handeye.perceive.uia.api import Node, Tree, UiaApi
from handeye.perceive.uia.provider import UIAStateProvider

__all__ = ["Node", "Tree", "UIAStateProvider", "UiaApi"]
