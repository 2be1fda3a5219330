"""The model does not speak the API that it was asked through.

Why it matters: 400 "model gemini-3-pro-preview is not supported via Responses API.",
code "unsupported_api_for_model"; the other way round, "model ... is not accessible via
the /chat/completions endpoint". `supported_endpoints` in the answer of /models tells
which API a model speaks; Gemini 3 speaks chat completions only.
Bad:  {"model": "gemini-3-pro-preview", "input": ["..."]}
Good: {"model": "gemini-3-pro-preview", "messages": ["..."]}
False alarms: an error needs the answer's word. A request for Gemini or GPT-4
that is about to go to /responses warns.
Fix: the address of chat completions where the body is one of chat completions; else
none, the other API wants another body.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.dialects.services import COPILOT
from sigscope.ledger.models import is_gemini
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import Fix, node, url


def check(subject: Subject) -> Iterator[Claim]:
    """Refusals in these words, whatever API was asked; requests that will earn them."""
    is_refused = RULE.code in subject.heard
    if not is_refused and not _is_foreseen(subject):
        return
    body = subject.reading.request_json
    model = node(body, "/model")
    asked = subject.reading.probe.path or "this API"
    is_chat = asked.endswith("/chat/completions")
    other = "/responses" if is_chat else "/chat/completions"
    fix = _other_address(subject)
    said = (
        f"{model or 'this model'} was asked through {asked}, which it does not speak;"
        f" {other} may be its API, and /models lists its supported_endpoints"
    )
    if fix is not None and subject.wire != "copilot-chat":
        said += ". What else is wrong with this body shows only there"
    yield Claim(
        "/model" if model is not None else "",
        said,
        fix=fix,
        severity=None if is_refused else Severity.WARNING,
    )


def _is_foreseen(subject: Subject) -> bool:
    """A model that is about to be asked through the Responses API, and is reported not
    to speak it."""
    if subject.is_accepted or subject.reading.service != COPILOT.name:
        return False
    path = subject.reading.probe.path.rstrip("/")
    told = node(subject.reading.request_json, "/model")
    model = told if isinstance(told, str) else ""
    is_without = is_gemini(model) or model.lower().startswith("gpt-4")
    return path.endswith("/responses") and is_without


def _other_address(subject: Subject) -> Fix | None:
    """The address of chat completions, for a body that is one of them."""
    head, found, tail = subject.reading.probe.url.rpartition("/responses")
    messages = node(subject.reading.request_json, "/messages")
    if not found or not isinstance(messages, list):
        return None
    target = f"{head}/chat/completions{tail}"
    return (url(target, "send to chat completions"),)


RULE = Rule(
    code="CPC-4",
    name="unsupported-api",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("copilot-chat", "responses"),
    checked_on="2026-11-21",
    source=(
        "zed-industries/zed#43024, caozhiyuan/copilot-api#113, "
        "microsoft/vscode-copilot-chat [client's notes, issue report]"
    ),
    check=check,
    hears_all_errors=True,
)
