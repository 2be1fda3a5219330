"""Objects are found inside text, however they are written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.refusals.literals import MAX_DEPTH, find_literal, unescape

INNER = {"error": {"code": 400, "message": 'say `why` \\ it\'s "so"\nhere', "ok": None}}
WRITTEN = json.dumps(INNER)


def find(text: str) -> object:
    found = find_literal(text, lambda value: isinstance(value, dict | list | str))
    return found.value if found else None


SPELLINGS = [
    ("JSON", WRITTEN),
    ("JSON over lines", json.dumps(INNER, indent=2)),
    ("Python repr", repr(INNER)),
    ("escaped JSON", json.dumps(WRITTEN)[1:-1]),
    ("escaped twice", json.dumps(json.dumps(WRITTEN)[1:-1])[1:-1]),
    ("escaped repr", repr(repr(INNER))[1:-1]),
]


@pytest.mark.parametrize(("name", "text"), SPELLINGS)
def test_an_object_is_read_however_it_is_spelled(name: str, text: str) -> None:
    assert find(text) == INNER
    assert find(f"Error code: 400 - {text}") == INNER


def test_words_before_and_after_are_left_outside() -> None:
    text = f"before {WRITTEN} after"
    found = find_literal(text, lambda value: isinstance(value, dict))
    assert found is not None
    assert text[: found.start] == "before "
    assert text[found.end :] == " after"


def test_python_bytes_become_their_text() -> None:
    body = '{\n  "error": "it\'s … done"\n}'
    assert find(f"X - {body.encode()!r}") == body
    assert find(f"X({str(body.encode())!r})") == body


def test_bytes_that_are_no_utf_8_stay_readable() -> None:
    assert find("b'\\xff\\xfe ok'") == "ÿþ ok"


def test_a_torn_object_is_read_as_far_as_it_goes() -> None:
    whole = '{"error": {"code": 400, "message": "cut short"}}'
    for end in range(len('{"error": {"code": 400, "message": "c'), len(whole)):
        found = find(whole[:end])
        assert isinstance(found, dict)
        assert found["error"]["message"] == "cut short"[: max(0, end - 36)]


def test_bare_keys_of_a_console_are_read() -> None:
    text = (
        "HTTP error: { error: { message: 'no such model', code: 'x', n: undefined } }"
    )
    assert find(text) == {"error": {"message": "no such model", "code": "x", "n": None}}


def test_braces_of_ordinary_text_are_no_object() -> None:
    for text in (
        "use {name} here",
        "[1, 2]",
        "{}",
        "{",
        "{'",
        "a {b: c} d",
        "b or 'c'",
    ):
        assert find_literal(text, bool) is None, text


def test_the_first_accepted_value_counts_and_its_inside_is_not_searched() -> None:
    quoted = {"role": "tool", "content": WRITTEN}
    text = f"Received message={quoted!r}, then {WRITTEN}"
    found = find_literal(text, lambda v: isinstance(v, dict) and "error" in v)
    assert found is not None
    assert found.start == text.rindex(WRITTEN)


def test_depth_is_bounded() -> None:
    for deep in ("{'a':" * 5000, '{"a":' * 100_000, "[{" * 5000, "{\\" * 4000 + '"'):
        find(deep)
    shallow = "{'a': " * (MAX_DEPTH // 2) + "1" + "}" * (MAX_DEPTH // 2)
    assert find(shallow) is not None


def test_huge_numbers_are_no_trouble() -> None:
    assert find("{'a': " + "9" * 6000 + "}") == {"a": float("inf")}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"a\nb", "a\nb"),
        (r"\\n", r"\n"),
        (r"\x41é", "Aé"),
        (r"\ud83d\ude00", "😀"),
        (r"\'\"\/", "'\"/"),
        (r"\d \%", r"\d \%"),
        ("\\", "\\"),
        (r"\U00110000", r"\U00110000"),
    ],
)
def test_escapes_come_off_once(text: str, plain: str) -> None:
    assert unescape(text) == plain


@given(st.text(alphabet="{}[]()'\"`\\b:, \nau0{[", max_size=60))
def test_any_text_is_searched_without_an_exception(text: str) -> None:
    find(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=5), json_values, min_size=1, max_size=3))
def test_what_json_writes_is_read_back(value: object) -> None:
    assert find(f"at {json.dumps(value)}") == value
