"""What to know about a recording before one trusts a verdict on it."""

from __future__ import annotations

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.reservations import reservations, rows
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.session import WAITING, Problem, Session, Step

ASKED = Request(url="https://h/x", body=Body(b"{}"))
ANSWERED = Response(status=200, body=Body(b"{}"))


def document(*exchanges: Exchange, source: str = "har") -> Document:
    steps = tuple(
        Step(number=number, id=f"s{number}", exchange=exchange, source=source)
        for number, exchange in enumerate(exchanges, start=1)
    )
    problems = (Problem(message="not JSON", where="line 9"),)
    return Document(Session(id="s", steps=steps, problems=problems))


def whole(*remarks: str) -> Exchange:
    return Exchange(request=ASKED, response=ANSWERED, remarks=remarks)


def test_equal_remarks_stand_together_with_their_steps() -> None:
    made = document(*[whole("a")] * 3, whole(), whole("a", "b"), whole("b"))
    told = reservations(made)
    assert rows(told) == [
        {"where": "line 9", "message": "not JSON"},
        {"where": "steps 1 to 3 and 5", "message": "a"},
        {"where": "steps 5 and 6", "message": "b"},
    ]
    assert rows(reservations(made, 6)) == [{"where": "step 6", "message": "b"}]


def test_many_steps_are_counted() -> None:
    made = document(*[whole("a"), whole()] * 20)
    assert reservations(made)[1].where == "steps 1, 3, 5, 7, 9, 11, 13 and 13 more"


def test_what_is_missing_is_said_once() -> None:
    made = document(
        Exchange(request=ASKED),
        Exchange(request=ASKED, remarks=("response: the log has none",)),
        Exchange(response=ANSWERED),
    )
    assert [(each.where, each.message) for each in reservations(made)[1:]] == [
        ("step 1", "no answer is recorded"),
        ("step 2", "response: the log has none"),
        ("step 3", "no request is recorded"),
    ]


def test_a_body_that_cannot_be_decoded_is_said() -> None:
    coded = Response(
        status=200, headers=(("content-encoding", "x-own"),), body=Body(b"\x00\x01")
    )
    told = reservations(document(Exchange(request=ASKED, response=coded)))
    assert "'x-own' is unknown: not decoded" in told[1].message


def test_steps_that_wait_for_a_decision_are_left_out() -> None:
    assert len(reservations(document(whole("held"), source=WAITING))) == 1
