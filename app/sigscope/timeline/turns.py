"""How much was thought and said, step by step and turn by turn.

A conversation that loses its signatures may go on without any error and get worse: the
readable reasoning fades, and raw thinking moves into the answers
(docs/wire/litellm.md#silent).
These figures show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sigscope.conversation import Conversation, Role, SignatureKind
from sigscope.ledger import Ledger
from sigscope.reader import Reading
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one step, or all steps of a turn, brought."""

    turn: int
    """Counts what the user said in this thread, from 1."""
    thread: int
    steps: tuple[int, ...]
    thought_chars: int = 0
    """Characters of readable reasoning in the answers."""
    text_chars: int = 0
    """Characters of visible text in the answers."""
    calls: int = 0
    prompt_tokens: int | None = None
    """As the service counted them; None where it did not. Of a turn: the most."""
    completion_tokens: int | None = None
    """Of a turn: all together."""
    reasoning_tokens: int | None = None
    """The part of the completion that was reasoning; of a turn: all together."""
    received: int = 0
    """Signatures that the answers brought."""
    genuine: int = 0
    """Signatures in the request; of a turn: in its last one."""
    bypass: int = 0
    """Bypasses in the request; of a turn: in its last one."""
    refused: int = 0
    """Steps that the service did not accept."""
    unjudged: int = 0
    """Steps whose dialect is not known: nothing in them was counted."""


def figures_of(readings: Sequence[Reading], ledger: Ledger) -> tuple[Figures, ...]:
    """Of every step, by thread and number. Parses every body once."""
    by_number = {reading.number: reading for reading in readings}
    found: list[Figures] = []
    for thread in ledger.threads:
        turn = 0
        for number in thread.steps:
            reading = by_number[number]
            if turn == 0 or opens_turn(reading.conversation):
                turn += 0 if _asks_again(found, thread.number, by_number, number) else 1
            found.append(_of_step(reading, ledger, turn, thread.number))
    return tuple(found)


def opens_turn(conversation: Conversation) -> bool:
    """Whether a request brings something new of the user: whether the last reply in it
    stands before what opened the turn."""
    if conversation.retrieves:
        return False
    messages = conversation.messages
    replies = [i for i, m in enumerate(messages) if m.role is Role.ASSISTANT]
    return not replies or replies[-1] < conversation.turn_start


def _asks_again(
    found: Sequence[Figures],
    thread: int,
    by_number: dict[int, Reading],
    number: int,
) -> bool:
    """Whether the step before in this thread was refused the same question."""
    last = found[-1] if found and found[-1].thread == thread else None
    if last is None or not last.refused:
        return False
    before = by_number[last.steps[-1]].conversation.messages
    now = by_number[number].conversation.messages
    return bool(now and before) and now[-1].text == before[-1].text


def _of_step(reading: Reading, ledger: Ledger, turn: int, thread: int) -> Figures:
    message = reading.reply.message
    usage = reading.reply.usage
    sent = {
        (sighting.value, sighting.anchor.message, sighting.anchor.call_id): sighting
        for sighting in reading.sent
        if sighting.kind is not SignatureKind.TEXT
    }
    bypass = [s for s in sent.values() if s.kind is SignatureKind.BYPASS]
    brought = ledger.received_in(reading.number)
    return Figures(
        turn=turn,
        thread=thread,
        steps=(reading.number,),
        thought_chars=len(message.thoughts) if message else 0,
        text_chars=len(message.text) if message else 0,
        calls=len(message.calls) if message else 0,
        prompt_tokens=usage.prompt,
        completion_tokens=usage.completion,
        reasoning_tokens=usage.reasoning,
        received=sum(s.kind is not SignatureKind.TEXT for s in brought),
        genuine=len({s.value for s in sent.values() if s not in bypass}),
        bypass=len(bypass),
        refused=0 if reading.is_accepted else 1,
        unjudged=0 if reading.is_judged else 1,
    )


def turns_of(steps: Iterable[Figures]) -> tuple[Figures, ...]:
    """The steps of each turn taken together."""
    found: dict[tuple[int, int], Figures] = {}
    for step in steps:
        key = (step.thread, step.turn)
        found[key] = _together(found[key], step) if key in found else step
    return tuple(found.values())


def _together(turn: Figures, step: Figures) -> Figures:
    return replace(
        turn,
        steps=(*turn.steps, *step.steps),
        thought_chars=turn.thought_chars + step.thought_chars,
        text_chars=turn.text_chars + step.text_chars,
        calls=turn.calls + step.calls,
        prompt_tokens=_most(turn.prompt_tokens, step.prompt_tokens),
        completion_tokens=_sum(turn.completion_tokens, step.completion_tokens),
        reasoning_tokens=_sum(turn.reasoning_tokens, step.reasoning_tokens),
        received=turn.received + step.received,
        genuine=step.genuine,
        bypass=step.bypass,
        refused=turn.refused + step.refused,
        unjudged=turn.unjudged + step.unjudged,
    )


def _sum(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else a + b


def _most(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else max(a, b)
