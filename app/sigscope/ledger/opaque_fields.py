"""Opaque fields of steps whose dialect is not known: followed by name and shape.

    fields = track(readings)
    fields[0].name, fields[0].received, fields[0].sent

Nothing is judged here: what such a field means, whether it must be sent back and where
it is read, only a dialect knows. What is certain without one: which bytes came under a
name that services use for reasoning state, and whether the same bytes were sent again.

`SHAPES` is the table of names. Sources: the public references of OpenAI's Responses
API, Anthropic's Messages API, Amazon Bedrock Converse, Google's Gemini and Interactions
APIs and OpenRouter's reasoning tokens guide.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sigscope import opaque
from sigscope.conversation import Json
from sigscope.dialects.histories import Histories
from sigscope.pointer import escape
from sigscope.reading import Reading, parse_json

SHORTEST = 16
"""Characters from which a string may be an opaque value; shorter ones are words."""
DEEPEST = 48
"""Members below one another that are looked into."""
_UNBROKEN = re.compile(r"[^\s\"'<>(){}]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A name that services give an opaque value."""

    key: str
    """Name of the member that holds it, as a string or a list of strings."""
    only_in: tuple[str, ...] = ()
    """What the `type` of the object begins with that holds it; empty for any."""
    after: str = ""
    """The value is what follows this in the string."""
    is_reference: bool = False
    """It names what the service keeps: the `id` of an earlier answer."""


SHAPES = (
    Shape(key="encrypted_content"),  # Responses: reasoning, compaction
    Shape(key="signature"),  # Messages, Bedrock, Interactions, reasoning_details
    Shape(key="thoughtSignature"),  # Gemini
    Shape(key="thought_signature"),
    Shape(key="thought_signatures"),  # LiteLLM, a list
    Shape(key="reasoning_opaque"),  # GitHub Copilot
    Shape(key="cot_id"),
    Shape(key="data", only_in=("redacted", "reasoning.")),  # Messages, OpenRouter
    Shape(key="redactedContent"),  # Bedrock
    Shape(key="redacted_content"),
    Shape(key="id", after=opaque.THOUGHT_SEPARATOR),  # LiteLLM's ids
    Shape(key="tool_call_id", after=opaque.THOUGHT_SEPARATOR),
    Shape(key="previous_response_id", is_reference=True),  # Responses
    Shape(key="previous_interaction_id", is_reference=True),  # Interactions
)
_BY_KEY = {shape.key: shape for shape in SHAPES}
_ARGUMENTS = frozenset(
    {
        "tools",
        "toolConfig",
        "parameters",
        "input_schema",
        "response_format",
        "arguments",
        "partial_json",
        "args",
        "input",
        "metadata",
    }
)
"""Members that hold what users and tools say, where any name may stand; a list under
`input` is the history of the Responses API."""
_NOT_YET = frozenset({"response.output_item.added"})
"""Events whose values are not the last word: the finished item brings another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a value stands."""

    step: int
    pointer: str
    event: int | None = None
    """Of a response that was streamed; None for a whole body."""
    pieces: int = 1
    """Events that it came in; the pointer is that of the last."""


