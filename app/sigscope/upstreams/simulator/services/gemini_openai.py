"""Gemini's OpenAI-compatible endpoint, on AI Studio and on Vertex: it translates, and
Gemini itself refuses (docs/wire/gemini-openai.md)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sigscope.upstreams.simulator.checks.case import Case, Docket, Wrap, under
from sigscope.upstreams.simulator.checks.chat import translate
from sigscope.upstreams.simulator.checks.chat_checks import ChatChecks
from sigscope.upstreams.simulator.checks.gemini import wrap
from sigscope.upstreams.simulator.checks.google import Google
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.families.base import Inquiry, Route
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.models import OFFERED
from sigscope.upstreams.simulator.records import Json, Refusal, as_dict, as_list
from sigscope.upstreams.simulator.speech.callids import google_id
from sigscope.upstreams.simulator.speech.chat import ChatResponder
from sigscope.upstreams.simulator.speech.voice import Answer, Voice
from sigscope.upstreams.simulator.texts import google as texts

_ON_VERTEX = "/endpoints/openapi/chat/completions"
_NAMESPACES = ("google", "vertex")
_RULES = {"GEM-1": "GOC-1", "GEM-2": "GOC-1"} | dict.fromkeys(
    ("GEM-4", "GEM-5", "GEM-6", "GEM-12", "GEM-14"), "GOC-2"
)


def _in_list(refusal: Refusal) -> Json:
    return [wrap(refusal)]


def _sign(message: dict[str, Any], pointer: str, content: Content) -> None:
    """Each call has its own, under either word."""
    calls = as_list(message.get("tool_calls"))
    for part, call in zip(content.calls, calls, strict=True):
        extra = as_dict(as_dict(call).get("extra_content"))
        for name in _NAMESPACES:
            value = as_dict(extra.get(name)).get("thought_signature")
            if isinstance(value, str) and value:
                part.signature = value
                place = f"extra_content/{name}/thought_signature"
                part.signature_pointer = f"{part.pointer}/{place}"


class GeminiOpenAIChecks(ChatChecks):
    """What Gemini refuses of the contents that it makes."""

    is_gateway = True

    def wrapper(self, docket: Docket) -> Wrap:
        return _in_list

    def turn_away(self, docket: Docket, body: dict[str, Json]) -> Refusal | None:
        if docket.model.vendor != "google":
            name = docket.model.name
            return texts.NO_MODEL_GOOGLE.refuse(name=name, version="v1main")
        return super().turn_away(docket, body)

    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        contents = translate(body["messages"], _sign)
        assert docket.origin is not None
        google = Google.behind(docket, docket.origin)
        docket.contents, docket.signatures = contents, google.judge(contents)
        refusal = google.refuse(contents)
        rule = refusal.rule if refusal else ""
        return contents, under(refusal, _RULES.get(rule, rule))


class GeminiOpenAIResponder(ChatResponder):
    """No reasoning is shown; each call comes whole, without an index."""

    def speak(self, voice: Voice) -> Answer:
        unseen = replace(voice, reply=replace(voice.reply, thoughts=()))
        return super().speak(unseen)

    def call_ids(self, voice: Voice) -> list[str]:
        return voice.call_ids(google_id)

    def calls(self, voice: Voice) -> list[dict[str, Json]]:
        """The first of parallel calls is signed."""
        calls = super().calls(voice)
        for call in calls:
            del call["index"]
        if calls and voice.reply.signed:
            word = _NAMESPACES[voice.case.judgement.surface == "vertex"]
            value = voice.sign(voice.call_anchor(0, calls[0]["id"]))
            calls[0]["extra_content"] = {word: {"thought_signature": value}}
        return calls


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiOpenAIService(ChatService):
    """On the surface that the path belongs to."""

    def find(self, path: str, *, is_pinned: bool) -> Route | None:
        if path.endswith(_ON_VERTEX):
            return Route(service=self, surface="vertex")
        return ChatService.find(self, path, is_pinned=is_pinned)

    def examine(self, inquiry: Inquiry) -> Case:
        config, is_vertex = inquiry.config, inquiry.route.surface == "vertex"
        if not config.surface:
            config = replace(config, surface="vertex" if is_vertex else "ai-studio")
        return self.checks.examine(replace(inquiry, config=config))


SERVICE = GeminiOpenAIService(
    name="gemini-openai",
    paths=(
        "/v1beta/openai/chat/completions",
        f"/v1/projects/P/locations/L{_ON_VERTEX}",
    ),
    models_path="/v1beta/openai/models",
    no_key=_in_list(texts.NO_KEY_GOOGLE.refuse()),
    rules=frozenset(_RULES.values()),
    value_rules=frozenset({"GOC-2"}),
    checks=GeminiOpenAIChecks(),
    responder=GeminiOpenAIResponder(),
    offered=tuple(name for name in OFFERED if name.startswith("gemini")),
)
