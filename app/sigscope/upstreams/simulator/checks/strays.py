"""Signatures in places that a service does not read."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sigscope.upstreams.simulator.config import Anchor
from sigscope.upstreams.simulator.mint.keyring import Keyring, SealOwner
from sigscope.upstreams.simulator.records import Json, SignatureJudgement

SUFFIX = "__thought__"
"""What LiteLLM puts between a call id and the signature it smuggles in it."""

_NAMES = frozenset(
    {
        "thought_signature",
        "thoughtSignature",
        "thought_signatures",
        "thoughtSignatures",
        "reasoning_opaque",
        "encrypted_content",
        "signature",
        "cot_id",
    }
)
_OPAQUE = ("arguments", "parameters", "args", "input")
"""What a tool is given: the model's own, whatever its names say."""
_CONTAINERS = (dict, list)
_LEAST = 16
"""Shorter strings under such names are no signatures."""


def find_strays(
    document: Json, root: str, read: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Pointer and text of everything that looks like a carrier and was not read."""
    for pointer, text in _carriers(document, root):
        if pointer not in read and len(text) >= _LEAST:
            yield pointer, text


def judge_strays(
    document: Json,
    root: str,
    read: Collection[SignatureJudgement],
    keyring: Keyring,
    origin: SealOwner,
    note: str = "this service does not read this place",
) -> list[SignatureJudgement]:
    """Judge signatures in unread places: genuine or not, they change nothing."""
    places = {judgement.pointer for judgement in read}
    return [
        keyring.recognise(text, origin, Anchor()).judgement(
            text, pointer, pointer, note=note, read=False
        )
        for pointer, text in find_strays(document, root, places)
    ]


def _carriers(value: Json, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _carriers(item, f"{pointer}/{number}")
    if not isinstance(value, dict):
        return
    sealed = value.get("type") in ("reasoning.encrypted", "redacted_thinking")
    for key, member in value.items():
        place = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
        if key in _NAMES or (key == "data" and sealed):
            if isinstance(member, str):
                yield place, member
            elif isinstance(member, list):
                for number, item in enumerate(member):
                    if isinstance(item, str):
                        yield f"{place}/{number}", item
        elif key in ("id", "tool_call_id") and isinstance(member, str):
            if SUFFIX in member:
                yield place, member.split(SUFFIX, 1)[1]
        elif isinstance(member, _CONTAINERS) and key not in _OPAQUE:
            yield from _carriers(member, place)
