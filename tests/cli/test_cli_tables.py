"""The JSON that programs read: keys, order and types, as they are promised."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands import SESSIONS, sigscope
from tests.importer import import_path

from sigscope.converse.scenario import scenarios
from sigscope.engine.sessions.opener import open_file
from sigscope.pointer import resolve
from sigscope.wire.frames import frame

NAMES = [scenario.name for scenario in scenarios()]
STEP = {
    "step": int,
    "dialect": (str, type(None)),
    "model": (str, type(None)),
    "status": (int, type(None)),
    "streamed": bool,
    "events": (int, type(None)),
    "thread": int,
    "text_chars": int,
    "reasoning_chars": int,
    "tool_calls": list,
    "dialect_by": (str, type(None)),
    "judged": bool,
}
SIGNATURE = {
    "id": str,
    "sha256": str,
    "kind": str,
    "chars": int,
    "received": (dict, type(None)),
    "sent": list,
    "fates": list,
}
RECEIVED = {"step": int, "event": (int, type(None)), "pointer": str}
SENT = {"step": int, "pointer": str, "sha256": str}
FATE = {"step": int, "fate": str, "grade": str}
FINDING = {
    "rule": str,
    "severity": str,
    "confidence": str,
    "step": int,
    "pointer": str,
    "message": str,
    "fix": (list, type(None)),
}
RUN = {
    "format": int,
    "run": int,
    "predicted": (int, type(None)),
    "status": (int, type(None)),
    "verdict": str,
    "error": (str, type(None)),
}
KINDS = {"signature", "sealed", "envelope", "bypass", "text"}
FATES = {"exact", "moved", "altered", "cut", "dropped", "bypass"} | {
    "earlier",
    "foreign",
    "duplicated",
    "stored",
}
OPERATIONS = {"set", "drop", "insert", "move", "copy", "type", "url"}
GRADES = {"required", "optional", "superseded", "not applicable"}


def holds(row: dict[str, Any], shape: dict[str, Any]) -> None:
    """The promised keys come first, in this order, each of its type. Others may
    follow; a `bool` is no number."""
    assert list(row)[: len(shape)] == list(shape)
    for key, kind in shape.items():
        assert isinstance(row[key], kind), (key, row[key])
        assert kind is bool or not isinstance(row[key], bool), key


def session(name: str) -> Path:
    return SESSIONS / f"{name}.session.jsonl"


@pytest.mark.parametrize("name", NAMES)
def test_the_ledger_has_the_promised_shape(name: str) -> None:
    found = sigscope("ledger", session(name), "--json")
    assert (found.code, found.err) == (0, "")
    table = found.json
    assert list(table)[:3] == ["format", "steps", "signatures"]
    assert table["format"] == 1
    for number, step in enumerate(table["steps"], start=1):
        holds(step, STEP)
        assert step["step"] == number
        assert (step["events"] is None) is not step["streamed"]
        assert all(isinstance(call, str) for call in step["tool_calls"])
    for signature in table["signatures"]:
        holds(signature, SIGNATURE)
        assert signature["id"] == signature["sha256"][:6]
        assert signature["kind"] in KINDS
        if signature["received"] is not None:
            holds(signature["received"], RECEIVED)
        for sent in signature["sent"]:
            holds(sent, SENT)
        for fate in signature["fates"]:
            holds(fate, FATE)
            assert fate["fate"] in FATES
            assert fate["grade"] in GRADES


@pytest.mark.parametrize("name", NAMES)
def test_every_pointer_and_digest_of_a_ledger_is_true(name: str) -> None:
    """Looked up in the bytes by other means than the ledger's own."""
    table = sigscope("ledger", session(name), "--json").json
    steps = {step.number: step.exchange for step in open_file(session(name)).steps}
    for signature in table["signatures"]:
        place = signature["received"]
        # Readable reasoning comes in pieces: its place is where the first one came.
        is_in_pieces = signature["kind"] == "text" and place and place["event"]
        if place is not None and not is_in_pieces:
            response = steps[place["step"]].response
            assert response is not None
            raw = response.body.raw
            if place["event"] is not None:
                raw = frame(raw, "sse").events[place["event"] - 1].data
            text = value_at(raw, place["pointer"])
            assert signature["sha256"] == digest(text)
            assert signature["chars"] == len(text)
        for sent in signature["sent"]:
            request = steps[sent["step"]].request
            assert request is not None
            assert sent["sha256"] == digest(value_at(request.body.raw, sent["pointer"]))


