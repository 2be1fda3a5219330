"""`sigscope bisect`: a set that is proven, or a clear word why there is none."""

from __future__ import annotations

import json
import shutil
import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands import SESSIONS, sigscope
from tests.cli.servers import Handler, answer, says, server

from sigscope.cli.verbs import bisect
from sigscope.edits.apply import apply
from sigscope.edits.asjson import from_json
from sigscope.engine.sessions.opener import open_file
from sigscope.exchange import Body
from sigscope.jsontext import JsonText
from sigscope.store.writer import save_session


def test_the_set_and_its_evidence_are_printed_and_kept(failing: Path) -> None:
    found = sigscope("bisect", failing, "--step", "2")
    assert found.code == 0
    assert "2 of 2 changes matter, proven with 4 sends" in found.out
    assert "without 2 (CPC-2)" in found.out
    assert [run.status for run in open_file(failing).runs] == [400, 200, 400, 400]


def test_the_json_holds_the_certificate(failing: Path) -> None:
    more = ("--edit", "set /temperature 1", "--apply-fix", "all")
    told = sigscope("bisect", failing, "--step", "2", *more, "--json").json
    assert told["minimal"] == [1, 2]
    assert told["proven"] is True
    assert told["sends"] == 4
    names = [factor["name"] for factor in told["factors"]]
    assert names == ["CPC-1, CPC-2", "CPC-2", "edit"]
    assert [row["answer"] for row in told["evidence"]] == [
        *("fails", "passes", "fails", "fails")
    ]
    assert {edit["pointer"] for edit in told["edits"]} == {
        "/messages/2/content",
        "/messages/2/reasoning_opaque",
        "/messages/2/tool_calls/0/thought_signature",
    }


def test_a_dry_run_sends_and_keeps_nothing(failing: Path) -> None:
    before = failing.read_bytes()
    found = sigscope("bisect", failing, "--step", "2", "--dry-run", "--json")
    assert (found.code, found.json["hint"], found.json["foreseen"]) == (0, [1, 2], True)
    assert failing.read_bytes() == before


