"""Readable reasoning stands in what the model is told that it said.

Why it matters: nothing is refused. The model reads its thoughts as an answer that it
gave, and copies the manner: blocks of reasoning turn up in later answers.
Bad:  {"role": "assistant", "content": "<think>I will look first.</think>It is a.md."}
Good: {"role": "assistant", "content": "It is a.md."}
False alarms: a short thought is not mentioned, nor one that the answer itself repeats,
nor those of services that want the text back elsewhere. White space does not count. An
accepted request earns a remark, with the first one that has it.
Fix: none; without the thought it is what the model said.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.conversation import PartKind
from sigscope.dialects.registry import DIALECTS
from sigscope.ledger.links import TELLING_TEXT
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.kinds.kept import returned
from sigscope.rules.outcome import all_the_same
from sigscope.rules.session.ses_4_reasoning_text_changed import is_state


def check(subject: Subject) -> Iterator[Claim]:
    """Texts that hold all that was thought before them."""
    if is_state(subject.reading.dialect):
        return
    for back in returned(subject):
        thoughts, said = _bare(back.reply.thoughts), _bare(back.reply.text)
        if len(thoughts) < TELLING_TEXT or thoughts in said:
            continue
        for part in back.message.parts:
            if part.kind is not PartKind.TEXT or back.is_told(part.pointer):
                continue
            if thoughts in _bare(part.text):
                yield Claim(
                    part.pointer,
                    f"the text holds the reasoning of step {back.step}: the model is"
                    f" told that it said what it thought{all_the_same(subject)}",
                    severity=Severity.INFO if subject.is_accepted else None,
                )


def _bare(text: str) -> str:
    return "".join(text.split())


RULE = Rule(
    code="SES-10",
    name="reasoning-as-text",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.REPORTED,
    dialects=tuple(dialect.name for dialect in DIALECTS),
    checked_on="2026-11-24",
    source=(
        "vercel/ai#17930, UKGovernmentBEIS/inspect_ai#4979 [issue report]; "
        "docs/wire/openrouter.md#si-3"
    ),
    check=check,
)
