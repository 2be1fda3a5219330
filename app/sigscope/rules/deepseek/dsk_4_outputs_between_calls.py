"""DeepSeek's Responses API does not find the output of a call.

Why it matters: 400 "No tool output found for tool call call-a." Seen where the outputs
of parallel calls stood between the calls: it wants all calls of a step first, then all
outputs.
Bad:  ["call a", "output a", "call b", "output b"]
Good: ["call a", "call b", "output a", "output b"]
False alarms: one round after the other looks the same in a request, so it is said only
where the recorded answer says so.
Fix: none is offered: which calls were parallel has to be known.
"""

from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.kinds.told import ToldByAnswer

RULE = Rule(
    code="DSK-4",
    name="outputs-between-calls",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.OBSERVED,
    dialects=("deepseek", "responses"),
    checked_on="2026-11-22",
    source=(
        "recordings of pydantic/pydantic-ai [real traffic, source code]; "
        "docs/wire/deepseek.md#dsk-4"
    ),
    check=ToldByAnswer(
        rule="DSK-4",
        words="its output is not found: DeepSeek wants all calls of a step first, and"
        " their outputs behind them",
    ),
)