def test_of_many_questions_it_is_told_how_many_there_were(
    failing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = sigscope("bisect", failing, "--step", "2", "--dry-run")
    assert "so far" not in few.err
    monkeypatch.setattr(bisect, "TOLD_EVERY", 2)
    told = sigscope("bisect", failing, "--step", "2", "--dry-run")
    assert "the simulator was asked 2 questions so far\n" in told.err
    assert told.out == few.out


def test_the_edits_of_a_run_are_sifted(failing: Path) -> None:
    edits = ("--edit", "set /temperature 1", "--ready", "copilot.final-fix")
    assert sigscope("replay", failing, "--step", "2", *edits).code == 0
    found = sigscope("bisect", failing, "--step", "2", "--run", "1", "--json")
    assert found.code == 0
    assert "/temperature" not in {edit["pointer"] for edit in found.json["edits"]}
    assert len(found.json["factors"]) > len(found.json["minimal"])


def test_changes_that_do_not_help_are_no_answer(failing: Path) -> None:
    found = sigscope("bisect", failing, "--step", "2", "--edit", "set /temperature 1")
    assert found.code == 1
    assert "the cause is something else" in found.out


def test_an_accepted_step_has_nothing_to_look_for(failing: Path) -> None:
    found = sigscope("bisect", failing, "--step", "1")
    assert found.code == 2
    assert "step 1 was accepted" in found.err


def test_each_element_of_a_list_that_differs_is_a_change_of_its_own(
    failing: Path, tmp_path: Path
) -> None:
    """The other one has the last tool first, lacks the second, and has a message more
    before the question; everything else is as it is here."""
    session = open_file(failing)
    step = session.steps[1]
    request = step.exchange.request
    assert request is not None
    recorded = request.body.raw
    body = json.loads(recorded)
    first, second, third = body["tools"]
    body["tools"] = [third, first]
    body["messages"].insert(1, {"role": "developer", "content": "Be brief."})
    asked = replace(request, body=Body(json.dumps(body).encode()))
    step = replace(step, exchange=replace(step.exchange, request=asked))
    other = tmp_path / "other.session.jsonl"
    save_session(replace(session, steps=(session.steps[0], step)), str(other))
    arguments = ("--against", "2", "--other", other, "--dry-run", "--json")
    told = sigscope("bisect", failing, "--step", "2", *arguments).json
    assert [
        (one["name"], [(e["op"], e["pointer"]) for e in one["edits"]])
        for one in told["factors"]
    ] == [
        ("/messages/1 new", [("insert", "/messages/1")]),
        ("/tools/2 moved", [("move", "/tools/0")]),
        ("/tools/1", [("drop", "/tools/1")]),
    ]
    edits = [edit for one in told["factors"] for edit in one["edits"]]
    moved = changed(recorded, edits[1])
    assert len(moved) == len(recorded)
    assert json.loads(moved)["tools"] == [third, first, second]
    assert json.loads(changed(recorded, *edits)) == body


def altered(path: Path, body: object, out: Path) -> Path:
    """A copy of a session whose second step sent another body."""
    session = open_file(path)
    step = session.steps[1]
    request = step.exchange.request
    assert request is not None
    asked = replace(request, body=Body(json.dumps(body).encode()))
    step = replace(step, exchange=replace(step.exchange, request=asked))
    save_session(replace(session, steps=(session.steps[0], step)), str(out))
    return out


def sent(path: Path) -> Any:
    request = open_file(path).steps[1].exchange.request
    assert request is not None
    return json.loads(request.body.raw)


def test_of_a_list_that_is_not_there_the_element_is_found_that_matters() -> None:
    other = ("--against", "2", "--other", "zed-openrouter-fixed")
    told = sigscope("bisect", "zed-openrouter-never-emitted", "--step", "2", *other)
    assert told.code == 0, told.told
    assert "1  /messages/2/reasoning_details    add the list, empty" in told.out
    assert "the simulator (7 questions): 1 and 3 are needed" in told.out
    assert "2 of 3 changes matter, proven with 3 sends" in told.out
    again = sigscope(
        *("bisect", "zed-openrouter-never-emitted", "--step", "2", "--json"), *other
    ).json
    (edit,) = again["edits"]
    assert [e["type"] for e in edit["value"]] == ["reasoning.encrypted"]


def test_a_service_is_never_sent_one_request_under_two_names(
    failing: Path, tmp_path: Path
) -> None:
    """The simulator knows nothing of what this one wants: one of three tools."""
    body = sent(failing)
    wanted = body["tools"][1]["function"]["name"].encode()
    other = altered(failing, body, tmp_path / "other.session.jsonl")
    bare = {key: value for key, value in body.items() if key != "tools"}
    path = altered(failing, bare, tmp_path / "bare.session.jsonl")
    handle, asked = judged(lambda _, data: b'"name":"%s"' % wanted in plain(data))
    with server(handle) as served:
        served.requests = asked
        line = ("bisect", path, "--step", "2", "--against", "2", "--other", other)
        found = sigscope(*line, "--to", served.url, "--json")
        again = sigscope(*line, "--to", served.url, "--json")
    assert found.code == 0, found.told
    (edit,) = found.json["edits"]
    (tool,) = edit["value"]
    assert tool["function"]["name"].encode() == wanted
    bodies = [data.partition(b"\r\n\r\n")[2] for data in asked]
    assert len(bodies) == len({*bodies}) + 2, "only those that decide are sent twice"
    assert all(row["reused"] for row in again.json["trials"]), "nothing is sent again"
    assert again.json["minimal"] == found.json["minimal"]


def plain(data: bytes) -> bytes:
    return data.replace(b'"name": ', b'"name":')


def test_an_element_that_moved_to_another_list_or_was_changed_too_is_one_change(
    failing: Path, tmp_path: Path
) -> None:
    body = sent(failing)
    result = dict(body["messages"][3], content="other words")
    here = altered(failing, dict(body, spare=[1]), tmp_path / "here.session.jsonl")
    there = dict(body, spare=[1, body["tools"][1], result])
    there["tools"] = [body["tools"][0], body["tools"][2]]
    there["messages"] = body["messages"][:3]
    other = altered(failing, there, tmp_path / "there.session.jsonl")
    arguments = ("--against", "2", "--other", other, "--dry-run", "--json")
    told = sigscope("bisect", here, "--step", "2", *arguments).json
    assert [
        (one["name"], [(e["op"], e["pointer"]) for e in one["edits"]])
        for one in told["factors"]
    ] == [
        ("/tools/1 moved", [("move", "/spare/-")]),
        (
            "/messages/3 moved and changed",
            [("drop", "/messages/3"), ("insert", "/spare/-")],
        ),
    ]


def changed(recorded: bytes, *edits: object) -> bytes:
    """The body with some of the edits, as a front end would make them."""
    made = [from_json(edit) for edit in edits]
    return apply(made, JsonText(recorded))


def test_arguments_that_contradict_are_said(failing: Path) -> None:
    for more, words in (
        (("--other", str(failing)), "say with --against"),
        (("--run", "9"), "there is no run 9"),
        (("--budget", "0"), "--budget takes a positive number"),
        (("--against", "2"), "do not differ"),
    ):
        found = sigscope("bisect", failing, "--step", "2", *more)
        assert (found.code, words in found.err) == (2, True), found.err


def test_a_live_service_is_asked_no_more_than_the_budget(failing: Path) -> None:
    body = json.dumps({"error": {"message": "invalid request body"}}).encode()
    refusal = answer(body).replace(b"200 OK", b"400 Bad Request")
    assert b"400" in refusal
    with server(says(refusal)) as served:
        arguments = ("bisect", failing, "--step", "2", "--to", served.url)
        found = sigscope(*arguments, "--budget", "1", "--json")
        assert (found.code, len(served.requests)) == (1, 1)
        assert "as many as were allowed" in found.json["conclusion"]
        again = sigscope(*arguments, "--json")
        assert len(served.requests) == 2, "the first answer was kept"
        assert again.json["minimal"] is None
        assert [row["reused"] for row in again.json["trials"]] == [True, False]


def test_no_connection_is_no_answer(failing: Path) -> None:
    arguments = ("--to", "http://127.0.0.1:9", "--retries", "0", "--timeout", "1")
    found = sigscope("bisect", failing, "--step", "2", *arguments)
    assert found.code == 3
    assert "no clear answer" in found.out


# --- Services on loopback that are not what the simulator takes them for -------------

ANSWER = answer(
    b'{"choices":[{"index":0,"finish_reason":"stop",'
    b'"message":{"role":"assistant","content":"Hello"}}]}',
    "200 OK",
    "Content-Type: application/json",
)
REFUSAL = answer(
    b'{"error":{"message":"invalid request body"}}',
    "400 Bad Request",
    "Content-Type: application/json",
)


def judged(accepts: Callable[[int, bytes], bool]) -> tuple[Handler, list[bytes]]:
    """Answers by the number of the request, from 1, and its bytes."""
    asked: list[bytes] = []

    def handle(connection: socket.socket, _: threading.Event) -> None:
        is_accepted = accepts(len(asked), asked[-1])
        connection.sendall(ANSWER if is_accepted else REFUSAL)

    return handle, asked


def test_a_service_that_alternates_is_flaky_not_proven(failing: Path) -> None:
    handle, asked = judged(lambda number, _: number % 2 == 0)
    with server(handle) as served:
        served.requests = asked
        arguments = ("bisect", failing, "--step", "2", "--to", served.url)
        found = sigscope(*arguments, "--apply-fix", "CPC-1", "--json")
    assert (found.code, found.json["proven"], found.json["flaky"]) == (1, False, True)
    assert found.json["conclusion"].startswith("flaky: not proven, 3 sends")
    assert [row["answer"] for row in found.json["repeats"]] == ["fails"]


def test_an_honest_service_is_sent_the_deciding_requests_twice(failing: Path) -> None:
    handle, asked = judged(
        lambda _, data: b"reasoning_opaque" in data and b'"content":null' in data
    )
    with server(handle) as served:
        served.requests = asked
        found = sigscope("bisect", failing, "--step", "2", "--to", served.url)
        again = sigscope("bisect", failing, "--step", "2", "--to", served.url)
    assert found.code == 0, found.told
    assert len(asked) == 6
    assert "run before: run 1, as recorded: 400" in again.err
    assert "6 sends to" in found.err
    assert "the runs that decide are sent twice" in found.err
    assert "2 of 2 changes matter, proven with 6 sends" in found.out
    assert "as recorded, again" in found.out


def test_a_run_that_contradicts_the_simulator_is_a_finding_that_is_kept(
    failing: Path, tmp_path: Path
) -> None:
    with server(says(REFUSAL)) as served:
        arguments = ("replay", failing, "--step", "2", "--apply-fix", "all")
        found = sigscope(*arguments, "--to", served.url, "--json")
        told = sigscope("bisect", failing, "--step", "2", "--to", served.url, "--json")
    assert found.json["contradiction"] == (
        "the simulator foretold 200, the service answered 400: “invalid request body”"
    )
    assert told.json["contradictions"][0]["run"] == 1
    (first, *_) = open_file(failing).runs
    assert first.contradiction == found.json["contradiction"]
    (row,) = [
        row
        for row in sigscope("check", failing, "--json").json["contradictions"]
        if row["run"] == 1
    ]
    assert (row["code"], row["message"]) == (
        "prediction-contradicted",
        first.contradiction,
    )
    assert "finding of run 1, step 2: the simulator foretold 200" in (
        sigscope("check", failing).out
    )
    for form in ("report", "html"):
        out = tmp_path / f"out.{form}"
        assert sigscope("export", failing, "--to", form, "--out", out).code == 0
        assert "contradicts the prediction" in out.read_text()


def test_what_an_accepted_request_cannot_do_without(tmp_path: Path) -> None:
    path = tmp_path / "accepted.session.jsonl"
    shutil.copy(SESSIONS / "zed-copilot-final-fix.session.jsonl", path)
    told = sigscope("bisect", path, "--step", "2", "--needed", "--json").json
    names = {one["number"]: one["name"] for one in told["factors"]}
    needed = {names[number] for number in told["minimal"]}
    assert "/messages/2/reasoning_opaque" in needed
    assert "/stream" not in needed
    assert told["proven"] is True
    assert told["sends"] == len(needed) + 2
    assert [row["answer"] for row in told["evidence"]] == [
        *("passes", *("fails" for _ in needed), "passes")
    ]


def test_a_refused_request_needs_nothing_and_mixing_is_refused(failing: Path) -> None:
    found = sigscope("bisect", failing, "--step", "2", "--needed")
    assert (found.code, "was refused" in found.err) == (2, True)
    more = ("--needed", "--edit", "drop /stream")
    assert sigscope("bisect", failing, "--step", "2", *more).code == 2
