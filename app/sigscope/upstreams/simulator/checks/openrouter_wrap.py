"""Errors as OpenRouter wraps them: its own, and a vendor's as a string."""

from __future__ import annotations

import json
from collections.abc import Callable

from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import Json, Refusal
from sigscope.upstreams.simulator.texts import openrouter as texts

PROVIDERS: dict[str, str] = {
    "anthropic": "Anthropic",
    "openai": "OpenAI",
    "xai": "xAI",
    "other": "Simulated",
}


def provider_name(model: Model, surface: str) -> str:
    """What responses and errors call the vendor behind the gateway."""
    if model.vendor == "google":
        return "Google AI Studio" if surface == "ai-studio" else "Google"
    return PROVIDERS[model.vendor]


def wrap_own(refusal: Refusal) -> Json:
    """OpenRouter's own refusals. A schema's path stands in the message, as zod
    prints it [inferred from its other errors]."""
    message = refusal.message
    if refusal.rule == "ORT-2":
        path = [
            int(key) if key.isdigit() else key for key in refusal.pointer.split("/")[1:]
        ]
        issue = {
            "expected": message.split("expected ")[1].split(",")[0],
            "code": "invalid_type",
            "path": path,
            "message": message,
        }
        message = json.dumps([issue], indent=2)
    return {"error": {"message": message, "code": refusal.status}}


def vendor_wrapper(model: Model, surface: str) -> Callable[[Refusal], Json]:
    """Wraps what the vendor behind said into a string in `metadata.raw`."""

    def wrap(refusal: Refusal) -> Json:
        raw = _raw(model, refusal)
        if refusal.rule == "ORT-1":
            raw = texts.PRESERVE_DETAILS.text.format(upstream=raw)
        return {
            "error": {
                "message": "Provider returned error",
                "code": refusal.status,
                "metadata": {
                    "raw": raw,
                    "provider_name": provider_name(model, surface),
                },
            },
            "user_id": "user_2simulated0sigscope0",
        }

    return wrap


def _raw(model: Model, refusal: Refusal) -> str:
    """The vendor's own error body, printed as that vendor prints it."""
    if model.vendor == "google":
        error = {
            "code": refusal.status,
            "message": refusal.message,
            "status": refusal.code or "INVALID_ARGUMENT",
        }
        return json.dumps({"error": error}, indent=2, ensure_ascii=False) + "\n"
    if model.vendor == "anthropic":
        inner = {"type": "invalid_request_error", "message": refusal.message}
        return json.dumps({"type": "error", "error": inner}, ensure_ascii=False)
    if model.vendor == "xai":
        return json.dumps({"code": refusal.code, "error": refusal.message})
    item: dict[str, Json] = {
        "message": refusal.message,
        "type": "invalid_request_error",
        "param": "input",
        "code": refusal.code or None,
    }
    return json.dumps({"error": item}, indent=2, ensure_ascii=False)
