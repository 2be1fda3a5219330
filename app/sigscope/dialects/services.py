"""Whose API it is: the services that speak the dialects.

A dialect is the shape of a wire, and several services may speak one: Gemini is spoken
on AI Studio and on Vertex, the Responses API by OpenAI, Azure, Codex and Copilot. A
service is a record; the dialects that it speaks list it in their `services`. One that
speaks a single dialect may stand in that dialect's own file.

    COPILOT.seen_in(probe) -> Match.HOST
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase

from sigscope.dialects.probe import Match, Probe
from sigscope.records import dataclass


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable that a script needs."""

    name: str
    hint: str
    """What to set it to; plain words without quotes, braces and dollars."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One provider's endpoints: how they are known, and how they take a key."""

    name: str
    """Written to JSON as `service`; never reused for something else."""
    title: str
    """For people: "Google AI Studio"."""
    other_names: tuple[str, ...] = ()
    """What the AI SDK calls it, where that is not its name (ai-sdk.dev, "Provider
    metadata")."""
    hosts: tuple[str, ...] = ()
    """Host names in lower case, in which `*` stands for anything."""
    path: re.Pattern[str] | None = None
    """What only its paths hold, whatever the host."""
    request_headers: tuple[str, ...] = ()
    """Names of headers that no other service is sent."""
    answer_headers: tuple[str, ...] = ()
    """Beginnings of the names of headers that no other service answers with."""
    deciding_headers: tuple[str, ...] = ()
    """Names of headers that change what it makes of a request, but for keys: versions
    and features that are asked for, whose account it is, which program asks."""
    key_header: str = "authorization"
    """Header that takes the user's key; "authorization" takes it as a bearer."""
    key_variable: Variable | None = None
    """None: no name is usual."""
    keeps_to_itself: bool = False
    """Whether it cannot read the signatures of others that speak the same dialect."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called in files of agents."""
        return (self.name, *self.other_names)

    def is_at(self, host: str) -> bool:
        """Whether it is served at this host, given in lower case."""
        return any(fnmatchcase(host, pattern) for pattern in self.hosts)

    def speaks_at(self, path: str) -> bool:
        """Whether this path may be meant: one that has paths of its own speaks other
        APIs beside them. Without a path nothing says otherwise."""
        return self.path is None or not path or self.path.search(path) is not None

    def seen_in(self, probe: Probe) -> Match:
        """How surely an exchange went to it, by what only its own have."""
        if any(map(probe.request_header, self.request_headers)):
            return Match.HEADER
        if any(map(probe.has_response_header, self.answer_headers)):
            return Match.HEADER
        if self.is_at(probe.host):
            return Match.HOST
        if self.path is not None and self.path.search(probe.path):
            return Match.PATH
        return Match.NO


def surest(services: Iterable[Service], probe: Probe) -> tuple[Service | None, Match]:
    """The service that shows itself most surely, the first of equals; None where none
    does."""
    best: tuple[Service | None, Match] = (None, Match.NO)
    for service in services:
        match = service.seen_in(probe)
        if match > best[1]:
            best = (service, match)
    return best


COPILOT = Service(
    name="copilot",
    title="GitHub Copilot",
    # github.com's hosts, and `copilot-api.` before the domain of an enterprise that has
    # its own (source: opencode's Copilot plugin and its ports).
    hosts=("githubcopilot.com", "*.githubcopilot.com", "copilot-api.*"),
    request_headers=("copilot-integration-id", "copilot-vision-request"),
    deciding_headers=(
        "copilot-integration-id",
        "copilot-vision-request",
        "editor-plugin-version",
        "editor-version",
        "openai-intent",
        "x-github-api-version",
        "x-initiator",
    ),  # docs/wire/copilot-chat.md#ep-2
    key_variable=Variable("GITHUB_COPILOT_TOKEN", "a token of the Copilot API"),
)
COPILOT_COUNTS = "copilot_usage"
"""What Copilot counts beside a model's own usage (docs/wire/copilot-chat.md#ep-6)."""
VERTEX = Service(
    name="vertex",
    title="Google Vertex AI",
    other_names=("vertexAnthropic",),
    hosts=("aiplatform.googleapis.com", "*-aiplatform.googleapis.com"),
    deciding_headers=("x-goog-user-project",),
    key_variable=Variable(
        "GOOGLE_ACCESS_TOKEN", "what gcloud auth print-access-token prints"
    ),
    keeps_to_itself=True,
)
AI_STUDIO = Service(
    name="ai-studio",
    title="Google AI Studio",
    other_names=("google",),
    hosts=("generativelanguage.googleapis.com",),
    key_header="x-goog-api-key",
    key_variable=Variable("GEMINI_API_KEY", "your Gemini API key"),
    keeps_to_itself=True,
)
OPENAI = Service(
    name="openai",
    title="OpenAI",
    hosts=("api.openai.com", "*.api.openai.com"),
    # platform.openai.com/docs/api-reference/authentication
    deciding_headers=("openai-beta", "openai-organization", "openai-project"),
    key_variable=Variable("OPENAI_API_KEY", "your OpenAI key"),
    keeps_to_itself=True,
)
AZURE = Service(
    name="azure",
    title="Azure OpenAI",
    hosts=("*.openai.azure.com", "*.services.ai.azure.com"),
    key_header="api-key",
    key_variable=Variable("AZURE_OPENAI_API_KEY", "your Azure OpenAI key"),
    keeps_to_itself=True,
)
CODEX = Service(
    name="codex",
    title="Codex at ChatGPT",
    hosts=("chatgpt.com",),
    path=re.compile(r"/backend-api/codex/"),
    request_headers=("chatgpt-account-id",),
    deciding_headers=("chatgpt-account-id",),
    key_variable=Variable("CODEX_ACCESS_TOKEN", "the access token of codex login"),
    keeps_to_itself=True,
)
BEDROCK = Service(
    name="bedrock",
    title="Amazon Bedrock",
    hosts=("bedrock-runtime*.amazonaws.com", "bedrock-mantle*.api.aws"),
    key_variable=Variable("AWS_BEARER_TOKEN_BEDROCK", "your Bedrock API key"),
)
MISTRAL = Service(
    name="mistral",
    title="Mistral",
    hosts=("api.mistral.ai",),
    key_variable=Variable("MISTRAL_API_KEY", "your Mistral key"),
)
GROQ = Service(
    name="groq",
    title="Groq",
    hosts=("api.groq.com",),
    key_variable=Variable("GROQ_API_KEY", "your Groq key"),
)
XAI = Service(
    name="xai",
    title="xAI",
    hosts=("api.x.ai",),
    key_variable=Variable("XAI_API_KEY", "your xAI key"),
    keeps_to_itself=True,
)

SERVICES = (
    COPILOT,
    VERTEX,
    AI_STUDIO,
    OPENAI,
    AZURE,
    CODEX,
    BEDROCK,
    MISTRAL,
    GROQ,
    XAI,
)
"""Those that speak dialects of others, or none that is read."""
