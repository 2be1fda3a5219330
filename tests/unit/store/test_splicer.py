"""Finding what a body has in common with those before it."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.effort import effort

from sigscope.store import splicer as module
from sigscope.store.splicer import Splicer
from sigscope.store.splices import Splice, assemble

PIECES = st.sampled_from(
    [
        b'{"model":"m","messages":[',
        b'{"role":"user","content":"What is in a.md? Tell me in one sentence."},',
        '{"role":"tool","content":"größe 文件\\n文件 größe naïve\\n"},'.encode(),
        b'{"role":"assistant","content":null,"reasoning_opaque":"'
        + b"Zk3x" * 30
        + b'"}',
        b"\n\ndata: ",
        b'"',
        b"\\",
        b"\xff\xfe\x80\x80\x80\x80",
        "文".encode() * 40,
        b"a" * 70,
    ]
)


def told(bodies: list[bytes], window: int = module.WINDOW) -> list[Splice]:
    """Splice bodies one after the other, and check that each can be put together."""
    splicer = Splicer(window)
    space = b""
    splices = []
    for body in bodies:
        at = len(space)
        splice = splicer.splice(body, at)
        earlier = space
        assert splicer.end == at + len(body)
        assert (
            assemble(
                splice.rest, splice.copies, at, lambda p, n, s=earlier: s[p : p + n]
            )
            == body
        )
        space += body
        splices.append(splice)
    return splices


@given(st.lists(st.lists(PIECES, max_size=12).map(b"".join), max_size=6))
def test_any_bodies_are_told_so_that_they_come_out_again(bodies: list[bytes]) -> None:
    starts = [sum(map(len, bodies[:i])) for i in range(len(bodies))]
    for start, splice in zip(starts, told(bodies), strict=True):
        assert set(splice.needs) <= {s for s in starts if s < start}


@given(st.lists(st.binary(max_size=200), max_size=6))
def test_random_bytes_come_out_again(bodies: list[bytes]) -> None:
    told(bodies)


@given(st.lists(st.lists(PIECES, max_size=9).map(b"".join), max_size=5))
def test_text_is_cut_between_characters(bodies: list[bytes]) -> None:
    for body, splice in zip(bodies, told(bodies), strict=True):
        try:
            body.decode()
        except UnicodeDecodeError:
            continue
        splice.rest.decode()


@given(st.lists(st.lists(PIECES, max_size=9).map(b"".join), max_size=9))
def test_a_small_window_forgets_and_still_tells_right(bodies: list[bytes]) -> None:
    told(bodies, window=300)


def history(count: int, seed: int = 1) -> list[dict[str, str]]:
    rng = random.Random(seed)
    return [
        {
            "role": "user",
            "content": "\n".join(rng.randbytes(30).hex() for _ in range(9)),
        }
        for _ in range(count)
    ]


def request(messages: list[dict[str, str]], **more: object) -> bytes:
    tools = [{"name": f"tool {n}", "text": "x" * n} for n in range(30)]
    body = {"model": "m", **more, "messages": messages, "tools": tools, "stream": True}
    return json.dumps(body).encode()


def test_an_equal_body_is_one_copy() -> None:
    body = request(history(20))
    last = told([body, body])[1]
    assert last.rest == b""
    assert last.copies == (0, len(body), len(body))


def test_a_history_that_grows_in_the_middle_costs_what_is_new() -> None:
    old, new = history(20), history(21)
    last = told([request(old), request(new)])[1]
    assert len(last.rest) < len(json.dumps(new[-1])) + 10
    assert len(last.copies) <= 9


def test_an_early_change_and_growth_cost_what_is_new() -> None:
    first = request(history(20), clock="10:00")
    last = told([first, request(history(21), clock="9:59:59")])[1]
    assert len(last.rest) < len(json.dumps(history(21)[-1])) + 40


def test_an_edit_in_an_old_step_costs_what_was_edited() -> None:
    steps = [request(history(n)) for n in range(1, 30)]
    edited = steps[9].replace(b'"stream": true', b'"stream": false')
    last = told([*steps, edited])[-1]
    assert len(last.rest) < 60


def test_histories_cut_and_joined_are_found_again() -> None:
    messages = history(40)
    last = told([request(messages), request(messages[:3] + messages[30:])])[1]
    assert len(last.rest) < 60


def test_a_side_request_in_between_costs_nothing() -> None:
    title = request([{"role": "user", "content": "A title for this, please"}])
    last = told([request(history(20)), title, request(history(20))])[-1]
    assert len(last.rest) < 60


def test_the_envelopes_of_a_stream_are_told_once() -> None:
    events = [
        b'data: {"id":"gen-1","object":"chunk","model":"m","choices":[{"delta":'
        b'{"content":"%d"},"finish_reason":null}]}\n\n' % (n * n)
        for n in range(300)
    ]
    body = b"".join(events)
    only = told([body])[0]
    assert len(only.rest) < len(body) / 15
    assert len(only.copies) < 3 * 320


def test_an_image_without_anchors_is_found_by_what_surrounds_it() -> None:
    image = bytes(random.Random(2).choices(b"abcdefgh0123", k=60_000))
    first = b'{"type":"image","data":"' + image + b'"}'
    last = told([first, b'{"text":"look","part":' + first + b"}"])[1]
    assert len(last.rest) < 60


@pytest.mark.parametrize(
    "body",
    [b'"' * 200_000, b'"\\\n' * 60_000, b'"x' * 100_000, b"\0" * 200_000],
    ids=["quotes", "anchors", "pairs", "zeros"],
)
@pytest.mark.timeout(10)
def test_bodies_made_of_anchors_are_no_trap(body: bytes) -> None:
    told([body, body])


def test_an_image_that_comes_again_is_not_searched_again_and_again() -> None:
    """19 s for one of 8 MB, in which nothing else was written."""
    image = random.Random(3).randbytes(3_000_000).hex().encode()
    bodies = [b'{"image":"' + image + b'","said":"%d"}' % n for n in range(3)]
    assert effort(lambda: told(bodies), limit=1) < 1
    assert all(len(each.rest) < 100 for each in told(bodies)[1:])


def test_what_is_remembered_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PLACES", 500)
    bodies = [request(history(20, seed)) for seed in range(12)]
    last = told([*bodies, bodies[-1]])[-1]
    assert last.rest == b""


def test_a_request_is_told_by_the_last_one_though_an_answer_stands_between() -> None:
    head = b'{"model": "m", '
    history = b""
    bodies: list[bytes] = []
    for number in range(6):
        signature = random.Random(number).randbytes(600).hex().encode()
        said = b'{"role": "assistant", "signature": "%s"}' % signature
        bodies.append(head + b'"messages": [' + history + b"]}")
        bodies.append(head + b'"choices": [' + said + b"]}")
        history += (b", " if history else b"") + said
    requests = told(bodies)[4::2]
    assert all(splice.copies[0] == 0 for splice in requests)
    assert [splice.copies[2] for splice in requests] == [
        len(before) - len(b"]}") for before in bodies[2:-2:2]
    ]


def test_who_wants_long_copies_alone_pays_for_few_places() -> None:
    before = request(history(120, seed=3))
    after = before[:40_000] + b'"new":"' + b"x" * 50 + b'",' + before[40_000:]
    fine, coarse = Splicer(), Splicer(least=16_384)
    for ours in (fine, coarse):
        ours.splice(before, 0)
    assert len(coarse._places) * 3 < len(fine._places)
    copied = coarse.splice(after, len(before)).copies[2::3]
    assert min(copied) >= 16_384
    assert sum(copied) > 0.9 * len(before)
