"""What to know about a recording before one trusts what is said of it.

A body that the recording left out, a line that could not be read, an answer that never
came: no finding can rest on these, so no "no findings" may pass over them in silence.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from sigscope.comparison.gists import content_of
from sigscope.conversation import Part, SignatureKind
from sigscope.engine.sessions.document import Document
from sigscope.opaque import is_mask
from sigscope.reader import Reading
from sigscope.session import WAITING, Note, Problem, Session
from sigscope.wire.bodies import NOT_SO, STORED_BEGINNING, STORED_PLAIN

_NO_ANSWER = "no answer is recorded"
_NOT_READ = "Not read when this was imported"
"""What the note of a problem begins with."""
_SHOWN = 8
"""Steps and stretches of them that are named."""
_NO_REQUEST = "no request is recorded"
_NO_STATUS = "no status is recorded; the answer alone shows how the request fared"
_HOLLOW = (
    "the answer holds no reply of the model, so its status alone says that the request"
    " was accepted"
)
_CUT_ANSWER = (
    "the answer breaks off in the recording; what it brought behind that is not known"
)
_MASKED = (
    "what the answer brought as signature is masked in the recording; that it was"
    " damaged on its way back may not show"
)
_UNFOLLOWED = (
    "calls stand in the request that no recorded answer brought, and nothing signs"
    " them: whether a signature of theirs was lost cannot be told"
)
_BEHIND_CUT = (
    "an answer that the request goes on from breaks off in the recording: whether a"
    " signature that came behind that was lost cannot be told"
)
_AHEAD = (
    "calls stand in the request that only a later answer brought: the steps are not in"
    " the order of time, and what was lost between them cannot be told"
)
_BROKE = {
    "upstream-aborted": "the connection to the service broke",
    "client-aborted": "the client hung up",
}
"""Endings of an answer that is not whole, in words."""


def reservations(document: Document, step: int | None = None) -> tuple[Problem, ...]:
    """What could not be read, then what the steps say of themselves: equal remarks
    together. With a step, that one's only."""
    found: dict[str, list[int]] = {}
    waiting = {each.number for each in document.steps if each.source == WAITING}
    for reading in document.readings:
        if reading.number not in waiting and step in (None, reading.number):
            for remark in dict.fromkeys(_remarks(reading)):
                found.setdefault(remark, []).append(reading.number)
    if begun := [each for each in unfollowed(document) if step in (None, each)]:
        found[_UNFOLLOWED] = begun
    if early := [each for each in ahead_of_answer(document) if step in (None, each)]:
        found[_AHEAD] = early
    if later := [each for each in behind_cut(document) if step in (None, each)]:
        found[_BEHIND_CUT] = later
    said = tuple(
        Problem(message=remark, where=_steps(numbers))
        for remark, numbers in found.items()
    )
    if step is not None:
        return said
    return (*document.session.problems, *_kept(document.session), *said)


def unread(session: Session) -> bool:
    """Whether there is a part, of the file or of what it was made from, that could not
    be read."""
    return bool(session.problems) or any(_kept(session))


def unfollowed(document: Document) -> list[int]:
    """Requests with calls that no recorded answer brought and that nothing signs,
    though the model signs: that the client lost a signature of these would not show."""
    ledger = document.ledger
    signed = (
        ledger.thread_of.get(each.step)
        for each in ledger.signatures
        if each.step is not None and each.kind is not SignatureKind.TEXT
    )
    signing = {thread.number for thread in signed if thread is not None}
    return [
        step
        for step in sorted(ledger.unmet)
        if step in ledger.thread_of and ledger.thread_of[step].number in signing
    ]


def behind_cut(document: Document) -> list[int]:
    """Requests that go on from an answer of which the client had more than the
    recording has. Where the connection broke, both have the same."""
    cut = {
        reading.number
        for reading in document.readings
        if reading.breaks_off and reading.exchange.response is not None
        if reading.exchange.response.ending not in _BROKE
    }
    found: set[int] = set()
    for thread in document.ledger.threads if cut else ():
        steps = (*filter(None, [thread.parent]), *thread.steps)
        first = next((at for at, step in enumerate(steps) if step in cut), len(steps))
        found.update(steps[first + 1 :])
    return sorted(found)


