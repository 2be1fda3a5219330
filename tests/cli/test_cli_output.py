"""What people read: excerpts, pages, tables, and the exit codes beside them."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from tests.cli.commands import SESSIONS, Result, sigscope

from sigscope.converse.scenario import scenarios
from sigscope.refusals.catalogue import CATALOGUE
from sigscope.rules.registry import RULES

NAMES = [scenario.name for scenario in scenarios()]
BROKEN = SESSIONS / "zed-copilot-content-empty-list.session.jsonl"


def test_a_finding_is_printed_like_a_compiler_does(failing: Path) -> None:
    found = sigscope("check", failing)
    assert found.code == 1
    lines = found.out.splitlines()
    assert lines[0].startswith("error[CPC-1] reasoning_opaque ")
    assert lines[1] == f"  --> {failing}: step 2, request /messages/2"
    assert lines[-1] == "3 errors in 2 steps, 2 of a known dialect"
    assert "   = more: sigscope explain CPC-1" in lines
    assert any(line.startswith("   = fix: ") for line in lines)
    assert any(line.startswith("   = basis: reported in public") for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_carets_stand_under_the_node_they_are_about(name: str) -> None:
    path = SESSIONS / f"{name}.session.jsonl"
    table = sigscope("check", path, "--json").json["findings"]
    shown = marked(sigscope("check", path))
    assert len(shown) <= len(table)
    for text in shown:
        # A member is marked with its key, an element from its first character on.
        assert text[0] in '"{[', text


def marked(found: Result) -> list[str]:
    """The characters above the carets, finding by finding."""
    lines = found.out.splitlines()
    return [
        line[match.start() : match.end()]
        for line, below in pairwise(lines)
        if (match := re.search(r"\^+", below)) and below.startswith("   | ")
    ]


def test_the_caret_of_an_empty_list_marks_the_whole_member() -> None:
    assert '"content":[]' in marked(sigscope("check", BROKEN))


def test_a_narrow_finding_can_be_asked_for(failing: Path) -> None:
    assert sigscope("check", failing, "--step", "1").code == 0
    only = sigscope("check", failing, "--step", "2", "--json").json["findings"]
    assert {finding["step"] for finding in only} == {2}


def test_strict_lets_warnings_count() -> None:
    path = SESSIONS / "zoo-litellm-dummy.session.jsonl"
    severities = {
        f["severity"] for f in sigscope("check", path, "--json").json["findings"]
    }
    assert "error" not in severities
    assert sigscope("check", path).code == 0
    assert sigscope("check", path, "--strict").code == int("warning" in severities)


@pytest.mark.parametrize("code", sorted(rule.code for rule in RULES))
def test_every_rule_has_a_page_with_all_its_parts(code: str) -> None:
    found = sigscope("explain", code.lower())
    assert found.code == 0
    assert found.out.startswith(f"{code}  ")
    for heading in ("Bad", "Good", "False alarms", "Fix", "Source", "Confidence"):
        assert f"\n{heading}\n" in found.out, heading
    assert re.search(r"\nChecked on\n +\d{4}-\d\d-\d\d", found.out)
    assert not re.search(r"\bseeds?\b", found.out)


def test_the_list_of_rules_names_each_once() -> None:
    lines = sigscope("explain").out.splitlines()
    codes = [line.split()[0] for line in lines if re.match(r"[A-Z]{3}-\d", line)]
    built = {rule.code for rule in RULES}
    assert sorted(codes) == sorted(built | {entry.rule for entry in CATALOGUE})
    table = sigscope("explain", "--json").json
    assert table["format"] == 1
    assert {row["code"] for row in table["rules"]} == built
    assert built.isdisjoint(row["code"] for row in table["known"])


@pytest.mark.parametrize("name", NAMES)
def test_the_ledger_for_people_names_every_signature(name: str) -> None:
    path = SESSIONS / f"{name}.session.jsonl"
    table = sigscope("ledger", path, "--json").json
    shown = sigscope("ledger", path).out
    for signature in table["signatures"]:
        assert f"◆ {signature['id']}  {signature['kind']}, " in shown
    fates = sum(len(s["fates"]) for s in table["signatures"])
    told = re.findall(r"^   steps? +(\d[\d, -]*)  [a-z]+ · ", shown, re.M)
    assert sum(map(_count, told)) == fates
    assert len(re.findall(r"^step ", shown, re.M)) == len(table["steps"])


def _count(steps: str) -> int:
    """How many steps "2, 5-9" are."""
    ends = [part.strip().split("-") for part in steps.split(",")]
    return sum(int(last[-1]) - int(last[0]) + 1 for last in ends)


def test_a_replay_for_people_shows_both_statuses_and_the_verdict(
    failing: Path,
) -> None:
    plain = sigscope("replay", failing, "--step", "2")
    assert plain.out.startswith("run 1: step 2 to simulator, recorded 400, predicted")
    assert "predicted 400, got 400" in plain.out
    assert "verdict: reproduced: the same error came again" in plain.out
    fixed = sigscope("replay", failing, "--step", "2", "--apply-fix", "all")
    assert "predicted 200, got 200" in fixed.out
    assert "verdict: gone: fix confirmed" in fixed.out


def test_a_prediction_sends_and_keeps_nothing(failing: Path) -> None:
    before = failing.read_bytes()
    found = sigscope("replay", failing, "--step", "2", "--dry-run", "--json")
    assert (found.json["predicted"], found.json["run"], found.code) == (400, None, 1)
    assert failing.read_bytes() == before


def test_the_recorded_bytes_come_out_as_they_are(failing: Path) -> None:
    request = sigscope("show", failing, "--step", "2", "--raw", "request")
    line = [json.loads(one) for one in failing.read_text().splitlines()]
    assert json.loads(request.out)["messages"][2]["content"] == []
    assert len(line) > 2
    events = sigscope("show", failing, "--step", "1", "--events", "--json").json
    assert [event["event"] for event in events["events"]] == [1, 2, 3, 4]


def test_escape_sequences_in_recorded_text_are_shown_and_not_obeyed(
    tmp_path: Path,
) -> None:
    body = {
        "model": "gemini-3-pro\x1b[31m",
        "messages": [{"role": "user", "content": "\x1b]0;owned\x07hi\x9b2J"}],
    }
    entry = {
        "request": {
            "method": "POST",
            "url": "https://api.githubcopilot.com/chat/completions?q=\x1b[2J",
            "headers": [],
            "postData": {"text": json.dumps(body)},
        },
        "response": {
            "status": 400,
            "headers": [],
            "content": {"text": '{"error":{"message":"no \\u001b[41m way"}}'},
        },
    }
    path = tmp_path / "\x1b[1mname.har"
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": [entry]}}))
    for argv in (
        ["ledger", path],
        ["ledger", path, "--json"],
        ["check", path],
        ["check", path, "--json"],
        ["show", path],
        ["show", path, "--step", "1"],
        ["show", path, "--step", "1", "--json"],
        ["replay", path, "--step", "1"],
        ["replay", path, "--step", "1", "--edit", "set /\x1b[2J 1", "--json"],
        ["replay", path, "--step", "1", "--edit", 'set /model "\x9b"'],
        ["import", path, "--out", tmp_path / "\x1b[1mout.session.jsonl"],
    ):
        found = sigscope(*argv)
        told = found.told
        if "--json" in argv:
            assert found.out, found.err
            assert found.json["format"] == 1
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", told), (argv, told)
