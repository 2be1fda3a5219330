"""An answer that never came whole is no refusal, and one without a status no proof."""

from __future__ import annotations

import json

import pytest

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.reservations import reservations
from sigscope.exchange import Body, Ending, Exchange, Request, Response
from sigscope.session import Session, Step

ASKED = Request(
    url="https://llm.example.test/v1/chat/completions",
    body=Body(json.dumps({"model": "m", "messages": []}).encode()),
)
ANSWER = json.dumps(
    {"choices": [{"message": {"role": "assistant"}, "finish_reason": "stop"}]}
).encode()


def document(status: int | None, ending: Ending, body: bytes) -> Document:
    response = Response(status=status, ending=ending, body=Body(body))
    step = Step(number=1, id="1", exchange=Exchange(request=ASKED, response=response))
    return Document(Session(id="s", steps=(step,)))


@pytest.mark.parametrize(
    ("status", "ending", "body", "said"),
    [
        (None, "upstream-aborted", b"", "connection to the service broke before an"),
        (None, "client-aborted", b"", "client hung up before an answer came"),
        (200, "upstream-aborted", b'{"cho', "broke before the answer was whole"),
        (None, "unknown", ANSWER, "no status is recorded"),
        (200, "complete", ANSWER, ""),
    ],
)
def test_what_the_record_lacks_is_said_and_is_no_finding(
    status: int | None, ending: Ending, body: bytes, said: str
) -> None:
    found = document(status, ending, body)
    told = [problem.message for problem in reservations(found)]
    assert any(said in message for message in told) if said else told == []
    assert found.findings == ()
