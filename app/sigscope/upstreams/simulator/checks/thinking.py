"""Claude's thinking blocks behind OpenRouter and LiteLLM: ANT-1
(docs/wire/anthropic.md#rules).

A signature covers its text and the model it came from. Blocks of closed turns may be
left out, but those that are sent are verified.
"""

from __future__ import annotations

from collections.abc import Sequence

from sigscope.records import dataclass
from sigscope.upstreams.simulator.config import Anchor
from sigscope.upstreams.simulator.mint.keyring import (
    Keyring,
    Recognition,
    SealOwner,
    digest,
)
from sigscope.upstreams.simulator.records import (
    Refusal,
    SignatureJudgement,
    Standing,
)
from sigscope.upstreams.simulator.texts import vendors as texts


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayThought:
    """One thinking block a gateway would send to Anthropic."""

    text: str
    signature: str
    pointer: str
    """Of the signature, in the request that came in."""
    message: int
    """Index among Anthropic's messages, from 0."""
    number: int
    """Index among the content blocks of that message, from 0."""


def judge_blocks(
    blocks: Sequence[GatewayThought], keyring: Keyring, origin: SealOwner
) -> list[SignatureJudgement]:
    """Every block's signature as it is reported."""
    return [
        seen.judgement(
            block.signature,
            block.pointer,
            "thought",
            note=seen.note or ("" if _fits(block, seen) else "the text was altered"),
        )
        for block in blocks
        for seen in [_recognise(block, keyring, origin)]
    ]


def refuse_blocks(
    blocks: Sequence[GatewayThought], keyring: Keyring, origin: SealOwner, rule: str
) -> Refusal | None:
    """ANT-1 for the first block that does not verify, cited under `rule`."""
    for block in blocks:
        seen = _recognise(block, keyring, origin)
        if seen.standing is not Standing.GENUINE or not _fits(block, seen):
            return texts.CLAUDE_SIGNATURE.refuse(
                pointer=block.pointer,
                position=block.message,
                part=block.number,
                rule=rule,
            )
    return None


def _recognise(
    block: GatewayThought, keyring: Keyring, origin: SealOwner
) -> Recognition:
    anchor = Anchor(kind="thought", text=block.text)
    return keyring.recognise(block.signature, origin, anchor)


def _fits(block: GatewayThought, seen: Recognition) -> bool:
    return not seen.text_digest or seen.text_digest == digest(block.text)
