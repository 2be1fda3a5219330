"""The model does not speak the API that it was asked through.

Why it matters: 400 "model gemini-3-pro-preview is not supported via Responses API.",
code "unsupported_api_for_model"; the other way round, "model ... is not accessible via
the /chat/completions endpoint". `supported_endpoints` in the answer of /models tells
which API a model speaks; Gemini 3 speaks chat completions only.
Bad:  {"model": "gemini-3-pro-preview", "input": ["..."]}
Good: {"model": "gemini-3-pro-preview", "messages": ["..."]}
False alarms: an error needs the answer's word. A request for Gemini or GPT-4
that is about to go to /responses warns.
Fix: the other API's address, with the body carried over: texts, calls, results, tools.
Sealed reasoning is left out, since no other model could open it. None where the body
has what the other API does not know; another model is for the user to choose.
"""

from __future__ import annotations

from collections.abc import Iterator

from sigscope.dialects.copilot_chat import CopilotChat
from sigscope.dialects.responses import Responses
from sigscope.dialects.services import COPILOT
from sigscope.ledger.models import is_gemini
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.copilot_chat.as_chat import chat_body
from sigscope.rules.copilot_chat.as_responses import responses_body
from sigscope.rules.edits import Fix, node, put, url


def check(subject: Subject) -> Iterator[Claim]:
    """Refusals in these words, whatever API was asked; requests that will earn them."""
    is_refused = RULE.code in subject.heard and _is_still_asked(subject)
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


def _is_still_asked(subject: Subject) -> bool:
    """Whether the API is the one that the refusal speaks of, as far as it tells."""
    said = " ".join(subject.error.texts) if subject.error else ""
    path = subject.reading.probe.path.rstrip("/")
    if "Responses API" in said:
        return path.endswith("/responses") or not path
    return not path.endswith("/responses") or "/chat/completions" not in said


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
    """The other API's address, with the body carried over where it can be."""
    body = subject.reading.request_json
    if not isinstance(body, dict):
        return None
    address = subject.reading.probe.url
    for ours, theirs, member, carry in (
        ("/responses", "/chat/completions", "messages", chat_body),
        ("/chat/completions", "/responses", "input", responses_body),
    ):
        head, found, tail = address.rpartition(ours)
        if not found:
            continue
        target = url(f"{head}{theirs}{tail}", f"send to {theirs}")
        if member in body:
            return (target,)
        made = carry(body)
        return (
            None
            if made is None
            else (target, put("", made, f"write the body as for {theirs}"))
        )
    return None


RULE = Rule(
    code="CPC-4",
    name="unsupported-api",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=(CopilotChat.name, Responses.name),
    checked_on="2026-11-21",
    source=(
        "zed-industries/zed#43024, caozhiyuan/copilot-api#113, "
        "microsoft/vscode-copilot-chat [client's notes, issue report]"
    ),
    check=check,
    hears_all_errors=True,
)
