"""The simulator, which knows nothing of ready-made edits, judges what they make."""

from __future__ import annotations

from typing import Any

import pytest
from tests import builders as b

from sigscope.engine.sending.sender import Order, foretell
from sigscope.engine.sessions.document import Document
from sigscope.readymade import Context, by_name
from sigscope.session import Session, Step

HISTORIES: dict[str, list[Any]] = {
    "copilot-chat": [
        b.system(),
        b.user(),
        b.copilot(b.LS, b.READ, content="I look."),
        b.result(b.LS),
        b.result(b.READ),
        b.copilot(b.GREP, opaque=b.OPAQUE_B),
        b.result(b.GREP),
    ],
    "openrouter": [
        b.user(),
        b.openrouter(b.LS, b.READ),
        b.result(b.LS),
        b.result(b.READ),
        b.openrouter(b.GREP, details=[b.summary(), b.detail(b.GREP, b.SIG_B)]),
        b.result(b.GREP),
    ],
    "litellm": [
        b.user(),
        b.litellm(b.LS, b.READ),
        b.result(b.LS),
        b.result(b.READ),
        b.litellm(b.GREP, signatures=[b.SIG_B]),
        b.result(b.GREP),
    ],
    "gemini": [
        b.ask(),
        b.gemini(b.LS, b.READ),
        b.answers(b.LS, b.READ),
        b.gemini(b.GREP, signature=b.SIG_B),
        b.answers(b.GREP),
    ],
}
FORETOLD: dict[str, dict[str, int]] = {
    "copilot-chat": {
        "copilot.attempt-1-signature-on-tool-call": 400,
        "copilot.attempt-2-signature-in-function": 400,
        "copilot.attempt-3-camel-case": 400,
        "copilot.content-empty-list": 400,
        "copilot.content-empty-string": 200,
        "copilot.drop": 400,
        "copilot.split-message": 400,
        "copilot.field-name-as-value": 400,
        "copilot.responses-api": 400,
        "copilot.drop-text": 200,
        "cut": 400,
        "altered": 400,
    },
    "openrouter": {
        "openrouter.attempt-1-signature-on-tool-call": 400,
        "openrouter.attempt-2-signature-in-function": 400,
        "openrouter.attempt-3-camel-case": 400,
        "openrouter.details-null": 400,
        "openrouter.details-on-tool-message": 400,
        "openrouter.only-reasoning-text": 400,
        "openrouter.payload-removed": 400,
        "openrouter.drop": 400,
        "openrouter.bypass-entry": 200,
        "cut": 400,
        "altered": 400,
    },
    "litellm": {
        "litellm.attempt-1-signature-on-tool-call": 200,
        "litellm.attempt-2-signature-in-function": 200,
        "litellm.drop": 200,
        "litellm.id-suffix": 200,
        "litellm.id-suffix-on-call-only": 500,
        "litellm.message-list-with-calls": 200,
        "litellm.dummy-on-every-call": 200,
        "cut": 400,
        "altered": 400,
    },
    "gemini": {
        "gemini.drop": 400,
        "gemini.in-function-call": 400,
        "gemini.in-function-response": 400,
        "gemini.on-second-call": 400,
        "gemini.interleaved-results": 400,
        "gemini.split-contents": 400,
        "gemini.snake-case": 200,
        "bypass-raw": 200,
        "cut": 400,
        "altered": 400,
    },
}
CURES = {
    "copilot-chat": "copilot.final-fix",
    "openrouter": "openrouter.restore",
    "litellm": "litellm.restore",
    "gemini": "gemini.restore",
}
CASES = [(dialect, name) for dialect, table in FORETOLD.items() for name in table]


def document(dialect: str, sent: list[Any] | None = None) -> Document:
    readings = b.record(dialect, HISTORIES[dialect], sent=sent)
    steps = [
        Step(number=reading.number, id=str(reading.number), exchange=reading.exchange)
        for reading in readings
    ]
    return Document(Session(id="made", steps=steps))


def foretold(made: Document, name: str | None) -> int | None:
    """What the simulator says to the last step with a ready-made edit, or without."""
    last = len(made.steps)
    by_number = {reading.number: reading for reading in made.readings}
    context = Context(
        reading=made.reading(last), ledger=made.ledger, readings=by_number
    )
    ready = by_name(name) if name else None
    edits = ready.edits(context) if ready else ()
    assert edits is not None, name
    judgement = foretell(made, Order(step=last, edits=edits))
    return judgement.status if judgement else None


@pytest.mark.parametrize("dialect", sorted(HISTORIES))
def test_the_right_history_is_accepted(dialect: str) -> None:
    assert foretold(document(dialect), None) == 200


@pytest.mark.parametrize(("dialect", "name"), CASES)
def test_mistakes_are_refused_and_variants_accepted_as_the_facts_say(
    dialect: str, name: str
) -> None:
    assert foretold(document(dialect), name) == FORETOLD[dialect][name]


@pytest.mark.parametrize("dialect", sorted(HISTORIES))
def test_what_was_dropped_is_accepted_again_after_the_cure(dialect: str) -> None:
    sent: list[Any] = []
    for message in HISTORIES[dialect]:
        bare = {k: v for k, v in message.items() if not k.startswith("reasoning")}
        if "tool_calls" in bare:
            for call in (calls := [dict(call) for call in bare["tool_calls"]]):
                call.pop("provider_specific_fields", None)
            bare["tool_calls"] = calls
        if "parts" in bare:
            bare["parts"] = [
                {k: v for k, v in part.items() if k != "thoughtSignature"}
                for part in bare["parts"]
            ]
        sent.append(bare)
    spoiled = document(dialect, sent)
    assert foretold(spoiled, None) == (200 if dialect == "litellm" else 400)
    assert foretold(spoiled, CURES[dialect]) == 200
