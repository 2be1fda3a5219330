"""Clients, simulator and rules: three voices about the same request.

Each shipped policy talks to the simulator. Where it is refused, a rule must name the
reason and mend it; where it is accepted, no rule may call it an error.
"""

from __future__ import annotations

import asyncio

import pytest

from sigscope.converse.loader import policy_names
from sigscope.engine.sending.conversations import ConversationOrder, HeldConversation
from sigscope.engine.sending.sender import Order as Resend
from sigscope.engine.sending.sender import foretell
from sigscope.engine.sessions.document import Document
from sigscope.rules.base import Severity

TURNS = (
    "Read the README (only make ONE tool call) and tell me what the next item on"
    " roadmap is",
    "Read README.md and CHANGELOG.md and tell me whether they agree.",
    "Read docs/setup.md, then read docs/routes.md, and sum them up.",
    "Thanks!",
)


def held(policy: str) -> Document:
    holding = HeldConversation(ConversationOrder(policy=policy, turns=TURNS))
    asyncio.run(holding.hold())
    return Document(holding.session)


@pytest.mark.parametrize("policy", policy_names())
def test_what_is_refused_has_an_error_and_a_cure_and_what_is_accepted_has_none(
    policy: str,
) -> None:
    document = held(policy)
    for reading in document.readings:
        errors = [
            finding
            for finding in document.findings_of(reading.number)
            if finding.severity is Severity.ERROR
        ]
        assert bool(errors) == (not reading.is_accepted), (reading.number, errors)
        if not errors:
            continue
        fixes = dict.fromkeys(e for finding in errors for e in finding.fix or ())
        judgement = foretell(document, Resend(step=reading.number, edits=tuple(fixes)))
        assert judgement is not None
        assert judgement.status == 200, judgement.error


@pytest.mark.parametrize("policy", [n for n in policy_names() if "faithful" in n])
def test_a_faithful_client_hears_nothing_but_remarks(policy: str) -> None:
    found = {finding.severity for finding in held(policy).findings}
    assert found <= {Severity.INFO}
