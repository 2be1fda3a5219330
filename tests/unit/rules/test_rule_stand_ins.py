"""What a stand-in took the place of, and what it brings about."""

from __future__ import annotations

import pytest
from tests.unit.rules.cases import BYPASS_64, bench
from tests.unit.rules.gemini_cases import HI, ask
from tests.unit.rules.litellm_cases import FIELDS, a_call, calls, two_steps

from sigscope.opaque import BYPASS_LITERALS, maybe_bypass
from sigscope.rules.stand_ins import effect_of, replacement


@pytest.mark.parametrize(
    ("literal", "effect"),
    [
        (BYPASS_LITERALS[0], "meant to pass"),
        (BYPASS_LITERALS[1], "meant to pass"),
        (BYPASS_LITERALS[2], "misspelt"),
    ],
)
def test_a_misspelt_literal_does_not_pass(literal: str, effect: str) -> None:
    bypass = maybe_bypass(literal)
    assert bypass is not None
    subject = bench([ask([HI])]).subject(1)
    assert effect in effect_of(subject, bypass)


def test_the_place_and_the_form_are_told() -> None:
    subject = bench(two_steps(calls(a_call("ls", BYPASS_64)))).subject(2)
    (loss,) = subject.losses
    pointer, said = replacement(subject, loss)
    assert pointer == f"/messages/1/tool_calls/0/{FIELDS}/thought_signature"
    assert f"{loss.signature.id} (received in step 1) was replaced by" in said
    assert "in base64" in said
