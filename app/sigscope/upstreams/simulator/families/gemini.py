"""generateContent: its paths, its three ways to answer, its errors and lists."""

from __future__ import annotations

import json
import re

from sigscope.records import dataclass
from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.checks import gemini
from sigscope.upstreams.simulator.checks.case import JudgedRequest
from sigscope.upstreams.simulator.families.base import Inquiry, Route, SimulatedService
from sigscope.upstreams.simulator.models import OFFERED
from sigscope.upstreams.simulator.records import Json, Judgement
from sigscope.upstreams.simulator.speech import gemini as speech
from sigscope.upstreams.simulator.speech.voice import SimAnswer, Voice

_GENERATE = re.compile(
    r"(?:/(?P<version>v1(?:alpha|beta1?)?))?"
    r"(?:/projects/[^/]+/locations/[^/]+)?(?P<vertex>/publishers/google)?"
    r"/models/(?P<model>[^/:]+):(?P<method>[A-Za-z]+)"
)
_COUNT = "countTokens"
_METHODS = ("generateContent", "streamGenerateContent", _COUNT)
_HEADERS = (("content-type", "application/json; charset=UTF-8"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiService(SimulatedService):
    """A speaker of generateContent, on either of Google's surfaces."""

    def find(self, path: str, *, is_pinned: bool) -> Route | None:
        found = _GENERATE.fullmatch(path)
        if found is None or found["method"] not in _METHODS:
            return None
        return Route(
            service=self,
            page=_count if found["method"] == _COUNT else None,
            model=found["model"],
            call=found["method"],
            version=found["version"] or "v1",
            surface="vertex" if found["vertex"] else "ai-studio",
        )

    def examine(self, inquiry: Inquiry) -> JudgedRequest:
        route = inquiry.route
        return gemini.examine(
            inquiry.incoming,
            inquiry.config,
            inquiry.keyring,
            name=route.model,
            surface=route.surface,
            method=route.call,
            version=route.version,
            is_verdict=inquiry.is_verdict,
        )

    def speak(self, voice: Voice, incoming: Incoming) -> SimAnswer:
        return speech.speak(voice, sse=_is_sse(incoming))

    def refuse(self, judgement: Judgement, incoming: Incoming) -> SimAnswer:
        """The error of an array stream is put into an array."""
        is_array = judgement.streams and not _is_sse(incoming)
        body = [judgement.body] if is_array else judgement.body
        return self.print_error(judgement.status, body)

    def print_error(self, status: int, body: Json) -> SimAnswer:
        """Google indents."""
        text = json.dumps(body, indent=2, ensure_ascii=False) + "\n"
        data = text.encode(errors="backslashreplace")
        return SimAnswer(status=status, headers=_HEADERS, pieces=(data,))

    def models(self) -> Json:
        names = [name for name in OFFERED if name.startswith("gemini")]
        return {"models": [_entry(name) for name in names]}


def _is_sse(incoming: Incoming) -> bool:
    return incoming.query.get("alt") == "sse"


def _count(incoming: Incoming) -> Json:
    return {"totalTokens": max(1, len(incoming.body) // 4)}


def _entry(name: str) -> Json:
    return {
        "name": f"models/{name}",
        "displayName": name,
        "supportedGenerationMethods": list(_METHODS),
        "thinking": True,
    }
