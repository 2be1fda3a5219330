"""By what a finding is known again in another recording."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sigscope.engine.sessions.document import Document
from sigscope.rules.fingerprint import fingerprint_of
from sigscope.store import open_session

SESSIONS = Path(__file__).parents[3] / "sessions"


@pytest.fixture(scope="module")
def document() -> Document:
    found = sorted(SESSIONS.glob("*copilot*.session.jsonl"))
    documents = (Document(open_session(str(path))) for path in found)
    return next(d for d in documents if any(f.pointer for f in d.findings))


def test_it_is_the_same_for_the_same_and_another_for_another_rule(
    document: Document,
) -> None:
    finding = next(f for f in document.findings if f.pointer)
    reading = document.reading(finding.step)
    first = fingerprint_of(finding, reading)
    assert len(first) == 32
    assert fingerprint_of(finding, reading) == first
    other = replace(finding, rule="CPC-99")
    assert fingerprint_of(other, reading) != first


def test_the_words_of_a_message_and_the_step_do_not_count(document: Document) -> None:
    finding = next(f for f in document.findings if f.pointer)
    reading = document.reading(finding.step)
    same = replace(finding, message="said otherwise", signature=None)
    assert fingerprint_of(same, reading) == fingerprint_of(finding, reading)
