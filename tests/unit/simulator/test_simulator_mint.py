"""Signatures: sealed, dressed, and recognised for what became of them."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.upstreams.simulator import Anchor, SimConfig, Standing
from sigscope.upstreams.simulator.mint.draws import Draws
from sigscope.upstreams.simulator.mint.keyring import (
    Keyring,
    SealOwner,
    canonical,
)
from sigscope.upstreams.simulator.mint.sealed import seal, unseal
from sigscope.upstreams.simulator.mint.shapes import (
    BYPASS_2_B64,
    BYPASS_2_RAW,
    BYPASS_B64,
    BYPASS_RAW,
    Form,
    decode,
    undress,
)

ORIGIN = SealOwner(
    service="google", surface="ai-studio", family="gemini-3", account="account-1"
)
CALL = Anchor(kind="call", name="read", call_id="c1", arguments={"path": "a.md"})
FORMS: tuple[Form, ...] = (
    "field-2",
    "field-1",
    "bare",
    "claude",
    "fernet",
    "padded",
    "unpadded",
)


def keyring(**settings: object) -> Keyring:
    return Keyring(SimConfig(**settings))  # type: ignore[arg-type]


def minted(form: Form = "field-2", anchor: Anchor = CALL, size: int = 400) -> str:
    return keyring().mint(
        form, ORIGIN, anchor, Draws("x"), size=size, unix=1_767_225_600
    )


def standing(text: str, anchor: Anchor = CALL, origin: SealOwner = ORIGIN) -> Standing:
    return keyring().recognise(text, origin, anchor, ("c1", "c2")).standing


@pytest.mark.parametrize("form", FORMS)
def test_a_signature_comes_back_genuine_in_every_form(form: Form) -> None:
    assert standing(minted(form)) is Standing.GENUINE


@pytest.mark.parametrize(
    ("form", "starts", "first"),
    [
        ("field-2", "E", "12"),
        ("field-1", "C", "0a"),
        ("bare", "AY89a1", "018f3d6b5f"),
        ("claude", "E", "12"),
        ("fernet", "gAAAA", "80000000006955b900"),
        ("padded", "", ""),
        ("unpadded", "", ""),
    ],
)
def test_forms_begin_as_the_recorded_ones_do(
    form: Form, starts: str, first: str
) -> None:
    origin = SealOwner(
        service="google", surface="vertex", family="gemini-3", account="account-1"
    )
    text = keyring().mint(form, origin, CALL, Draws("x"), size=400, unix=1_767_225_600)
    assert text.startswith(starts)
    data = decode(text)
    assert data is not None
    assert data.hex().startswith(first)
    assert ("=" in text or len(data) % 3 == 0) is (form != "unpadded")


def test_the_ai_studio_form_holds_a_key_id_behind_two_lengths() -> None:
    data = decode(minted("field-2"))
    assert data is not None
    (inner, *_) = undress(data)
    assert data[0] == 0x12
    assert inner.key_id == bytes.fromhex("114d320f")
    assert not inner.torn


def test_the_field_1_form_repeats_its_records() -> None:
    data = decode(minted("field-1"))
    assert data is not None
    assert data.count(bytes.fromhex("01114d320f")) == 3


@given(st.data())
def test_no_changed_byte_goes_unnoticed(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(FORMS))
    raw = bytearray(decode(minted(form)) or b"")
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= data.draw(st.integers(1, 255))
    text = base64.b64encode(bytes(raw)).decode()
    assert standing(text) is not Standing.GENUINE


@given(st.sampled_from(FORMS), st.binary(min_size=1, max_size=8))
def test_nothing_can_be_appended_unnoticed(form: Form, tail: bytes) -> None:
    raw = decode(minted(form)) or b""
    text = base64.b64encode(raw + tail).decode()
    assert standing(text) is not Standing.GENUINE


@given(st.sampled_from(FORMS), st.integers(0, 800))
def test_no_beginning_of_a_signature_is_genuine(form: Form, length: int) -> None:
    text = minted(form).rstrip("=")
    assert standing(text[: min(length, len(text) - 1)]) is not Standing.GENUINE


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("left", [120, 121, 122, 123, 300, 301])
def test_a_cut_is_told_from_a_change(form: Form, left: int) -> None:
    assert standing(minted(form)[:left]) is Standing.CUT


@pytest.mark.parametrize("tail", ["...", "…"])
def test_an_ellipsis_tells_a_cut_too(tail: str) -> None:
    assert standing(minted()[:200] + tail) is Standing.CUT


@pytest.mark.parametrize("form", FORMS)
def test_a_change_in_the_middle_is_altered(form: Form) -> None:
    text = minted(form)
    swapped = "A" if text[300] != "A" else "B"
    assert standing(text[:300] + swapped + text[301:]) is Standing.ALTERED


@pytest.mark.parametrize("form", FORMS)
def test_the_other_alphabet_and_missing_padding_do_not_matter(form: Form) -> None:
    text = minted(form).replace("+", "-").replace("/", "_").rstrip("=")
    assert standing(text) is Standing.GENUINE


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (CALL, Standing.GENUINE),
        (Anchor(kind="call", name="read", call_id="c2"), Standing.MISPLACED),
        (Anchor(kind="call", name="list", call_id="c9"), Standing.MISPLACED),
        (
            Anchor(kind="call", name="read", arguments={"path": "b.md"}),
            Standing.MISPLACED,
        ),
        (
            Anchor(kind="call", name="read", call_id="new", arguments={"path": "a.md"}),
            Standing.MISPLACED,
        ),
        (Anchor(kind="text", text="hello"), Standing.MISPLACED),
        (Anchor(), Standing.GENUINE),
    ],
)
def test_the_place_decides_where_the_original_call_is_there(
    found: Anchor, expected: Standing
) -> None:
    assert standing(minted(), found) is expected


def test_a_call_the_client_renamed_keeps_its_signature() -> None:
    renamed = Anchor(
        kind="call", name="read", call_id="mine", arguments='{ "path":"a.md"}'
    )
    seen = keyring().recognise(minted(), ORIGIN, renamed, ("mine",))
    assert seen.standing is Standing.GENUINE


@pytest.mark.parametrize(
    "origin",
    [
        SealOwner(service="google", surface="vertex", family="gemini-3", account="a"),
        SealOwner(
            service="google", surface="ai-studio", family="gemini-3", account="b"
        ),
        SealOwner(service="github", surface="", family="gemini-3", account="account-1"),
    ],
)
def test_another_surface_account_or_service_makes_it_foreign(origin: SealOwner) -> None:
    assert standing(minted(), origin=origin) is Standing.FOREIGN


@pytest.mark.parametrize(
    ("enforce", "expected"),
    [("strict", Standing.FOREIGN), ("lenient", Standing.GENUINE)],
)
def test_generations_of_gemini_are_strangers_only_to_the_strict(
    enforce: str, expected: Standing
) -> None:
    older = SealOwner(
        service="google", surface="ai-studio", family="gemini-2.5", account="account-1"
    )
    seen = keyring(enforce=enforce).recognise(minted(), older, CALL)
    assert seen.standing is expected


@pytest.mark.parametrize(
    ("text", "bypass"),
    [
        (BYPASS_RAW, "raw"),
        (BYPASS_B64, "base64"),
        (BYPASS_2_RAW, "raw-2"),
        (BYPASS_2_B64, "base64-2"),
    ],
)
def test_the_documented_literals_are_bypasses(text: str, bypass: str) -> None:
    seen = keyring().recognise(text, ORIGIN, CALL)
    assert (seen.standing, seen.bypass) == (Standing.BYPASS, bypass)


def test_the_mistyped_literal_is_no_bypass() -> None:
    assert standing("context_engineering_is_the_way to_go") is Standing.NOT_BASE64


@pytest.mark.parametrize("text", ["", "é", "A", "AAAAA", "ab=c", "a+b_cdef", "[1, 2]"])
def test_strange_texts_are_never_genuine_and_never_raise(text: str) -> None:
    assert standing(text) is not Standing.GENUINE


def test_recorded_signatures_are_compared_byte_for_byte() -> None:
    value = base64.b64encode(bytes(range(40))).decode()
    rings = keyring(genuine={value: CALL})

    def seen(text: str, found: Anchor = CALL) -> Standing:
        return rings.recognise(text, ORIGIN, found, ("c1", "c2")).standing

    other = Anchor(kind="call", name="read", call_id="c2")
    altered = base64.b64encode(bytes(range(39)) + b"x").decode()
    assert seen(value) is Standing.GENUINE
    assert seen(value.replace("+", "-").replace("/", "_")) is Standing.GENUINE
    assert seen(value, other) is Standing.MISPLACED
    assert seen(value[:24]) is Standing.CUT
    assert seen(value[:25]) is Standing.CUT
    assert seen(altered) is Standing.ALTERED
    assert seen(minted("bare")) is Standing.GENUINE
    assert seen(base64.b64encode(b"never seen before").decode()) is Standing.FOREIGN


def test_a_recorded_signature_of_the_other_surface_is_foreign() -> None:
    value = base64.b64encode(bytes(range(40))).decode()
    rings = keyring(genuine={value: Anchor(surface="vertex")})
    assert rings.recognise(value, ORIGIN, CALL).standing is Standing.FOREIGN


@given(
    st.binary(max_size=300), st.integers(0, 600), st.binary(min_size=12, max_size=12)
)
def test_what_is_sealed_is_what_is_unsealed(
    record: bytes, size: int, nonce: bytes
) -> None:
    opened = unseal(b"key", seal(b"key", record, nonce, size))
    assert (opened.state, opened.record) == ("whole", record)


@given(st.binary(max_size=200))
def test_unsealing_noise_finds_nothing(noise: bytes) -> None:
    assert unseal(b"key", noise).state == "unknown"


def test_another_seed_opens_nothing() -> None:
    seen = keyring(seed="other").recognise(minted(), ORIGIN, CALL)
    assert seen.standing is not Standing.GENUINE


def test_sizes_are_as_asked() -> None:
    sealed = seal(b"key", b"record", b"n" * 12, 1074)
    assert len(sealed) == 1074
    assert len(minted("padded", size=1074)) == 1432


def test_draws_repeat_by_key_and_branch_without_disturbing_one_another() -> None:
    one, two = Draws("a", "b"), Draws("a", "b")
    one.child("x").bytes(99)
    assert one.bytes(40) == two.bytes(40)
    assert Draws("ab").bytes(8) != Draws("a", "b").bytes(8)


def test_arguments_have_one_canonical_spelling() -> None:
    assert canonical('{"b":1, "a":[ ]}') == canonical({"a": [], "b": 1})
    assert canonical({"a": 2.0, "b": [1.5]}) == canonical('{"a":2,"b":[1.5]}')
    assert canonical("{broken") == "{broken"
