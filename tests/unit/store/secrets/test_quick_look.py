"""The quick look at a stream says the same as the look at each event."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigscope.store.secrets import split
from sigscope.store.secrets.finder import find_secrets
from sigscope.store.secrets.masker import Masker, apply_stars, mask_answer
from sigscope.store.secrets.split import mask_split, mask_stream
from sigscope.wire.frames import choose_framing, frame

pytestmark = pytest.mark.slow

KEY = "sk-proj-Zx81Qm40vLw27Tn95Yc63Rb" + "d8Ks"
PIECES = [KEY[at : at + 9] for at in range(0, len(KEY), 9)]


def line(text: str) -> str:
    return "data: " + json.dumps({"choices": [{"delta": {"content": text}}]}) + "\n"


LINES = st.sampled_from(
    [
        line(""),
        line("word "),
        "\n",
        "\n",
        "\n",
        "data: [DONE]\n",
        "data: {\n",
        "data: [1\n",
        "data: 2]\n",
        "data:[]\n",
        'data: {"choices":"x"}\n',
        'data: "sk-"\n',
        ": ping\n",
        "event: delta\n",
        "id: 1\n",
        "\r\n",
        "\ufeff",
        "data: \udcff\n",
    ]
)


@settings(deadline=None, max_examples=100)
@given(st.tuples(*(st.lists(LINES, max_size=3) for _ in range(len(PIECES) + 1))))
def test_a_stream_is_masked_alike_however_odd_its_lines(
    between: tuple[list[str], ...],
) -> None:
    pieces = [line(piece) + "\n" for piece in PIECES]
    lines = [
        text
        for gap, piece in zip(between, [*pieces, ""], strict=True)
        for text in (*gap, piece)
    ]
    data = "".join(lines).encode("utf-8", "surrogateescape")
    framing = choose_framing((), data)
    if framing not in ("sse", "data-lines"):
        return
    events = frame(data, framing).events
    assert mask_stream(data, framing) == mask_split(data, events)


@pytest.mark.parametrize("gap", ["\n", "\r\n"])
def test_a_secret_in_pieces_is_seen(gap: str) -> None:
    lines = [line(piece).strip() + gap * 2 for piece in ("so ", *PIECES, " there")]
    data = "".join(lines).encode()
    masked, removed = mask_stream(data, "sse")
    assert removed == Counter({"OpenAI key": 1})
    assert len(masked) == len(data)


def test_one_of_the_known_is_seen_too() -> None:
    data = "".join(line(text) + "\n" for text in ("my-own-", "password", " x")).encode()
    assert not mask_stream(data, "sse")[1]
    assert mask_stream(data, "sse", ["my-own-password-1"[:15]])[1]


def test_usual_events_need_no_closer_look(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("each event was looked at")

    monkeypatch.setattr(split, "frame", never)
    data = "".join(line(f"word {n} ") + "\n" for n in range(50)) + "data: [DONE]\n\n"
    assert mask_stream(data.encode(), "sse") == (data.encode(), Counter())


@given(st.lists(st.sampled_from(["\\n", "%22", " ", '"', "=", "/", "x"]), max_size=4))
def test_a_word_that_was_dull_is_none_behind_an_escape(before: list[str]) -> None:
    text = "".join(f'{{"id":"n{KEY}"}}{each}n{KEY} ' for each in before)
    parts = [
        secret
        for at in range(len(text))
        for secret in find_secrets(text.encode(), at, at + 1)
        if secret.start >= at
    ]
    found = find_secrets(text.encode())
    assert {(s.start, s.end) for s in found} == {(s.start, s.end) for s in parts}


@given(st.lists(st.sampled_from([KEY, "word " * 99, '"', f'"api_key":"{KEY[8:]}"'])))
def test_an_answer_is_masked_as_any_body(pieces: list[str]) -> None:
    data = (" ".join(pieces) * 30).encode()
    assert mask_answer(data) == Masker().mask(data)
    assert mask_answer(data)[0] == apply_stars(data, find_secrets(data))[0]
