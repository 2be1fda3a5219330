"""Thinking of one model is sent to another, which leaves it out in silence.

Why it matters: the newest families drop the blocks of another model without an error:
the reasoning behind them is gone, and the prompt cache with it. Older ones may refuse
them (ANT-1).
Bad:  [{"model": "claude-a"}, {"model": "claude-b", "messages": ["... of claude-a"]}]
Good: [{"model": "claude-a"}, {"model": "claude-a", "messages": ["... of claude-a"]}]
False alarms: names with and without a date count as one model. It is told in the first
request after the switch, not in those that follow.
Fix: none; switch back, or let the blocks go.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from sigscope.rules.anthropic.blocks import thoughts
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject

_SPELLING = re.compile(r"^.*?(?=claude)|[-@]20\d{6}.*$|-v\d.*$|-latest$")


def check(subject: Subject) -> Iterator[Claim]:
    """The first block of a reply that another model gave."""
    asked = _plain(subject.reading.conversation.model)
    thread = subject.ledger.thread_of.get(subject.step)
    steps = thread.steps if thread else ()
    earlier = bisect_left(steps, subject.step)
    if not earlier or not asked:
        return
    before = _plain(subject.readings[steps[earlier - 1]].conversation.model)
    if before in ("", asked):
        return
    for sent in thoughts(subject):
        link = subject.held.get(sent.index)
        if link is None:
            continue
        issuer = _plain(subject.readings[link.step].conversation.model)
        if issuer and issuer != asked:
            yield Claim(
                sent.pointer,
                f"this block is of {issuer} (step {link.step}), and {asked} is asked:"
                " the newest models leave it out in silence",
            )
            return


def _plain(model: str) -> str:
    """A model's name without region, vendor and date."""
    return _SPELLING.sub("", model.replace(".", "-"))


RULE = Rule(
    code="ANT-7",
    name="other-model",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.DOCUMENTED,
    dialects=("anthropic",),
    checked_on="2026-11-22",
    source="platform.claude.com/docs/build-with-claude/preserved-thinking [docs]",
    check=check,
)
