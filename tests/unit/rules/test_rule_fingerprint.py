"""By what a finding is known again in another recording."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace

import pytest

from sigscope.engine.sending.conversations import (
    ConversationOrder,
    HeldConversation,
    policy_names,
)
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body
from sigscope.rules.fingerprint import fingerprint_of

pytestmark = pytest.mark.slow


def held(policy: str, seed: str) -> Document:
    conversation = HeldConversation(ConversationOrder(policy=policy, seed=seed))
    asyncio.run(conversation.hold())
    return Document(conversation.session)


def prints(document: Document) -> Counter[str]:
    return Counter(
        fingerprint_of(finding, document.reading(finding.step))
        for finding in document.findings
    )


@pytest.mark.parametrize("policy", policy_names())
def test_another_recording_of_a_conversation_has_the_same(policy: str) -> None:
    """Other ids, other signatures, other words: whatever the client does wrong."""
    one, another = prints(held(policy, "one")), prints(held(policy, "another"))
    assert set(one) == set(another)


@pytest.fixture(scope="module")
def document() -> Document:
    documents = (held(policy, "one") for policy in policy_names())
    return next(d for d in documents if any(f.pointer for f in d.findings))


def test_rule_and_place_count_and_words_do_not(document: Document) -> None:
    finding = next(f for f in document.findings if f.pointer)
    reading = document.reading(finding.step)
    first = fingerprint_of(finding, reading)
    assert len(first) == 32
    said = replace(finding, message="said otherwise", signature=None)
    assert fingerprint_of(said, reading) == first
    others = (
        replace(finding, rule="CPC-99"),
        replace(finding, pointer="/model"),
        replace(finding, in_response=True),
    )
    assert len({first, *(fingerprint_of(f, reading) for f in others)}) == 4


def test_another_tool_in_the_message_makes_it_another() -> None:
    document = held("zed-copilot-attempt-1", "one")
    finding = next(f for f in document.findings if f.rule == "CPC-1")
    reading = document.reading(finding.step)
    step = document.step(finding.step)
    request = step.exchange.request
    assert request is not None
    name = json.dumps(called(reading.request_json)).encode()
    body = Body(request.body.raw.replace(name, b'"other"'))
    exchange = replace(step.exchange, request=replace(request, body=body))
    other = Document(
        replace(document.session, steps=(replace(step, exchange=exchange),))
    )
    assert fingerprint_of(finding, reading) != fingerprint_of(
        finding, other.reading(finding.step)
    )


def called(body: object) -> str:
    """The name of the first tool that is called."""
    text = json.dumps(body)
    for name in ("read_file", "list_directory", "file_search"):
        if text.count(f'"{name}"') > 1:
            return name
    raise AssertionError(text[:2000])
