"""tmp"""

from handeye.target.values import Target


def parse(source: str) -> Target | None:
    return None


def asks(source: str) -> bool:
    return False


def without_request(source: str) -> str | None:
    return None
