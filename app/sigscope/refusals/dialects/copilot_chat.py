"""How GitHub Copilot words its errors."""

from __future__ import annotations

from sigscope.refusals.words import MISSING, Wording, marks

WORDING = Wording(
    name="copilot-chat",
    prefix="CPC-",
    marks=marks(r"githubcopilot\.com|CAPIError|GH Request Id|invalid_request_body"),
    behind={
        **dict.fromkeys(MISSING, "CPC-1"),
        "ANT-1": "CPC-5",
        "GEM-18": "CPC-6",
    },
)
