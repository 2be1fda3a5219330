"""The envelopes of a stream: nearly as small a line, at a fraction of the search."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.store import refrain as module
from sigscope.store import splicer
from sigscope.store.splicer import Splicer
from sigscope.store.splices import Splice, assemble

EVENTS = 2000
PIECES = st.sampled_from(
    [
        b'\n\ndata: {"id":"x1","choices":[{"delta":{"content":"',
        b'"},"finish_reason":null}],"obfuscation":"',
        b" a",
        b"\\n",
        "größe".encode(),
        b"abcdefgh" * 12,
        b"\xff\xfe",
    ]
)


def chat(number: int, word: str) -> object:
    choice = {"index": 0, "delta": {"content": word}, "finish_reason": None}
    return {"id": "chatcmpl-4f2a", "model": "m", "choices": [choice]}


def numbered(number: int, word: str) -> object:
    kind = "response.output_text.delta"
    told = {"type": kind, "sequence_number": number, "item_id": "msg_5eb561a42163"}
    return {**told, "delta": word, "logprobs": [], "obfuscation": "x" * (number % 7)}


def arguments(number: int, word: str) -> object:
    json_piece = f'"{word}":' if number % 3 else f"\n{word}"
    delta = {"type": "input_json_delta", "partial_json": json_piece}
    return {"type": "content_block_delta", "index": 1, "delta": delta}


def stream(event: Callable[[int, str], object], seed: int) -> bytes:
    choice = random.Random(seed)

    def events() -> Iterator[str]:
        for number in range(EVENTS):
            word = "".join(choice.choices("etaoinshr", k=choice.randint(1, 9)))
            said = json.dumps(event(number, f" {word}"), separators=(",", ":"))
            yield f"data: {said}\n\n"

    return "".join(events()).encode()


def told(bodies: list[bytes]) -> list[Splice]:
    """Splice bodies one after the other, and check that each can be put together."""
    ours, space = Splicer(), b""
    splices = []
    for body in bodies:
        at, earlier = len(space), space
        splice = ours.splice(body, at)
        back = assemble(
            splice.rest, splice.copies, at, lambda p, n, s=earlier: s[p : p + n]
        )
        assert back == body
        space += body
        splices.append(splice)
    return splices


def cost(splice: Splice) -> int:
    """Bytes in the file, about."""
    return len(splice.rest) + len(json.dumps(splice.copies, separators=(",", ":")))


@pytest.mark.parametrize("event", [chat, numbered, arguments])
def test_a_stream_costs_few_searches_and_little_more_room(
    event: Callable[[int, str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = [stream(event, seed) for seed in (1, 2)]
    searches = 0
    extend = splicer._Search._extend

    def counted(search: splicer._Search, place: int, source: int) -> object:
        nonlocal searches
        searches += 1
        return extend(search, place, source)

    monkeypatch.setattr(splicer._Search, "_extend", counted)
    quick = told(bodies)
    assert searches < EVENTS / 10
    monkeypatch.setattr(module, "_WORTH_IT", len(bodies[0]) * 2)
    thorough = told(bodies)
    assert searches > EVENTS
    for one, other in zip(quick, thorough, strict=True):
        assert cost(one) < 1.4 * cost(other)


def test_small_bodies_are_told_to_the_last_byte() -> None:
    body = stream(chat, 1)[: module._WORTH_IT - 1]
    assert list(module.Refrain(body).after(0, 400)) == []


@given(st.lists(st.lists(PIECES, max_size=40).map(b"".join), max_size=4))
def test_whatever_comes_again_comes_out_again(bodies: list[bytes]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_WORTH_IT", 0)
        for body, splice in zip(bodies, told(bodies), strict=True):
            try:
                body.decode()
            except UnicodeDecodeError:
                continue
            splice.rest.decode()


def test_what_repeats_without_a_change_stays_a_few_copies() -> None:
    body = b'{"line":"what stands here stands here again"},\n' * 4000
    (splice,) = told([body])
    assert len(splice.copies) / 3 < 100
