"""A signature that came under `vertex` is sent under `google`, or the other way round.

Why it matters: what the service makes of it is not known. Clients that work keep the
word they got; where the other is not read, the call counts as unsigned (GOC-1).
Bad:  {"extra_content": {"google": {"thought_signature": "AY89a18I..."}}}
Good: {"extra_content": {"vertex": {"thought_signature": "AY89a18I..."}}}
False alarms: it warns at most; of an accepted request it is a remark. A signature that
stands under both words is right.
Fix: the object under the word it came with.
"""

from collections.abc import Iterator

from sigscope.dialects.gemini_openai import NAMESPACES, carrier_of
from sigscope.ledger import Fate
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import drop, joined, put
from sigscope.rules.outcome import all_the_same
from sigscope.rules.words import told

ON_CALLS = {carrier_of(name): name for name in NAMESPACES}


def check(subject: Subject) -> Iterator[Claim]:
    """Signatures on their own calls, under the other word alone."""
    for signature, _ in subject.met(Fate.EXACT):
        came = {ON_CALLS.get(p.sighting.carrier) for p in signature.received}
        spots = [s for s in subject.placed(signature) if s.carrier in ON_CALLS]
        if not spots or None in came or {ON_CALLS[s.carrier] for s in spots} & came:
            continue
        word, sent = str(next(iter(came))), spots[0]
        holder = sent.pointer.rpartition("/")[0]
        home = f"{holder.rpartition('/')[0]}/{word}"
        value = {"thought_signature": signature.value}
        yield Claim(
            sent.pointer,
            f"{told(signature)} came under extra_content.{word} and is sent under"
            f" {ON_CALLS[sent.carrier]}{all_the_same(subject)}",
            fix=joined([drop(holder, word)], [put(home, value, f"under {word}")]),
            signature=signature.sha256,
        )


RULE = Rule(
    code="GOC-3",
    name="other-namespace",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.REPORTED,
    dialects=("gemini-openai",),
    checked_on="2026-11-22",
    source="earendil-works/pi#7745 [issue report]; docs/wire/gemini-openai.md#goc-3",
    check=check,
)
