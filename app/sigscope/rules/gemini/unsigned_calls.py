"""The first call of each step, and whether it is signed.

What GEM-1, GEM-2 and GEM-3 say in the words of their surfaces is one condition; GEM-7
and GEM-8 are two ways to get there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from sigscope.conversation import Part, PartKind, Role
from sigscope.ledger import Link
from sigscope.ledger.fates import surface
from sigscope.records import dataclass
from sigscope.rules.base import Claim, Severity, Subject
from sigscope.rules.edits import Fix, put
from sigscope.rules.fixes import maybe_home, send_back, spelling
from sigscope.rules.judgements import judged
from sigscope.rules.losses import likewise
from sigscope.rules.outcome import all_the_same
from sigscope.rules.places import (
    content_number,
    current_calls,
    is_enforced,
    read_on_parts,
    reply_of,
    signed_parts,
)
from sigscope.rules.relocation import found_elsewhere
from sigscope.rules.subject import Loss, happened, is_same_service
from sigscope.rules.words import told

Surface = Literal["ai-studio", "vertex"]
STAND_IN = "skip_thought_signature_validator"
"""The bypass that both surfaces document, in the form their pages show
(docs/wire/gemini.md#bypass)."""
Cause = Literal["alone", "split", "interleaved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsignedCall:
    """A first call of the current turn that the service finds unsigned."""

    index: int
    """Of its content."""
    call: Part
    cause: Cause
    """`split`, `interleaved`: it is the sibling of an earlier content's calls."""
    before: int | None = None
    """The content of the step's earlier calls; None where it stands alone."""


def unsigned_calls(subject: Subject) -> Sequence[UnsignedCall]:
    """First calls without a signature, where the model insists on one."""
    return subject.once(_unsigned_calls)


def _unsigned_calls(subject: Subject) -> Sequence[UnsignedCall]:
    found: list[UnsignedCall] = []
    calls = [index for index, _ in current_calls(subject)]
    alone = judged(subject, _unsigned_alone, calls)
    seen: list[int] = []
    for index in calls:
        unsigned = alone[index]
        if unsigned is not None:
            before = _earlier_part(subject, index, seen)
            if before is not None:
                cause = _cause(subject, index, before)
                unsigned = replace(unsigned, cause=cause, before=before)
            found.append(unsigned)
        seen.append(index)
    return found


def _unsigned_alone(subject: Subject, index: int) -> UnsignedCall | None:
    """The first call of a message, if it is unsigned, whatever the other messages
    say."""
    call = subject.messages[index].calls[0]
    if (index, call.pointer) in subject.once(read_on_parts):
        return None
    if not (subject.once(is_nameless) or is_enforced(subject, index)):
        return None
    return UnsignedCall(index=index, call=call, cause="alone")


def is_nameless(subject: Subject) -> bool:
    """Whether neither the request names a model nor an answer does, as in a history
    that was saved alone."""
    response = subject.reading.exchange.response
    return response is None and not subject.reading.conversation.model


def as_far_as_known(subject: Subject) -> tuple[str, Severity | None]:
    """What is added to a claim that is one for some models alone, and how much it
    weighs at most: nothing where the model is known."""
    if not subject.once(is_nameless):
        return "", None
    return (
        "; no model is named here: Gemini 3 and newer refuse it, older ones do not",
        Severity.WARNING,
    )


def _earlier_part(subject: Subject, index: int, seen: Sequence[int]) -> int | None:
    """The content that holds earlier calls of the same step; None if there is none.

    Known by the reply that both hold; two contents of the model in a row are one step
    in any case, since nothing was said to the model in between.
    """
    if not seen:
        return None
    link = subject.held.get(index)
    if link is not None:
        others = [other for other in link.messages if other != index]
        same = [other for other in seen if other in others] if others else []
        return same[0] if same else None
    is_next = seen[-1] == index - 1
    return seen[-1] if is_next and subject.held.get(seen[-1]) is None else None


def _cause(subject: Subject, index: int, before: int | None) -> Cause:
    if before is None:
        return "alone"
    between = subject.messages[before + 1 : index]
    if any(m.results or m.role in (Role.TOOL, Role.USER) for m in between):
        return "interleaved"
    return "split"


def surface_of(subject: Subject) -> Surface | None:
    """Where the request goes: by its host, else by the words of the error."""
    host = surface(subject.reading)
    if host is not None:
        return "vertex" if host == "vertex" else "ai-studio"
    if "GEM-1" in subject.heard:
        return "ai-studio"
    return "vertex" if subject.heard & {"GEM-2", "GEM-5"} else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsigned:
    """First calls without a signature, in requests to one surface."""

    surface: Surface | None

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each; one for all where the request was accepted."""
        if surface_of(subject) != self.surface:
            return
        alone = [call for call in unsigned_calls(subject) if call.cause == "alone"]
        if len(alone) < 2 or not subject.is_accepted:
            yield from (_claim(subject, each) for each in alone)
            return
        *others, last = alone
        fixes = judged(subject, _fix, [each.index for each in others])
        yield likewise(
            subject,
            _claim(subject, last),
            [each.call.pointer for each in others],
            [fixes[each.index] for each in others],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """Calls of a step that stand in another content than its first ones."""

    cause: Cause
    words: Callable[[Subject, UnsignedCall, int], str]
    """Of the call, given the content that holds the first ones."""
    fix: Callable[[Subject, UnsignedCall, int], Fix | None]

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """One claim for each."""
        for late in unsigned_calls(subject):
            if late.cause == self.cause and late.before is not None:
                doubt, worst = as_far_as_known(subject)
                yield Claim(
                    late.call.pointer,
                    self.words(subject, late, late.before) + doubt,
                    fix=self.fix(subject, late, late.before),
                    worst=worst,
                )


def _fix(subject: Subject, index: int) -> Fix | None:
    """What signs the first call of a message."""
    call = subject.messages[index].calls[0]
    loss = lost_signature(subject, index, call)
    if loss is not None:
        return send_back(subject, loss, index)
    reply = reply_of(subject, index)
    if reply is None:
        return found_elsewhere(subject, index)[1]
    if is_same_service(reply, subject.reading):
        return None
    label = "put a bypass for a history that this service did not produce"
    return (put(f"{call.pointer}/{spelling(subject, call)}", STAND_IN, label),)


def _claim(subject: Subject, unsigned: UnsignedCall) -> Claim:
    index, call = unsigned.index, unsigned.call
    loss = lost_signature(subject, index, call)
    reply = reply_of(subject, index)
    said = (
        f"{placed_at(subject, index)}: function call {call.name or '?'} opens a"
        " step of the current turn and has no signature"
    )
    if loss is not None:
        said += f"; {told(loss.signature)} {happened(loss)}"
    elif reply is None:
        said += f"; {found_elsewhere(subject, index)[0]}"
    elif not is_same_service(reply, subject.reading):
        said += "; another service made the call, a bypass is documented for that"
    else:
        said += "; none came with it in the recorded response"
    doubt, worst = as_far_as_known(subject)
    is_known = subject.is_accepted and loss is not None
    return Claim(
        call.pointer,
        said + all_the_same(subject) + doubt,
        fix=_fix(subject, index),
        signature=loss.signature.sha256 if loss else None,
        worst=worst,
        severity=Severity.WARNING if is_known else None,
    )


def placed_at(subject: Subject, index: int) -> str:
    """The place in the service's own way of counting."""
    where = surface_of(subject)
    number = content_number(subject, index)
    if where == "vertex":
        return f"{number}. content block"
    return f"position {number}" if where == "ai-studio" else f"content {number}"


def signs_call(subject: Subject, loss: Loss) -> bool:
    """Whether a lost signature came on a function call."""
    reply = reply_of(subject, loss.index)
    parts = signed_parts(loss.signature, reply) if reply else ()
    return any(part.kind is PartKind.CALL for part in parts)


def lost_signature(subject: Subject, index: int, call: Part) -> Loss | None:
    """The signature that was received for a call and did not come back with it."""
    link = subject.held.get(index)
    if link is None:
        return None
    for loss in _losses_of(subject, link):
        home = maybe_home(subject, loss.signature, index)
        if home and home.pointer.rpartition("/")[0] == call.pointer:
            return loss
    return None


def _losses_of(subject: Subject, link: Link) -> Sequence[Loss]:
    """What was lost of a reply, in the messages that hold it."""
    places = link.messages
    lost = subject.losses_at.get(places[0], ()) if len(places) == 1 else subject.losses
    return [
        loss
        for loss in lost
        if loss.signature.step == link.step and loss.index in places
    ]
