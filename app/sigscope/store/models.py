"""The lines of a session file as pydantic models: the border, and the published schema.

Nothing gets into sigscope from a file that does not fit them; what they do not know is
ignored, so that a file of a newer minor version can be read. The record classes of
`session`, `runs` and `exchange` are what the rest of the program sees.

A line is written with its `bodies` last. Opening a file validates only what stands
before them (`StepHead`, `RunHead`), because the bodies are nearly all of the file;
`StepLine` and `RunLine` are the same with them.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.json_schema import models_json_schema

from sigscope.edits.records import Op
from sigscope.exchange import Ending, Framing
from sigscope.runs import Opinion, Verdict

Count = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]


def _known_framing(value: object) -> object:
    """A newer version may know more framings; then the bytes decide."""
    known = value in get_args(Framing) or not isinstance(value, str)
    return value if known else None


def _known_ending(value: object) -> object:
    return (
        value if value in get_args(Ending) or not isinstance(value, str) else "unknown"
    )


class _Model(BaseModel):
    # `use_attribute_docstrings` would read this file at every start, for 0.1 s;
    # `schema` alone needs the docstrings, and reads them itself.
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class StoredHeader(_Model):
    """The first line."""

    sigscope: Count
    """Format number; this schema describes format 1."""
    id: str = ""
    """Unique; names the session wherever the file goes."""
    title: str = ""
    story: str = ""
    """What happened here, one paragraph of Markdown."""
    created_at: str = ""
    """RFC 3339, UTC."""
    tool: str = ""
    """What made the file: "sigscope 0.1.0"."""
    redaction: tuple[str, ...] = ()
    """What was removed before writing: "secrets", "signatures", "content"."""
    tags: tuple[str, ...] = ()
    """The user's words to find it by."""
    sum: str | None = None
    """CRC-32 of all bytes of the line before `,"sum"`, 8 hex digits."""


class BodyPlace(_Model):
    """Where a body lies. All bodies of a file, laid end to end, are its body space."""

    at: Count
    """Offset of its first byte in the body space."""
    size: Count
    """Its length in bytes, content codings still on."""
    crc: str | None = None
    """CRC-32 of its bytes, 8 hex digits."""
    needs: tuple[Count, ...] = ()
    """The `at` of every earlier body it copies from."""


class StoredRequestHead(_Model):
    """A request without its body."""

    method: str = "POST"
    url: str = ""
    """Absolute where the recording tells the host, else the path."""
    http_version: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    """Name and value of each line, in wire order and case."""
    body: BodyPlace | None = None
    """Missing if there is no body."""


class StoredResponseHead(_Model):
    """A response without its body."""

    status: int | None = None
    reason: str = ""
    http_version: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    framing: Annotated[Framing | None, BeforeValidator(_known_framing)] = None
    ending: Annotated[Ending, BeforeValidator(_known_ending)] = "unknown"
    chunks: Count = 0
    """How many arrival times stand in `bodies.response.chunks`."""
    body: BodyPlace | None = None


class RemedyModel(_Model):
    """One thing that the recorder changed in a request."""

    rule: str
    """Whose finding it mends: "CPC-1"."""
    act: str
    """ "put back", "moved" or "dropped"; others are passed over."""
    count: Count
    """How many signatures or results."""
    at: str = ""
    """Pointer in the request as the client sent it."""
    words: str = ""


class StoredMended(_Model):
    """What the client had sent, where the recorder sent another request in its place.

    Its body is told as a `StoredBody`, in a body space of its own: the body of the
    request that was sent on, then this one.
    """

    request: StoredRequestHead
    size: Count
    """Bytes of its body."""
    crc: str | None = None
    """CRC-32 of its bytes, 8 hex digits."""
    text: str | None = None
    base64: str | None = None
    copies: tuple[Count, ...] = ()
    remedies: tuple[RemedyModel, ...] = ()


class ExchangeHead(_Model):
    """One request and its response; either may be missing."""

    started_at: str | None = None
    """RFC 3339, UTC, when the first request byte left."""
    first_byte_ms: float | None = None
    duration_ms: float | None = None
    remarks: tuple[str, ...] = ()
    request: StoredRequestHead | None = None
    response: StoredResponseHead | None = None
    mended: StoredMended | None = None
    """What the client had sent, if `request` was sent in place of that."""


class StoredBody(_Model):
    """A body: its new bytes as text or base64, and what it copies.

    `copies` are triples of skip, back, length: take `skip` bytes of the new ones (of
    the text's UTF-8), then copy `length` bytes which begin `back` bytes before this
    place in the body space. What is left of the new bytes follows the last copy.
    """

    text: str | None = None
    base64: str | None = None
    copies: tuple[Count, ...] = ()


class StoredResponseBody(StoredBody):
    """A response body, with the arrival of its bytes."""

    chunks: tuple[int, ...] = ()
    """Pairs of bytes and microseconds, each counted from the pair before."""


class Bodies(_Model):
    """Both bodies of an exchange."""

    request: StoredBody | None = None
    response: StoredResponseBody | None = None


