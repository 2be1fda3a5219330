"""A body that was stored without its coding does not contradict its headers."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders import LS, copilot, request_body, response_body, user
from tests.builders import exchange as chat_exchange

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.sessions.reservations import reservations
from sigscope.exchange import Body
from sigscope.session import Session, Step
from sigscope.store import save_session

KEY = "sk-proj-H0Zq7Rk3VtXy9LmNw4Bc6Dh"
ANSWER = response_body("copilot-chat", copilot(LS))
BOMB = gzip.compress(b'{"choices":[{"x":"%b"}]}' % (b"a" * 40_000_000))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (gzip.compress(json.dumps({**ANSWER, "k": KEY}).encode()), "stored without"),
        (BOMB, "only that beginning is stored"),
        (json.dumps(ANSWER).encode(), "but the bytes are not: taken as they are"),
    ],
    ids=["with a key", "a bomb", "never coded"],
)
def test_one_remark_says_why(body: bytes, told: str, tmp_path: Path) -> None:
    asked = request_body("copilot-chat", [user()])
    made = chat_exchange("copilot-chat", asked, ANSWER)
    assert made.response is not None
    headers = (*made.response.headers, ("content-encoding", "gzip"))
    coded = replace(made.response, headers=headers, body=Body(body))
    made = replace(made, response=coded)
    path = tmp_path / "s.session.jsonl"
    steps = [Step(number=1, id="a", exchange=made)]
    save_session(Session(id="s", title="S", steps=steps), str(path))
    said = [each.message for each in reservations(Document(open_file(path)))]
    about = ("stored without", "only that beginning", "taken as they are")
    found = [each for each in said if any(words in each for words in about)]
    assert len(found) == 1
    assert told in found[0]
