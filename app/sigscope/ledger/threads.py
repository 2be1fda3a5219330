"""Sorting steps into conversations.

A step continues the latest step whose reply its request contains. Where several steps
continue the same one, the one that leads on is the conversation; the others are forks
or side requests (titles, summaries), which must not be taken for turns. A step that
asks for an answer again, or polls it, belongs to the step that the answer was made for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from sigscope.conversation import Role
from sigscope.ledger.records import Link, Thread, ThreadKind
from sigscope.reader import Reading

QUOTED = 12
"""Characters of a user's message from which its recurrence inside another request
tells that the other one is about this conversation."""


def sort_threads(
    readings: Sequence[Reading],
    links: Mapping[int, tuple[Link, ...]],
    whole: Mapping[int, int],
    kept: Mapping[int, Collection[int]] = MappingProxyType({}),
) -> tuple[Thread, ...]:
    """Give every step to a thread. `whole`: digest of each step's history; `kept`:
    steps whose replies a step leaves to the service."""
    by_number = {reading.number: reading for reading in readings}
    failed: dict[int, list[int]] = defaultdict(list)
    for step in sorted(whole):
        if not by_number[step].is_accepted:
            failed[whole[step]].append(step)
    parents = {
        reading.number: _parent(
            reading,
            {link.step for link in links[reading.number]}.union(
                kept.get(reading.number, ())
            ),
            failed[whole[reading.number]] if reading.number in whole else (),
        )
        for reading in readings
    }
    children: dict[int | None, list[int]] = defaultdict(list)
    for step, parent in parents.items():
        children[parent].append(step)
    heads: dict[int, int] = {}
    sizes = _sizes(parents)
    for parent, steps in children.items():
        if parent is not None:
            main = _main_child(parent, steps, by_number, sizes)
            for step in steps:
                asked = by_number[step]
                stays = step == main or asked.retrieves or not asked.is_accepted
                heads[step] = parent if stays else step
    members: dict[int, list[int]] = defaultdict(list)
    roots: dict[int, int] = {}
    for reading in readings:
        step = reading.number
        head = heads.get(step, step)
        roots[step] = step if head == step else roots[head]
        members[roots[step]].append(step)
    told = cache(lambda: _told(readings))
    return tuple(
        Thread(
            number=number,
            steps=tuple(steps),
            kind=_kind(root, parents[root], by_number, told),
            parent=parents[root],
        )
        for number, (root, steps) in enumerate(members.items(), start=1)
    )


def _parent(
    reading: Reading, held: Collection[int], failed: Sequence[int]
) -> int | None:
    """The step it continues, or the failed step that it tries again. `held`: the steps
    whose replies its request has; `failed`: those of the same history, in order."""
    if held:
        return max(held)
    if not reading.has_messages:
        return None
    before = bisect_left(failed, reading.number)
    return failed[before - 1] if before else None


def _sizes(parents: Mapping[int, int | None]) -> dict[int, int]:
    """How many steps continue each step, directly or not."""
    sizes: dict[int, int] = defaultdict(int)
    for step in sorted(parents, reverse=True):
        parent = parents[step]
        if parent is not None:
            sizes[parent] += 1 + sizes[step]
    return sizes


def _main_child(
    parent: int,
    steps: Sequence[int],
    by_number: Mapping[int, Reading],
    sizes: Mapping[int, int],
) -> int | None:
    """The continuation that is the conversation; None where all are side requests."""
    asked = [step for step in steps if not by_number[step].retrieves]
    accepted = [step for step in asked if by_number[step].is_accepted]
    likely = [s for s in accepted if not _is_side(by_number[s], by_number[parent])]
    if not likely:
        return None
    return max(likely, key=lambda step: (sizes.get(step, 0), step))


def _is_side(reading: Reading, parent: Reading) -> bool:
    """Whether a step with the same history asks for something else.

    A title or summary request offers no tools where its parent did, and asks another
    model or under another system prompt, or for a few words only.
    """
    ours, theirs = reading.conversation, parent.conversation
    if ours.tools or not theirs.tools or ours.messages[-1:] == ():
        return False
    is_elsewhere = ours.model != theirs.model or _system(reading) != _system(parent)
    return is_elsewhere and ours.messages[-1].role is Role.USER


def _system(reading: Reading) -> str:
    messages = reading.conversation.messages
    return "\n".join(m.text for m in messages if m.role is Role.SYSTEM)


def _kind(
    root: int,
    parent: int | None,
    by_number: Mapping[int, Reading],
    told: Callable[[], Collection[str]],
) -> ThreadKind:
    """`told`: what users say in conversations that offer tools; a look at all of them,
    which most sessions do not need."""
    reading = by_number[root]
    if parent is not None:
        return "side" if _is_side(reading, by_number[parent]) else "fork"
    if reading.offers_tools or not told():
        return "main"
    heard = "\n".join(m.text for m in reading.conversation.messages)
    bare = heard.strip()
    is_about = any(text in heard and text != bare for text in told())
    return "side" if is_about else "main"


def _told(readings: Sequence[Reading]) -> Collection[str]:
    """What users say in conversations that offer tools, each text once."""
    messages = {
        id(message): message
        for reading in readings
        if reading.offers_tools
        for message in reading.conversation.messages
        if message.role is Role.USER
    }
    texts = {message.text.strip() for message in messages.values()}
    return {text for text in texts if len(text) >= QUOTED}
