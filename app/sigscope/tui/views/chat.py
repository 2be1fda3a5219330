"""The conversation of a request and its answer, as blocks.

A block is what the cursor can stand on: who speaks, a text, a thought, a call with its
result, an error. Each knows the node it was read from.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

from sigscope.conversation import Message, Part, PartKind, Role, SignatureKind
from sigscope.ledger import Fate, FateAt, Grade
from sigscope.ledger.opaque_fields import field_words
from sigscope.ledger.records import LOST
from sigscope.ledger.unjudged import BY_SHAPE, NOT_JUDGED, why_unjudged
from sigscope.opaque import sha256
from sigscope.records import dataclass
from sigscope.rules.findings import Finding
from sigscope.tui import figures
from sigscope.tui.place import NodePlace
from sigscope.tui.shown import one_line
from sigscope.tui.views.facts import StepFacts
from sigscope.tui.views.marks import aliases_in, place_of
from sigscope.tui.views.outcome import SentOutcome, verdict_words
from sigscope.tui.views.shownsession import Shown
from sigscope.utf8 import to_bytes

Kind = Literal[
    "speaker", "text", "thought", "call", "result", "media", "opaque", "error",
    "finding", "note", "strike", "outcome",
]  # fmt: skip

NAMES = {
    Role.SYSTEM: "system",
    Role.USER: "you",
    Role.ASSISTANT: "assistant",
    Role.TOOL: "tool",
    Role.OTHER: "other",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """A signature beside what it anchors to."""

    sha256: str
    fate: FateAt | None = None
    """Its fate in this request; None for one just received."""
    is_ghost: bool = False
    """It should be here and is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One thing in the chat."""

    key: str
    """Unique in the chat; the same thing has the same key in the next step."""
    kind: Kind
    place: NodePlace
    name: str = ""
    """Who speaks; the function that is called."""
    text: str = ""
    """What is said; a call's arguments; a result; an error's text."""
    aside: str = ""
    """Figures beside it: "step 1", "412 chars · 1.2 s"."""
    role: Role = Role.OTHER
    badges: tuple[Badge, ...] = ()
    finding: Finding | None = None
    is_mended: bool = False
    """Whether what it complains of is none of what was sent."""
    run: int | None = None
    """The run that it tells of."""


class _Spots:
    """Beside which part of a message a signature is shown: the one it signs; where it
    belongs to the whole message, its first call, else its last part."""

    def __init__(self, message: Message) -> None:
        parts, calls = message.parts, message.calls
        self._calls = {c.call_id: c.pointer for c in reversed(calls) if c.call_id}
        self._parts = {part.pointer for part in parts if part.kind in _BESIDE}
        last = parts[-1].pointer if parts else message.pointer
        self._home = calls[0].pointer if calls else last

    def find(self, part: str | None, call_id: str | None) -> str:
        """The pointer, for a signature that is anchored to a part or a call."""
        if call_id and call_id in self._calls:
            return self._calls[call_id]
        return part if part is not None and part in self._parts else self._home


_BESIDE = (PartKind.TEXT, PartKind.THOUGHT, PartKind.CALL, PartKind.OPAQUE)


@dataclass(slots=True)
class _Books:
    """What is looked up while the history is walked."""

    messages: Sequence[Message]
    badges: dict[str, list[Badge]] = field(default_factory=dict)
    """By pointer of the part; those of a whole message by the message's."""
    results: dict[str, Part] = field(default_factory=dict)
    """By pointer of the call they answer."""
    paired: set[str] = field(default_factory=set)
    """Pointers of results that stand beside their call."""
    origins: dict[int, int] = field(default_factory=dict)
    """For each message, the step whose answer it is."""
    _spots: dict[int, _Spots] = field(default_factory=dict)

    def spot(self, index: int, part: str | None, call_id: str | None) -> str:
        """Beside which part of a message a signature is shown."""
        if index not in self._spots:
            self._spots[index] = _Spots(self.messages[index])
        return self._spots[index].find(part, call_id)


_FIELDS = 12
"""Opaque fields that the chat names; the signatures pane shows all."""


