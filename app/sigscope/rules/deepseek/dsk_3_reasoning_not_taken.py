"""The first deepseek-reasoner refused reasoning in its input.

Why it matters: 400 "The reasoning_content is an intermediate result for display
purposes only ...". Later models want what this one refused, so one client breaks on the
one side or the other.
Bad:  {"role": "assistant", "content": "8.", "reasoning_content": "5 and 3."}
Good: {"role": "assistant", "content": "8."}
False alarms: said only where the recorded answer says so; nothing in the request tells
which of both models stands behind the name.
Fix: the field goes from every message.
"""

from collections.abc import Iterator

from sigscope.dialects.deepseek import FIELD
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop, node

CODE = "DSK-3"


def check(subject: Subject) -> Iterator[Claim]:
    """Every message that has the field, once the service has said so."""
    for message in subject.messages if CODE in subject.heard else ():
        place = f"{message.pointer}/{FIELD}"
        if node(subject.reading.request_json, place) is not None:
            yield Claim(
                place,
                f"this model takes no {FIELD} in its input",
                fix=(drop(place, "not taken by this model"),),
            )


RULE = Rule(
    code=CODE,
    name="reasoning-not-taken",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.REPORTED,
    dialects=("deepseek",),
    checked_on="2026-11-22",
    source=(
        "Euyug/Mirai-Gpt-Plugin#4 [issue report], an older edition of "
        "api-docs.deepseek.com [docs]; docs/wire/deepseek.md#dsk-3"
    ),
    check=check,
)
