"""The frame of a judgement that all speakers of chat completions share."""

from __future__ import annotations

from sigscope.upstreams.simulator import texts
from sigscope.upstreams.simulator.arrival import BadJsonError, Incoming, load_json
from sigscope.upstreams.simulator.checks.case import Case, Docket, Wrap
from sigscope.upstreams.simulator.checks.chat import system_text, translate
from sigscope.upstreams.simulator.checks.chat_order import refuse_order
from sigscope.upstreams.simulator.checks.strays import judge_strays
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.mint.keyring import Keyring, Origin
from sigscope.upstreams.simulator.models import Model, choose_model
from sigscope.upstreams.simulator.records import (
    Json,
    Refusal,
    as_dict,
    as_list,
    as_text,
)
from sigscope.upstreams.simulator.talk import hear, openai_tools


class ChatChecks:
    """What a speaker of chat completions refuses. Stateless.

    As it stands here: one that reads no signatures, looks at the order of calls and
    results alone, and wraps errors as OpenAI does. A service overrides what it does
    otherwise.
    """

    def examine(
        self, name: str, incoming: Incoming, config: SimConfig, keyring: Keyring
    ) -> Case:
        """Judge a request to `.../chat/completions` of the service of that name."""
        docket = Docket(
            config=config,
            keyring=keyring,
            dialect=name,
            wrap=wrap,
            model=choose_model("", config.model),
        )
        docket.wrap = self.wrapper(docket)
        try:
            body = as_dict(load_json(incoming.body))
        except BadJsonError as error:
            return docket.close(self.refuse_json(error))
        self._open(docket, body)
        if refusal := self.turn_away(docket, body):
            return docket.close(refusal)
        assert docket.origin is not None
        messages = body.get("messages")
        contents, refusal = self.weigh(docket, body)
        read = docket.signatures
        docket.signatures = [
            *read,
            *judge_strays(messages, "/messages", read, keyring, docket.origin),
        ]
        tools, choice = openai_tools(body)
        talk = hear(contents, system=system_text(messages), tools=tools, choice=choice)
        return docket.close(refusal, talk)

    def _open(self, docket: Docket, body: dict[str, Json]) -> None:
        """Note model, surface and origin."""
        model = self.model_of(as_text(body.get("model")), docket.config)
        docket.model, docket.request = model, body
        docket.streams = bool(body.get("stream"))
        if model.vendor == "google":
            docket.surface = self.surface_of(body, docket.config)
        docket.origin = self.origin_of(model, docket.surface, docket.config)
        docket.wrap = self.wrapper(docket)

    def model_of(self, asked: str, config: SimConfig) -> Model:
        """The model that answers. A service with names of its own reads them here."""
        return choose_model(asked, config.model)

    def surface_of(self, body: dict[str, Json], config: SimConfig) -> str:
        """Google's surface behind it."""
        return config.surface or "vertex"

    def origin_of(self, model: Model, surface: str, config: SimConfig) -> Origin:
        """Who mints the signatures of this model."""
        return Origin(
            service=model.vendor,
            surface=surface,
            family=model.family,
            account=config.account,
        )

    def turn_away(self, docket: Docket, body: dict[str, Json]) -> Refusal | None:
        """What is refused before any signature is looked at."""
        if not as_list(body.get("messages")):
            return texts.NO_MESSAGES.refuse(pointer="/messages")
        return None

    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        """The conversation as the model hears it, and what is refused about it. Notes
        the signatures that are read, and what else the docket has to say."""
        docket.is_gateway = False
        messages = body.get("messages")
        return translate(messages, leave_unsigned), refuse_order(messages)

    def refuse_json(self, error: BadJsonError) -> Refusal:
        """What is said of a body that is no JSON."""
        return texts.BAD_JSON.refuse(problem=error.problem)

    def wrapper(self, docket: Docket) -> Wrap:
        """What makes the error body around a refusal. Asked before the body was read,
        and again when model and surface are known."""
        return wrap


def wrap(refusal: Refusal) -> Json:
    """{"error": {"message", "type", "param", "code"}}, as OpenAI has it."""
    return {
        "error": {
            "message": refusal.message,
            "type": "invalid_request_error",
            "param": None,
            "code": refusal.code or None,
        }
    }


def leave_unsigned(message: dict[str, Json], pointer: str, content: Content) -> None:
    """For `translate`: the parts of this message carry no signatures."""
