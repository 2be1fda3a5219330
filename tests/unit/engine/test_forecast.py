"""What is said of a request before it is sent, while the session grows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.export.servers import bundled

from sigscope.engine.recording.forecast import Outlook, Watch
from sigscope.ledger.build import Builder
from sigscope.reader import Reading
from sigscope.store import SessionWriter, save_session

SESSION = bundled("claude-code-tool-loop").session


def told(outlook: Outlook) -> tuple[object, ...]:
    fates = [(signature.id, fate) for signature, fate in outlook.concerned]
    return fates, outlook.findings


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = str(tmp_path / "growing.session.jsonl")
    save_session(replace(SESSION, steps=(), runs=[]), path)
    return path


def test_each_request_is_judged_as_by_who_looks_at_all_of_the_session(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounted: list[int] = []
    account = Builder.account

    def noted(self: Builder, reading: Reading) -> None:
        accounted.append(reading.number)
        account(self, reading)

    watch = Watch(path)
    with SessionWriter.reopen(path) as writer:
        for step in SESSION.steps:
            request = step.exchange.request
            assert request is not None
            expected = Watch(path).look(request)
            with monkeypatch.context() as patch:
                patch.setattr(Builder, "account", noted)
                found = watch.look(request)
            assert found.reading.number == step.number
            assert told(found) == told(expected)
            writer.append_step(step)
    assert len(SESSION.steps) > 3
    assert len(accounted) == 2 * len(SESSION.steps) - 1  # asked about, then taken


def test_a_request_between_others_is_judged_among_them(path: str) -> None:
    first, late, *_, last = SESSION.steps
    watch = Watch(path)
    with SessionWriter.reopen(path) as writer:
        writer.append_step(first)
        writer.append_step(last)
    request = late.exchange.request
    assert request is not None
    assert watch.look(request, wanted=late.number).reading.number == late.number
    assert watch.look(request, wanted=1).reading.number == last.number + 1
