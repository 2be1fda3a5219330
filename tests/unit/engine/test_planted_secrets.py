"""A secret, planted anywhere, cut anywhere, spelled in any way, leaves in no export."""

from __future__ import annotations

import base64
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigscope.edits.records import Edit, Op
from sigscope.engine.engine import Engine
from sigscope.engine.export.exports import FORMATS, SESSION
from sigscope.engine.sessions.document import Document
from sigscope.errors import SigscopeError
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.runs import Run, Verdict
from sigscope.session import Note, Session, Step

pytestmark = pytest.mark.slow

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
PREFIXES = ("sk-ant-api03-", "sk-or-v1-", "ghp_", "sk-proj-", "")


@dataclass(frozen=True, kw_only=True)
class Plant:
    secret: str
    spelled: str
    """A text that holds it."""
    cuts: tuple[int, ...]
    """Where a stream cuts that text."""


@st.composite
def plants(draw: st.DrawFn) -> Plant:
    prefix = draw(st.sampled_from(PREFIXES))
    body = draw(st.text(LETTERS, min_size=36, max_size=48))
    secret = f"{prefix}{body}9aZ"
    named = f"the key is {secret} ok" if prefix else f'{{"api_key": "{secret}"}}'
    spellings = (
        named,
        json.dumps({"inner": named}),
        quote(named, safe=""),
        quote(quote(named, safe=""), safe=""),
        base64.b64encode(named.encode()).decode(),
        base64.urlsafe_b64encode(f"é {named}".encode()).decode(),
        "Authorization: Basic " + base64.b64encode(f"u:{secret}".encode()).decode(),
        f"Authorization: Bearer {secret}",
        f"export MY_API_KEY={secret}",
        f"postgres://me:{secret}@db/x?password={secret}",
    )
    spelled = draw(st.sampled_from(spellings))
    cuts = draw(st.sets(st.integers(1, len(spelled) - 1), min_size=1, max_size=6))
    return Plant(secret=secret, spelled=spelled, cuts=tuple(sorted(cuts)))


def needlessly_escaped(data: bytes, secret: str) -> bytes:
    """Some letters of the secret as `\\u` escapes, which JSON allows."""
    odd = "".join(
        f"\\u{ord(char):04x}" if place % 3 == 0 else char
        for place, char in enumerate(secret)
    )
    return data.replace(secret.encode(), odd.encode())


def delta(**members: object) -> bytes:
    choice = {"index": 0, "delta": members, "finish_reason": None}
    return b"data: " + json.dumps({"id": "x", "choices": [choice]}).encode() + b"\n\n"


def stream(plant: Plant) -> bytes:
    places = [0, *plant.cuts, len(plant.spelled)]
    pieces = [plant.spelled[a:b] for a, b in pairwise(places)]
    arguments = json.dumps({"cmd": "run", "with": plant.spelled})
    width = max(3, plant.cuts[0])
    events = [delta(content=piece) for piece in pieces]
    for start in range(0, len(arguments), width):
        head = {"id": "c9", "type": "function"} if start == 0 else {}
        function = {"arguments": arguments[start : start + width]}
        name = {"name": "shell"} if start == 0 else {}
        call = {"index": 0, **head, "function": {**name, **function}}
        events.append(delta(tool_calls=[call]))
    return b"".join([*events, b"data: [DONE]\n\n"])


