"""All bodies of a session are searched, each text where it stood first."""

from __future__ import annotations

import gzip
import json
import random
from typing import Any

import pytest
from tests.builders import read

from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.jsontext import JsonText
from sigscope.jsontext.scan import Scanner
from sigscope.search import bodies
from sigscope.search.bodies import BodyHit, BodySearch, told_by_step
from sigscope.search.text import MOST_HITS, make_query, search

URL = "https://openrouter.ai/api/v1/chat/completions"
SSE = (("content-type", "text/event-stream"),)


def asked(
    body: Any, answer: bytes = b"{}", headers: Any = (), url: str = URL
) -> Exchange:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Exchange(
        request=Request(url=url, body=Body(raw)),
        response=Response(status=200, headers=headers, body=Body(answer)),
    )


def chat(*texts: str, **more: Any) -> dict[str, Any]:
    told = [{"role": "user", "content": text} for text in texts]
    return {"model": "m", "messages": told, **more, "tools": [{"name": "read_file"}]}


def look(text: str, *exchanges: Exchange) -> BodySearch:
    found = BodySearch(read(exchanges), make_query(text))
    reports = list(found.look())
    assert [hit for report in reports for hit in report.hits] == found.hits
    return found


def told(hits: list[BodyHit]) -> list[tuple[int, str, str]]:
    return [(hit.step, hit.place, hit.repeated) for hit in hits]


def test_a_text_is_found_where_it_stood_first_and_repetitions_are_told() -> None:
    texts = ["look for the needle", "b", "c", "another needle", "d"]
    found = look("needle", *(asked(chat(*texts[: n + 1])) for n in range(5)))
    assert told(found.hits) == [
        (1, "request /messages/0/content", "2–5"),
        (4, "request /messages/3/content", "5"),
    ]
    assert told_by_step(found.hits) == {1: "request 1", 4: "request 1"}


def test_what_stands_behind_the_history_is_not_found_anew() -> None:
    found = look("read_file", *(asked(chat(*"abcd"[: n + 1])) for n in range(4)))
    assert told(found.hits) == [(1, "request /tools/0/name", "2–4")]


def test_the_same_words_said_twice_are_two_hits() -> None:
    found = look("yes", asked(chat("yes")), asked(chat("yes", "no", "yes")))
    assert told(found.hits) == [
        (1, "request /messages/0/content", "2"),
        (2, "request /messages/2/content", ""),
    ]


def test_conversations_that_alternate_are_each_compared_with_their_own() -> None:
    one, other = ["one needle", *"abc"], ["two needle", *"xyz"]
    made = [asked(chat(*each[: n + 1])) for n in range(4) for each in (one, other)]
    found = look("needle", *made)
    assert [(hit.step, hit.repeats) for hit in found.hits] == [
        (1, [(3, 3), (5, 5), (7, 7)]),
        (2, [(4, 4), (6, 6), (8, 8)]),
    ]


def test_only_what_is_new_is_looked_through() -> None:
    texts = [f"{n} " + "x" * 5_000 for n in range(60)]
    made = [asked(chat(*texts[: n + 1])) for n in range(60)]
    total = sum(len(one.request.body.raw) for one in made if one.request)
    found = look("nothing of the kind", *made)
    assert total > 8_000_000
    assert found.searched < 500_000


def test_a_streamed_answer_is_found_by_event_and_put_together() -> None:
    deltas = ["the nee", "dle is", " a needle"]
    chunks = [{"choices": [{"index": 0, "delta": {"content": one}}]} for one in deltas]
    stream = b"".join(b"data: %b\n\n" % json.dumps(one).encode() for one in chunks)
    found = look("needle is", asked(chat("a"), stream + b"data: [DONE]\n\n", SSE))
    assert told(found.hits) == [(1, "response /choices/0/message/content", "")]
    found = look("a needle", asked(chat("a"), stream, SSE))
    assert [hit.place for hit in found.hits] == [
        "response /choices/0/message/content",
        "event 3 /choices/0/delta/content",
    ]


def test_that_a_stream_of_no_dialect_was_not_put_together_is_said() -> None:
    stream = b'data: {"what": "nee"}\n\ndata: {"what": "dle"}\n\n'
    found = look("needle", asked({"q": 1}, stream, SSE, "https://example.com/x"))
    assert (found.hits, found.unassembled) == ([], [1])


