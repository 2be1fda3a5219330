"""An assistant message with tool calls lacks the envelope it came with.

Why it matters: Gemini 3 through Copilot answered 400 "Unable to submit request because
function call `default_api:NAME` in the N. content block is missing a
`thought_signature`", or just {"code": "invalid_request_body"}. Observed in November
2025; since December 2025 several reports say that it is no longer enforced and that
only behaviour suffers (loops).
Bad:  {"role": "assistant", "content": null, "tool_calls": ["..."]}
Good: {"content": null, "tool_calls": ["..."], "reasoning_opaque": "XLn4be0o..."}
False alarms: contested, so it warns; the recorded refusal makes it an error. Earlier
turns and final answers are left alone. Of an accepted request only the latest
message with calls is judged, since clients that send no other one are served. For other
models than Gemini 3 it is one remark in a session.
Fix: the field on the message, as received; a copy in a wrong place goes. Where the
client stored text and calls as two messages, they are joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sigscope.ledger import Fate
from sigscope.reader import JOINED
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.kinds.missing import Missing
from sigscope.rules.kinds.split import merging, other_half
from sigscope.rules.losses import about, first_of_its_kind
from sigscope.rules.outcome import all_the_same
from sigscope.rules.places import content_number, current_calls, is_enforced, neighbours
from sigscope.rules.subject import Loss
from sigscope.rules.words import calling, inside, told


def check(subject: Subject) -> Iterator[Claim]:
    """Messages of the current turn whose envelope is not on them."""
    latest = max((index for index, _ in current_calls(subject)), default=None)
    losses: Iterable[Loss] = subject.losses
    if subject.is_accepted:
        losses = [loss for loss in losses if loss.index == latest]
    for loss in losses:
        if _is_missing(subject, loss) and is_enforced(subject, loss.index):
            yield _finding(subject, loss, Severity.WARNING)
    yield from NEVER_RECORDED(subject)
    other = first_of_its_kind(subject, _is_missing_elsewhere)
    if other is not None:
        yield _finding(subject, other, Severity.INFO)


def _is_never_recorded(subject: Subject, index: int) -> bool:
    """Calls without any signature, of which no response was recorded either."""
    is_known = subject.is_accepted or index in subject.held
    if is_known or subject.sighted.get(index) or not is_enforced(subject, index):
        return False
    return all(index not in row for row in neighbours(subject))


NEVER_RECORDED = Missing(
    of=_is_never_recorded,
    words=lambda subject, index: f"no reasoning_opaque on {_counted(subject, index)}",
    lost=lambda *_: None,
)


def _counted(subject: Subject, index: int) -> str:
    message, number = subject.messages[index], content_number(subject, index)
    return f"the assistant message that {calling(message)} ({number}. content block)"


def _is_missing(subject: Subject, loss: Loss) -> bool:
    """An altered or another one that stands in its place is for CPC-5."""
    is_away = loss.fate in (Fate.DROPPED, Fate.MOVED) and not loss.instead
    return is_away and loss.is_current and bool(subject.messages[loss.index].calls)


def _is_missing_elsewhere(subject: Subject, loss: Loss) -> bool:
    return _is_missing(subject, loss) and not is_enforced(subject, loss.index)


def _finding(subject: Subject, loss: Loss, severity: Severity) -> Claim:
    fix = merging(subject, loss)
    return about(subject, loss, _story, fix=fix, severity=severity)


def _story(subject: Subject, loss: Loss) -> str:
    place, stands = _counted(subject, loss.index), _elsewhere(subject, loss)
    accepted = all_the_same(subject)
    effect = f"{accepted}; behaviour may suffer" if accepted else ""
    return f"{told(loss.signature)} is missing on {place}{stands}{effect}"


def _elsewhere(subject: Subject, loss: Loss) -> str:
    """Where it stands instead; empty if nowhere."""
    strays = subject.placed(loss.signature)
    if not strays:
        return ""
    if other_half(subject, loss.index) is not None:
        message = strays[0].pointer.rpartition("/")[0]
        return f"; it stands on {message}, the other half of the same reply"
    if strays[0].carrier == JOINED:
        return f"; it stands {inside(strays[0])}"
    reason = "on another message" if strays[0].is_read else "which is not read"
    return f"; it stands at {strays[0].pointer}, {reason}"


RULE = Rule(
    code="CPC-1",
    name="signature-dropped",
    page=__doc__,
    severity=Severity.WARNING,
    confidence=Confidence.REPORTED,
    dialects=("copilot-chat",),
    checked_on="2026-11-21",
    source=(
        "zed-industries/zed#43024, anomalyco/opencode#4468, anomalyco/opencode#5346 "
        "[client's notes, issue report] [contested]"
    ),
    check=check,
)
