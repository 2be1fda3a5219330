"""Values that no recorded response issued: earlier than the recording, or foreign."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from tests import builders as b
from tests.unit.ledger.test_ledger_fates import ALL, VALUE, changed, loop

from sigscope.exchange import Exchange
from sigscope.ledger import Ledger, build_ledger
from sigscope.ledger.records import Origin

Json = Any


def request_alone(dialect: str, history: list[Json], **more: Any) -> Exchange:
    """A request whose answer was not recorded, as a copied curl command is."""
    body = b.request_body(dialect, history)
    return replace(b.exchange(dialect, body, {}, **more), response=None)


def fates(found: Ledger) -> list[tuple[int, str]]:
    return [(f.step, str(f.fate)) for s in found.signatures for f in s.fates]


@pytest.mark.parametrize("dialect", ALL)
def test_a_request_alone_carries_what_was_issued_before(dialect: str) -> None:
    found = build_ledger(b.read([request_alone(dialect, loop(dialect, b.LS))]))
    (signature,) = found.signatures
    assert signature.is_earlier
    assert fates(found) == [(1, "earlier")]
    assert signature.fates[0].note == "issued before this recording"


@pytest.mark.parametrize("dialect", ALL)
def test_it_stays_earlier_while_the_conversation_goes_on(dialect: str) -> None:
    one = loop(dialect, b.LS)
    two = loop(dialect, b.READ)[1:]
    other = VALUE[dialect][:-8] + "AAAAAAA="
    two = changed(two, lambda value: other)
    steps = b.record(dialect, [*one, *two])[1:]
    found = build_ledger(b.read(step.exchange for step in steps))
    first = [s for s in found.signatures if s.is_earlier]
    assert [[str(f.fate) for f in s.fates] for s in first] == [["earlier", "earlier"]]
    assert [str(f.fate) for f in found.received_in(1)[0].fates] == ["exact"]


@pytest.mark.parametrize("dialect", ALL)
def test_what_took_the_place_of_an_earlier_one_is_foreign(dialect: str) -> None:
    history = loop(dialect, b.LS)
    refused = b.exchange(
        dialect, b.request_body(dialect, history), {"error": {}}, status=400
    )
    other = changed(copy.deepcopy(history), lambda value: value[:-8] + "AAAAAAA=")
    again = request_alone(dialect, other)
    found = build_ledger(b.read([refused, again]))
    assert fates(found) == [(1, "earlier"), (2, "foreign")]
    assert [s.origin for s in found.signatures] == [Origin.EARLIER, Origin.FOREIGN]
    assert "it replaced" in found.signatures[1].fates[0].note


@pytest.mark.parametrize("dialect", ALL)
def test_what_is_foreign_stays_that_though_another_thread_has_it_as_earlier(
    dialect: str,
) -> None:
    history = loop(dialect, b.LS)
    other = changed(copy.deepcopy(history), lambda value: value[:-8] + "AAAAAAA=")
    elsewhere = json.loads(json.dumps(other).replace("What is in a.md?", "Who is it?"))
    steps = [history, other, elsewhere, history, other]
    refused = [
        b.exchange(dialect, b.request_body(dialect, sent), {"error": {}}, status=400)
        for sent in steps
    ]
    found = build_ledger(b.read(refused))
    assert [str(f.fate) for f in found.signatures[1].fates] == [
        "foreign",
        "earlier",
        "foreign",
    ]


@pytest.mark.parametrize("dialect", ALL)
def test_a_recorded_answer_that_did_not_bring_it_speaks_against_it(
    dialect: str,
) -> None:
    history = loop(dialect, b.LS)
    bare = changed(copy.deepcopy(history), lambda value: None)
    first = b.record(dialect, bare)[0].exchange
    found = build_ledger(b.read([first, request_alone(dialect, history)]))
    (signature,) = found.signatures
    assert str(signature.fates[0].fate) == "foreign"
    assert signature.fates[0].note == (
        "the answer of step 1 is recorded and did not bring it"
    )


def test_after_an_answer_that_was_not_recorded_nothing_is_foreign() -> None:
    one, two = loop("gemini", b.LS), loop("gemini", b.READ)[1:]
    two = changed(two, lambda value: value[:-8] + "AAAAAAA=")
    whole = [*one, *two]
    first = b.record("gemini", one)[0].exchange
    unanswered = request_alone("gemini", one)
    with_gap = build_ledger(b.read([first, unanswered, request_alone("gemini", whole)]))
    without = build_ledger(b.read([first, request_alone("gemini", whole)]))
    last = [s for s in with_gap.signatures if not s.received]
    assert [s.fates[-1].note for s in last] == [
        "issued outside this recording: the answer of step 2 is not in it"
    ]
    gone = [s for s in without.signatures if not s.received]
    assert [str(s.fates[-1].fate) for s in gone] == ["foreign"]


def test_a_stand_in_is_no_earlier_signature() -> None:
    history = changed(
        loop("gemini", b.LS), lambda value: "skip_thought_signature_validator"
    )
    found = build_ledger(b.read([request_alone("gemini", history)]))
    assert fates(found) == [(1, "bypass")]
    assert not found.signatures[0].is_earlier


def test_the_other_surface_in_its_outer_bytes_speaks_against_it() -> None:
    value = "EhkKFwGPPWtfVZrq0IJk1XldOQlxjN0Fq9SV"  # key id of Vertex
    history = changed(loop("gemini", b.LS), lambda _: value)
    found = build_ledger(b.read([request_alone("gemini", history)]))
    assert fates(found) == [(1, "foreign")]
