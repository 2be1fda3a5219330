"""Refused requests that were sent again and accepted.

Clients send again what met a rate limit, a busy server or a wrong setting. What came
through then is no fault of the conversation: the messages are the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from sigscope.conversation import Json
from sigscope.ledger.unjudged import lacks_body
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.rules.subject import Subject
from sigscope.wire.urls import split_url

CONVERSATION = frozenset(
    {
        "messages", "contents", "input", "prompt", "inputs", "conversation",
        "conversationState", "message", "system", "systemInstruction",
        "system_instruction", "instructions", "request", "previous_response_id",
    }
)  # fmt: skip
"""Members of a body that hold what is said; the others are settings."""
_LOOKED_AT = 32
"""Values within a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """A later step that sent a request again, and was accepted."""

    step: int
    status: int | None
    """None where the recording holds no status; there is an answer, then."""
    changed: tuple[str, ...] = ()
    """Settings that it sent otherwise; empty where it sent the very same bytes."""

    @property
    def is_same(self) -> bool:
        """Whether the very same request was accepted."""
        return not self.changed

    @property
    def words(self) -> str:
        """ "step 4 sent the same again and was accepted (HTTP 200)"."""
        what = "the same request"
        if self.changed:
            what = f"it with other settings ({', '.join(self.changed)})"
        how = f"was accepted (HTTP {self.status})"
        if self.status is None:
            how = "was answered (no status was recorded)"
        return f"step {self.step} sent {what} again and {how}"


def accepted_again(subject: Subject) -> Retry | None:
    """The first later step that sent this refused request again and came through.

    The same messages to the same endpoint; settings may differ. One that sent the very
    same bytes is preferred. None where this step was not refused.
    """
    return subject.once(_accepted_again)


def _accepted_again(subject: Subject) -> Retry | None:
    if subject.error is None or subject.reading.exchange.request is None:
        return None
    near: Retry | None = None
    for later in _later(subject):
        changed = _changed(subject.reading, later)
        if changed is None:
            continue
        found = Retry(step=later.number, status=later.status, changed=changed)
        if found.is_same:
            return found
        near = near or found
    return near


def _later(subject: Subject) -> Iterator[Reading]:
    """Later steps that may say the same to the same endpoint, and were accepted."""
    alike = accepted_steps(subject).like(subject.reading)
    return (later for later in alike if later.number > subject.step)


class AcceptedSteps:
    """Accepted steps by what they have in common with a retry: else each refusal is
    held against each of them."""

    def __init__(self) -> None:
        self._alike: defaultdict[object, list[Reading]] = defaultdict(list)
        self._last_at: dict[str, int] = {}
        """By path."""

    def learn(self, readings: Iterable[Reading]) -> None:
        """Know more steps, in step order."""
        for reading in readings:
            if reading.is_accepted:
                self._alike[_gist(reading)].append(reading)
                self._last_at[reading.probe.path] = reading.number

    def like(self, reading: Reading) -> Sequence[Reading]:
        """Those that may say the same to the same endpoint, in step order."""
        return self._alike.get(_gist(reading), ())

    def follow(self, reading: Reading) -> bool:
        """Whether the same path was asked after a step, and answered."""
        return self._last_at.get(reading.probe.path, 0) > reading.number


def accepted_steps(subject: Subject) -> AcceptedSteps:
    """Those of the session."""
    return subject.once_in_session(find_accepted)


def find_accepted(subject: Subject) -> AcceptedSteps:
    """The same, looked for."""
    found = AcceptedSteps()
    found.learn(reading for _, reading in sorted(subject.readings.items()))
    return found


def _gist(reading: Reading) -> object:
    """Equal where two requests may say the same: the endpoint, and of each member that
    holds what is said how long it is and the words that it ends with."""
    body = reading.request_json
    said = CONVERSATION.intersection(body) if isinstance(body, dict) else ()
    if not isinstance(body, dict) or not said:
        return _endpoint(reading), len(reading.request_body.data)
    told = tuple((name, _end(body[name])) for name in sorted(said))
    return _endpoint(reading), hash(told)


def _end(value: Json) -> tuple[int, tuple[str, ...]]:
    is_list = isinstance(value, list)
    inside: list[Json] = [value[-1] if is_list and value else value]
    words: list[str] = []
    for at in range(_LOOKED_AT):
        if at == len(inside):
            break
        one = inside[at]
        if isinstance(one, dict):
            inside.extend(one[key] for key in sorted(one)[:_LOOKED_AT])
        elif isinstance(one, list):
            inside.extend(one[:_LOOKED_AT])
        elif isinstance(one, str):
            words.append(one)
    return (len(value) if is_list else 0), tuple(words)


def _endpoint(reading: Reading) -> tuple[str, str, str]:
    """Method, host and path; the query may hold a key."""
    request = reading.exchange.request
    if request is None:
        return "", "", ""
    return request.method, *_place(request.url)


@lru_cache(maxsize=1024)
def _place(url: str) -> tuple[str, str]:
    parts = split_url(url)
    return parts.host, parts.path


def _changed(one: Reading, other: Reading) -> tuple[str, ...] | None:
    """Settings in which two requests differ; None where they say different things, or
    the recording does not hold what they say."""
    if lacks_body(one) or lacks_body(other):
        return None
    if one.request_body.data == other.request_body.data:
        return ()
    mine, theirs = one.request_json, other.request_json
    if not (isinstance(mine, dict) and isinstance(theirs, dict)):
        return None
    if CONVERSATION.isdisjoint(mine):
        return None
    missing = object()
    changed = [
        key
        for key in dict.fromkeys((*mine, *theirs))
        if not _is_same(mine.get(key, missing), theirs.get(key, missing))
    ]
    if not CONVERSATION.isdisjoint(changed):
        return None
    return tuple(changed) or ("spelling",)


def _is_same(one: Json, other: Json) -> bool:
    return one is other or bool(one == other)
