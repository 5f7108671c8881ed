"""Speed of the virtual phone: first frame in a fresh process, changed frames per screen, hierarchy. Medians in ms.

Run: python benchmarks/bench_phone.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario

REPEAT = 25
FRESH_REPEAT = 5
_FRESH = """
import time
from handeye_phone.model import PhoneModel
start = time.perf_counter()
phone = PhoneModel()
phone.frame()
print((time.perf_counter() - start) * 1000)
"""


def median_ms(action: Callable[[], object], repeat: int = REPEAT) -> float:
    """Return the median time of one call after a first one that warms the caches."""
    action()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def first_frame_ms() -> float:
    """Return the ms from the constructor to the first picture, each in a process of its own (imports not counted)."""
    return statistics.median(
        float(subprocess.run([sys.executable, "-c", _FRESH], check=True, capture_output=True, text=True).stdout)
        for _ in range(FRESH_REPEAT)
    )


def changed(phone: PhoneModel) -> Callable[[], object]:
    """Return a call that sets the density again to what it is, which redraws the whole picture."""

    def draw() -> object:
        phone.override_density(None)
        return phone.frame()

    return draw


def typing(phone: PhoneModel) -> Callable[[], object]:
    """Return a call that types one more character in a chat and draws the picture that shows it."""

    def draw() -> object:
        phone.type_text("好")
        return phone.frame()

    return draw


def in_chat(scenario: Scenario | None = None) -> PhoneModel:
    """Return a phone in a chat, with the field focused."""
    phone = PhoneModel(scenario)
    phone.launch("com.tencent.mm")
    messenger = phone.front
    messenger.open_chat("王小明")  # type: ignore[attr-defined]
    phone.set_focus(messenger.drafts["王小明"])  # type: ignore[attr-defined]
    return phone


def main() -> None:
    """Print the table."""
    print(f"first frame (fresh process)      {first_frame_ms():7.1f} ms")
    for name, package in (("launcher", ""), ("messenger", "com.tencent.mm"), ("settings", "com.android.settings")):
        phone = PhoneModel()
        if package:
            phone.launch(package)
        print(f"changed frame, {name:<17} {median_ms(changed(phone)):7.1f} ms")
        print(f"  hierarchy                      {median_ms(phone.hierarchy):7.1f} ms")
    print(f"changed frame, chat + keyboard   {median_ms(typing(in_chat())):7.1f} ms")
    advert = PhoneModel(Scenario(advert=True))
    advert.launch("com.tencent.mm")
    print(f"changed frame, advert on a scrim {median_ms(changed(advert)):7.1f} ms")
    print(f"unchanged frame                  {median_ms(advert.frame):7.3f} ms")


if __name__ == "__main__":
    main()
