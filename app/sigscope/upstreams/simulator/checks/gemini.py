"""generateContent, on AI Studio and Vertex: fields first, then Google's rules."""

from __future__ import annotations

from sigscope.upstreams.simulator.arrival import BadJsonError, Incoming, load_json
from sigscope.upstreams.simulator.checks.case import Docket, JudgedRequest
from sigscope.upstreams.simulator.checks.continuity import lost_turns
from sigscope.upstreams.simulator.checks.gemini_reader import ContentsReader
from sigscope.upstreams.simulator.checks.google import Google
from sigscope.upstreams.simulator.checks.strays import judge_strays
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.mint.keyring import Keyring, SealOwner
from sigscope.upstreams.simulator.models import choose_model, read_model
from sigscope.upstreams.simulator.records import (
    Json,
    Refusal,
    as_dict,
    as_list,
    as_text,
)
from sigscope.upstreams.simulator.talk import gemini_tools, hear
from sigscope.upstreams.simulator.texts import google as texts


def wrap(refusal: Refusal) -> Json:
    """{"error": {"code", "message", "status"}}, with Google's field violations."""
    error: dict[str, Json] = {
        "code": refusal.status,
        "message": refusal.message,
        "status": refusal.code,
    }
    if refusal.violations:
        error["details"] = [
            {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [
                    {"field": name, "description": text}
                    for name, text in refusal.violations
                ],
            }
        ]
    return {"error": error}


def examine(
    incoming: Incoming,
    config: SimConfig,
    keyring: Keyring,
    *,
    name: str,
    surface: str,
    method: str,
    version: str,
    is_verdict: bool = False,
) -> JudgedRequest:
    """Judge a request to .../models/NAME:METHOD."""
    surface = config.surface or surface
    model = choose_model(name, config.model)
    docket = Docket(
        config=config,
        keyring=keyring,
        dialect="gemini",
        wrap=wrap,
        model=model,
        surface=surface,
        is_gateway=False,
        streams=method == "streamGenerateContent",
        is_verdict=is_verdict,
    )
    known = read_model(name)
    if known is None or known.vendor != "google":
        return docket.close(texts.NO_MODEL_GOOGLE.refuse(name=name, version=version))
    try:
        body = load_json(incoming.body)
    except BadJsonError as error:
        return docket.close(
            texts.BAD_JSON_GOOGLE.refuse(
                problem=error.problem,
                excerpt=error.excerpt,
                caret=" " * error.column + "^",
            )
        )
    docket.request = as_dict(body)
    docket.origin = SealOwner(
        service="google", surface=surface, family=model.family, account=config.account
    )
    reader = ContentsReader()
    contents = docket.contents = reader.read(body)
    google = Google(
        model=model,
        surface=surface,
        origin=docket.origin,
        keyring=keyring,
        strict=config.strict,
    )
    docket.lost_turns = lost_turns(contents, keyring, docket.origin, silence=False)
    refusal = reader.refusal() or google.refuse(contents)
    if is_verdict:
        return docket.close(refusal)
    read = google.judge(contents)
    listed = as_dict(body).get("contents")
    docket.signatures = read + judge_strays(
        listed, "/contents", read, keyring, docket.origin
    )
    tools, choice = gemini_tools(body)
    holder = as_dict(body)
    system = holder.get("systemInstruction", holder.get("system_instruction"))
    talk = hear(contents, system=_text_of(system), tools=tools, choice=choice)
    return docket.close(refusal, talk)


def _text_of(instruction: Json) -> str:
    parts = as_list(as_dict(instruction).get("parts"))
    return "\n".join(as_text(as_dict(part).get("text")) for part in parts)
