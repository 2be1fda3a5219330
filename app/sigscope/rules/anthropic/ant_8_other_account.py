"""Thinking that one organisation received is sent by another.

Why it matters: blocks of some models are bound to an account: sent from another one
they are refused in the words of ANT-1, or left out.
Bad:  [{"anthropic-organization-id": "a"}, {"anthropic-organization-id": "b"}]
Good: [{"anthropic-organization-id": "a"}, {"anthropic-organization-id": "a"}]
False alarms: which models bind their blocks is not documented, so it warns, and of an
accepted request it is a remark. Only answers tell the organisation, in a header that
Anthropic's own API sends; redacted sessions keep no other trace of an account.
Fix: none; send from the account that received them, or let the blocks go.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.exchange import header
from sigscope.reader import Reading
from sigscope.rules.anthropic.blocks import thoughts
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject

_HEADER = "anthropic-organization-id"


def check(subject: Subject) -> Iterator[Claim]:
    """The first block that came to another organisation."""
    is_one = len(subject.once_in_session(_organisations)) == 1
    ours = None if is_one else _organisation(subject.reading)
    for sent in thoughts(subject) if ours else ():
        link = subject.held.get(sent.index)
        theirs = _organisation(subject.readings[link.step]) if link else None
        if link is not None and theirs and theirs != ours:
            yield Claim(
                sent.pointer,
                f"step {link.step} received this block for another organisation than"
                " the one that sends it now",
            )
            return


def _organisations(subject: Subject) -> set[str]:
    found = map(_organisation, subject.readings.values())
    return {name for name in found if name}


def _organisation(reading: Reading) -> str | None:
    response = reading.exchange.response
    return header(response.headers, _HEADER) if response else None


RULE = Rule(
    code="ANT-8",
    name="other-account",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.DOCUMENTED,
    dialects=("anthropic",),
    checked_on="2026-11-22",
    source=(
        "docs.aws.amazon.com/bedrock/latest/userguide/"
        "claude-messages-thinking-block-binding.html [docs]"
    ),
    check=check,
)
