"""Masking keeps the length, keeps JSON, and is done once."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.each import each

from sigscope.store.secrets import masker as masker_module
from sigscope.store.secrets.carriers import LOOK_BACK
from sigscope.store.secrets.finder import find_secrets
from sigscope.store.secrets.masker import Masker, apply_stars, mask_form, mask_text
from sigscope.store.secrets.secret import Secret

pytestmark = pytest.mark.slow

_NAME_AND_QUOTES = len('"password":""')
KEY = "sk-ant-api03-" + "Ab3" * 20
KNOWN = "n4vQ7rT2tZ9nB5uL3fK8"
PIECES = st.sampled_from(
    [
        f'{{"content":"{KEY}"}}',
        '{"api_key": "0123456789abcdef"}',
        '"reasoning_opaque":"' + "Zk3/x+9Q" * 30 + '"',
        "words " * 4000,
        '{"a":1},' * 2500,
        "sk-" + "a1B2" * 8,
        '"',
        "=",
        "x",
    ]
)


def test_the_prefix_that_tells_the_kind_stays() -> None:
    text, removed = mask_text(f"use {KEY}!")
    assert text == "use sk-ant-" + "*" * (len(KEY) - 7) + "!"
    assert dict(removed) == {"Anthropic key": 1}


def test_a_masked_text_is_left_as_it_is() -> None:
    body = json.dumps({"k": KEY, "api_key": KEY, "password": "hunter2"}).encode()
    once, removed = Masker().mask(body)
    twice, again = Masker().mask(once)
    assert removed.total() == 3
    assert once == twice
    assert not again


def test_forms_keep_their_length() -> None:
    form = b"refresh_token=1%2F%2F0abc&x=1"
    masked, removed = mask_form(form)
    assert masked == b"refresh_token=***********&x=1"
    assert removed.total() == 1


ESCAPED = (
    # A line that ends before the rest of a key looks like all of one: `\\n4vQ7...`.
    "\n" + KNOWN[1:],
    "C:\\" + KNOWN,
    KNOWN[:9] + "\n" + KNOWN[9:],
    KNOWN[:12] + '"' + KNOWN[12:],
    f"{KNOWN}\\",
)
OF_ESCAPES = KNOWN, KNOWN[12:], '"' + KNOWN[12:], "\\" + KNOWN


@each(product(ESCAPED, range(4), OF_ESCAPES))
def test_a_star_cuts_no_escape_however_deep_a_text_is_in_strings(
    row: tuple[str, int, str],
) -> None:
    said, depth, known = row
    text = said
    for _ in range(depth + 1):
        text = json.dumps({"c": text})
    masked, removed = Masker().mask(text.encode(), (KNOWN, known))
    assert removed
    assert len(masked) == len(text)
    plain = masked.decode()
    for _ in range(depth + 1):
        plain = json.loads(plain)["c"]
    assert KNOWN[13:] not in plain


def test_a_form_is_not_masked_twice() -> None:
    once, _ = mask_form(b"code=abcdef&x=1")
    assert mask_form(once) == (once, {})


@settings(deadline=None)  # the bodies are large, and other programs run too
@given(st.lists(PIECES, max_size=12), st.lists(PIECES, max_size=12))
def test_remembering_bodies_changes_nothing(old: list[str], new: list[str]) -> None:
    masker = Masker()
    for body in ("".join(old), "".join(old + new), "".join(new), "".join(new + old)):
        data = body.encode()
        assert masker.mask(data) == apply_stars(data, find_secrets(data))


def test_an_edit_at_any_distance_of_a_secret_is_noticed() -> None:
    rng = random.Random(5)
    filler = "lorem ipsum " * (LOOK_BACK // 4)
    base = filler + f'"note":"x {KEY}"' + filler
    masker = Masker()
    masker.mask(base.encode())
    near = base.index(KEY)
    for _ in range(40):
        at = near + rng.choice([-1, 0, 1, 7, 30, -9, LOOK_BACK, -LOOK_BACK, 70, 73])
        edited = (
            base[:at] + rng.choice(["", "Q", " ", '"data":"']) + base[at:]
        ).encode()
        assert masker.mask(edited) == apply_stars(edited, find_secrets(edited))


def test_a_conversation_edited_all_over_is_masked_as_if_each_body_were_new() -> None:
    rng = random.Random(4)

    def piece() -> str:
        text = rng.randbytes(rng.randint(9, 700)).hex()
        return rng.choice(
            [
                f'{{"role":"user","content":"{text}"}},',
                f'{{"role":"tool","content":"{text}"}},',
                f'"api_key":"{text[:18]}",',
                f"sk-ant-{text[:40]} ",
                f'"data":"sk-{text[:24]}Q",',
                f"Bearer {text[:30]}\n",
            ]
        )

    pieces = [piece() for _ in range(300)]
    masker = Masker()
    for _ in range(20):
        at = rng.randrange(len(pieces))
        old = pieces[at]
        cut = rng.randrange(len(old) + 1)
        edited = old[:cut] + rng.choice(["x", '"', "=", '"data":"', " "]) + old[cut:]
        pieces[at] = edited
        pieces.insert(rng.randrange(len(pieces)), piece())
        if rng.random() < 0.2:
            pieces = pieces[at:] + pieces[:at]
        data = "".join(pieces).encode()
        assert masker.mask(data) == apply_stars(data, find_secrets(data))


NEAR = [LOOK_BACK + by for by in (-_NAME_AND_QUOTES, -1, 0, 1, _NAME_AND_QUOTES)]
BEFORE = [0, 1, LOOK_BACK - 1, LOOK_BACK, 5 * LOOK_BACK]
SIZES_AND_PLACES = [
    *product([*NEAR, 3 * LOOK_BACK], BEFORE),
    *product([20 * LOOK_BACK], [0, LOOK_BACK - 1]),  # more than one block
]


@pytest.mark.parametrize(("size", "before"), SIZES_AND_PLACES)
def test_a_secret_of_any_length_is_masked_to_its_end_in_every_repeat(
    size: int, before: int
) -> None:
    """Those as long as the margins and longer, too: what is repeated of one is not the
    middle of a text."""
    secret = f'"password":"{"Zk3x9Q7f" * (size // 8)}{"e" * (size % 8)}"'
    rest = "words, " * (8 * LOOK_BACK // 7)
    first = "{" + "w" * before + "," + secret + "," + rest + "}"
    masker = Masker()
    for body in (
        first,
        first.replace("words", "swords", 1),
        "[0," + first,
        first + first,
        first[: before + size // 2] + "!" + first[before + size // 2 :],
        first.replace(secret, secret[1:]),
    ):
        data = body.encode()
        assert masker.mask(data) == apply_stars(data, find_secrets(data))


def test_what_was_searched_before_is_not_searched_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A longer request costs what is new in it, and the margins."""
    searched: list[int] = []

    def counted(data: bytes, start: int = 0, end: int | None = None) -> list[Secret]:
        searched.append((len(data) if end is None else end) - start)
        return find_secrets(data, start, end)

    monkeypatch.setattr(masker_module, "find_secrets", counted)
    rng = random.Random(7)
    old = json.dumps([str(rng.random()) for _ in range(30_000)]).encode()
    masker = Masker()
    masker.mask(old)
    searched.clear()
    masker.mask(old[:-1] + b", " + KEY.encode() + b"]")
    assert 0 < sum(searched) <= 4 * LOOK_BACK
    searched.clear()
    masker.mask(b"[1, " + old[1:])
    assert 0 < sum(searched) <= 4 * LOOK_BACK


def test_a_text_is_searched_for_what_is_known_now() -> None:
    text = "the service refuses abcdefgh12345678"
    known = ("abcdefgh12345678",)
    for _ in range(2):
        assert mask_text(text)[0] == text
        assert mask_text(text, known)[0] == text[:-16] + "*" * 16
        assert mask_text(text, ())[0] == text