def chat_blocks(
    shown: Shown,
    facts: Mapping[int, StepFacts],
    *,
    outcome: SentOutcome | None = None,
    opens: str = "",
) -> tuple[Block, ...]:
    """The history as it was sent, then the answer or the error; then what came of it
    with the edits that are on. `opens`: the key that shows that, to be named."""
    found = _recorded(shown, facts, outcome)
    return (*found, _outcome(shown, outcome, opens)) if outcome else found


def whose_words(
    shown: Shown, facts: StepFacts | None, outcome: SentOutcome | None
) -> str:
    """Whose request it is: "as sent in step 2", "run 1 of step 2"; one that is held, or
    was edited meanwhile, was not sent: "as the client wrote step 2"."""
    is_held = facts is not None and facts.is_held
    if outcome is not None:
        where = f"as sent in run {outcome.run.number} of step"
    elif shown.is_run:
        where = f"run {shown.run} of step"
    elif is_held or shown.reading.exchange.sent_as:
        where = "as the client wrote step"
    else:
        where = "as sent in step"
    return f"{where} {shown.step}"


def _recorded(
    shown: Shown, facts: Mapping[int, StepFacts], outcome: SentOutcome | None
) -> tuple[Block, ...]:
    reading = shown.reading
    if reading.dialect is None:
        is_refused = shown.refusal is not None
        error = _error(shown, _label(shown), outcome) if is_refused else ()
        return (_note(shown), *error)
    messages = reading.conversation.messages
    books = _read_books(shown, messages, outcome)
    found: list[Block] = []
    for index, message in enumerate(messages):
        found.extend(_message(message, index, books, facts))
    found = with_strike(found, shown, outcome)
    found.extend(_answer(shown, outcome, facts.get(shown.step)))
    return tuple(found) or (_note(shown),)


def _note(shown: Shown) -> Block:
    reading = shown.reading
    if reading.exchange.request is None and reading.exchange.response is None:
        text = "This step holds neither a request nor a response."
    elif not reading.is_judged:
        text = "\n\n".join(_unjudged(shown))
    elif reading.dialect is None:
        text = (
            "No dialect fits this exchange, and it does not look like a call of a"
            " model, so there is no conversation to show. Its bytes are in pane 4; they"
            " can be searched, edited and sent all the same."
        )
    elif why := why_unjudged(reading):
        text = f"Not judged: {why}."
    else:
        text = "The request holds no messages."
    return Block(key="note", kind="note", place=NodePlace(), text=text)


def _unjudged(shown: Shown) -> Iterator[str]:
    """What is said of a model call whose dialect is not known."""
    yield (
        f"{NOT_JUDGED[0].upper()}{NOT_JUDGED[1:]}. No conversation can be shown and no"
        " rule speaks of it. If it speaks one of the known dialects, Dialect, in"
        " the palette, says which; other fields are followed by carriers.toml. Its"
        " bytes are in pane 4; they can be searched, edited and sent all the same."
    )
    if shown.opaque:
        yield f"Opaque fields in it, {BY_SHAPE}:"
    for found in shown.opaque[:_FIELDS]:
        yield one_line(field_words(found), 300)
    if len(shown.opaque) > _FIELDS:
        yield f"and {len(shown.opaque) - _FIELDS} more; pane 2 lists all"


# --- What belongs together -----------------------------------------------------------


def _read_books(
    shown: Shown, messages: Sequence[Message], outcome: SentOutcome | None
) -> _Books:
    books = _Books(messages)
    for link in shown.ledger.links.get(shown.step, ()):
        for index in link.messages:
            books.origins[index] = link.step
    _pair_results(messages, books)
    _place_badges(shown, messages, books)
    if outcome is not None:
        _turn(books, messages, outcome)
    return books


def _pair_results(messages: Sequence[Message], books: _Books) -> None:
    """Calls with their results: by id, where there is none by name and order."""
    calls = _OpenCalls()
    for message in messages:
        for part in message.parts:
            if part.kind is PartKind.CALL:
                calls.add(part)
            elif part.kind is PartKind.RESULT:
                call = calls.take(part)
                if call is not None:
                    books.results[call.pointer] = part
                    books.paired.add(part.pointer)


