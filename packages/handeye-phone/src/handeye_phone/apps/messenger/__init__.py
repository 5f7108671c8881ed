"""The messenger, labelled 微信: chats, contacts, search, and sending."""

from handeye_phone.apps.messenger.app import Messenger

__all__ = ["Messenger"]
