"""The request has an argument that this model does not support.

Why it matters: 400 with the code "invalid_request_body"; the message names it:
"Unrecognized request argument supplied: reasoning_effort". Which model takes which
argument is nowhere documented, so this speaks only where the answer says it.
Bad:  {"model": "gemini-3-pro-preview", "reasoning_effort": "high"}
Good: {"model": "gemini-3-pro-preview"}
False alarms: none, it needs the answer's word.
Fix: the argument goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop, node
from sigscope.rules.kinds.told import named

_WORDS = re.compile(
    r"Unrecognized request arguments? supplied: (?P<name>[\w., ]+)", re.IGNORECASE
)


def check(subject: Subject) -> Iterator[Claim]:
    """The arguments that the answer names."""
    lists = named(subject, _WORDS)
    names = {name.strip(" .") for listed in lists for name in listed.split(",")}
    for name in sorted(names - {""}):
        pointer = "/" + name.replace(".", "/")
        if node(subject.reading.request_json, pointer) is None:
            continue
        model = subject.reading.model or "this model"
        yield Claim(
            pointer,
            f"{model} does not support the argument {name}",
            fix=(drop(pointer, f"take {name} away: it is not supported"),),
        )


RULE = Rule(
    code="CPC-3",
    name="unsupported-argument",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("copilot-chat",),
    checked_on="2026-11-21",
    source="github/copilot-cli#2553 [issue report]",
    check=check,
)
