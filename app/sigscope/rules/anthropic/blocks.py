"""Blocks of thinking, as they came and as they are sent; and how they come back.

Whatever went wrong with the blocks of a message is mended in one way: they stand as
they were received, between what the client sends of the rest. So two rules that find
fault with one message build equal edits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from sigscope.conversation import Json, Role
from sigscope.dialects.anthropic_blocks import SECRETS, is_thought, with_thinking
from sigscope.ledger import Link
from sigscope.records import dataclass
from sigscope.rules.base import Subject
from sigscope.rules.edits import Fix, drop, insert, node, put
from sigscope.rules.places import reply_of

LABEL = "put the thinking back as it was received"


@dataclass(frozen=True, slots=True)
class SentThought:
    """A thinking block of the request."""

    index: int
    """Of its message."""
    pointer: str
    block: dict[str, Json]

    @property
    def secret_pointer(self) -> str:
        """Of what is verified; of the block where that is not there."""
        key = SECRETS[self.block["type"]]
        return f"{self.pointer}/{key}" if key in self.block else self.pointer


@dataclass(frozen=True, slots=True)
class _Holding:
    """Whether an entry of the request holds a thinking block of a kind."""

    look: Callable[[Json], bool]

    def __call__(self, entry: Json) -> bool:
        found = entry.get("content") if isinstance(entry, dict) else None
        return isinstance(found, list) and any(
            is_thought(block) and self.look(block) for block in found
        )


def thoughts(
    subject: Subject, look: Callable[[Json], bool] = is_thought
) -> Iterator[SentThought]:
    """The thinking blocks of the assistant's messages of which a function holds. It
    may look at nothing but the block."""
    for index in thoughtful(subject, look):
        yield from thoughts_at(subject, index, look)


def thoughtful(subject: Subject, look: Callable[[Json], bool]) -> Sequence[int]:
    """The messages with such a block, by index."""
    messages = subject.messages
    return [
        index
        for index in subject.odd(_Holding(look))
        if messages[index].role is Role.ASSISTANT
    ]


def thoughts_at(
    subject: Subject, index: int, look: Callable[[Json], bool]
) -> Iterator[SentThought]:
    """The same of one message."""
    at = subject.messages[index].pointer
    for number, block in enumerate(content(subject, index)):
        if is_thought(block) and look(block):
            yield SentThought(index, f"{at}/content/{number}", block)


def entries_of(subject: Subject) -> list[Json]:
    """The messages of the request, as they were parsed."""
    return subject.reading.entries


def content(subject: Subject, index: int) -> list[Json]:
    """The blocks of a message of the request; a plain text is one."""
    found = subject.once(entries_of)[index]
    found = found.get("content") if isinstance(found, dict) else None
    if isinstance(found, str):
        return [{"type": "text", "text": found}] if found else []
    return found if isinstance(found, list) else []


def received(subject: Subject, index: int) -> list[Json] | None:
    """The blocks of the reply that a message is; None where it was not recorded."""
    reply = reply_of(subject, index)
    body = reply.response_json if reply else None
    found = body.get("content") if isinstance(body, dict) else None
    return found if isinstance(found, list) else None


def latest(subject: Subject) -> int | None:
    """Index of the last message of the assistant."""
    for index in range(len(subject.messages) - 1, -1, -1):
        if subject.messages[index].role is Role.ASSISTANT:
            return index
    return None


def mode(subject: Subject) -> str:
    """`enabled` (with a budget), `adaptive`, `disabled`; empty where none is asked."""
    thinking = node(subject.reading.request_json, "/thinking")
    kind = thinking.get("type") if isinstance(thinking, dict) else None
    return kind if isinstance(kind, str) else ""


# --- Mending --------------------------------------------------------------------------


def restored(subject: Subject, index: int) -> Fix | None:
    """The edits that give a message its thinking back; None where its reply was not
    recorded, had none, or stands in it together with another."""
    holders = subject.once(_holders).get(index, ())
    if len(holders) != 1:
        return None
    entry, places = subject.once(entries_of)[index], holders[0].messages
    if len(places) > 1:
        return _restored(subject, index, places)
    # Requests that repeat the message mend it in the same way. Not those that spell it
    # with its members in another order, though it is one message to all others.
    known = subject.once_in_session(_known)
    key = (index, holders[0].step)
    found = known.get(key)
    if found is None or found[0] is not entry:
        found = known[key] = entry, _restored(subject, index, places)
    return found[1]


def _holders(subject: Subject) -> Mapping[int, Sequence[Link]]:
    """The replies that stand in each message."""
    found: defaultdict[int, list[Link]] = defaultdict(list)
    for link in subject.ledger.links.get(subject.step, ()):
        for index in set(link.messages):
            found[index].append(link)
    return found


def _known(_: Subject) -> dict[tuple[int, int], tuple[Json, Fix | None]]:
    """By the place of a message and the step that brought it, with the message."""
    return {}


def _restored(subject: Subject, index: int, places: Sequence[int]) -> Fix | None:
    brought = received(subject, index)
    if not brought or not any(map(is_thought, brought)):
        return None
    if list(places) != list(range(places[0], places[-1] + 1)):
        return None
    sent = [block for place in places for block in content(subject, place)]
    at = subject.messages[places[0]].pointer
    if len(places) == 1:
        fine = _in_place(f"{at}/content", sent, brought)
        if fine is not None:
            return fine or None
    others = [
        drop(subject.messages[p].pointer, "make it one message again")
        for p in places[1:]
    ]
    return (put(f"{at}/content", with_thinking(sent, brought), LABEL), *others)


def rewritten(subject: Subject, index: int) -> Fix | None:
    """The same, where it makes the whole content anew: nothing else can then be moved
    in it, and what stands behind the calls goes before them. None where it changes
    single blocks, or its thinking is as it should be."""
    fix = restored(subject, index)
    at = subject.messages[index].pointer
    sent, brought = content(subject, index), received(subject, index) or ()
    right = [_bare(block) for block in brought if is_thought(block)]
    is_alone = fix is not None and len(fix) == 1
    if is_alone and [*map(_bare, _lead(sent))] == right == [
        _bare(block) for block in sent if is_thought(block)
    ]:
        return None
    wholes = (at, f"{at}/content")
    return fix if fix and any(edit.pointer in wholes for edit in fix) else None


def _in_place(at: str, sent: Sequence[Json], brought: Sequence[Json]) -> Fix | None:
    """Edits of the blocks alone; None where the order has to be made anew."""
    if not any(map(is_thought, sent)):
        lead = _lead(brought)
        if len(lead) == sum(map(is_thought, brought)) and sent:
            return tuple(insert(f"{at}/0", block, LABEL) for block in lead)
        return None
    if [*map(is_thought, sent)] != [*map(is_thought, brought)]:
        return None
    pairs = zip(sent, brought, strict=True)
    return tuple(
        put(f"{at}/{number}", right, LABEL)
        for number, (wrong, right) in enumerate(pairs)
        if is_thought(right) and _bare(wrong) != _bare(right)
    )


def _bare(block: Json) -> Json:
    keys = ("type", "thinking", "signature", "data")
    return {key: block[key] for key in keys if key in block}


def _lead(blocks: Sequence[Json]) -> list[Json]:
    """The thinking blocks that a message begins with."""
    found: list[Json] = []
    for block in blocks:
        if not is_thought(block):
            break
        found.append(block)
    return found
