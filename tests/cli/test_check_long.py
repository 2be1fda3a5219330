"""What `check --json` prints of a client that loses everything, in both forms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands import SESSIONS, sigscope
from tests.tui.longstory import long_story

from sigscope.edits.notation import to_json
from sigscope.edits.records import Edit, Op
from sigscope.engine.sessions import tables
from sigscope.engine.sessions.tables import findings_table
from sigscope.jsontext.printer import Printer
from sigscope.rules.findings import Confidence, Finding, Severity
from sigscope.store import save_session


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "long.session.jsonl"
    save_session(long_story(12), str(path))
    return path


def test_the_compact_form_has_the_first_finding_of_each_group(long: Path) -> None:
    for path in (long, *sorted(SESSIONS.glob("*.session.jsonl"))):
        whole = sigscope("check", path, "--json").json
        short = sigscope("check", path, "--json", "--compact").json
        firsts = [whole["findings"][group["first"]] for group in whole["groups"]]
        told = [short["findings"][group["first"]] for group in short["groups"]]
        assert told == firsts
        assert len(short["findings"]) == len(firsts)
        for one, other in zip(whole["groups"], short["groups"], strict=True):
            assert {**one, "first": 0} == {**other, "first": 0}
        left = ("findings", "groups")
        assert {k: v for k, v in short.items() if k not in left} == {
            k: v for k, v in whole.items() if k not in left
        }


def test_what_mends_several_steps_is_made_and_spelled_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    finding = Finding(
        rule="CPC-1",
        severity=Severity.WARNING,
        confidence=Confidence.REPORTED,
        step=1,
        pointer="/messages/1",
        message="reasoning_opaque 9f3a21 is missing",
    )
    edits = tuple(
        Edit(op=Op.SET, pointer=f"/{number}", value='"Eh"') for number in range(20)
    )
    findings = tuple(
        replace(finding, step=number, fix=edits[:number]) for number in range(1, 21)
    )
    whole = "".join(Printer().pieces(findings_table(findings)))
    work: list[str] = []

    def counted(edit: Edit) -> dict[str, Any]:
        work.append(edit.pointer)
        return to_json(edit)

    monkeypatch.setattr(tables, "to_json", counted)
    lazy = "".join(Printer().pieces(findings_table(findings, is_lazy=True)))
    assert lazy == whole
    assert len(work) == len(edits)