class _OpenCalls:
    """Calls that no result has answered yet. There may be a hundred thousand."""

    def __init__(self) -> None:
        self._queues: defaultdict[tuple[str, str | None], deque[Part]]
        self._queues = defaultdict(deque)
        self._answered: set[int] = set()
        """By identity."""

    def add(self, call: Part) -> None:
        """A call; it may be asked for by its id and by its name."""
        self._queues["id", call.call_id].append(call)
        self._queues["name", call.name].append(call)

    def take(self, result: Part) -> Part | None:
        """The first one that a result answers; it answers no other."""
        how = ("id", result.call_id) if result.call_id else ("name", result.name)
        queue = self._queues[how]
        while queue:
            call = queue.popleft()
            if id(call) not in self._answered:
                self._answered.add(id(call))
                return call
        return None


def _place_badges(
    shown: Shown, messages: Sequence[Message], books: _Books
) -> None:  # fmt: skip
    step = shown.step
    stretches = {s.sha256: found for s, found in shown.ledger.stretches_in(step)}
    aliases = aliases_in(shown.ledger, step)
    seen: set[tuple[int, str]] = set()
    standing: set[str] = set()
    """On entries of their own."""
    for sighting in shown.reading.sent:
        index = sighting.anchor.message
        if not 0 <= index < len(messages):
            continue
        made_of = aliases.get(sighting.pointer, sha256(sighting.value))
        fate = stretches[made_of].fate_in(step) if made_of in stretches else None
        seen.add((index, made_of))
        if messages[index].bears_reasoning:
            standing.add(made_of)
        spot = books.spot(index, sighting.anchor.part, sighting.anchor.call_id)
        badge = Badge(sha256=made_of, fate=fate)
        _add(books, spot, badge)
    for signature, fate in shown.ledger.concerning(step, LOST):
        index = fate.message if fate.message is not None else -1
        if not 0 <= index < len(messages):
            continue
        if not signature.received:
            continue  # a bypass: nobody misses it
        is_copy = signature.kind is SignatureKind.SEALED
        if is_copy and fate.grade is Grade.SUPERSEDED:
            continue  # the same item, as another event brought it
        if signature.sha256 in standing:
            continue
        if (index, signature.sha256) not in seen:
            call_id = next(iter(signature.call_ids), None)
            spot = books.spot(index, None, call_id)
            badge = Badge(sha256=signature.sha256, fate=fate, is_ghost=True)
            _add(books, spot, badge)


def _turn(books: _Books, messages: Sequence[Message], outcome: SentOutcome) -> None:
    """Badges as they were sent; what stood in a wrong place goes where it was put."""
    homes: dict[str, str] = {}
    sent = outcome.sent.reading
    if len(sent.conversation.messages) == len(messages):
        for sighting in sent.sent:
            index, anchor = sighting.anchor.message, sighting.anchor
            if 0 <= index < len(messages):
                spot = books.spot(index, anchor.part, anchor.call_id)
                homes.setdefault(sha256(sighting.value), spot)
    before, books.badges = books.badges, {}
    for spot, badges in before.items():
        for badge in badges:
            is_astray = badge.fate is not None and badge.fate.fate is Fate.MOVED
            home = homes.get(badge.sha256, spot) if is_astray else spot
            _add(books, home, _as_sent(badge, outcome))


def _as_sent(badge: Badge, outcome: SentOutcome) -> Badge:
    """A ghost is solid once it was sent."""
    fate = outcome.fate_of(badge.sha256)
    if fate is None:
        return badge
    return replace(badge, fate=fate, is_ghost=badge.is_ghost and fate.is_lost)


def _add(books: _Books, spot: str, badge: Badge) -> None:
    badges = books.badges.setdefault(spot, [])
    if badge not in badges:
        badges.append(badge)


# --- The history ---------------------------------------------------------------------


