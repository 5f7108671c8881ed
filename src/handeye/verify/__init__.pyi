from .base import ObservesBeforeTyping, Verifier, VerifyResult
from .verifier import ScreenVerifier

__all__ = [
    "ObservesBeforeTyping",
    "ScreenVerifier",
    "Verifier",
    "VerifyResult",
]
