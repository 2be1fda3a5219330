"""How GitHub Copilot words its errors."""

from __future__ import annotations

from sigscope.refusals.entry import ONE, PAIR, STREAM
from sigscope.refusals.pattern import Place, words
from sigscope.refusals.words import MISSING, Wording, marks

_PATTERNS = (
    words("CPC-3", "Unrecognized request argument supplied: {key}", Place.MEMBER),
    words("CPC-4", "not supported via Responses API", Place.MEMBER),
    words("CPC-4", "not accessible via the /chat/completions endpoint", Place.MEMBER),
    words("CPC-4", "unsupported_api_for_model", Place.MEMBER, in_code=True),
    words(
        "CPC-6",
        "function call turn comes immediately after a user turn",
        Place.PAIRING,
        is_own=True,
        source="microsoft/vscode #299295, vscode-copilot-chat #4628 [issue report]",
    ),
    words(
        "CPC-6",
        "function response turn comes immediately after a function call turn",
        Place.PAIRING,
        is_own=True,
        source="microsoft/vscode #299295, vscode-copilot-chat #4628 [issue report]",
    ),
    words("CPC-8", "Multiple reasoning_opaque values received"),
)
_LAST = (
    words(
        "CPC-2",
        "invalid_request_body",
        Place.SCHEMA,
        in_code=True,
        unless=("CPC-3", "ANT-1", "CPC-6", "GEM-1", "GEM-2", "GEM-3", "GEM-18"),
    ),
    words(
        "CPC-2",
        "invalid request body, failed to validate schema",
        Place.SCHEMA,
        source="copilot-api #176 [issue report]",
    ),
)
WORDING = Wording(
    name="copilot-chat",
    api="GitHub Copilot",
    prefix="CPC-",
    marks=marks(r"githubcopilot\.com|CAPIError|GH Request Id|invalid_request_body"),
    behind={
        **dict.fromkeys(MISSING, "CPC-1"),
        "ANT-1": "CPC-5",
        "GEM-18": "CPC-6",
    },
    patterns=_PATTERNS,
    last_patterns=_LAST,
    looks={
        "CPC-1": "reasoning_opaque on the assistant message that has the tool calls",
        "CPC-2": "`content` of assistant messages ([] is refused), and signature fields"
        " inside tool calls",
        "CPC-3": "the named argument: this model takes none such",
        "CPC-4": "supported_endpoints of the model in the answer of /models",
        "CPC-5": "whether the value is one that this account and model got, not a"
        " field's name",
        "CPC-6": "whether each tool message still has its call, and each call its"
        " answer",
        "CPC-7": "nothing is refused for it",
        "CPC-8": "how many reasoning_opaque values the stream brought; the client gave"
        " up, the service did not",
        "CPC-9": "the finish reason of the last chunk",
    },
    records={
        "CPC-2": PAIR,
        "CPC-3": ONE,
        "CPC-4": ONE,
        "CPC-6": ONE,
        "CPC-8": STREAM,
        "CPC-9": STREAM,
    },
    kin={"CPC-1": frozenset({"CPC-2"})},
    wants=frozenset({"CPC-1"}),
)
