"""What every simulated service is asked: which path is its own, what it makes of a
request, how it speaks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import field

from sigscope.records import dataclass
from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.checks.case import JudgedRequest
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.keptanswers import KeptAnswers
from sigscope.upstreams.simulator.mint.keyring import Keyring
from sigscope.upstreams.simulator.mint.seals import AS_MADE, Seal
from sigscope.upstreams.simulator.records import Json, Judgement
from sigscope.upstreams.simulator.speech.voice import Headers, SimAnswer, Voice, compact


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """What a path asks for, and of whom."""

    service: SimulatedService | None = None
    """None for the simulator's own pages."""
    method: str = "POST"
    """The HTTP method it takes."""
    page: Callable[[Incoming], Json] | None = None
    """What it shows without a model; None: a model is asked."""
    shows: Callable[[Incoming, KeptAnswers], SimAnswer] | None = None
    """The same of what the service keeps."""
    model: str = ""
    """The model that the path names; empty where the body does."""
    call: str = ""
    """Which of several calls the path names: `streamGenerateContent`, `responses`."""
    version: str = ""
    """The API version in the path."""
    surface: str = ""
    """The surface of the service that the path belongs to."""
    streams: bool = False
    """Whether the path asks for a stream; else the body tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """A request on its way to the checks."""

    route: Route
    incoming: Incoming
    config: SimConfig
    keyring: Keyring
    shelf: KeptAnswers = field(default_factory=KeptAnswers)
    is_verdict: bool = False
    """Whether nothing is wanted but whether it is refused, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedService(ABC):
    """One service as it is imitated. Stateless: one record serves every simulator."""

    name: str
    """Its dialect, as session files and `--dialect` write it."""
    paths: tuple[str, ...]
    """Where it is asked, as it lays its paths out; words in capitals stand for any."""
    models_path: str
    """Where it lists its models."""
    no_key: Json
    """The body of its 401."""
    seal: Seal = AS_MADE
    """How the signatures look that leave it."""
    rules: frozenset[str] = frozenset()
    """Rules it refuses requests under; `texts.rules_of` collects those of its texts."""
    value_rules: frozenset[str] = frozenset()
    """Of all rules, its own whose errors say that a signature's value is wrong."""
    provider: str = ""
    """Who serves it together with other dialects, at other paths; empty: nobody."""
    binding_rules: frozenset[str] = frozenset()
    """Those whose errors say that a signature stands in another conversation."""
    argument_rules: frozenset[str] = frozenset()
    """Those whose errors name a member of the body that it does not take."""

    def tuned(self, config: SimConfig, answered: Headers) -> SimConfig:
        """The settings, as far as the headers of a recorded answer tell of them."""
        return config

    def bind(self, request: Json) -> str:
        """What the signatures of an answer to a request are bound to: see
        `Anchor.before`. Empty where it binds none."""
        return ""

    def route(self, path: str, *, is_pinned: bool) -> Route | None:
        """What a path asks of it; None where it has no such path.

        A pinned service is asked by the end of the path only, since users put base
        URLs of many forms in front of it.
        """
        is_list = path.endswith("/models") if is_pinned else path == self.models_path
        if is_list:
            return Route(service=self, method="GET", page=lambda _: self.models())
        return self.find(path, is_pinned=is_pinned)

    @abstractmethod
    def find(self, path: str, *, is_pinned: bool) -> Route | None:
        """The same of paths that ask a model."""

    @abstractmethod
    def examine(self, inquiry: Inquiry) -> JudgedRequest:
        """Judge a request to a model. Pure: no clock, no memory."""

    @abstractmethod
    def speak(self, voice: Voice, incoming: Incoming) -> SimAnswer:
        """Say a reply, whole or streamed."""

    @abstractmethod
    def models(self) -> Json:
        """The answer to a request for models."""

    def refuse(self, judgement: Judgement, incoming: Incoming) -> SimAnswer:
        """The answer to a refused request."""
        return self.print_error(judgement.status, judgement.body)

    def print_error(self, status: int, body: Json) -> SimAnswer:
        """An error as the service prints and types it."""
        return print_error(status, body)


def print_error(status: int, body: Json) -> SimAnswer:
    """An error as most services print it: compact, and no charset."""
    data = compact(body).encode(errors="backslashreplace")
    headers = (("content-type", "application/json"),)
    return SimAnswer(status=status, headers=headers, pieces=(data,))


def own_error(status: int, message: str) -> SimAnswer:
    """An error of the simulator itself, not of the service it imitates."""
    return print_error(status, {"error": {"message": message, "code": status}})