def _message(
    message: Message, index: int, books: _Books, facts: Mapping[int, StepFacts]
) -> Iterator[Block]:
    parts = [p for p in message.parts if p.pointer not in books.paired]
    if message.parts and not parts:
        return  # only results, each shown beside its call
    origin = books.origins.get(index)
    yield Block(
        key=f"request:{message.pointer}",
        kind="speaker",
        place=NodePlace(pointer=message.pointer),
        name=NAMES[message.role],
        role=message.role,
        aside=f"step {origin}" if origin else "",
        badges=tuple(books.badges.get(message.pointer, ())),
    )
    took = _thinking_time(facts.get(origin)) if origin else None
    yield from _parts(parts, message.role, "request", books, took)


def _thinking_time(fact: StepFacts | None) -> float | None:
    return fact.lane.thinking if fact and fact.lane else None


def _parts(
    parts: Sequence[Part],
    role: Role,
    side: Literal["request", "response"],
    books: _Books,
    took: float | None,
) -> Iterator[Block]:
    for number, part in enumerate(parts):
        badges = tuple(books.badges.get(part.pointer, ()))
        key = f"{side}:{part.pointer}:{number}"
        place = NodePlace(side=side, pointer=part.pointer)
        yield from _part(part, key, place, role, badges, took)
        result = books.results.get(part.pointer)
        if result is not None:
            yield _result(result, side)


def _part(
    part: Part,
    key: str,
    place: NodePlace,
    role: Role,
    badges: tuple[Badge, ...],
    took: float | None,
) -> Iterator[Block]:
    match part.kind:
        case PartKind.TEXT if part.text or badges:
            yield Block(key=key, kind="text", place=place, text=part.text, role=role,
                        badges=badges)  # fmt: skip
        case PartKind.THOUGHT:
            words = [figures.count(len(part.text), "char")]
            if took is not None:
                words.append(figures.seconds(took))
            yield Block(key=key, kind="thought", place=place, text=part.text, role=role,
                        aside=" · ".join(words), badges=badges)  # fmt: skip
        case PartKind.CALL:
            yield Block(key=key, kind="call", place=place, name=part.name or "?",
                        text=part.arguments, role=role, badges=badges)  # fmt: skip
        case PartKind.RESULT:
            yield _result(part, place.side)
        case PartKind.MEDIA:
            yield Block(key=key, kind="media", place=place, role=role, badges=badges,
                        name=part.text or "media",
                        aside=figures.size(part.size) if part.size
                        else "not in the request")  # fmt: skip
        case PartKind.OPAQUE:
            yield Block(key=key, kind="opaque", place=place, role=role, badges=badges,
                        text=one_line(part.text, 200))  # fmt: skip


def _result(part: Part, side: str) -> Block:
    size = len(to_bytes(part.text))
    return Block(
        key=f"{side}:{part.pointer}:result",
        kind="result",
        place=NodePlace(side="response" if side == "response" else "request",
                    pointer=part.pointer),
        name=part.name or "",
        text=part.text,
        aside=figures.size(size),
    )  # fmt: skip


# --- The error -----------------------------------------------------------------------


def with_strike(
    blocks: list[Block], shown: Shown, outcome: SentOutcome | None = None
) -> list[Block]:
    """The history, with a line where the error struck: below the node that the words
    of the service point at, if they point at one."""
    refusal = shown.refusal
    match = refusal.place if refusal is not None else None
    if refusal is None or match is None:
        return blocks
    node = NodePlace(pointer=match.pointers[0])
    inside = [i for i, b in enumerate(blocks) if node.holds(b.place)]
    around = [i for i, b in enumerate(blocks) if b.place.holds(node)]
    if not inside and not around:
        return blocks
    at = _last_of(blocks, inside[-1] if inside else around[-1])
    status = refusal.status if refusal.status is not None else "error"
    is_mended = outcome is not None and outcome.is_confirmed
    strike = Block(
        key=f"strike:{node.pointer}",
        kind="strike",
        place=node,
        name=f"{status} struck here{' before the fix' * is_mended}",
        text=refusal.text,
        aside=match.note,
        is_mended=is_mended,
    )
    return [*blocks[: at + 1], strike, *blocks[at + 1 :]]


def _last_of(blocks: Sequence[Block], at: int) -> int:
    """A call is followed by its result, which is not torn off."""
    following = at + 1 < len(blocks) and blocks[at + 1].kind == "result"
    return at + 1 if blocks[at].kind == "call" and following else at


