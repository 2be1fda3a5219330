"""Thinking that is missing at a twin of Anthropic's API: the service's own rule."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.rules import deepseek_cases as deepseek
from tests.unit.rules.cases import bench

ON = {"type": "enabled", "budget_tokens": 1024}
REFUSED = {"reply": deepseek.TWIN_MISSING, "status": 400}


def codes(url: str, message: Any = deepseek.TWIN_CALL, **more: Any) -> set[str]:
    """Rules that speak of a request whose call lacks its thinking."""
    reply = more.pop("reply", None)
    asked = deepseek.twin([deepseek.HI], deepseek.TWIN_ANSWER, url=url)
    history = [deepseek.HI, message, deepseek.TWIN_DONE]
    again = deepseek.twin(history, reply, url=url, thinking=ON, **more)
    return {finding.rule for finding in bench((asked, again)).findings(2)}


@pytest.mark.parametrize("answered", [{"status": None}, REFUSED])
def test_the_service_speaks_alone_and_not_beside_anthropics_rule(
    answered: dict[str, Any],
) -> None:
    assert codes(deepseek.TWIN, **answered) == {"DSK-2"}


def test_its_words_behind_a_gateway_are_its_rule_too() -> None:
    url = "https://gateway.example/v1/messages"
    assert codes(url, **REFUSED) == {"DSK-2"}


def test_elsewhere_anthropics_rule_speaks() -> None:
    assert codes("https://api.anthropic.com/v1/messages", status=None) == {"ANT-2"}


def test_thinking_behind_the_call_is_no_fault_that_the_twin_is_known_to_find() -> None:
    use, thought = deepseek.TWIN_USE, deepseek.TWIN_THOUGHT
    turned = {"role": "assistant", "content": [use, thought]}
    assert "ANT-2" not in codes(deepseek.TWIN, turned, status=None)
