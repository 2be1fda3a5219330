"""Model calls that nothing is said of: their dialect is not known, or the recording
has no body of their request.

not judged: dialect not known: steps 3, 5-9 (POST llm.example/v1/responses)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sigscope.dialects.registry import DIALECTS
from sigscope.errors import UsageError
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.wire.headers import header
from sigscope.wire.urls import split_url

REASON = "dialect not known"
NOT_JUDGED = f"not judged: {REASON}"
NO_BODY = "recorded without the body of the request"
"""Of a known dialect: a body that was left out shows no loss, and no absence of one."""
NO_OBJECT = "the body of the request is no JSON object"
CUT = "the body of the request breaks off"
"""What stood behind that is not known; what stands before it is judged all the same."""
NO_REQUEST = frozenset({NO_BODY, NO_OBJECT, CUT})
"""Reasons that lie in the recording, not in what is known of APIs."""
BY_SHAPE = "followed by name and shape; not judged"
"""What is said of an opaque field in such a step."""
WHAT_TO_DO = (
    f"if it speaks one of {', '.join(dialect.name for dialect in DIALECTS)}:"
    " --dialect NAME[:STEPS]; fields of other names: carriers.toml"
)
RECORD_BODIES = (
    "what a client sent back stands in that body: record again, with bodies; sigscope"
    " run -- CLIENT and sigscope record keep them"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unjudged:
    """Steps to one place."""

    steps: tuple[int, ...]
    method: str
    """Empty where no request was recorded."""
    place: str
    """Host and path, without the query."""
    reason: str = REASON

    @property
    def advice(self) -> str:
        """What makes that such a step is judged."""
        return RECORD_BODIES if self.reason in NO_REQUEST else WHAT_TO_DO

    def __str__(self) -> str:
        asked = f"{self.method} {self.place}".strip() or "no request recorded"
        return f"not judged: {self.reason}: {in_steps(self.steps)} ({asked})"


def unjudged(readings: Iterable[Reading]) -> tuple[Unjudged, ...]:
    """Model calls of which nothing can be said, by where they went."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for reading in readings:
        reason = why_unjudged(reading)
        if reason:
            request = reading.exchange.request
            url = split_url(request.url if request else "")
            place = (request.method if request else "", f"{url.host}{url.path}")
            found.setdefault((*place, reason), []).append(reading.number)
    return tuple(
        Unjudged(steps=tuple(steps), method=method, place=place, reason=reason)
        for (method, place, reason), steps in found.items()
    )


def why_unjudged(reading: Reading) -> str:
    """Empty where its request is judged."""
    if not reading.is_judged:
        return reading.fault or REASON
    if lacks_body(reading):
        return NO_BODY
    request = reading.exchange.request
    if request is None or request.method != "POST" or not request.body.size:
        return ""
    return _FLAWS[reading.request_extent] if reading.is_model_call else ""


_FLAWS = {"whole": "", "cut": CUT, "none": NO_OBJECT}


def lacks_body(reading: Reading) -> bool:
    """Whether a model was asked, and the recording does not hold what; a request that
    tells its length as 0 asked nothing."""
    request = reading.exchange.request
    if request is None or request.method != "POST" or request.body.size:
        return False
    if (header(request.headers, "content-length") or "").strip() == "0":
        return False
    return reading.is_model_call


def expect_body(reading: Reading, title: str) -> None:
    """Raises UsageError where there is nothing that could be compared: two bodies that
    were not recorded are not the same."""
    if lacks_body(reading):
        raise UsageError(f"{title} was {NO_BODY}: there is nothing to compare")


def step_runs(numbers: Iterable[int]) -> list[list[int]]:
    """[[1, 1], [3, 9]]: first and last of each run of neighbours, ascending."""
    runs: list[list[int]] = []
    ordered = sorted(numbers)
    if ordered and len(ordered) == len(set(ordered)) == ordered[-1] - ordered[0] + 1:
        return [[ordered[0], ordered[-1]]]  # a long session's fates are mostly that
    for number in ordered:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return runs


def in_steps(numbers: Sequence[int]) -> str:
    """ "step 3", "steps 3, 5-9"."""
    parts = [str(a) if a == b else f"{a}-{b}" for a, b in step_runs(numbers)]
    return f"step{'s' * (len(numbers) != 1)} {', '.join(parts)}"