def test_what_is_no_json_is_found_too() -> None:
    page = b"<html>\n<p>no such needle</p>\n</html>"
    found = look("needle", asked(b'{"a": 1} needle', page))
    assert [(hit.place, hit.excerpt) for hit in found.hits] == [
        ("request /", '{"a": 1} needle'),
        ("response /", "<p>no such needle</p>"),
    ]


def test_codings_are_taken_off_and_spellings_do_not_count() -> None:
    body = gzip.compress(json.dumps({"say": 'ein "ärger"'}).encode())
    exchange = Exchange(
        request=Request(
            url=URL, headers=(("content-encoding", "gzip"),), body=Body(body)
        )
    )
    assert [hit.pointer for hit in look('"ärger"', exchange).hits] == ["/say"]


def test_the_excerpt_shows_where_the_match_is() -> None:
    (hit,) = look("needle", asked(chat("x " * 200 + "ä needle\nä " + "y " * 200))).hits
    start, end = hit.match
    assert hit.excerpt[start:end] == "needle"
    assert hit.excerpt[0] == hit.excerpt[-1] == "…"
    assert "\n" not in hit.excerpt
    assert len(hit.excerpt) > 160, "as much as a wide screen has room for"


def test_it_stops_where_there_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MOST_HITS", 5)
    found = look("a", asked(chat(*["a"] * 9)), asked(chat("a")))
    assert (len(found.hits), found.is_cut) == (5, True)
    assert MOST_HITS > 5


def test_it_stops_where_hits_nest_without_bottom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bodies, "_MOST_NAMED", 2_000)
    deep = ('{"a":' * 5_000 + "1" + "}" * 5_000).encode()
    found = look("a", asked(deep))
    assert found.is_cut
    assert 40 < len(found.hits) < 60
    assert found.remarks[0].endswith("there are more")


def test_texts_alike_are_numbered_without_counting_them_again() -> None:
    taken: set[tuple[bytes, int]] = {(b"a", 0), (b"a", 2)}
    passed: dict[bytes, int] = {}
    given = []
    for _ in range(4):
        given.append(bodies._free(b"a", taken, passed))
        taken.add(given[-1])
    assert [number for _, number in given] == [1, 3, 4, 5]
    assert passed == {b"a": 5}


@pytest.mark.parametrize("seed", range(40))
def test_what_a_full_search_finds_is_found(seed: int) -> None:
    """Histories that grow, and are changed anywhere, against a search of each body."""
    chance = random.Random(seed)
    words = ["ab", "needle", "nee", "dle", "needles " * 20, "x" * 300, "n"]
    texts: list[str] = []
    exchanges = []
    for _ in range(12):
        texts.append(" ".join(chance.choices(words, k=chance.randrange(1, 5))))
        if chance.random() < 0.4:
            at = chance.randrange(len(texts))
            texts[at] = texts[at].replace("ab", "needle", 1) + chance.choice(words)
        if chance.random() < 0.2:
            del texts[chance.randrange(len(texts))]
        exchanges.append(asked(chat(*texts, note=chance.choice(words))))
    query = make_query(chance.choice(["needle", "re:ne+d", "dle n"]))
    found = BodySearch(read(exchanges), query)
    list(found.look())
    for number, exchange in enumerate(exchanges, start=1):
        assert exchange.request is not None
        text = JsonText(exchange.request.body.raw)
        wanted = sum(len(piece.hits) for piece in search(text, query))
        here = [
            hit
            for hit in found.hits
            if hit.step == number
            or any(first <= number <= last for first, last in hit.repeats)
        ]
        assert len(here) == wanted, number


def test_of_requests_that_go_on_only_what_is_new_is_taken_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passed: list[int] = []
    skip = Scanner.skip

    def counted(scanner: Scanner, start: int, stop: int) -> tuple[int, bool]:
        passed.append(start)
        return skip(scanner, start, stop)

    monkeypatch.setattr(Scanner, "skip", counted)
    # In every second request there is nothing to find.
    said = ["a needle" if n % 2 else "hay" for n in range(40)]
    texts = [[{"type": "text", "text": each, "more": [[]]}] for each in said]
    rows = [{"role": "user", "content": each} for each in texts]
    bodies = [{"messages": rows[: n + 1], "tools": []} for n in range(40)]
    found = look("needle", *map(asked, bodies))
    assert len(found.hits) == 20
    assert found.hits[-1].pointer == "/messages/39/content/0/text"
    assert len(passed) <= 6 * 40
