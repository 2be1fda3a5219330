"""The service refused this request, and no rule here explains why.

Why it matters: that no rule has anything to say is no all-clear. The message carries
the innermost sentence of the answer, all wrappings taken off, and the node that its
words name, if they name one. Where the words are known as those of a rule of another
API, its id and meaning are told.
Bad:  {"error": {"message": "Thinking mode does not support this tool_choice"}}
Good: {"choices": [{"message": {"role": "assistant", "content": "Done."}}]}
False alarms: a warning where a later step sent the same messages to the same endpoint
and was accepted: the changed settings, if there are any, are named. A warning too
where the refused request is no model call (a list of models, a token, an upload, a
count), and where the answer is a redirect. An answer that never came is no refusal.
Fix: none; the sentence says what the service wants.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.refusals.catalogue import entry
from sigscope.refusals.grounds import Ground
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.refusal.echo import echo, ground_of
from sigscope.rules.words import named


def check(subject: Subject) -> Iterator[Claim]:
    """The sentence, and the words by which it is known."""
    if ground_of(subject) is not Ground.REQUEST or subject.error is None:
        return
    spoken = [_named(match.rule) for match in subject.error.matches]
    said = "refused, and no rule here explains it."
    if spoken:
        said = f"refused in the words of {'; and of '.join(spoken)}."
    elif subject.suspects:
        rules = named(subject.suspects)
        said = f"refused; whether for what {rules} found, the answer does not tell."
    yield from echo(subject, said)


def _named(rule: str) -> str:
    """ "RSP-1 (Responses API: a reasoning item without the item that followed)"."""
    known = entry(rule)
    if known is None or not known.meaning:
        return rule
    return f"{rule} ({known.api}: {known.meaning.rstrip('.')})"


RULE = Rule(
    code="REF-1",
    name="unexplained-refusal",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.OBSERVED,
    dialects=(),
    checked_on="2026-11-22",
    source="RFC 9110 section 15.5 (client errors); the error pages of the providers "
    "[docs]. REF-1 passes on the recorded answer",
    check=check,
    hears_all_errors=True,
    is_last_word=True,
)