def ahead_of_answer(document: Document) -> list[int]:
    """Requests with calls that no answer brought before, and one did later: nothing is
    followed from an answer to what stands before it."""
    brought: dict[str, tuple[int, Hashable]] = {}
    for reading in document.readings:
        message = reading.reply.message
        for call in message.calls if message else ():
            came = reading.number, content_of(call)
            brought.setdefault(call.call_id or "", came)

    def is_early(call: Part, step: int) -> bool:
        came = brought.get(call.call_id) if call.call_id else None
        return came is not None and came[0] > step and came[1] == content_of(call)

    return [
        reading.number
        for reading in document.readings
        if any(
            is_early(call, reading.number)
            for call in _beyond_answers(document, reading)
        )
    ]


def _beyond_answers(document: Document, reading: Reading) -> Iterator[Part]:
    """The calls of a request behind the last recorded answer that it holds."""
    links = document.ledger.links.get(reading.number, ())
    start = links[-1].messages[-1] + 1 if links else 0
    for message in reading.conversation.messages[start:]:
        yield from message.calls


def notes_of(session: Session, at: str) -> tuple[Note, ...]:
    """Notes that tell a session file what could not be read of the recording that it
    is made from."""
    return tuple(
        Note(text=": ".join(filter(None, (_NOT_READ, each.where, each.message))), at=at)
        for each in session.problems
    )


def _kept(session: Session) -> Iterator[Problem]:
    """What such notes tell."""
    for note in session.notes:
        if note.step is None and note.text.startswith(f"{_NOT_READ}: "):
            message = note.text.removeprefix(f"{_NOT_READ}: ")
            yield Problem(message=message, where="the import")


def rows(problems: tuple[Problem, ...]) -> list[dict[str, str]]:
    """Them as JSON: `{"where": "steps 1 and 2", "message": ...}`."""
    return [{"where": each.where, "message": each.message} for each in problems]


def _remarks(reading: Reading) -> Iterator[str]:
    exchange = reading.exchange
    yield from exchange.remarks
    is_plain = any(
        remark.startswith((STORED_PLAIN, STORED_BEGINNING))
        for remark in exchange.remarks
    )
    for side, message in (
        ("request", exchange.request),
        ("response", exchange.response),
    ):
        for remark in reading.bodies.remarks(message):
            if not (is_plain and remark.endswith(NOT_SO)):
                yield f"{side}: {remark}"
    if exchange.request is None:
        yield _NO_REQUEST
    if exchange.response is None and not _tells_why(exchange.remarks):
        yield _NO_ANSWER
    yield from _answer_remarks(reading)
    brought = (s for s in reading.received if s.kind is not SignatureKind.TEXT)
    if any(is_mask(sighting.value) for sighting in brought):
        yield _MASKED


def _answer_remarks(reading: Reading) -> Iterator[str]:
    """An answer that never came whole is no refusal; one without a status is no
    acceptance."""
    response = reading.exchange.response
    if response is None:
        return
    broke = _BROKE.get(response.ending, "")
    if broke and response.status is None and not response.body:
        yield f"{broke} before an answer came; nobody refused it"
    elif broke and (not reading.reply.finish or reading.ends_within_event):
        yield f"{broke} before the answer was whole"
    elif response.status is None and response.body:
        yield _NO_STATUS
    elif _is_hollow(reading):
        why = reading.reply.finish
        yield f"{_HOLLOW} ({why})" if why else _HOLLOW
    elif reading.is_accepted and reading.breaks_off:
        yield _CUT_ANSWER


def _is_hollow(reading: Reading) -> bool:
    """A model call that seems accepted, and brought nothing: a blocked prompt, an
    answer of some proxy's own. Where the recording is known to be incomplete, or the
    dialect is not known, nothing can be said."""
    exchange = reading.exchange
    known = (*exchange.remarks, *reading.bodies.remarks(exchange.response))
    seems_accepted = reading.dialect is not None and reading.is_accepted
    return seems_accepted and not reading.has_answer and not known


def _tells_why(remarks: tuple[str, ...]) -> bool:
    return any(remark.startswith("response:") for remark in remarks)


def _steps(numbers: list[int]) -> str:
    """ "step 3"; "steps 1 to 4 and 7" """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [
        piece
        for run in runs
        for piece in (
            [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(n) for n in run]
        )
    ]
    if len(words) > _SHOWN:
        words = [*words[: _SHOWN - 1], f"{len(words) - _SHOWN + 1} more"]
    spelled = ", ".join(words[:-1]) + " and " * (len(words) > 1) + words[-1]
    return f"step{'s' * (len(numbers) > 1)} {spelled}"
