"""One tool call is answered twice.

Why it matters: Gemini counts calls and results, also behind a gateway, and answers 400
where they differ (GEM-18); OpenAI's own API refuses the second answer as one to no
call.
Bad:  ["assistant: call 1", "tool: 1", "tool: 1"]
Good: ["assistant: call 1", "tool: 1"]
False alarms: ids that come again later, behind calls of their own, are no doubles.
Services that take what comes are known: it warns, and is a remark where the request
was accepted.
Fix: the copy goes, where it is one to the byte. None where the two say different
things: which is right is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import Part
from sigscope.dialects.chat import ChatDialect
from sigscope.dialects.registry import DIALECTS
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop
from sigscope.rules.tallies import Doubles
from sigscope.rules.words import short


def check(subject: Subject) -> Iterator[Claim]:
    """Results whose call an earlier one answers, since the call was last made."""
    for index, result, first in subject.tally(Doubles).found:
        yield _finding(subject, index, result, first)


def _finding(subject: Subject, index: int, result: Part, first: int) -> Claim:
    entries, messages = subject.reading.entries, subject.messages
    is_copy = entries[index] == entries[first] and len(messages[index].results) == 1
    what = "the same result" if is_copy else "another result"
    at = messages[first].pointer
    return Claim(
        messages[index].pointer,
        f"{what} for {short(result.call_id or '')} stands at {at} already",
        fix=(drop(messages[index].pointer, "take it away: one result for a call"),)
        if is_copy
        else None,
    )


RULE = Rule(
    code="SES-6",
    name="doubled-result",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.INFERRED,
    dialects=tuple(d.name for d in DIALECTS if isinstance(d, ChatDialect)),
    checked_on="2026-11-22",
    source=(
        "google-gemini/gemini-cli#7705, google-gemini/gemini-cli#15568, "
        "microsoft/vscode-copilot-chat [issue report, source code]; "
        "docs/wire/gemini.md#gem-18, docs/wire/copilot-chat.md#cpc-6"
    ),
    check=check,
)
