"""Carriers of the user's own: followed like the others, blamed on nobody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sigscope.cli.main import run
from sigscope.dialects.registry import DIALECTS
from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.engine.settings.carriers import own_carriers
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.ledger import Fate, Grade
from sigscope.session import Session, Step

STATE = "b3BhcXVlLXN0YXRlLW9mLWFjbWUtMDEyMzQ1Njc4OQ=="
ON_CALL = "Q2FsbFNpZ25hdHVyZTAxMjM0NTY3ODk="
FILE = """
[acme_state]
dialect = "copilot-chat"
request = "/messages/*/acme_state"
response = "/choices/*/message/acme_state"
event = "/choices/*/delta/acme_state"

[acme_call]
dialect = "copilot-chat"
kind = "sealed"
request = ["/messages/*/tool_calls/*/acme_call"]
event = ["/choices/*/delta/tool_calls/*/acme_call"]
"""
CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "ls", "arguments": "{}"},
}


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("DATA", "STATE", "CONFIG"):
        monkeypatch.setenv(f"SIGSCOPE_{kind}_DIR", str(tmp_path / kind))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "CONFIG").mkdir()
    return tmp_path / "CONFIG" / "carriers.toml"


def event(**delta: Any) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    return f"data: {json.dumps({'id': 'r', 'choices': [choice]})}\n\n"


def step(number: int, messages: list[dict[str, Any]], *events: str) -> Step:
    sent = {"model": "gemini-3-pro-preview", "stream": True, "messages": messages}
    request = Request(
        url="https://api.githubcopilot.com/chat/completions",
        headers=(("content-type", "application/json"),),
        body=Body(json.dumps(sent).encode()),
    )
    response = Response(
        status=200,
        headers=(("content-type", "text/event-stream"),),
        body=Body("".join([*events, "data: [DONE]\n\n"]).encode()),
    )
    exchange = Exchange(request=request, response=response)
    return Step(number=number, id=f"s{number}", exchange=exchange)


def session() -> Session:
    """The first request brings both back, the second one none."""
    user = {"role": "user", "content": "Which files are here?"}
    called = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    signed = {**called, "tool_calls": [{**CALL, "acme_call": ON_CALL}]}
    result = {"role": "tool", "tool_call_id": "c1", "content": "a.md"}
    return Session(
        id="x",
        steps=(
            step(
                1,
                [user],
                event(role="assistant", tool_calls=[{"index": 0, **CALL}]),
                event(acme_state=STATE),
                event(tool_calls=[{"index": 0, "acme_call": ON_CALL}]),
            ),
            step(
                2, [user, {**signed, "acme_state": STATE}, result], event(content=".")
            ),
            step(3, [user, called, result], event(content=".")),
        ),
    )


def test_without_the_file_nobody_sees_them() -> None:
    assert own_carriers().dialects == DIALECTS
    assert Document(session()).ledger.signatures == ()


def test_what_comes_in_pieces_is_joined(config: Path) -> None:
    state, on_call = FILE.replace("[acme_call]", "in_pieces = true\n|").split("|")
    on_message = '\nresponse = "/choices/*/message/tool_calls/*/acme_call"'
    config.write_text(f"{state}[acme_call]{on_call}in_pieces = true{on_message}")
    called = event(role="assistant", tool_calls=[{"index": 0, **CALL}])
    pieces = [
        event(acme_state=STATE[at : at + 9], tool_calls=[{"index": 0, "acme_call": it}])
        for at, it in ((0, ON_CALL[:9]), (9, ON_CALL[9:]), (18, ""), (27, ""), (36, ""))
    ]
    user = {"role": "user", "content": "Which files are here?"}
    found = Document(Session(id="x", steps=(step(1, [user], called, *pieces),)))
    signatures = {s.value: s.received[0].sighting for s in found.ledger.signatures}
    assert set(signatures) == {STATE, ON_CALL}
    assert signatures[STATE].event == 6


def test_they_are_followed_from_the_stream_to_later_requests(config: Path) -> None:
    config.write_text(FILE)
    document = Document(session())
    state, on_call = document.ledger.signatures
    assert (state.value, on_call.value) == (STATE, ON_CALL)
    assert state.received[0].sighting.pointer == "/choices/0/delta/acme_state"
    assert on_call.received[0].sighting.event == 3
    assert on_call.kind == "sealed"
    assert on_call.call_ids == {"c1"}
    for signature in (state, on_call):
        assert [fate.fate for fate in signature.fates] == [Fate.EXACT, Fate.DROPPED]
        assert {fate.grade for fate in signature.fates} == {Grade.OPTIONAL}
        assert signature.fates[0].note == "no rule is known for its carrier"


def test_no_rule_speaks_of_them(config: Path) -> None:
    before = Document(session()).findings
    config.write_text(FILE)
    after = Document(session()).findings
    assert [finding.message for finding in after] == [f.message for f in before]


def test_redaction_puts_stand_ins_for_them_and_proves_it(
    config: Path, tmp_path: Path
) -> None:
    config.write_text(FILE)
    engine = Engine()
    document = Document(session())
    out = tmp_path / "shared.session.jsonl"
    told = engine.export(document, out, format="session", stand_ins=True)
    assert told.removed["signature"] == 2
    assert STATE not in out.read_text()
    assert engine.prove(document, out) == ()


def test_a_file_that_is_saved_anew_is_read_anew(config: Path) -> None:
    config.write_text(FILE)
    assert len(own_carriers().names) == 2
    config.write_text(FILE.partition("[acme_call]")[0])
    assert own_carriers().names == ("acme_state (copilot-chat)",)


HEAD = '[x]\ndialect = "gemini"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1", "carriers.toml:1: [x] is no table"),
        ("[x]", "carriers.toml:1: [x] dialect is not one of copilot-chat, "),
        ('[x]\ndialect = "y"', "carriers.toml:2: [x] dialect is not one of"),
        (HEAD, "carriers.toml:1: [x] has no pattern; give one for request, "),
        (f'{HEAD}request = "a"', "carriers.toml:3: [x] 'a' is no pattern; write it"),
        (f"{HEAD}event = [1]", "carriers.toml:3: [x] 1 is no pattern"),
        (f'{HEAD}evnt = "/a"', "carriers.toml:3: [x] has no field evnt; it may have"),
        (f'{HEAD}event = "/a"\nkind = "z"', "carriers.toml:4: [x] kind is not one of"),
        (f'{HEAD}event = "/a"\nin_pieces = 1', "in_pieces is neither true nor false"),
        (f'{HEAD}event = "/a"\nin_pieces = true', "[x] comes in pieces: give"),
        (f'{HEAD}event = "/a"\ncall_id_beside = 1', "call_id_beside is no text"),
        (
            f'{HEAD}request = "/contents/*/parts/*/thoughtSignature"',
            "is followed already, as gemini.",
        ),
        ('["a b"]\ndialect = "gemini"', "[a b] is no name"),
        ("[x", "carriers.toml:1: it is not TOML"),
    ],
)
def test_what_cannot_be_used_is_told_with_its_line(
    config: Path, text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    good = '[ok]\ndialect = "gemini"\nevent = "/ok"\n'
    config.write_text(f"{text}\n\n{good}")
    (problem,) = own_carriers().problems
    assert told in problem
    assert run(["doctor"]) == 1
    assert told in capsys.readouterr().out
    if "not TOML" not in told:
        assert own_carriers().names == ("ok (gemini)",)
    assert run(["check", "copilot-missing-signature"]) == 1
    assert "a carrier is left out: " in capsys.readouterr().err
