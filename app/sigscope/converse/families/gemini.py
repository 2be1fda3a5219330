"""Speaking generateContent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from sigscope.converse.families.base import KEY, Ask, Pace, Speech
from sigscope.converse.memory import Captured, Entry
from sigscope.converse.policy import Policy, Read
from sigscope.converse.readers import Reader
from sigscope.converse.readers.gemini import GeminiReader
from sigscope.converse.tools import DECLARED
from sigscope.converse.writers.gemini import GeminiWriter
from sigscope.edits.records import Edit, Op
from sigscope.exchange import Headers
from sigscope.records import dataclass

_STREAM, _WHOLE = ":streamGenerateContent", ":generateContent"


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiSpeech(Speech):
    """A speaker of generateContent."""

    base: str
    """What stands before `/models/...`."""
    vertex: str
    """The same on Vertex, which takes another key."""

    family_paces: ClassVar[tuple[Pace, ...]] = (
        (b"functionCall", (140, 320)),
        (b'"thought": true', (260, 520)),
        (b'"text": "', (50, 120)),
    )
    has_parts: ClassVar[bool] = True

    def url_of(self, ask: Ask, policy: Policy) -> str:
        base = self.vertex if policy.surface == "vertex" else self.base
        method = "streamGenerateContent?alt=sse" if ask.stream else "generateContent"
        return f"{base}/models/{ask.model}:{method}"

    def own_headers(self, ask: Ask, policy: Policy) -> Headers:
        if policy.surface == "vertex":
            return (("authorization", f"Bearer {KEY}"),)
        return (("x-goog-api-key", KEY),)

    def body(
        self,
        ask: Ask,
        policy: Policy,
        entries: Sequence[Entry],
        chosen: Mapping[int, tuple[Captured, ...]],
    ) -> dict[str, Any]:
        """Thoughts are asked for: without that none come, which is not a loss
        (docs/wire/gemini.md#silent)."""
        body: dict[str, Any] = {
            "contents": GeminiWriter(policy).contents(entries, chosen),
            "systemInstruction": {"parts": [{"text": policy.client.system}]},
        }
        if ask.tools:
            body["tools"] = [{"functionDeclarations": list(DECLARED)}]
            body["generationConfig"] = {"thinkingConfig": {"includeThoughts": True}}
            body |= policy.client.body
        return body

    def streaming(
        self, url: str, body: Mapping[str, Any], *, stream: bool
    ) -> tuple[Edit, ...]:
        """The path says it, and the query how."""
        path, mark, query = url.partition("?")
        if path.endswith(_STREAM) is stream:
            return ()
        if stream:
            kept = [f"{path.removesuffix(_WHOLE)}{_STREAM}?alt=sse", query]
            target = "&".join(filter(None, kept))
        else:
            rest = "&".join(one for one in query.split("&") if one != "alt=sse")
            target = path.removesuffix(_STREAM) + _WHOLE + (rest and mark + rest)
        return (Edit(op=Op.URL, value=target),)

    def reader(self, read: Read) -> Reader:
        return GeminiReader(read)
