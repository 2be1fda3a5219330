"""What is there is never told as absent; what is not, mostly is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sigscope.store.secrets.presence import Presence
from sigscope.store.secrets.shapes import APART

_TEXTS = [text for shape in APART for text in shape.starts]


def seen(data: bytes) -> Presence:
    return Presence(data, data.lower())


@given(st.binary(), st.sampled_from(_TEXTS), st.binary())
def test_what_stands_there_is_seen(before: bytes, text: bytes, after: bytes) -> None:
    assert seen(before + text + after).may_have(text)


@given(st.text("aeAE_- =passkey").map(str.encode), st.integers(0, 9), st.integers(1, 9))
def test_any_text_of_it_is_seen(data: bytes, start: int, size: int) -> None:
    text = data[start : start + size]
    assert not text or seen(data).may_have(text)


@given(st.text("aeAE_- =passkey").map(str.encode), st.binary(max_size=9))
def test_many_are_told_as_each_by_itself(data: bytes, more: bytes) -> None:
    presence = seen(data + more)
    each = [text for text in _TEXTS if presence.may_have(text)]
    assert list(seen(data + more).among(tuple(_TEXTS))) == each


def test_prose_is_told_to_have_next_to_none() -> None:
    prose = b"The model thinks, calls a tool, and reads what comes back from it. " * 20
    presence = seen(prose)
    assert len([text for text in _TEXTS if presence.may_have(text)]) <= 1
