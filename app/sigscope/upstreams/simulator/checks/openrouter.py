"""OpenRouter chat completions: what it refuses (docs/wire/openrouter.md#rules).

`reasoning_details` are checked against a schema first, then handed to the vendor
behind the model, whose refusal comes back as a string in `metadata.raw`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sigscope.upstreams.simulator.checks.case import Docket, Wrap
from sigscope.upstreams.simulator.checks.chat import translate
from sigscope.upstreams.simulator.checks.chat_checks import (
    ChatChecks,
    leave_unsigned,
)
from sigscope.upstreams.simulator.checks.continuity import lost_turns
from sigscope.upstreams.simulator.checks.google import Google
from sigscope.upstreams.simulator.checks.openrouter_entries import (
    SentEntry,
    bad_entries,
    read_entries,
)
from sigscope.upstreams.simulator.checks.openrouter_items import (
    judge_sealed,
    refuse_items,
    refuse_sealed,
)
from sigscope.upstreams.simulator.checks.openrouter_wrap import (
    vendor_wrapper,
    wrap_own,
)
from sigscope.upstreams.simulator.checks.strays import judge_strays
from sigscope.upstreams.simulator.checks.thinking import (
    GatewayThought,
    judge_blocks,
    refuse_blocks,
)
from sigscope.upstreams.simulator.config import SimConfig
from sigscope.upstreams.simulator.contents import Content
from sigscope.upstreams.simulator.mint.keyring import SealOwner
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import (
    Json,
    Refusal,
    as_dict,
    as_list,
    as_text,
)
from sigscope.upstreams.simulator.texts import openrouter as texts


class OpenRouterChecks(ChatChecks):
    """What OpenRouter refuses, and what the vendors behind it do."""

    is_gateway = True

    def wrapper(self, docket: Docket) -> Wrap:
        return wrap_own

    def surface_of(self, body: dict[str, Json], config: SimConfig) -> str:
        """Google's surface: what the request pins with `provider`, else the configured.

        Pinning is OpenRouter's own cure for ORT-6 (docs/wire/openrouter.md#rules).
        """
        provider = as_dict(body.get("provider"))
        wanted = as_list(provider.get("only")) or as_list(provider.get("order"))
        for name in map(as_text, wanted):
            if "studio" in name.lower():
                return "ai-studio"
            if "vertex" in name.lower() or name.lower() == "google":
                return "vertex"
        return config.surface or "vertex"

    def origin_of(self, model: Model, surface: str, config: SimConfig) -> SealOwner:
        """The vendor behind the gateway, which calls it with an account of its own."""
        service = model.vendor if model.vendor != "other" else model.name
        return SealOwner(
            service=service,
            surface=surface,
            family=model.family,
            account=f"openrouter {config.account}",
        )

    def turn_away(self, docket: Docket, body: dict[str, Json]) -> Refusal | None:
        if refusal := super().turn_away(docket, body):
            return refusal
        messages = body["messages"]
        refusal = next(bad_entries(messages), None)
        if refusal:
            assert docket.origin is not None
            docket.signatures = judge_strays(
                messages,
                "/messages",
                (),
                docket.keyring,
                docket.origin,
                "not looked at",
            )
        return refusal

    def weigh(
        self, docket: Docket, body: dict[str, Json]
    ) -> tuple[list[Content], Refusal | None]:
        assert docket.origin is not None
        contents, refusal = _behind(docket, body["messages"])
        docket.contents = contents if docket.model.vendor == "google" else ()
        docket.wrap = vendor_wrapper(docket.model, docket.surface)
        docket.lost_turns = lost_turns(
            contents, docket.keyring, docket.origin, silence=False
        )
        return contents, refusal


def _behind(
    docket: Docket, messages: list[Json]
) -> tuple[list[Content], Refusal | None]:
    """Translate for the vendor behind, and hear what it refuses."""
    model, origin = docket.model, docket.origin
    assert origin is not None
    entries = read_entries(messages, model.vendor, strict=docket.config.strict)
    if model.vendor == "google":
        contents = translate(messages, _signer(entries))
        google = Google.behind(docket, origin)
        if not docket.is_verdict:
            docket.signatures = google.judge(contents)
        return contents, _preserved(google.refuse(contents))
    contents = translate(messages, leave_unsigned)
    if model.vendor == "anthropic":
        blocks = _blocks(entries, contents)
        docket.signatures = judge_blocks(blocks, docket.keyring, origin)
        return contents, refuse_blocks(blocks, docket.keyring, origin, "ORT-5")
    if model.vendor in ("openai", "xai"):
        sealed = [e for e in entries if e.text("type") == "reasoning.encrypted"]
        docket.signatures = judge_sealed(sealed, docket.keyring, origin)
        refusal = refuse_items(entries) if model.vendor == "openai" else None
        return contents, refusal or refuse_sealed(sealed, docket.signatures, model)
    return contents, None


def _signer(entries: Sequence[SentEntry]) -> Any:
    """Gemini: an encrypted entry signs the call whose id it has; an answer takes the
    entry with a signature, or an encrypted one without an id (both recorded)."""

    def sign(message: dict[str, Any], pointer: str, content: Content) -> None:
        own = [e for e in entries if e.pointer.startswith(f"{pointer}/")]
        for entry in own:
            key = "data" if entry.text("type") == "reasoning.encrypted" else "signature"
            part = None
            if key == "data" and content.calls:
                named = (c for c in content.calls if c.call_id == entry.text("id"))
                part = next(named, None)
            elif not content.calls and content.parts:
                part = content.parts[-1]
            if part is not None and entry.text(key):
                part.signature = entry.text(key)
                part.signature_pointer = f"{entry.pointer}/{key}"

    return sign


def _blocks(
    entries: Sequence[SentEntry], contents: Sequence[Content]
) -> list[GatewayThought]:
    """Claude's thinking blocks: an entry is a block, fragments or not."""
    places = {content.pointer: index for index, content in enumerate(contents)}
    blocks: list[GatewayThought] = []
    for entry in entries:
        if entry.text("type") != "reasoning.text":
            continue
        if not entry.text("signature") and not entry.text("text"):
            continue
        message = places.get(f"/messages/{entry.message}", entry.message)
        blocks.append(
            GatewayThought(
                text=entry.text("text"),
                signature=entry.text("signature"),
                pointer=f"{entry.pointer}/signature",
                message=message,
                number=sum(block.message == message for block in blocks),
            )
        )
    return blocks


def _preserved(refusal: Refusal | None) -> Refusal | None:
    """A missing signature is ORT-1 here; GEM-14 is ORT-6."""
    if refusal and refusal.rule in ("GEM-1", "GEM-2"):
        return replace(refusal, rule="ORT-1", source=texts.PRESERVE_DETAILS.source)
    if refusal and refusal.rule == "GEM-14":
        return replace(refusal, rule="ORT-6")
    return refusal
