"""Acme as the strict simulator plays it."""

from collections.abc import Iterator

from sigscope.upstreams.simulator.checks.case import Docket
from sigscope.upstreams.simulator.checks.chat_checks import ChatChecks
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.families.chat_completions import ChatService
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import Json, Refusal
from sigscope.upstreams.simulator.speech.chat import ChatResponder
from sigscope.upstreams.simulator.speech.voice import Voice
from sigscope.upstreams.simulator.texts import ErrorText

MISSING = ErrorText(
    rule="ACM-1",
    text="acme_state is missing in message {index}",
    source="docs.acme.example/state",
)


class AcmeChecks(ChatChecks):
    """Wants `acme_state` on every message with calls."""

    def model_of(self, asked: str, config: SimConfig) -> Model:
        return Model(name=asked, vendor="other")

    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        contents, refusal = super().weigh(docket, body)
        for index, message in enumerate(body["messages"]):
            if message.get("tool_calls") and not message.get("acme_state"):
                where = f"/messages/{index}"
                return contents, MISSING.refuse(pointer=where, index=index)
        return contents, refusal


class AcmeResponder(ChatResponder):
    """Gives `acme_state` with its calls."""

    def deltas(self, voice: Voice) -> Iterator[dict[str, Json]]:
        yield from super().deltas(voice)
        yield from ({"acme_state": state} for state in _states(voice))

    def message(self, voice: Voice) -> dict[str, Json]:
        states = ({"acme_state": state} for state in _states(voice))
        return {**super().message(voice), **next(states, {})}


def _states(voice: Voice) -> Iterator[str]:
    if voice.reply.calls:
        yield f"state-{voice.draws.child('state').urlsafe(80)}"


SERVICE = ChatService(
    name="acme",
    paths=("/acme/v1/chat/completions",),
    models_path="/acme/v1/models",
    no_key={"error": {"message": "no key"}},
    rules=frozenset({"ACM-1"}),
    checks=AcmeChecks(),
    responder=AcmeResponder(),
    offered=("acme-1",),
)
