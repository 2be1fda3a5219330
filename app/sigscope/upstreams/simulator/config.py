"""What one simulated service is told before it answers anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal, get_args

from sigscope.errors import UsageError
from sigscope.records import dataclass

Surface = Literal["ai-studio", "vertex"]
Enforce = Literal["strict", "lenient"]
AnchorKind = Literal["", "call", "text", "thought"]
Move = Literal["calls", "parallel", "text", "long"]
"""One reply: a call, two calls at once, an answer, a long answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """What a signature belongs to. Fields that are empty are not known."""

    kind: AnchorKind = ""
    """`text` covers answers and files, `thought` a part with `thought: true`."""
    name: str = ""
    """Function name of a call."""
    call_id: str = ""
    """Call id as the client saw it, without a `__thought__` suffix."""
    arguments: object = None
    """Parsed arguments of a call; None if unknown."""
    text: str | None = None
    """Readable text the signature stands beside; None if unknown."""
    surface: str = ""
    """`ai-studio` or `vertex` where a recording tells; else empty."""
    before: str = ""
    """What stood before it, where it is bound to that: as its service writes it."""

    def __str__(self) -> str:
        if self.kind == "call":
            return f"call {self.name} {self.call_id}".strip()
        return self.kind or "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class SimConfig:
    """Settings of a simulator. Equal settings and requests give equal answers."""

    dialect: str = "any"
    """`any` tells the services apart by path; else every path means this one."""
    service: str = ""
    """Whose API, where several speak the dialect: as `service` in JSON. Empty: told by
    the request, else the first."""
    model: str = "gemini-3-pro-preview"
    """Answers where a request names no model, or one that is not known here."""
    surface: Surface | None = None
    """Google's surface upstream. None: by path for Gemini, `vertex` for Copilot and
    OpenRouter (their quoted errors are Vertex's), `ai-studio` for LiteLLM."""
    enforce: Enforce = "strict"
    """`lenient` lets pass what sources dispute or nobody has seen refused
    ("contested" in docs/wire): CPC-1, unknown fields and broken envelopes at
    Copilot (CPC-2), a signature on another call (GEM-12 and others), GEM-14 within
    Gemini, GEM-15, GEM-16, the base64 bypass on Vertex, entries without a format at
    OpenRouter, and signatures that do not verify in closed turns or on models
    before Gemini 3."""
    refused_arguments: tuple[str, ...] = ()
    """Members of the body that Copilot refuses by name (CPC-3). None by default: that
    `reasoning_effort` is refused for Gemini is reported and contested, and which model
    takes which argument is nowhere documented."""
    missing: Literal["refuse", "finish"] = "refuse"
    """What a missing signature does: 400 (GEM-1/2), or HTTP 200 and no content with
    finish reason MISSING_THOUGHT_SIGNATURE (GEM-17, LLM-7)."""
    seed: str = "sigscope"
    """Drives ids, signatures, sizes and wording."""
    account: str = "account-1"
    """Signatures of another account are foreign here."""
    pace_ms: float = 0.0
    """Pause between the pieces of a stream, in milliseconds."""
    key: str | None = None
    """If set, requests without it get 401."""
    genuine: Mapping[str, Anchor] = field(default_factory=dict)
    """Signatures to accept besides own ones: text as received -> what it anchors.
    From a recorded session: what its responses brought (and what its accepted
    requests carried, if that came from before the recording)."""
    stored: Mapping[str, tuple[Sequence[object], Sequence[object]]] = field(
        default_factory=dict
    )
    """Answers that the service keeps besides those it gives itself: id -> the items of
    the history before it, and its own. From a recorded session."""
    litellm_version: str = "1.106.2"
    """Which proxy to imitate; docs/wire/litellm.md#placements tells the versions
    apart."""
    fades: bool = True
    """Whether reasoning fades when genuine signatures stay away (Zoo-Code#736)."""
    script: tuple[Move, ...] = ()
    """What the replies of a conversation are, one after the other, whatever is asked;
    answers after that. A client that offers no tools gets no calls. Empty: what the
    user's words ask for."""
    log_limit: int = 500
    """How many requests `/_sim/log` remembers."""

    def __post_init__(self) -> None:
        for name, allowed in (
            ("dialect", _dialects(self.dialect)),
            ("surface", (None, "ai-studio", "vertex")),
            ("enforce", ("strict", "lenient")),
            ("missing", ("refuse", "finish")),
        ):
            value = getattr(self, name)
            if value not in allowed:
                choices = ", ".join(str(choice) for choice in allowed if choice)
                raise UsageError(f"simulator: {name} {value!r} is not one of {choices}")
        for move in self.script:
            if move not in get_args(Move):
                choices = ", ".join(get_args(Move))
                raise UsageError(f"simulator: turn {move!r} is not one of {choices}")
        if not self.pace_ms >= 0:
            raise UsageError(f"simulator: pace {self.pace_ms!r} must be 0 or more")
        parse_version(self.litellm_version)

    @property
    def strict(self) -> bool:
        return self.enforce == "strict"


def _dialects(wanted: str) -> tuple[str, ...]:
    """What can be asked for. The services are read only where one is: each of them
    needs these settings to be known first, and most programs never ask."""
    if wanted == "any":
        return ("any",)
    from sigscope.upstreams.simulator.services.registry import names

    return ("any", *names())


def parse_version(text: str) -> tuple[int, ...]:
    """ "1.106.2" -> (1, 106, 2). Raises UsageError for anything else."""
    try:
        return tuple(int(part) for part in text.split("."))
    except ValueError:
        raise UsageError(
            f"simulator: LiteLLM version {text!r} should look like 1.106.2"
        ) from None