def value_at(raw: bytes, pointer: str) -> str:
    text = str(resolve(json.loads(raw), pointer))
    return text.partition("__thought__")[2] if "__thought__" in text else text


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("name", NAMES)
def test_findings_have_the_promised_shape(name: str) -> None:
    found = sigscope("check", session(name), "--json")
    table = found.json
    assert list(table)[:2] == ["format", "findings"]
    assert table["format"] == 1
    for finding in table["findings"]:
        holds(finding, FINDING)
        assert finding["severity"] in ("error", "warning", "info")
        assert finding["confidence"] in (
            "documented",
            "observed",
            "reported",
            "inferred",
        )
        assert finding["fix"] != []
        for edit in finding["fix"] or ():
            assert edit["op"] in OPERATIONS
    is_wrong = any(f["severity"] == "error" for f in table["findings"])
    assert found.code == (1 if is_wrong else 0)


@pytest.mark.parametrize("name", NAMES)
def test_replaying_a_bundled_step_reproduces_it(name: str) -> None:
    """The first and last of each status; tests of the engine try every one."""
    steps = sigscope("ledger", session(name), "--json").json["steps"]
    last = {step["status"]: step for step in steps}
    first = {step["status"]: step for step in reversed(steps)}
    for step in (
        *first.values(),
        *(s for s in last.values() if s not in first.values()),
    ):
        found = sigscope("replay", session(name), "--step", str(step["step"]), "--json")
        row = found.json
        holds(row, RUN)
        assert row["format"] == 1
        assert row["predicted"] == row["status"] == step["status"]
        assert row["verdict"] == "reproduced"
        assert (row["error"] is None) is (step["status"] == 200)
        assert found.code == 0


def test_the_promised_ledger_row_of_a_stream(failing: Path) -> None:
    table = sigscope("ledger", failing, "--json").json
    (signature,) = table["signatures"]
    assert signature["kind"] == "envelope"
    assert signature["received"] == {
        "step": 1,
        "event": 3,
        "pointer": "/choices/0/delta/reasoning_opaque",
    }
    assert [s["pointer"] for s in signature["sent"]] == [
        "/messages/2/tool_calls/0/thought_signature"
    ]
    (fate,) = signature["fates"]
    assert (fate["step"], fate["fate"], fate["grade"]) == (2, "moved", "required")


def test_a_run_with_the_fix_is_kept_and_says_gone(failing: Path) -> None:
    before = failing.read_bytes()
    fixed = sigscope(
        *("replay", failing, "--step", "2", "--apply-fix", "all"), "--json"
    )
    row = fixed.json
    assert {key: row[key] for key in RUN} == {
        "format": 1,
        "run": 1,
        "predicted": 200,
        "status": 200,
        "verdict": "gone",
        "error": None,
    }
    assert fixed.code == 0
    after = failing.read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == before.count(b"\n") + 1
    assert [run.number for run in open_file(failing).runs] == [1]
    edited = sigscope(
        *("replay", failing, "--step", "2", "--run", "1"),
        *("--edit", "set /messages/2/content []", "--json"),
    )
    assert (edited.json["run"], edited.json["parent"]) == (2, 1)
    assert (edited.json["verdict"], edited.code) == ("reproduced", 1)


def test_what_fits_no_dialect_is_listed_with_null(tmp_path: Path) -> None:
    path = tmp_path / "other.har"
    entry = {
        "request": {"method": "GET", "url": "https://a.example/x", "headers": []},
        "response": {"status": 404, "headers": [], "content": {"text": "no"}},
    }
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": [entry]}}))
    assert len(import_path(path)[1].exchanges) == 1
    (step,) = sigscope("ledger", path, "--json").json["steps"]
    assert step["dialect"] is None
    assert step["model"] is None
    assert (step["status"], step["streamed"], step["events"]) == (404, False, None)
    assert sigscope("check", path).code == 0
    assert sigscope("show", path, "--step", "1", "--raw", "response").out == "no"
