"""A tool message answers no call of the history, or a call is left without an answer.

Why it matters: Gemini through Copilot answers 400; VS Code strips such orphans before
it sends. Trimming a long history at the wrong place makes them.
Bad:  [{"role": "user"}, {"role": "tool", "tool_call_id": "call_gone"}]
Good: [{"role": "user"}]
False alarms: calls of the last message may still wait for their answers. Only Gemini
models are judged. An accepted request earns a remark.
Fix: where all else of a round is paired, the one id that is not; a result that stands
before its call goes behind it, one that an earlier request had sent comes back, one to
no call at all goes. None for a result that was never sent.
"""

from sigscope.rules.base import Confidence, Rule, Severity
from sigscope.rules.kinds.unpaired import Unpaired, orphans, unanswered
from sigscope.rules.places import asks_gemini

RULE = Rule(
    code="CPC-6",
    name="unpaired-call",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.OBSERVED,
    dialects=("copilot-chat",),
    checked_on="2026-11-22",
    source="microsoft/vscode-copilot-chat [source code]",
    check=Unpaired(among=asks_gemini, walks=(orphans, unanswered)),
)
