from .base import LooksBeforeTyping, Verifier, VerifyResult
from .verifier import ScreenVerifier

__all__ = [
    "LooksBeforeTyping",
    "ScreenVerifier",
    "Verifier",
    "VerifyResult",
]
