"""What REF-1 to REF-4 share: the service's own sentence, and how much it weighs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sigscope.records import dataclass
from sigscope.refusals import Refusal
from sigscope.refusals.grounds import Ground
from sigscope.rules.base import Claim, Severity, Subject
from sigscope.rules.refusal.asked import is_model_call, request_line
from sigscope.rules.retries import Retry, accepted_again, accepted_steps
from sigscope.rules.words import short

LONGEST = 600
"""Characters of the service's sentence in a message."""


def ground_of(subject: Subject) -> Ground | None:
    """What the answer's error is about; None where nothing was refused.

    Known words speak of the request, whatever the status: gateways change it.
    """
    error = subject.error
    if error is None or _is_passing(error):
        return None
    return Ground.REQUEST if error.matches else error.ground


def _is_passing(error: Refusal) -> bool:
    """A status below 200: the connection goes on in another protocol."""
    return error.status is not None and error.status < 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """A rule that says of refusals on some grounds what is to be thought of them."""

    thoughts: Mapping[Ground, str]

    def __call__(self, subject: Subject) -> Iterator[Claim]:
        """The one claim about a refusal."""
        ground = ground_of(subject)
        if ground is not None and ground in self.thoughts:
            yield from echo(subject, self.thoughts[ground])


def echo(subject: Subject, said: str) -> Iterator[Claim]:
    """The one finding about a refusal; `said`: what is to be thought of it."""
    error = subject.error
    if error is None:
        return
    severity = _severity(subject, error)
    if severity is None:
        return
    match = next((m for m in error.matches if m.pointers), None)
    first, *others = (match.pointers if match else error.pointers) or ("",)
    note = match.note if match else error.note
    is_placed = bool(first) and _is_blamed(subject)
    words = [f"{_answered(subject, error)}: {said}", _sentence(subject, error)]
    if note and _is_blamed(subject):
        words.append(f"({note})")
    retry = accepted_again(subject)
    yield Claim(
        first if is_placed else "",
        " ".join(words) + (_again(retry) if retry else ""),
        severity=severity,
        in_response=not is_placed,
        event=None if is_placed else error.event,
        candidates=tuple(others) if is_placed else (),
        spoken=tuple(match.rule for match in error.matches),
    )


def _is_blamed(subject: Subject) -> bool:
    return ground_of(subject) is Ground.REQUEST


def _severity(subject: Subject, error: Refusal) -> Severity | None:
    """An error, but a warning for what came through later, for redirects, and for
    requests that are no model calls. Nothing where a client asked for a WebSocket and
    then did without."""
    is_redirect = error.status is not None and 300 <= error.status < 400
    if error.code == "websocket_not_recorded" and _goes_on(subject):
        return None
    if not is_model_call(subject.reading):
        return None if is_redirect else Severity.WARNING
    is_mended = accepted_again(subject) is not None
    is_wanted = error.ground is Ground.RECORDER and error.code == "dropped"
    is_mild = is_mended or is_redirect or is_wanted
    return Severity.WARNING if is_mild else Severity.ERROR


def _goes_on(subject: Subject) -> bool:
    """Whether the same place was asked again, and answered: Codex tries a WebSocket
    first and falls back by itself (github.com/openai/codex)."""
    return accepted_steps(subject).follow(subject.reading)


def _answered(subject: Subject, error: Refusal) -> str:
    """ "HTTP 400", "GET /v1/models, no model call, was answered with HTTP 404"."""
    if error.status is None:
        status = "an error answer (no status was recorded)"
    elif error.event is not None:
        status = (
            f"an error in event {error.event} of a stream under HTTP {error.status}"
        )
    elif error.status < 300:
        status = f"an error under HTTP {error.status}"
    else:
        status = f"HTTP {error.status}"
    if is_model_call(subject.reading):
        return status
    line = request_line(subject.reading)
    return f"{line}, which is no model call, was answered with {status}"


def _sentence(subject: Subject, error: Refusal) -> str:
    if error.event is None and not subject.reading.response_body.data.strip():
        response = subject.reading.exchange.response
        if response is not None and response.ending == "client-aborted":
            return (
                "The client hung up before the answer's words had passed: the warnings"
                " of this step are what it may be about."
            )
        return "The recorded answer has no body."
    text = short(" ".join(error.text.split()), LONGEST)
    code = error.code if error.code and error.code not in error.text else ""
    beside = f" ({code})" if code else ""
    return f"{error.provider or 'The answer'} says: “{text}”{beside}."


def _again(retry: Retry) -> str:
    return f" {retry.words[:1].upper()}{retry.words[1:]}."
