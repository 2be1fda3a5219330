"""What one opaque string tells without a key. Values are made up."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope import opaque

G3 = "EhkKFwHeWwZgVZrq0IJk1XldOQlxjN0Fq9SV"
G25 = "ChcB3lsGYN5ab3gRbspi1/xc4VnSOua4iQ=="
BARE = "Ad5bBmDeWm94EW7KYtf8XOFZ0jrmuIk="
CLAUDE = "EhYKBggLEAEYAhIMLn0sA6lQeuJl7PW1GAE="
OPENAI = "gAAAAABpVbkAJS8QyDYQ68oaBZwLroJV680KqYVhR7bFtP8rff7l2iCqOCUwme8bSmSs7SM8mv4p"


@pytest.mark.parametrize("data", [b"", b"a", b"ab", b"abc", b"\xfb\xff\xfe" * 9])
def test_both_alphabets_with_and_without_padding_decode_alike(data: bytes) -> None:
    standard = base64.b64encode(data).decode()
    urlsafe = base64.urlsafe_b64encode(data).decode()
    if not data:
        assert opaque.decode(standard) is None
        return
    for text in (standard, urlsafe, standard.rstrip("="), urlsafe.rstrip("=")):
        assert opaque.decode(text) == data


@pytest.mark.parametrize(
    "text", ["A", "AAAAA", "AB C", "AB\n", "…", "é", "AAAA=A", "====", " AAAA"]
)
def test_what_is_not_base64_is_not_decoded(text: str) -> None:
    assert opaque.decode(text) is None


@given(st.binary(min_size=1, max_size=200))
def test_recoding_does_not_change_the_comparison_key(data: bytes) -> None:
    one = base64.b64encode(data).decode()
    other = base64.urlsafe_b64encode(data).decode().rstrip("=")
    assert opaque.comparison_key(one) == opaque.comparison_key(other)


@given(st.text(max_size=50), st.text(max_size=50))
def test_texts_that_are_not_base64_compare_as_they_stand(a: str, b: str) -> None:
    if opaque.decode(a) is None and opaque.decode(b) is None:
        assert (opaque.comparison_key(a) == opaque.comparison_key(b)) == (a == b)


@given(st.text())
def test_any_text_has_bytes_and_a_fingerprint(text: str) -> None:
    assert len(opaque.fingerprint(text)) == 6


@pytest.mark.parametrize("cut", [1, 2, 3, 4, 17])
@pytest.mark.parametrize("end", ["", "...", "…"])
def test_a_cut_signature_is_known_as_such(cut: int, end: str) -> None:
    assert opaque.is_cut_of(G3[:-cut] + end, G3)


def test_padding_alone_is_no_cut() -> None:
    assert not opaque.is_cut_of(BARE.rstrip("="), BARE)
    assert not opaque.is_cut_of(BARE, BARE)


def test_a_cut_is_seen_through_the_other_alphabet() -> None:
    whole = base64.b64encode(b"\xfb\xff\xfe" * 20).decode()
    cut = whole.translate(str.maketrans("+/", "-_"))[:-8]
    assert opaque.is_cut_of(cut, whole)


def test_one_changed_character_is_an_alteration_and_another_signature_is_not() -> None:
    whole = base64.b64encode(bytes(range(200))).decode()
    altered = whole[:100] + ("A" if whole[100] != "A" else "B") + whole[101:]
    assert opaque.is_altered_from(altered, whole)
    other = G3[:12] + base64.b64encode(bytes(200)).decode()
    assert not opaque.is_altered_from(other, whole)


def test_base64_put_around_once_more_is_an_alteration() -> None:
    again = base64.b64encode(G3.encode()).decode()
    assert opaque.is_altered_from(again, G3)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("skip_thought_signature_validator", "raw"),
        ("c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=", "base64"),
        ("c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I", "base64"),
        ("context_engineering_is_the_way_to_go", "raw"),
        ("Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv", "base64"),
    ],
)
def test_stand_ins_are_known_in_both_forms(text: str, form: str) -> None:
    bypass = opaque.maybe_bypass(text)
    assert bypass is not None
    assert bypass.form == form


@pytest.mark.parametrize("text", [G3, "", "skip_thought", "x" * 5000])
def test_a_signature_is_no_stand_in(text: str) -> None:
    assert opaque.maybe_bypass(text) is None


def test_litellm_hides_a_signature_in_a_call_id() -> None:
    found = opaque.split_call_id(f"call_7__thought__{G3}__vscode-1-2")
    assert found == opaque.CallId(plain="call_7", signature=G3)


def test_a_plain_call_id_stays_as_it_is() -> None:
    found = opaque.split_call_id("call_MHxhYmM")
    assert found == opaque.CallId(plain="call_MHxhYmM", signature=None)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("***", True),
        ("xxxxxxxxxxxx", True),
        ("[REDACTED]", True),
        ("SCRUBBED_SIGNATURE", True),
        ("...(truncated 300 chars)", True),
        ("EoQE...", True),
        ("skip_thought_signature_validator", False),
        ("EssBCsgBARFNMg+t1x7XymaskedAdITgkykE", False),
        ("CiQBcsjafN", False),
        ("", False),
    ],
)
def test_a_mask_is_told_from_a_value(text: str, is_one: bool) -> None:
    assert opaque.is_mask(text) is is_one


PIECES = st.sampled_from(
    ["Ab3" * 6, "Ab3" * 5 + "x", "b3A" * 8, "Ab3" * 12, "=", "==", "é", ".", " ", "a"]
)
VALUES = st.lists(PIECES, min_size=1, max_size=4).map("".join)


@given(st.lists(VALUES, max_size=6), st.lists(PIECES, max_size=6).map("".join))
def test_an_index_finds_what_occurs_in_a_text(values: list[str], text: str) -> None:
    found = [value for value in dict.fromkeys(values) if value in text]
    assert opaque.ValueIndex(values).within(text) == found
