"""Messages that the service finds unsigned, and wants signed."""

from __future__ import annotations

from tests.unit.rules import copilot_chat_cases as copilot
from tests.unit.rules.cases import Exchange, bench

from sigscope.rules.base import Claim, Severity
from sigscope.rules.kinds.missing import Missing, is_unsigned

MISSING = Missing(words=lambda _, index: f"no signature on message {index}")


def said(exchanges: tuple[Exchange, ...], step: int = 2) -> list[Claim]:
    return list(MISSING(bench(exchanges).subject(step)))


def test_a_lost_signature_is_named_and_goes_back() -> None:
    exchanges = copilot.two_steps(copilot.calls("read_file"))
    (claim,) = said(exchanges)
    assert claim.pointer == "/messages/2"
    assert claim.said.startswith("no signature on message 2: reasoning_opaque")
    assert "is missing" in claim.said
    assert [edit.pointer for edit in claim.fix or ()] == [
        "/messages/2/reasoning_opaque"
    ]
    assert claim.severity is None


def test_what_was_accepted_warns_where_the_signature_is_known() -> None:
    reply = {"choices": [{"message": {"role": "assistant", "content": "Fine."}}]}
    sent = copilot.calls("read_file")
    (claim,) = said(copilot.two_steps(sent, reply, status=200))
    assert claim.severity is Severity.WARNING
    assert claim.said.endswith("The service accepted it this time")


def test_one_that_was_never_recorded_says_that_it_cannot_be_restored() -> None:
    history = [copilot.HI, copilot.calls("read_file"), copilot.result("read_file")]
    (claim,) = said((copilot.ask(history),), step=1)
    assert "cannot be restored" in claim.said
    assert claim.fix is None
    assert claim.signature is None


def test_a_signed_message_is_none_and_neither_is_one_whose_reply_had_none() -> None:
    signed = copilot.calls("read_file", reasoning_opaque=copilot.E1)
    assert said(copilot.two_steps(signed)) == []
    first = copilot.ask([copilot.HI], events=copilot.stream("read_file", opaque=None))
    history = [copilot.HI, copilot.calls("read_file"), copilot.result("read_file")]
    found = bench([first, copilot.ask(history)])
    assert not is_unsigned(found.subject(2), 1)
    assert list(MISSING(found.subject(2))) == []
