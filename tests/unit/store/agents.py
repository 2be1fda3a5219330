"""A coding agent's session, made up: the history goes out again with every step."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sigscope.exchange import Body, Chunk, Exchange, Request, Response
from sigscope.session import Step

_WORDS = """
the a of to in file function class return error value list test model config user path
read write open thread request response stream event parse build check import module
server client header body chunk line number string object array key data type state step
session carrier anchor reasoning größe naïve 文件
"""
WORDS = _WORDS.split()
REQUEST_HEADERS = (
    ("Host", "api.githubcopilot.com"),
    ("Content-Type", "application/json"),
    ("Authorization", "Bearer tid=0123456789;exp=1763690000;sku=x:0f0f0f0f0f0f"),
    ("Copilot-Integration-Id", "vscode-chat"),
    ("Editor-Version", "vscode/1.107.0"),
    ("User-Agent", "an-agent/1.2.3"),
    ("Accept-Encoding", "gzip, deflate, br"),
)
RESPONSE_HEADERS = (
    ("Date", "Sat, 21 Nov 2026 03:14:15 GMT"),
    ("Content-Security-Policy", "default-src 'none'; sandbox"),
    ("Strict-Transport-Security", "max-age=31536000"),
    ("X-Github-Backend", "Kubernetes"),
    ("X-Request-Id", "00000-81a2"),
    ("Set-Cookie", "session=abcdef; Path=/; HttpOnly"),
)


@dataclass(slots=True)
class Agent:
    """Makes the steps of one session; the same seed makes the same ones."""

    seed: int = 1
    streamed: bool = False
    early_change: bool = False
    """Something near the start of the request changes with every step."""
    rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    def words(self, count: int) -> str:
        return " ".join(self.rng.choice(WORDS) for _ in range(count))

    def steps(self, count: int) -> Iterator[Step]:
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": self.words(1500)},
            {"role": "user", "content": self.words(60)},
        ]
        tools = [self._tool(number) for number in range(20)]
        for number in range(1, count + 1):
            if self.early_change:
                clock = self.rng.randint(0, 10 ** self.rng.randint(3, 9))
                text = str(messages[0]["content"]).split(" ", 2)[2]
                messages[0]["content"] = f"It is {clock} {text}"
            body = {"model": "gemini-3-pro-preview", "messages": messages}
            reply = self._reply(number)
            yield self._step(number, body | {"tools": tools, "stream": True}, reply)
            messages.append(reply)
            call = reply["tool_calls"][0]["id"]
            result = "\n".join(
                "    " * self.rng.randint(0, 3) + self.words(self.rng.randint(2, 9))
                for _ in range(self.rng.randint(5, 60))
            )
            messages.append({"role": "tool", "tool_call_id": call, "content": result})

    def _tool(self, number: int) -> dict[str, Any]:
        properties = {
            word: {"type": "string", "description": self.words(8)}
            for word in self.rng.sample(WORDS, 4)
        }
        function = {
            "name": f"tool_{number}",
            "description": self.words(40),
            "parameters": {"type": "object", "properties": properties},
        }
        return {"type": "function", "function": function}

    def _reply(self, number: int) -> dict[str, Any]:
        arguments = {"path": self.words(2).replace(" ", "/"), "n": number}
        sealed = self.rng.randbytes(self.rng.randint(300, 1100))
        call = {
            "id": f"call_{self.rng.randbytes(9).hex()}",
            "type": "function",
            "function": {"name": "tool_3", "arguments": json.dumps(arguments)},
        }
        return {
            "role": "assistant",
            "content": self.words(self.rng.randint(5, 60)),
            "reasoning_text": self.words(self.rng.randint(10, 80)),
            "reasoning_opaque": base64.b64encode(sealed).decode(),
            "tool_calls": [call],
        }

    def _step(
        self, number: int, request: dict[str, Any], reply: dict[str, Any]
    ) -> Step:
        pieces = self._stream(number, reply) if self.streamed else [dump(reply)]
        end, moment = 0, 900.0
        chunks = []
        for piece in pieces:
            end += len(piece)
            moment += self.rng.expovariate(1 / 18)
            chunks.append(Chunk(end=end, at_ms=round(moment, 3)))
        return Step(
            number=number,
            id=f"s{number}",
            source="recorded",
            exchange=Exchange(
                request=Request(
                    url="https://api.githubcopilot.com/chat/completions",
                    headers=REQUEST_HEADERS,
                    body=Body(dump(request)),
                    http_version="HTTP/1.1",
                ),
                response=Response(
                    status=200,
                    reason="OK",
                    headers=RESPONSE_HEADERS,
                    body=Body(b"".join(pieces)),
                    chunks=tuple(chunks),
                    ending="complete",
                ),
                started_at="2026-11-21T03:14:15Z",
                first_byte_ms=900.0,
                duration_ms=moment,
            ),
        )

    def _stream(self, number: int, reply: dict[str, Any]) -> list[bytes]:
        common = {
            "id": f"gen-{self.rng.randbytes(12).hex()}",
            "object": "chat.completion.chunk",
            "created": 1763690000 + 7 * number,
            "model": "gemini-3-pro-preview",
        }
        call = reply["tool_calls"][0]
        arguments = call["function"]["arguments"]
        deltas: list[dict[str, Any]] = [
            {"content": None, "reasoning_text": text} for text in split(reply, 3)
        ]
        deltas += [{"content": word + " "} for word in reply["content"].split(" ")]
        for start in range(0, len(arguments), 6):
            piece = {"name": "tool_3", "arguments": arguments[start : start + 6]}
            deltas.append({"tool_calls": [{"index": 0, **call, "function": piece}]})
        deltas.append({"reasoning_opaque": reply["reasoning_opaque"]})
        events = [
            common | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
            for delta in deltas
        ]
        return [
            *(b"data: " + dump(event) + b"\n\n" for event in events),
            b"data: [DONE]\n\n",
        ]


def split(reply: dict[str, Any], count: int) -> Iterator[str]:
    words = reply["reasoning_text"].split(" ")
    for start in range(0, len(words), count):
        yield " ".join(words[start : start + count]) + " "


def dump(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def http_bytes(step: Step) -> int:
    """What the exchange weighs on the wire: heads and bodies."""
    request, response = step.exchange.request, step.exchange.response
    assert request is not None
    assert response is not None
    heads = sum(len(n) + len(v) + 4 for n, v in (*request.headers, *response.headers))
    return heads + request.body.size + response.body.size
