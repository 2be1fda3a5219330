"""A genuine signature does not reach the model: it stands where the proxy does not
read it, a bypass was sent for it, or it was left out.

Why it matters: HTTP 200. The proxy signs the call with its own bypass, and
acceptance proves nothing. Over several turns summaries fade and raw reasoning arrives
as ordinary text (SES-1).
Bad:  {"provider_specific_fields": {"thought_signatures": ["S"]}, "tool_calls": [{}]}
Good: {"tool_calls": [{"provider_specific_fields": {"thought_signature": "S"}}]}
False alarms: an id that ends in `__thought__` and the signature is read, and so is the
message's list beside a plain string without calls. Siblings of a signed call are in
order. Earlier turns and text answers without their signature earn one remark. Where
the proxy refused for want of a signature, LLM-2 speaks instead.
Fix: the signature in the field of the call it came on; for a text answer in the list
of the message. Copies in places that are not read go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sigscope.ledger import Fate
from sigscope.ledger.models import enforces_signatures, is_older_gemini
from sigscope.reader import JOINED
from sigscope.refusals import confirms
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix
from sigscope.rules.fixes import maybe_home, send_back
from sigscope.rules.judgements import judged
from sigscope.rules.kinds.bypass import replacement
from sigscope.rules.litellm.proxy import is_geminis, signs_call, unreadable_values
from sigscope.rules.losses import about, first_of_its_kind, likewise
from sigscope.rules.outcome import Outcome, goes_on, outcome_of
from sigscope.rules.subject import Loss
from sigscope.rules.words import inside, told


def check(subject: Subject) -> Iterator[Claim]:
    """What is lost in silence in this step; one remark for what is lost by custom."""
    if subject.error is not None and confirms(subject.error, "LLM-2"):
        return
    fixes = _fixes(subject)
    of_note = [
        loss for loss in subject.losses if id(loss.signature) in fixes[loss.index]
    ]
    if len(of_note) > 1 and subject.is_accepted:
        *others, last = of_note
        yield likewise(
            subject,
            _claim(subject, last, Severity.WARNING),
            [_place(subject, loss) for loss in others],
            [fixes[loss.index][id(loss.signature)] for loss in others],
        )
    else:
        yield from (_claim(subject, loss, Severity.WARNING) for loss in of_note)
    first = first_of_its_kind(subject, _is_by_custom)
    if first is not None:
        yield _claim(subject, first, Severity.INFO)


def _fixes(subject: Subject) -> Mapping[int, Mapping[int, Fix | None]]:
    """What mends the losses of note, by the message and the identity of the signature;
    the ledger keeps that alive."""
    places = subject.losses_at
    if unreadable_values(subject):
        return {index: _fixes_at(subject, index) for index in places}
    return judged(subject, _fixes_at, places)


def _fixes_at(subject: Subject, index: int) -> Mapping[int, Fix | None]:
    return {
        id(loss.signature): send_back(subject, loss)
        for loss in subject.losses_at[index]
        if _is_of_note(subject, loss)
    }


def _concerns(subject: Subject, loss: Loss) -> bool:
    is_lost = loss.fate in (Fate.MOVED, Fate.BYPASS, Fate.DROPPED)
    is_lost = is_lost and not _is_of_llm_5(subject, loss)
    return is_lost and is_geminis(loss.signature)


def _is_of_llm_5(subject: Subject, loss: Loss) -> bool:
    """Whether something else stands in its place, which the proxy takes."""
    if loss.instead:
        return True
    odd = unreadable_values(subject)
    home = maybe_home(subject, loss.signature, loss.index) if odd else None
    return home is not None and home.pointer in odd


def _is_of_note(subject: Subject, loss: Loss) -> bool:
    """A call of the current turn; elsewhere what the client meant to send back."""
    if not _concerns(subject, loss):
        return False
    if loss.is_current and signs_call(subject, loss):
        return True
    return loss.is_first and loss.fate is not Fate.DROPPED


def _is_by_custom(subject: Subject, loss: Loss) -> bool:
    """Left out where nearly every client leaves it out."""
    return _concerns(subject, loss) and not _is_of_note(subject, loss)


def _story(subject: Subject, loss: Loss) -> str:
    name = told(loss.signature)
    signs = signs_call(subject, loss)
    effect = f"{goes_on(subject)} without the reasoning behind this answer"
    if signs:
        effect = _effect_on_call(subject, loss)
    spots = subject.placed(loss.signature)
    if loss.fate is Fate.BYPASS:
        return replacement(subject, loss)[1]
    if spots and spots[0].carrier == JOINED:
        return f"{name} stands {inside(spots[0])}; {effect}"
    if spots:
        return f"{name} stands at {spots[0].pointer}, which is not read: {effect}"
    return f"{name} was not sent back: {effect}"


def _effect_on_call(subject: Subject, loss: Loss) -> str:
    """What comes of an unsigned call: it depends on the model, and on the answer."""
    issuer = subject.readings[loss.signature.received[0].step]
    models = subject.reading.conversation.model, issuer.reply.model
    if is_older_gemini(*models):
        return (
            f"this model needs none, and {goes_on(subject)} without the reasoning"
            " behind the call"
        )
    if outcome_of(subject) is Outcome.REFUSED:
        return (
            "LiteLLM is known to sign such a call with a bypass of its own; this"
            " request was refused"
        )
    since = "" if enforces_signatures(*models) else " (for such names from about 1.106)"
    status = subject.reading.status
    under = f", under status {status}" if status is not None else ""
    return f"the proxy signs the call with a bypass of its own{since}{under}"


def _claim(subject: Subject, loss: Loss, severity: Severity) -> Claim:
    at = _place(subject, loss)
    return about(subject, loss, _story, at=at, severity=severity)


def _place(subject: Subject, loss: Loss) -> str:
    """Where it stands in place of its home, or its message."""
    spots = loss.sightings
    return spots[0].pointer if spots else subject.messages[loss.index].pointer


RULE = Rule(
    code="LLM-1",
    name="signature-not-read",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.OBSERVED,
    dialects=("litellm",),
    checked_on="2026-11-21",
    source=(
        "BerriAI/litellm, RooCodeInc/Roo-Code (src/api/providers/lite-llm.ts), "
        "Zoo-Code-Org/Zoo-Code#736 [source code, executed; client's notes]"
    ),
    check=check,
)