@dataclass(slots=True, kw_only=True)
class OpaqueField:
    """One value, by its bytes, and every place where it stands."""

    name: str
    """As it is called where it was seen first."""
    value: str
    is_reference: bool = False
    received: list[Spot] = field(default_factory=list)
    sent: list[Spot] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The short name."""
        return opaque.fingerprint(self.value)

    @property
    def first(self) -> Spot:
        """Where it was seen first."""
        return min((*self.received[:1], *self.sent[:1]), key=lambda spot: spot.step)

    @property
    def sent_again(self) -> tuple[Spot, ...]:
        """Places in requests after it was received."""
        came = self.received[0].step if self.received else 0
        return tuple(spot for spot in self.sent if spot.step > came)


@dataclass(frozen=True, slots=True)
class _Found:
    name: str
    value: str
    pointer: str
    lane: str = ""
    """What tells pieces of one value from those of another."""


def track(readings: Sequence[Reading]) -> tuple[OpaqueField, ...]:
    """The opaque fields of all model calls that are not judged, by where they were seen
    first. Costs one walk through what is new in each body."""
    unjudged = [reading for reading in readings if not reading.is_judged]
    if not unjudged:
        return ()
    book = _Book()
    for reading in readings:
        if reading.is_judged:
            book.look(reading)
        else:
            book.take(reading)
    return book.fields()


class _Book:
    """Values by their bytes."""

    def __init__(self) -> None:
        self._keys = opaque.Keys()
        self._fields: dict[bytes, OpaqueField] = {}
        self._elsewhere: dict[bytes, Spot] = {}
        """Received in steps whose dialect is known."""
        self._pieces: dict[bytes, tuple[str, _Lane]] = {}
        """Joined pieces that nobody has sent yet."""
        self._ids: dict[str, Spot] = {}
        """Ids of answers, which later requests may refer to."""

    def take(self, reading: Reading) -> None:
        """A step that is not judged."""
        for found in in_request(reading):
            spot = Spot(step=reading.number, pointer=found.pointer)
            self._sent(found, spot)
        lanes: dict[tuple[str, str], _Lane] = defaultdict(_Lane)
        for event, body in bodies(reading):
            for found in _walk(body, ""):
                if not _BY_KEY[found.name].is_reference:
                    spot = Spot(step=reading.number, pointer=found.pointer, event=event)
                    self._received(found, spot)
                    lanes[found.name, found.lane].add(found.value, spot)
        for (name, _), lane in lanes.items():
            if len(lane.values) > 1:
                key = self._keys["".join(lane.values)]
                self._pieces[key] = (name, lane)
        for event, pointer, name in _answer_ids(reading):
            spot = Spot(step=reading.number, pointer=pointer, event=event)
            self._ids.setdefault(name, spot)

    def look(self, reading: Reading) -> None:
        """A step that is judged: what goes between it and the others."""
        for found in in_request(reading) if self._fields else ():
            known = self._fields.get(self._keys[found.value])
            if known is not None:
                known.sent.append(Spot(step=reading.number, pointer=found.pointer))
        for sighting in reading.received:
            self._elsewhere.setdefault(
                self._keys[sighting.value],
                Spot(
                    step=reading.number,
                    pointer=sighting.pointer,
                    event=sighting.event,
                ),
            )

    def fields(self) -> tuple[OpaqueField, ...]:
        return tuple(self._fields.values())

    def _sent(self, found: _Found, spot: Spot) -> None:
        key = self._keys[found.value]
        if key in self._pieces and key not in self._fields:
            self._settle(key)
        known = self._field(key, found.name, found.value)
        if not known.received and not known.sent:
            origin = self._elsewhere.get(key) or self._ids.get(found.value)
            known.received += [origin] if origin else []
        known.sent.append(spot)

    def _received(self, found: _Found, spot: Spot) -> None:
        known = self._field(self._keys[found.value], found.name, found.value)
        if not known.received or known.received[-1].step != spot.step:
            known.received.append(spot)

    def _settle(self, key: bytes) -> None:
        """The joined value was sent: its pieces are no values of their own."""
        name, lane = self._pieces.pop(key)
        for value in lane.values:
            part = self._fields.get(self._keys[value])
            if part is not None and not part.sent:
                del self._fields[self._keys[value]]
        whole = self._field(key, name, "".join(lane.values))
        last = lane.spots[-1]
        whole.received.append(replace(last, pieces=len(lane.values)))

    def _field(self, key: bytes, name: str, value: str) -> OpaqueField:
        known = self._fields.get(key)
        if known is None:
            known = self._fields[key] = OpaqueField(
                name=name, value=value, is_reference=_BY_KEY[name].is_reference
            )
        return known


class _Lane:
    """Pieces that came under one name at one place, in events that follow."""

    def __init__(self) -> None:
        self.values: list[str] = []
        self.spots: list[Spot] = []

    def add(self, value: str, spot: Spot) -> None:
        if spot.event is not None:
            self.values.append(value)
            self.spots.append(spot)


# --- Bodies ---------------------------------------------------------------------------


def bodies(reading: Reading) -> Iterator[tuple[int | None, Json]]:
    """The JSON of the response: of each event with its number, or of the whole."""
    if not reading.is_streamed:
        yield None, reading.whole_response
        return
    for number, data in enumerate(reading.event_data, start=1):
        if isinstance(data, dict):
            data = _unwrapped(data)
            if data.get("type") not in _NOT_YET:
                yield number, data
        elif data is not None:
            yield number, data


def _unwrapped(data: dict[str, Json]) -> dict[str, Json]:
    """Bedrock's InvokeModelWithResponseStream puts each event's JSON into `bytes`."""
    inside = data.get("bytes")
    if not isinstance(inside, str):
        return data
    try:
        parsed = parse_json(base64.b64decode(inside))
    except (binascii.Error, ValueError):
        return data
    return parsed if isinstance(parsed, dict) else data


def in_request(reading: Reading) -> Iterator[_Found]:
    """What the request holds. Entries that requests have in common are walked once."""
    body = reading.request_json
    if not isinstance(body, dict):
        yield from _walk(body, "")
        return
    histories = reading.histories or Histories()
    for key, value in body.items():
        at = f"/{escape(key)}"
        if isinstance(value, list) and key not in ("tools", "toolConfig"):
            for place, found in enumerate(histories.facts(value, _in_entry)):
                for each in found:
                    pointer = f"{at}/{place}{each.pointer}"
                    yield _Found(each.name, each.value, pointer)
        else:
            yield from _member(body, key, value, at)


def _in_entry(entry: Json) -> tuple[_Found, ...]:
    return tuple(_walk(entry, ""))


def _walk(value: Json, at: str, lane: str = "") -> Iterator[_Found]:
    """Every opaque field below a value, in order, as deep as bodies of services go."""
    if at.count("/") > DEEPEST:
        return
    if isinstance(value, list):
        for place, item in enumerate(value):
            if isinstance(item, dict | list):
                yield from _walk(item, f"{at}/{place}", f"{lane}/{place}")
    elif isinstance(value, dict):
        index = value.get(
            "index", value.get("output_index", value.get("contentBlockIndex"))
        )
        lane = f"{lane}:{index}" if isinstance(index, int) else lane
        for key, member in value.items():
            yield from _member(value, key, member, f"{at}/{escape(key)}", lane)


def _member(
    holder: Mapping[str, Json], key: str, value: Json, at: str, lane: str = ""
) -> Iterator[_Found]:
    shape = _BY_KEY.get(key)
    if shape is not None:
        texts: Iterable[tuple[str, Json]] = ((at, value),)
        if isinstance(value, list):
            texts = ((f"{at}/{n}", item) for n, item in enumerate(value))
        for pointer, text in texts:
            found = _value(shape, holder, text)
            if found:
                yield _Found(key, found, pointer, f"{lane}/{key}")
    if isinstance(value, dict | list) and not (
        key in _ARGUMENTS and (isinstance(value, dict) or key != "input")
    ):
        yield from _walk(value, at, f"{lane}/{key}")


def _value(shape: Shape, holder: Mapping[str, Json], text: Json) -> str:
    """The opaque value in a string under a known name; empty if it is none."""
    if not isinstance(text, str):
        return ""
    if shape.after:
        text = text.partition(shape.after)[2]
    kind = holder.get("type")
    if shape.only_in and not (isinstance(kind, str) and kind.startswith(shape.only_in)):
        return ""
    if shape.is_reference:
        return str(text)
    is_opaque = len(text) >= SHORTEST and _UNBROKEN.fullmatch(text) is not None
    return str(text) if is_opaque else ""


def _answer_ids(reading: Reading) -> Iterator[tuple[int | None, str, str]]:
    """Event, pointer and value of the ids under which a service keeps its answer."""
    for event, body in bodies(reading):
        if not isinstance(body, dict):
            continue
        for key in ("", "response", "interaction"):
            inside = body.get(key) if key else body
            name = inside.get("id") if isinstance(inside, dict) else None
            if isinstance(name, str) and name:
                yield event, f"/{key}/id" if key else "/id", name


# --- Words ----------------------------------------------------------------------------


def field_words(field: OpaqueField) -> str:
    """`signature 9f3a21, 624 characters, from step 1, ...; sent again in step 2`."""
    size = f"{len(field.value):,} characters"
    name = f"{field.name} {field.value if field.is_reference else field.id}"
    words = [name] if field.is_reference else [name, size]
    return f"{', '.join([*words, _origin(field)])}; {_again(field)}"


def _origin(field: OpaqueField) -> str:
    if field.received:
        return f"received in {spot_words(field.received[0])}"
    return f"sent in {spot_words(field.sent[0])}, received in no recorded response"


def _again(field: OpaqueField) -> str:
    spots = field.sent_again if field.received else tuple(field.sent[1:])
    if not spots:
        return "in no later request"
    more = f" and {len(spots) - 1} more" if len(spots) > 1 else ""
    what = "named" if field.is_reference else "the same bytes were sent"
    return f"{what} again in {spot_words(spots[0])}{more}"


def spot_words(spot: Spot) -> str:
    """ "step 1, event 12 at /delta/signature"."""
    event = f", event {spot.event}" if spot.event is not None else ""
    pieces = f" in {spot.pieces} pieces" if spot.pieces > 1 else ""
    return f"step {spot.step}{event}{pieces} at {spot.pointer}"
