"""Items of requests and answers, as the rules about them look at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sigscope.conversation import Json, Message, Role, Sighting
from sigscope.dialects.responses import Responses
from sigscope.dialects.services import AZURE, CODEX, COPILOT, OPENAI
from sigscope.ledger import Signature
from sigscope.ledger.dialects.responses import stores
from sigscope.reader import Reading
from sigscope.records import dataclass
from sigscope.rules.base import Subject
from sigscope.rules.edits import node

CHECKS_ITEMS = frozenset({OPENAI.name, AZURE.name, CODEX.name, COPILOT.name, None})
"""Services that are known to look at how items belong together, and the unknown."""
LIMITS_IDS = frozenset({OPENAI.name, AZURE.name, CODEX.name})
LONGEST_ID = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """An item that a recorded answer brought."""

    step: int
    data: dict[str, Json]
    reasoning: str = ""
    """Id of the reasoning item right before it; empty if there is none."""


def entry(subject: Subject, message: Message) -> dict[str, Json]:
    """The JSON of an item of the request."""
    found = node(subject.reading.request_json, message.pointer)
    return found if isinstance(found, dict) else {}


def text(item: dict[str, Json], key: str) -> str:
    """A string member; empty where there is none."""
    value = item.get(key)
    return value if isinstance(value, str) else ""


def is_output(message: Message) -> bool:
    """Whether it is an item that a model's answer brings."""
    return message.role is Role.ASSISTANT


def reasoning(subject: Subject) -> Iterator[tuple[int, dict[str, Json]]]:
    """Reasoning items of the request, with their places."""
    for index, message in enumerate(subject.messages):
        item = entry(subject, message) if message.bears_reasoning else {}
        if item.get("type") == "reasoning":
            yield index, item


def follower(messages: Sequence[Message], index: int) -> Message | None:
    """What stands behind a reasoning item and is no other; None at the end."""
    for message in messages[index + 1 :]:
        if not message.bears_reasoning:
            return message
    return None


def issued(subject: Subject) -> dict[str, Issued]:
    """Items of recorded answers before this step, by their ids."""
    found: dict[str, Issued] = {}
    for step in sorted(subject.readings):
        if step >= subject.step:
            break
        found.update(_brought(subject.readings[step]))
    return found


def _brought(reading: Reading) -> dict[str, Issued]:
    if not isinstance(reading.dialect, Responses):
        return {}
    output = node(reading.response_json, "/output")
    found: dict[str, Issued] = {}
    before = ""
    for item in output if isinstance(output, list) else ():
        name = text(item, "id") if isinstance(item, dict) else ""
        if name:
            found[name] = Issued(step=reading.number, data=item, reasoning=before)
        is_reasoning = isinstance(item, dict) and item.get("type") == "reasoning"
        before = name if is_reasoning else ""
    return found


def is_stored(subject: Subject, step: int) -> bool | None:
    """Whether the service keeps the answer of a step; None where nothing tells."""
    return stores(subject.readings[step])


def issued_id(subject: Subject, signature: Signature) -> str:
    """Id of the item that brought a signature, where it came; empty if unknown."""
    if signature.step is None:
        return ""
    reading = subject.readings[signature.step]
    holder = reading.holder_of(signature.received[0].sighting)
    return text(holder, "id") if isinstance(holder, dict) else ""


def bearer(subject: Subject, sighting: Sighting) -> tuple[str, dict[str, Json]]:
    """Pointer and JSON of the item of the request that holds a signature."""
    at = sighting.pointer.rpartition("/")[0]
    found = node(subject.reading.request_json, at)
    return at, found if isinstance(found, dict) else {}


def bare(subject: Subject) -> Iterator[tuple[Message, dict[str, Json]]]:
    """Items that only name what the service does not keep: reasoning with its id and
    nothing sealed, and references."""
    known = subject.once(issued)
    asks = subject.reading.request_json
    keeps = node(asks, "/store") is not False
    for message in subject.messages:
        item = entry(subject, message)
        kind = item.get("type")
        if kind not in ("reasoning", "item_reference") or not text(item, "id"):
            continue
        if item.get("encrypted_content") or item.get("content"):
            continue
        origin = known.get(text(item, "id"))
        stored = is_stored(subject, origin.step) if origin else None
        if stored is False or (stored is None and not keeps):
            yield message, item
