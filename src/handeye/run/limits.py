"""How patient a run is: every bound in one place, with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one run. Times in seconds."""

    # Seed 004: a fallback is tried at most three times.
    fallbacks: int = 3
    # Three dialogs on top of each other happen (permission, advert, rating); a fourth is a loop.
    dismissals: int = 3
    # Seed 004's wait after a fallback, so that the screen comes to rest.
    settle_s: float = 0.5
    # After each action, before its effect is looked at; a step's own `wait_after` counts where it is longer. Seed 004's
    # OPERATION_DELAY, for a phone whose animations are slow. Not needed as a rule: an effect is waited for.
    pause_s: float = 0.0
    # Between two looks while waiting for an expectation. Shorter only reads more equal frames.
    poll_s: float = 0.2
    # Between two frames that tell whether the screen is at rest: animations run at 60 frames a second, so that any pause shows
    # them moving; a shorter one only takes more frames.
    still_s: float = 0.1
    # Steps whose frames stay in the result: two of 8 MB each on a phone of 1080x2400. Listeners hear of every frame in time.
    kept_frames: int = 30
    # A spinner that turns longer than this is a fault, not a wait.
    loading_s: float = 20.0
    # A device that is not back within this time is lost for the run. A phone on WiFi is away for 20 to 30 s when its router
    # starts anew or it changes networks, and a call to it waits 20 s by itself.
    reconnect_s: float = 60.0
    # Other plans after the first one has failed. Who has been wrong about a screen twice is not right the third time.
    replans: int = 2
    # Seed 004: BACK at most ten times on the way to an app's first page, and so long for its animation.
    backs: int = 10
    back_s: float = 0.3
    # A page that has not moved this long after BACK does not answer it.
    unmoved_s: float = 1.5
