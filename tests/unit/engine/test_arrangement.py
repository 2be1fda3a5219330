"""New sessions out of old ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigscope.engine.sessions import arrangement
from sigscope.errors import UnknownStep, UsageError
from sigscope.exchange import Body, Exchange, Request
from sigscope.ledger import Ledger
from sigscope.ledger.records import Thread
from sigscope.runs import Run, Verdict
from sigscope.session import Note, Session, Step


def step(number: int, at: str | None = None, id: str = "") -> Step:
    body = Body(b"%d" % number)
    exchange = Exchange(request=Request(url="https://h/", body=body), started_at=at)
    return Step(number=number, id=id or f"s{number}", exchange=exchange)


def run(number: int, of: int, parent: int | None = None) -> Run:
    return Run(
        number=number,
        step=of,
        parent=parent,
        upstream="simulator",
        exchange=Exchange(),
        predicted=200,
        status=200,
        verdict=Verdict.GONE,
        at="t",
    )


def session(count: int, **more: Any) -> Session:
    steps = tuple(step(n) for n in range(1, count + 1))
    return Session(**{"id": "a", "title": "T", "steps": steps} | more)


def bodies(arranged: arrangement.Arranged) -> list[bytes]:
    found = [s.exchange.request for s in arranged.session.steps]
    return [request.body.raw for request in found if request]


def test_steps_are_counted_anew_and_runs_and_notes_go_along() -> None:
    source = session(
        3,
        runs=[run(1, 1), run(2, 3), run(3, 1, parent=1), run(4, 3, parent=2)],
        notes=[Note(text="all", at="t"), Note(text="two", at="t", step=2)],
        tags=("x",),
        redaction=("secrets",),
    )
    made = arrangement.only(source, {2, 3})
    assert bodies(made) == [b"2", b"3"]
    assert [(s.number, s.id) for s in made.session.steps] == [(1, "s2"), (2, "s3")]
    assert [(r.number, r.step, r.parent) for r in made.session.runs] == [
        (1, 2, None),
        (2, 2, 1),
    ]
    assert [(n.text, n.step) for n in made.session.notes] == [("all", None), ("two", 1)]
    assert made.left_out == ("2 runs",)
    assert made.session.tags == ("x",)
    assert len(source.steps) == 3
    assert source.steps[2].number == 3


def test_deleting_and_keeping_are_each_other_s_rest() -> None:
    source = session(4)
    assert bodies(arrangement.without(source, {1, 3})) == [b"2", b"4"]
    with pytest.raises(UsageError, match="no step would be left"):
        arrangement.without(source, {1, 2, 3, 4})
    with pytest.raises(UsageError, match="there is no step 5; steps run from 1 to 4"):
        arrangement.without(source, {5})


def test_a_session_without_steps_names_none() -> None:
    with pytest.raises(UnknownStep, match="no step 5; the session has no steps"):
        arrangement.without(session(0), {5})


@given(st.integers(2, 9), st.data())
def test_parts_put_together_are_the_whole(count: int, data: st.DataObject) -> None:
    source = session(count)
    starts = data.draw(st.lists(st.integers(2, count), min_size=1))
    parts = arrangement.parted(source, starts)
    assert len(parts) == len(set(starts)) + 1
    together = [body for part in parts for body in bodies(part)]
    assert together == [b"%d" % n for n in range(1, count + 1)]


def test_a_part_without_steps_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing stands before step 1"):
        arrangement.parted(session(2), [1])
    with pytest.raises(UsageError, match="no step 9"):
        arrangement.parted(session(2), [9])


T1, T2, T3, T4 = (
    f"2026-01-31T10:00:0{seconds}Z" for seconds in ("0", "0.500", "1", "1.001")
)
"""By time; as texts, a whole second stands behind its parts."""


def test_merged_steps_stand_by_time_where_every_one_tells_it() -> None:
    one = Session(id="a", title="A", steps=(step(1, T1), step(2, T4)))
    two = Session(id="b", title="B", steps=(step(1, T2), step(2, T3)))
    made = arrangement.joined([one, two])
    times = [s.exchange.started_at for s in made.session.steps]
    assert times == [T1, T2, T3, T4]
    assert [s.id for s in made.session.steps] == ["s1", "s1-2", "s2", "s2-2"]
    assert made.session.title == "A + B"
    untimed = Session(id="c", steps=(step(7),))
    apart = arrangement.joined([two, untimed, one]).session.steps
    assert [s.exchange.started_at for s in apart] == [T2, T3, None, T1, T4]


def test_merged_runs_and_redactions_promise_no_more_than_each() -> None:
    one = session(2, runs=[run(1, 2)], redaction=("secrets", "signatures"))
    two = session(1, runs=[run(5, 1)], redaction=("secrets",), tags=("z",))
    made = arrangement.joined([one, two], "Both").session
    assert [(r.number, r.step) for r in made.runs] == [(1, 2), (2, 3)]
    assert made.redaction == ("secrets",)
    assert made.tags == ("z",)
    with pytest.raises(UsageError, match="at least two"):
        arrangement.joined([one])


def test_a_thread_is_cut_out_and_a_fork_with_its_trunk() -> None:
    threads = (
        Thread(number=1, steps=(1, 2, 4), kind="main"),
        Thread(number=2, steps=(3,), kind="side", parent=2),
        Thread(number=3, steps=(5,), kind="fork", parent=2),
    )
    ledger = Ledger(threads=threads, links={})
    source = session(5)
    cut = [bodies(arrangement.thread_of(source, ledger, n)) for n in (1, 2, 3)]
    assert cut == [[b"1", b"2", b"4"], [b"3"], [b"1", b"2", b"5"]]
    assert len(arrangement.by_thread(source, ledger)) == 3
    with pytest.raises(UsageError, match="no thread 4; threads: 1, 2, 3"):
        arrangement.thread_of(source, ledger, 4)
    with pytest.raises(UsageError, match="only one thread"):
        arrangement.by_thread(source, Ledger(threads=threads[:1], links={}))