# --- The answer ----------------------------------------------------------------------


def _answer(
    shown: Shown, outcome: SentOutcome | None, facts: StepFacts | None
) -> Iterator[Block]:
    reading = shown.reading
    label = _label(shown)
    message = reading.reply.message
    if message is not None and message.parts:
        books = _Books([message])
        for sighting in reading.received:
            spot = books.spot(0, sighting.anchor.part, sighting.anchor.call_id)
            _add(books, spot, Badge(sha256=sha256(sighting.value)))
        yield Block(
            key=f"response:{message.pointer}:answer",
            kind="speaker",
            place=NodePlace(side="response", pointer=message.pointer),
            name="assistant",
            role=Role.ASSISTANT,
            aside=f"{label} · answer",
        )
        took = _thinking_time(shown.facts)
        yield from _parts(message.parts, Role.ASSISTANT, "response", books, took)
    if shown.refusal is not None:
        yield from _error(shown, label, outcome)
    elif message is None:
        yield _silence(shown, label, facts)


def _label(shown: Shown) -> str:
    return f"run {shown.run}" if shown.run is not None else f"step {shown.step}"


def _error(shown: Shown, label: str, outcome: SentOutcome | None) -> Iterator[Block]:
    refusal = shown.refusal
    assert refusal is not None
    status = refusal.status if refusal.status is not None else "error"
    code = refusal.code or (f"{refusal.provider} refused" if refusal.provider else "")
    words = refusal.text if refusal.text != refusal.code else ""
    if refusal.layers:
        words += f"\nwrapped in {', '.join(refusal.layers)}"
    place = NodePlace(side="response")
    if refusal.event is not None and shown.reading.is_streamed:
        place = NodePlace(side="event", event=refusal.event)
    yield Block(
        key="error",
        kind="error",
        place=place,
        name=f"{label}  {status}",
        aside=code,
        text=words.strip("\n"),
    )
    for number, finding in enumerate(shown.findings):
        if finding.is_echo and finding.in_response:
            continue  # its sentence stands right above
        yield Block(
            key=f"finding:{finding.rule}:{finding.pointer}:{number}",
            kind="finding",
            place=place_of(finding),
            finding=finding,
            text=finding.message,
            name=finding.rule,
            is_mended=outcome is not None and finding in outcome.mended,
            badges=(Badge(sha256=finding.signature, is_ghost=True),)
            if finding.signature
            else (),
        )


def _outcome(shown: Shown, outcome: SentOutcome, opens: str) -> Block:
    """What came when the request was sent as it is now."""
    run, message = outcome.run, outcome.sent.reading.reply.message
    failed = shown.refusal is not None
    status = "no answer" if run.status is None else str(run.status)
    said = message.text if message is not None else ""
    if message is not None and not said:
        said = ", ".join(f"calls {part.name or '?'}" for part in message.calls)
    return Block(
        key=f"outcome:{run.number}",
        kind="outcome",
        place=NodePlace(side="response"),
        name=f"run {run.number}  {status}",
        aside=verdict_words(run, failed=failed)
        + (f"; {opens} shows it" if opens else ""),
        text=run.error or said,
        is_mended=run.status is not None and run.status < 400,
        run=run.number,
    )


def _silence(shown: Shown, label: str, facts: StepFacts | None) -> Block:
    response = shown.reading.exchange.response
    if response is None and not shown.is_run and facts is not None and facts.is_waiting:
        sent = "sent; the answer has not come yet"
        text = "held, and not sent yet" if facts.is_held else sent
    elif response is None:
        other = shown.reading.exchange.sent_as
        edited = f"sent edited, as step {other}: the answer is there"
        text = edited if other else "no answer was recorded"
    elif not response.body:
        status = "no status" if response.status is None else f"status {response.status}"
        text = f"{status}, and an empty body"
    else:
        text = "the response holds no answer that could be read; see pane 4"
    place = NodePlace(side="response")
    return Block(key="silence", kind="note", place=place, text=f"{label}: {text}")
