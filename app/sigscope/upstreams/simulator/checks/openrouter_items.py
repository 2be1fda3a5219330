"""Sealed entries for OpenAI and xAI behind OpenRouter: items with ids."""

from __future__ import annotations

from collections.abc import Sequence

from sigscope.upstreams.simulator.checks.openrouter_entries import SentEntry
from sigscope.upstreams.simulator.config import Anchor
from sigscope.upstreams.simulator.mint.keyring import (
    Keyring,
    SealOwner,
)
from sigscope.upstreams.simulator.models import Model
from sigscope.upstreams.simulator.records import (
    Refusal,
    SignatureJudgement,
    Standing,
)
from sigscope.upstreams.simulator.texts import openrouter as texts
from sigscope.upstreams.simulator.texts import vendors as vendor_texts


def judge_sealed(
    entries: Sequence[SentEntry], keyring: Keyring, origin: SealOwner
) -> list[SignatureJudgement]:
    return [
        keyring.recognise(text, origin, Anchor()).judgement(
            text, f"{entry.pointer}/data", "message"
        )
        for entry in entries
        for text in [entry.text("data")]
    ]


def refuse_items(entries: Sequence[SentEntry]) -> Refusal | None:
    """ORT-3 and ORT-4: OpenAI makes items of entries, and items have ids.

    ORT-4 only where an id comes without its sealed content: ids kept together with it
    are recorded with 200.
    """
    seen: set[tuple[str, str]] = set()
    sealed = {e.text("id") for e in entries if e.text("type") == "reasoning.encrypted"}
    for entry in entries:
        name = entry.text("id")
        if not name:
            continue
        if (name, entry.text("type")) in seen:
            return texts.DUPLICATE_ITEM.refuse(pointer=entry.pointer, name=name)
        seen.add((name, entry.text("type")))
        if name not in sealed:
            return texts.NOT_PERSISTED.refuse(pointer=f"{entry.pointer}/id", name=name)
    return None


def refuse_sealed(
    entries: Sequence[SentEntry],
    judgements: Sequence[SignatureJudgement],
    model: Model,
) -> Refusal | None:
    for entry, judgement in zip(entries, judgements, strict=True):
        if judgement.standing is Standing.GENUINE:
            continue
        if model.vendor == "xai":
            return vendor_texts.XAI_UNDECIPHERED.refuse(pointer=judgement.pointer)
        data = entry.text("data")
        shown = f"{data[:4]}...{data[-2:]}"
        return vendor_texts.OPENAI_UNVERIFIED.refuse(
            pointer=judgement.pointer, name=shown
        )
    return None