def document(plant: Plant) -> Document:
    secret, spelled = plant.secret, plant.spelled
    call = {"name": "shell", "arguments": json.dumps({"text": spelled})}
    body = json.dumps(
        {
            "model": "m",
            "messages": [
                {"role": "user", "content": spelled},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": "c1", "type": "function", "function": call}],
                },
                {"role": "tool", "tool_call_id": "c1", "content": f"-\n{spelled}"},
            ],
        }
    ).encode()
    request = Request(
        url=f"https://me:{secret}@openrouter.ai/api/v1/chat/completions?sig={secret}",
        headers=(
            ("content-type", "application/json"),
            ("authorization", f"Bearer {secret}"),
            ("x-odd-thing", secret),
            ("cookie", f"s={secret}"),
            ("x-forwarded-url", f"https://h/?token={secret}"),
        ),
        body=Body(needlessly_escaped(body, secret)),
    )
    streamed = Response(
        status=200,
        headers=(
            ("content-type", "text/event-stream"),
            ("set-cookie", f"s={secret}"),
        ),
        body=Body(stream(plant)),
        ending="complete",
    )
    refused = Response(
        status=401,
        reason=f"Bad key {secret}",
        headers=(("content-type", "application/json"),),
        body=Body(json.dumps({"error": {"message": f"No: {spelled}"}}).encode()),
        ending="complete",
    )
    steps = (
        Step(number=1, id="s1", exchange=Exchange(request=request, response=streamed)),
        Step(
            number=2,
            id="s2",
            title=spelled,
            exchange=Exchange(request=request, response=refused, remarks=(spelled,)),
        ),
    )
    run = Run(
        number=1,
        step=2,
        upstream=f"https://api.example.org/?key={secret}",
        edits=(
            Edit(op=Op.SET, pointer="/api_key", value=json.dumps(secret)),
            Edit(op=Op.SET, pointer="/x", value=json.dumps(spelled), label=spelled),
            Edit(op=Op.HEADER, name="x-api-key", value=secret),
        ),
        exchange=steps[1].exchange,
        predicted=401,
        predicted_error=spelled,
        status=401,
        error=f"No: {secret}",
        verdict=Verdict.REPRODUCED,
        at="2026-01-01T00:00:00Z",
    )
    session = Session(
        id="abc",
        title=spelled,
        story=spelled,
        tags=(secret,),
        steps=steps,
        runs=[run],
        notes=[Note(text=spelled, at="2026-01-01T00:00:00Z")],
    )
    return Document(session)


def readings_of(text: str, depth: int = 2) -> Iterator[str]:
    """The text as one may read it: as it stands, unescaped, unquoted, decoded."""
    yield text
    if not depth:
        return
    yield from readings_of(unquote(text), 0)
    yield from readings_of(unquote(unquote(text)), 0)
    plain = re.sub(r"\\+u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text)
    yield plain
    for run in re.findall(r"[\w+/-]{24,}", text, re.ASCII):
        safe = run.replace("-", "+").replace("_", "/")
        for shift in range(4):
            piece = safe[shift:]
            piece = piece[: len(piece) // 4 * 4]
            yield base64.b64decode(piece).decode("latin-1")


def reassembled(engine: Engine, path: Path) -> str:
    """What the exported file's own streams say when they are put together."""
    try:
        copy = engine.open(path)
    except SigscopeError:
        return ""
    told = []
    for reading in copy.readings:
        message = reading.reply.message
        if message:
            told += [message.text, *(call.arguments for call in message.calls)]
        for sent in reading.conversation.messages:
            told += [sent.text, *(call.arguments for call in sent.calls)]
    return "\n".join(told)


@settings(max_examples=25, deadline=None)
@given(plants())
def test_a_planted_secret_leaves_in_no_format(plant: Plant) -> None:
    engine = Engine()
    planted = document(plant)
    core = plant.secret[-30:]
    assert core in planted.steps[0].exchange.request.url  # type: ignore[union-attr]
    with tempfile.TemporaryDirectory() as folder:
        for form in FORMATS:
            path = Path(folder) / f"out{form.suffix}"
            step = 2 if form.is_of_one else None
            engine.export(planted, path, format=form.name, step=step, force=True)
            told = path.read_bytes().decode("utf-8", "replace")
            if form.name in (SESSION, "har", "vcr"):
                again = reassembled(engine, path)
                assert "the key is" not in plant.spelled or "the key is" in again
                told = f"{told}\n{again}"
            for reading in readings_of(told):
                assert core not in reading, (form.name, plant.spelled)
