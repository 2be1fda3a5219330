"""One origin, for those that compare. Values are made up."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.fingerprints import guess_origin

G3 = "EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq9SV"
G25 = "ChcB3lsGYN5ab3gRbspi1/xc4VnSOua4iQ=="
BARE = base64.b64encode(bytes.fromhex("018f3d6b5f") + bytes(range(30))).decode()
CLAUDE = "EhYKBggLEAEYAhIMLn0sA6lQeuJl7PW1GAE="
OPENAI = "gAAAAABpVbkAJS8QyDYQ68oaBZwLroJV680KqYVhR7bFtP8rff7l2iCqOCUwme8bSmSs7SM8mv4p"


@pytest.mark.parametrize(
    ("text", "family"),
    [
        (G3, "google"),
        (G25, "google"),
        (BARE, "google"),
        (CLAUDE, "claude"),
        (OPENAI, "openai"),
        ("skip_thought_signature_validator", "bypass"),
        ("lQx0b3A+c2VjcmV0/Q==", "unknown"),
        ("", "unknown"),
    ],
)
def test_the_outer_bytes_tell_who_made_it(text: str, family: str) -> None:
    assert guess_origin(text).family == family


def test_a_random_string_that_happens_to_begin_with_one_is_nobodys() -> None:
    text = base64.b64encode(b"\x01" + bytes(range(60, 100))).decode()
    assert guess_origin(text).family == "unknown"


def test_gemini_tells_its_key_and_openai_its_time() -> None:
    assert guess_origin(G3).key_id == "de5b0660"
    assert guess_origin(OPENAI).minted_at == "2026-01-01T00:00:00Z"


def test_a_known_key_tells_the_surface() -> None:
    assert guess_origin(BARE).surface == "vertex"


def test_a_damaged_signature_has_no_origin_that_a_rule_could_rest_on() -> None:
    assert guess_origin(CLAUDE[:24]).family == "unknown"


@given(st.binary(max_size=300))
def test_guessing_never_fails(data: bytes) -> None:
    guess_origin(base64.b64encode(data).decode())
    guess_origin("gAAAA" + base64.b64encode(data).decode())
