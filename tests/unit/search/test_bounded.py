"""A regular expression that tries again without end is given up, and says so."""

from __future__ import annotations

import json
import re
import signal
from typing import Any

import pytest
from tests.builders import read

from sigscope.exchange import Body, Exchange, Request
from sigscope.search import bodies
from sigscope.search.bodies import BodySearch
from sigscope.search.bounded import BoundedPattern, Endurance
from sigscope.search.patternprocess import GivenUpError, PatternProcess
from sigscope.search.text import make_query

ENDLESS = {
    "nested": (r"(a+)+$", "a" * 60 + "!"),
    "alternatives": (r"(a|a)*b", "a" * 60),
    "many": (r"a*a*a*a*a*a*b", "a" * 5000),
    "ahead": (r"(?=(a+)+$)x", "a" * 60 + "!"),
}


@pytest.mark.parametrize(("pattern", "text"), ENDLESS.values(), ids=ENDLESS)
def test_what_takes_too_long_finds_nothing_any_more(pattern: str, text: str) -> None:
    query = make_query(f"re:{pattern}")
    before = signal.getsignal(signal.SIGVTALRM)
    assert not query.is_given_up
    assert query.on_screen.search(text) is None
    assert query.is_given_up
    assert list(query.in_bytes.finditer(b"aaab" * 9)) == []
    assert signal.getsignal(signal.SIGVTALRM) is before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


def test_what_takes_a_little_each_time_is_given_up_too() -> None:
    """Each of a thousand rows is no excuse for a wait of its own."""
    query = make_query("re:(a+)+$")
    row = "a" * 16 + "!"
    for _ in range(2000):
        query.on_screen.search(row)
    assert query.is_given_up


def test_usual_patterns_find_what_python_finds_in_large_texts() -> None:
    text = json.dumps([{"id": f"call_{n:x}", "text": "word " * 9} for n in range(3333)])
    for pattern in (r"call_[0-9a-f]+", r"(?i)\bWORD\b", r'"id": "(.*?)"', ""):
        query = make_query(f"re:{pattern}")
        expected = re.compile(pattern, query.on_screen.flags)
        found = [each.span() for each in query.on_screen.finditer(text)]
        assert found == [each.span() for each in expected.finditer(text)]
        assert not query.is_given_up


def test_between_two_offsets_only() -> None:
    pattern = BoundedPattern(re.compile("a."), Endurance())
    assert [m.span() for m in pattern.finditer("abacad", 1, 5)] == [(2, 4)]
    first = pattern.search("abac", 1)
    assert first is not None
    assert first.span() == (2, 4)


def test_a_process_tells_where_matches_are() -> None:
    process = PatternProcess(rb"(?<=x)a+", re.IGNORECASE, 3)
    try:
        assert process.spans(b"xAAxa a", 1, 7) == [(1, 3), (4, 5)]
        assert process.spans(b"", 0, 0) == []
        assert len(process.spans(b"xa" * 9, 0, 18)) == 3
    finally:
        process.close()


@pytest.mark.parametrize(("pattern", "text"), ENDLESS.values(), ids=ENDLESS)
def test_a_process_that_takes_too_long_is_killed(pattern: str, text: str) -> None:
    process = impatient(pattern.encode(), 0, 9)
    process._patience = 0.1
    child: Any = process._child
    with pytest.raises(GivenUpError, match="takes too long"):
        process.spans(text.encode(), 0, len(text))
    assert child.returncode == -signal.SIGKILL


def test_a_process_that_ends_is_told() -> None:
    process = PatternProcess(b"a", 0, 9)
    process.spans(b"", 0, 0)
    child: Any = process._child
    child.kill()
    child.wait()
    with pytest.raises(GivenUpError, match="its process ended"):
        process.spans(b"a" * 1_000_000, 0, 9)


def test_a_search_in_bodies_says_in_which_step_it_was_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bodies, "PatternProcess", impatient)
    texts = ("aaa", "a" * 60 + "!", "aaa")
    search = BodySearch(read(map(exchange, texts)), make_query('re:"(a+)+"'))
    reports = list(search.look())
    assert [hit.step for hit in search.hits] == [1]
    assert reports[-1].is_cut
    (told,) = search.remarks
    assert told.startswith("step 2: the pattern was given up: it takes too long")
    assert search._process is not None
    assert search._process._child is None


def impatient(pattern: bytes, flags: int, most: int) -> PatternProcess:
    """One that has begun, and gives up soon from now on."""
    process = PatternProcess(pattern, flags, most)
    assert process.spans(b"", 0, 0) == []
    process._patience = 0.5
    return process


def exchange(text: str) -> Exchange:
    body = Body(raw=json.dumps({"contents": text}).encode())
    url = "https://api.githubcopilot.com/chat/completions"
    request = Request(method="POST", url=url, headers=(), body=body)
    return Exchange(request=request, response=None)