class StepHead(_Model):
    """A recorded exchange, its bodies aside."""

    type: Literal["step"]
    number: Number
    """Counts the exchanges of the session from 1, in the order they began."""
    id: str
    """Unique in the session."""
    title: str = ""
    source: str = ""
    """Where it came from: "recorded", "simulated", "har" ..."""
    removed: dict[str, Count] = {}
    """Secrets taken out before writing, by kind."""
    exchange: ExchangeHead


class StepLine(StepHead):
    """A recorded exchange."""

    bodies: Bodies = Bodies()
    sum: str | None = None


class EditModel(_Model):
    """One change to the parent's request."""

    op: Op
    pointer: str = ""
    value: str | None = None
    """JSON text as it is to stand in the body; plain text for headers and URLs."""
    source: str | None = None
    name: str | None = None
    label: str = ""
    origin: str = "user"


class RulesModel(_Model):
    """What the rules foretold."""

    says: Opinion
    codes: tuple[str, ...] = ()


class RunHead(_Model):
    """A resend of a step with some edits on, its bodies aside."""

    type: Literal["run"]
    number: Number
    step: Number
    """The step that was sent again."""
    parent: Number | None = None
    """The run whose request was edited further; missing: the step as recorded."""
    title: str = ""
    upstream: str
    """"simulator", or the URL that was asked."""
    predicted: int | None = None
    """Status the simulator foretold."""
    predicted_error: str | None = None
    rules: RulesModel | None = None
    """What the rules said to the request before it was sent."""
    contradiction: str = ""
    """A finding: the service decided otherwise than was foretold."""
    status: int | None = None
    """Status that came."""
    error: str | None = None
    verdict: Verdict
    reason: str = ""
    """Why, where the verdict does not say it all."""
    attempt: Number = 1
    at: str
    """RFC 3339, UTC."""
    recording: str = ""
    """SHA-256 over the step as it was then: its status, and length and bytes of both
    bodies; missing where the step stands in the same file."""
    edits: tuple[EditModel, ...] = ()
    removed: dict[str, Count] = {}
    exchange: ExchangeHead


class RunLine(RunHead):
    """A resend of a step with some edits on."""

    bodies: Bodies = Bodies()
    sum: str | None = None


class NoteLine(_Model):
    """A remark of the user or of a tool."""

    type: Literal["note"]
    text: str
    at: str
    step: Number | None = None
    """The step it is about; missing: the whole session."""
    sum: str | None = None


class AboutLine(_Model):
    """A new title and new tags: they hold instead of the header's, the last of these
    lines counts."""

    type: Literal["about"]
    title: str
    tags: tuple[str, ...] = ()
    at: str = ""
    """RFC 3339, UTC."""
    sum: str | None = None


class SpokenLine(_Model):
    """What a step, or all steps of an endpoint, speak: the user or a named service
    says so. The last line about a step or an endpoint counts."""

    type: Literal["dialect"]
    dialect: str
    """Its name; empty: what was said before is taken back."""
    at: str = ""
    """RFC 3339, UTC."""
    step: Number | None = None
    """The step it is about; missing: those of the endpoint."""
    endpoint: str = ""
    """Origin and path up to the API's own part: "https://llm.example/gw/v1"."""
    by: str = ""
    """Who says so, if not the user."""
    service: bool = False
    """What a service was called where it was named, not what the user decided."""
    sum: str | None = None


Record = StepHead | RunHead | NoteLine | AboutLine | SpokenLine
"""What may follow the first line."""
_WHOLE: dict[str, type[Record]] = {
    "note": NoteLine,
    "about": AboutLine,
    "dialect": SpokenLine,
}
HEADS: dict[str, type[Record]] = {"step": StepHead, "run": RunHead, **_WHOLE}
"""By type: what stands before the bodies."""
LINES: dict[str, type[Record]] = {"step": StepLine, "run": RunLine, **_WHOLE}
"""By type."""


def schema() -> dict[str, Any]:
    """The JSON Schema of one line of a session file."""
    lines = (StoredHeader, StepLine, RunLine, NoteLine, AboutLine, SpokenLine)
    refs, definitions = models_json_schema(
        [(model, "validation") for model in lines],
        ref_template="#/$defs/{model}",
    )
    _describe(definitions["$defs"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One line of a sigscope session file, format 1",
        "description": (
            "A session file is UTF-8, one JSON object a line. The first line is a"
            " HeaderLine, each further one a StepLine, a RunLine, a NoteLine,"
            " an AboutLine or a SpokenLine."
            " Lines of other types and unknown members are to be ignored."
        ),
        "anyOf": [refs[model, "validation"] for model in lines],
        **definitions,
    }


def _describe(tables: dict[str, Any]) -> None:
    """Add to each field the string that stands below it in this file."""
    for name, table in tables.items():
        model = globals().get(name)
        if not isinstance(model, type) or not issubclass(model, BaseModel):
            continue
        for parent in reversed(model.__mro__):
            if not issubclass(parent, _Model):
                continue
            for field, words in _strings_below(parent):
                if field in table["properties"]:
                    table["properties"][field]["description"] = words


def _strings_below(model: type) -> Iterator[tuple[str, str]]:
    body = ast.parse(inspect.getsource(model)).body[0]
    assert isinstance(body, ast.ClassDef)
    for field, below in pairwise(body.body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(words))),
            ):
                yield name, inspect.cleandoc(words)
