"""What is shown of requests that a recorder mended, and of the switches for it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders import LS as CALL
from tests.builders import (
    OPAQUE,
    OPAQUE_B,
    copilot,
    exchange,
    request_body,
    response_body,
    result,
    user,
)
from tests.cli.commands import sigscope

from sigscope.exchange import Body, Mended, Remedy
from sigscope.session import Step
from sigscope.store import Header, SessionWriter

WORDS = "1 signature put back (CPC-1)"
REMEDY = Remedy(
    rule="CPC-1",
    act="put back",
    count=1,
    at="/messages/1",
    words="9f3a21 of step 1, at /messages/1",
)
RIGHT = [user(), copilot(CALL), result(CALL)]
DROPPED = [user(), copilot(CALL, opaque=OPAQUE_B), result(CALL)]
"""What the client had sent: another signature in its place."""
CAME = json.dumps(request_body("copilot-chat", DROPPED)).encode()


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A call and its result, which was mended; then one that was left alone."""
    said = response_body("copilot-chat", {"role": "assistant", "content": "a.md."})
    first = exchange(
        "copilot-chat",
        request_body("copilot-chat", RIGHT[:1]),
        response_body("copilot-chat", RIGHT[1]),
    )
    second = exchange("copilot-chat", request_body("copilot-chat", RIGHT), said)
    assert second.request is not None
    came = replace(second.request, body=Body(CAME))
    second = replace(second, mended=Mended(request=came, remedies=(REMEDY,)))
    third = exchange("copilot-chat", request_body("copilot-chat", [user("Hi")]), said)
    third = replace(third, remarks=("not mended: its body is signed",))
    path = tmp_path / "mended.session.jsonl"
    with SessionWriter.create(str(path), Header(id="m")) as writer:
        for number, each in enumerate((first, second, third), start=1):
            writer.append_step(Step(number=number, id=f"s{number}", exchange=each))
    return path


def test_check_counts_what_was_mended_and_what_was_left(session: Path) -> None:
    told = sigscope("check", session)
    assert told.code == 0
    assert f"mended: 1 request: {WORDS}. The client itself still sends" in told.out
    assert told.out.count("not mended: its body is signed") == 1
    table = sigscope("check", session, "--json").json
    (row,) = table["mended"]
    assert (row["step"], row["words"]) == (2, WORDS)
    assert row["remedies"][0]["at"] == "/messages/1"


def test_show_and_ledger_say_it_of_the_step(session: Path) -> None:
    for verb in ("show", "ledger"):
        lines = sigscope(verb, session).out.splitlines()
        (line,) = [line for line in lines if "mended: 1" in line]
        assert f"mended: {WORDS}" in line
    steps = sigscope("ledger", session, "--json").json["steps"]
    assert [step["mended"] for step in steps] == [None, WORDS, None]
    step = sigscope("show", session, "--step", "2").out
    assert f"mended: {WORDS}; below is what was sent on" in step
    assert "9f3a21 of step 1, at /messages/1" in step


def test_both_versions_can_be_had_byte_for_byte(session: Path) -> None:
    argv = ("show", session, "--step", "2", "--raw")
    assert sigscope(*argv, "client").out.encode() == CAME
    sent = json.loads(sigscope(*argv, "request").out)
    assert sent == request_body("copilot-chat", RIGHT)


def test_what_was_not_mended_has_no_other_version(session: Path) -> None:
    told = sigscope("show", session, "--step", "1", "--raw", "client")
    assert told.code == 2
    assert "step 1 was not mended: what the client sent is --raw request" in told.err


def test_the_ledger_is_that_of_what_was_sent(session: Path) -> None:
    (signature,) = sigscope("ledger", session, "--json").json["signatures"]
    assert [fate["fate"] for fate in signature["fates"]] == ["exact"]


def test_a_redacted_copy_has_no_signature_in_either_version(
    session: Path, tmp_path: Path
) -> None:
    """The client's version may hold what the other does not."""
    copy = tmp_path / "copy.session.jsonl"
    assert sigscope("redact", session, "--out", copy).code == 0
    came = sigscope("show", copy, "--step", "2", "--raw", "client").out
    assert len(came.encode()) == len(CAME)
    for opaque in (OPAQUE, OPAQUE_B):
        assert opaque not in copy.read_text() + came


def test_har_carries_what_was_sent(session: Path, tmp_path: Path) -> None:
    har = tmp_path / "a.har"
    assert sigscope("export", session, "--to", "har", "--out", har).code == 0
    entries = json.loads(har.read_text())["log"]["entries"]
    sent = json.loads(entries[1]["request"]["postData"]["text"])
    assert sent == request_body("copilot-chat", RIGHT)
    words = sigscope("show", session, "--json").json["steps"][1]["mended"]
    assert words
    assert f"mended on its way: {words}" in entries[1]["comment"]
    assert entries[1]["_mended"] == words
    assert "_mended" not in entries[0]


def test_a_rule_that_there_is_not_is_refused_at_once() -> None:
    told = sigscope("record", "--upstream", "http://127.0.0.1:9", "--mend-only", "XY-1")
    assert told.code == 2
    assert "--mend-only 'XY-1' is no rule; there are GEM-1" in told.err
