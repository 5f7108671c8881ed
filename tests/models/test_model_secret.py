"""Tests of `Secret`: the key is never shown, and foreign texts are scrubbed of it."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import re
import traceback
from dataclasses import asdict, dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.clock import SystemClock
from handeye.errors import UsageError
from handeye.models.config.secret import MASK, Secret

KEY = "sk-proj-Zq81xYv9Lm20TtRr"


@dataclass(frozen=True)
class Holder:
    key: Secret = field(default_factory=Secret)


def test_no_representation_shows_the_key() -> None:
    secret = Secret(KEY)
    holder = Holder(secret)
    shown = [
        repr(secret),
        str(secret),
        f"{secret:>40}",
        f"{holder}",
        repr([secret]),
        "%s %r" % (secret, secret),  # noqa: UP031 - logging formats like this
        str(asdict(holder)),
        json.dumps(asdict(holder), default=str),
        str(copy.deepcopy(holder)),
        str(dir(secret)),
    ]
    assert not [text for text in shown if "Zq81" in text]
    assert asdict(holder)["key"].reveal() == KEY
    assert copy.deepcopy(secret) == secret


def test_secret_cannot_be_pickled() -> None:
    for value in (Secret(KEY), Holder(Secret(KEY))):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="never pickled"):
                pickle.dumps(value, protocol)


def test_traceback_locals_do_not_show_the_key() -> None:
    secret = Secret(KEY)
    try:
        raise RuntimeError(f"something with {secret}")
    except RuntimeError as error:
        text = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
    assert "secret = Secret" in text
    assert "Zq81" not in text


def test_log_records_do_not_show_the_key(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("test").warning("key %s %r", Secret(KEY), {"key": Secret(KEY)})
    assert MASK in caplog.text
    assert "Zq81" not in caplog.text


def test_secrets_compare_by_value_and_empty_is_false() -> None:
    assert Secret(KEY) == Secret(f"  {KEY}\n")
    assert Secret(KEY) != Secret(KEY + "x")
    assert Secret(KEY) != KEY
    assert len({Secret(KEY), Secret(KEY)}) == 1
    assert not Secret()
    assert str(Secret()) == ""


@pytest.mark.parametrize("text", ["two words", "line\nbreak", "naïve", "钥匙", "tab\there", "nul\0", "emoji🔑"])
def test_invalid_key_characters_are_refused_without_showing_them(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        Secret(text)
    assert text not in str(caught.value)


@pytest.mark.parametrize(
    "said",
    [
        f"Incorrect API key provided: {KEY}.",
        f"Authorization: Bearer {KEY}",
        "Incorrect API key provided: sk-proj-********RrRr.",
        f"cut short: {KEY[:12]}",
        f"the end of it: {KEY[-10:]}!",
        f"https://host/v1?key={KEY}&x=1",
        'headers {"x-api-key": "whatever-key-of-another"}',
        "somebody else's: AIzaSyA-1234567890abcdefghijklmnopqrs",
        f"twice {KEY}{KEY} {KEY}",
    ],
)
def test_scrub_masks_keys_and_their_parts(said: str) -> None:
    clean = Secret(KEY).scrub(said)
    assert MASK in clean
    assert not [KEY[start : start + 8] for start in range(len(KEY) - 7) if KEY[start : start + 8] in clean]
    assert "AIza" not in clean
    assert "whatever-key" not in clean
    assert "RrRr" not in clean


def test_scrub_keeps_ordinary_words() -> None:
    said = "The model `gpt-5.5` does not exist or you do not have access to it. Token limit: 4096."
    assert Secret(KEY).scrub(said) == said
    assert Secret("").scrub(said) == said
    assert Secret("ollama").scrub("ollama is not running") == f"{MASK} is not running"


@given(
    st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=80), st.text(), st.text()
)
def test_scrub_leaves_no_eight_key_characters(key: str, before: str, after: str) -> None:
    clean = Secret(key).scrub(before + key + after).replace(MASK, "\0")
    assert not [key[start : start + 8] for start in range(len(key) - 7) if key[start : start + 8] in clean]


@pytest.mark.parametrize("said", ["a", "-", "_", "sk-", "**a", "bearer ", "api_key ", "?key=", "Zq81xYv9"])
def test_scrub_time_is_linear_in_text_length(said: str) -> None:
    clock = SystemClock()
    began = clock.now()
    Secret(KEY).scrub(said * (400_000 // len(said)))
    assert clock.now() - began < 20  # one second; in proportion to the square it would be ten minutes


@pytest.mark.parametrize(
    "said", ["ab***cd***ef", "sk***", "***", "a-b_c****", "x **** y", "**a***b", "a**b***c", "é***é"]
)
def test_partly_masked_keys_are_masked_whole(said: str) -> None:
    clean = Secret(KEY).scrub(f"key <{said}>.")
    assert "***" not in clean
    assert clean == f"key <{re.sub(r'[a-zé_-]*[*]{3,}[a-zé_-]*', MASK, said)}>."
