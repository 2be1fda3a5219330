"""The frame of a judgement, for APIs whose body names model and history."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from sigscope.upstreams.simulator import texts
from sigscope.upstreams.simulator.arrival import BadJsonError, load_json
from sigscope.upstreams.simulator.checks.case import Docket, JudgedRequest, Wrap
from sigscope.upstreams.simulator.checks.strays import judge_strays
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.families.base import Inquiry
from sigscope.upstreams.simulator.mint.keyring import SealOwner
from sigscope.upstreams.simulator.models import Model, choose_model
from sigscope.upstreams.simulator.records import Json, Refusal, as_dict, as_text
from sigscope.upstreams.simulator.talk import HeardTalk


class BodyChecks(ABC):
    """What a service refuses. Stateless.

    Read, note who answers, turn away what is wrong before any signature is looked at,
    weigh the rest: that order is every service's, what happens in it is its own.
    """

    history: ClassVar[str]
    """The member of the body that holds the conversation."""
    is_gateway: ClassVar[bool] = False
    """Whether it may send the request on to Google, which the judgement then shows."""

    def examine(self, inquiry: Inquiry) -> JudgedRequest:
        """Judge a request to a model."""
        config, keyring, route = inquiry.config, inquiry.keyring, inquiry.route
        docket = Docket(
            config=config,
            keyring=keyring,
            dialect=route.service.name if route.service else "",
            model=self.model_of(route.model, config),
            is_gateway=self.is_gateway,
            streams=route.streams,
            inquiry=inquiry,
            is_verdict=inquiry.is_verdict,
        )
        docket.wrap = self.wrapper(docket)
        try:
            body = as_dict(load_json(inquiry.incoming.body))
        except BadJsonError as error:
            return docket.close(self.refuse_json(error))
        self._open(docket, body, route.model)
        if refusal := self.turn_away(docket, body):
            return docket.close(refusal)
        assert docket.origin is not None
        contents, refusal = self.weigh(docket, body)
        if docket.is_verdict:
            return docket.close(refusal)
        read, listed = docket.signatures, body.get(self.history)
        docket.signatures = [
            *read,
            *judge_strays(listed, f"/{self.history}", read, keyring, docket.origin),
        ]
        return docket.close(refusal, self.listen(contents, body))

    def _open(self, docket: Docket, body: dict[str, Json], named: str) -> None:
        """Note model, surface and origin. `named`: the model that the path names."""
        model = self.model_of(named or as_text(body.get("model")), docket.config)
        docket.model, docket.request = model, body
        docket.streams = docket.streams or bool(body.get("stream"))
        if self.is_gateway and model.vendor == "google":
            docket.surface = self.surface_of(body, docket.config)
        docket.origin = self.origin_of(model, docket.surface, docket.config)
        docket.wrap = self.wrapper(docket)

    def model_of(self, asked: str, config: SimConfig) -> Model:
        """The model that answers. A service with names of its own reads them here."""
        return choose_model(asked, config.model)

    def surface_of(self, body: dict[str, Json], config: SimConfig) -> str:
        """Google's surface behind it."""
        return config.surface or "vertex"

    def origin_of(self, model: Model, surface: str, config: SimConfig) -> SealOwner:
        """Who mints the signatures of this model."""
        return SealOwner(
            service=model.vendor,
            surface=surface,
            family=model.family,
            account=config.account,
        )

    @abstractmethod
    def wrapper(self, docket: Docket) -> Wrap:
        """What makes the error body around a refusal. Asked before the body was read,
        and again when model and surface are known."""

    def refuse_json(self, error: BadJsonError) -> Refusal:
        """What is said of a body that is no JSON."""
        return texts.BAD_JSON.refuse(problem=error.problem)

    def turn_away(self, docket: Docket, body: dict[str, Json]) -> Refusal | None:
        """What is refused before any signature is looked at."""
        return None

    @abstractmethod
    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        """The conversation as the model hears it, and what is refused about it. Notes
        the signatures that are read, and what else the docket has to say."""

    @abstractmethod
    def listen(self, contents: list[Content], body: dict[str, Json]) -> HeardTalk:
        """What the model hears: the conversation, the system's words, the tools."""
