"""Find things on a picture, without any device: where, by which method, how sure, and what else was tried."""

import sys

from handeye import Screen, connect

picture = sys.argv[1] if len(sys.argv) > 1 else None
with connect(f"image:{picture}" if picture else "phone:") as session:
    screen: Screen = session.screenshot()
    for query in sys.argv[2:] or ["设置", "天气", "不存在的应用"]:
        found = session.locate(query, screen)
        if found.element is not None:
            print(f"{query}: {tuple(found.element.bbox)} by {found.method_used}, confidence {found.confidence:.2f}")
        else:
            print(f"{query}: not there ({'; '.join(map(str, found.attempts))})")
