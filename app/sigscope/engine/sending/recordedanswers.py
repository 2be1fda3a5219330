"""The answers of a recording, given again to a client that runs without a model."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise

from sigscope.comparison.gists import Gist, Likeness, gist_of, gists_of
from sigscope.conversation import Role
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body, Exchange, Headers, Request
from sigscope.reader import Reading
from sigscope.upstreams.simulator import Judgement, SimConfig, judge
from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.prompter import Cue
from sigscope.upstreams.simulator.speech.voice import SimAnswer

BY_ORDER = "by order"
_OF_THE_LINE = frozenset(
    {"content-length", "content-encoding", "transfer-encoding", "connection", "date"}
)
"""Headers of a recorded answer that tell how it travelled, not what it is."""
_BLANK_LINE = b"\n\n"


class RecordedAnswers:
    """Finds for each request the recorded answer that is meant. A `Prompter`.

    By what the request says, as `sigscope verify` finds steps again; of several steps
    alike the first that was not given yet, then the last again. Where none says the
    same, the next one as far into the conversation, in the order of the recording.
    """

    def __init__(
        self, document: Document, config: SimConfig, *, is_paced: bool = True
    ) -> None:
        """`is_paced`: streams come as they came; else at the simulator's pace."""
        self._document = document
        self._config = config
        self._is_paced = is_paced
        self._gists = gists_of(document.readings)
        self._given: set[int] = set()

    def cue(self, incoming: Incoming, judgement: Judgement | None) -> Cue:
        """The answer to a request, if one is recorded that can be given."""
        reading, gist = self._read(incoming)
        if reading is None or gist is None:
            return Cue(answer=None, words="no conversation: the simulator answers")
        found = self._find(reading, gist)
        if found is None:
            return Cue(
                answer=None,
                words="no recorded step fits it: the simulator answers",
            )
        step, why = found
        recorded = self._document.reading(step)
        fault = self._fault(judgement, recorded)
        if fault:
            return Cue(
                answer=None,
                words=f"step {step} {why}, but the request breaks {fault}: the"
                " simulator refuses it",
                step=step,
            )
        self._given.add(step)
        if not (recorded.is_accepted and recorded.exchange.response):
            return Cue(
                answer=None,
                words=f"step {step} {why} has no answer to give"
                f" ({recorded.status or 'none was recorded'}): the simulator answers",
                step=step,
            )
        return Cue(
            answer=self._answer(recorded),
            words=f"the answer of step {step}, {why}",
            step=step,
        )

    # --- Finding ---------------------------------------------------------------------

    def _read(self, incoming: Incoming) -> tuple[Reading | None, Gist | None]:
        """The request as one of the recording's dialects reads it: the recorded step
        that was asked at such a path tells which."""
        request = Request(
            method=incoming.method,
            url=incoming.path,
            headers=tuple(incoming.headers.items()),
            body=Body(incoming.body),
        )
        end = incoming.path.rstrip("/").rpartition("/")[2]
        likely = sorted(
            (r for r in self._document.readings if r.is_judged),
            key=lambda r: not _path_of(r).endswith(end),
        )
        seen: set[str] = set()
        for other in likely:
            name = other.dialect.name if other.dialect else ""
            if name in seen:
                continue
            seen.add(name)
            reading = Reading(Exchange(request=request), number=0)
            reading.follow(other)
            gist = self._gist(reading)
            if gist is not None:
                return reading, gist
        return None, None

    def _gist(self, reading: Reading) -> Gist | None:
        """What it says, with what it leaves to the service to remember."""
        before = next(
            (
                r
                for r in self._document.readings
                if reading.continues and r.reply.response_id == reading.continues
            ),
            None,
        )
        if before is not None:
            chain = [*self._document.readings[: before.number], reading]
            return gists_of(chain).get(reading.number)
        return gist_of(reading.conversation.messages)

    def _find(self, reading: Reading, gist: Gist) -> tuple[int, str] | None:
        wants_stream = _wants_stream(reading)
        fitting = {
            step: other
            for step, other in self._gists.items()
            if self._document.reading(step).is_streamed == wants_stream
            or not self._document.reading(step).is_accepted
        }
        for likeness in Likeness:
            alike = [
                step
                for step, other in fitting.items()
                if other.key(likeness) == gist.key(likeness)
            ]
            if alike:
                return self._next(alike), likeness.value
        depth = _depth(reading)
        for step in fitting:
            recorded = self._document.reading(step)
            if step not in self._given and _depth(recorded) == depth:
                return step, BY_ORDER
        return None

    def _next(self, steps: Sequence[int]) -> int:
        """The first not given yet; of those that have an answer, if any has."""
        answered = [s for s in steps if self._document.reading(s).is_accepted]
        good = answered or steps
        return next((step for step in good if step not in self._given), good[-1])

    def _fault(self, judgement: Judgement | None, recorded: Reading) -> str:
        """The rule that the request breaks; "" for none, and for one that the service
        itself was seen not to insist on."""
        if judgement is None or judgement.status == 200:
            return ""
        fault = judgement.rule or str(judgement.status)
        request = recorded.exchange.request
        if not recorded.is_accepted or request is None:
            return fault
        then = judge(
            self._config,
            request.url,
            recorded.request_body.data,
            method=request.method,
            headers=request.headers,
        )
        is_tolerated = then is not None and then.rule == judgement.rule
        return "" if is_tolerated and then and then.status != 200 else fault

    # --- Giving ----------------------------------------------------------------------

    def _answer(self, recorded: Reading) -> SimAnswer:
        response = recorded.exchange.response
        assert response is not None
        body = recorded.response_body.data
        pieces, pauses = _pieces(recorded, body)
        return SimAnswer(
            status=response.status or 200,
            headers=tuple(_headers(response.headers)),
            pieces=pieces or (b"",),
            pauses=pauses if self._is_paced else (),
        )


def _path_of(reading: Reading) -> str:
    request = reading.exchange.request
    return (request.url if request else "").partition("?")[0].rstrip("/")


def _wants_stream(reading: Reading) -> bool:
    return reading.conversation.streams


def _depth(reading: Reading) -> Hashable:
    """How far into a conversation a request stands, and whether it is one with tools:
    a title is asked for without."""
    messages = reading.conversation.messages
    turns = sum(message.opens_turn for message in messages)
    answers = sum(
        after.role is Role.ASSISTANT and before.role is not Role.ASSISTANT
        for before, after in pairwise(messages)
    )
    return turns, answers, reading.offers_tools


def _headers(headers: Headers) -> Iterator[tuple[str, str]]:
    return (each for each in headers if each[0].lower() not in _OF_THE_LINE)


def _pieces(
    recorded: Reading, body: bytes
) -> tuple[tuple[bytes, ...], tuple[float, ...]]:
    """The body as it arrived, with the seconds before each piece; where no times are
    recorded, event by event."""
    pieces: list[bytes] = []
    pauses: list[float] = []
    start, before = 0, 0.0
    for chunk in recorded.chunks:
        end = min(chunk.end, len(body))
        if end > start:
            pieces.append(body[start:end])
            pauses.append(max(0.0, chunk.at_ms - before) / 1000)
            start, before = end, max(before, chunk.at_ms)
    if pieces:
        if start < len(body):
            pieces[-1] += body[start:]
        return tuple(pieces), tuple(pauses)
    if recorded.is_streamed:
        parts = body.split(_BLANK_LINE)
        events = [part + _BLANK_LINE for part in parts[:-1]]
        return tuple([*events, parts[-1]] if parts[-1] else events), ()
    return (body,), ()
