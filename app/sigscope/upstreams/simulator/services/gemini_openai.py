"""Gemini's OpenAI-compatible endpoint, on AI Studio and on Vertex: it translates, and
Gemini itself refuses (docs/wire/gemini-openai.md)."""

from __future__ import annotations

from sigscope.upstreams.simulator.checks.case import Docket, Wrap
from sigscope.upstreams.simulator.checks.chat import on_calls, translate
from sigscope.upstreams.simulator.checks.chat_checks import ChatChecks
from sigscope.upstreams.simulator.checks.gemini import wrap
from sigscope.upstreams.simulator.checks.google import Google
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.models import OFFERED
from sigscope.upstreams.simulator.records import Json, Refusal
from sigscope.upstreams.simulator.speech.callids import google_id
from sigscope.upstreams.simulator.speech.chat import ChatResponder
from sigscope.upstreams.simulator.speech.voice import Voice
from sigscope.upstreams.simulator.texts import google as texts

_ON_VERTEX = "/endpoints/openapi/chat/completions"
_WORDS = {"ai-studio": "google", "vertex": "vertex"}
"""Surface → its word under `extra_content`; either is read."""
_SIGN = on_calls(*(f"extra_content/{w}/thought_signature" for w in _WORDS.values()))
_RULES = dict.fromkeys(("GEM-1", "GEM-2"), "GOC-1") | dict.fromkeys(
    ("GEM-4", "GEM-5", "GEM-6", "GEM-12", "GEM-14"), "GOC-2"
)


def _in_list(refusal: Refusal) -> Json:
    return [wrap(refusal)]


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
        contents = translate(body["messages"], _SIGN)
        return contents, Google.hear(docket, contents, _RULES)


class GeminiOpenAIResponder(ChatResponder):
    """No reasoning is shown; each call comes whole, without an index."""

    def thinks(self, voice: Voice) -> bool:
        return False

    def call_ids(self, voice: Voice) -> list[str]:
        return voice.call_ids(google_id)

    def calls(self, voice: Voice) -> list[dict[str, Json]]:
        """The first of parallel calls is signed."""
        calls = super().calls(voice)
        for call in calls:
            del call["index"]
        if calls and voice.reply.signed:
            word = _WORDS[voice.case.judgement.surface]
            value = voice.sign(voice.call_anchor(0, calls[0]["id"]))
            calls[0]["extra_content"] = {word: {"thought_signature": value}}
        return calls


SERVICE = ChatService(
    name="gemini-openai",
    paths=(
        "/v1beta/openai/chat/completions",
        f"/v1/projects/P/locations/L{_ON_VERTEX}",
    ),
    models_path="/v1beta/openai/models",
    surfaces={"": "ai-studio", _ON_VERTEX: "vertex"},
    no_key=_in_list(texts.NO_KEY_GOOGLE.refuse()),
    rules=frozenset(_RULES.values()),
    value_rules=frozenset({"GOC-2"}),
    checks=GeminiOpenAIChecks(),
    responder=GeminiOpenAIResponder(),
    offered=tuple(name for name in OFFERED if name.startswith("gemini")),
)
