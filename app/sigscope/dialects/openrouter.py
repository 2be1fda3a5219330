"""OpenRouter chat completions (docs/wire/openrouter.md)."""

from __future__ import annotations

import re

from sigscope.conversation import Json, SignatureKind
from sigscope.dialects.assembly import Assembler, Effect
from sigscope.dialects.base import Probe
from sigscope.dialects.chat import ChatDialect
from sigscope.dialects.chat_carriers import chat_carrier, chat_misplaced
from sigscope.dialects.chat_stream import ChatAssembler
from sigscope.dialects.homes import InList
from sigscope.dialects.leaves import text_of
from sigscope.dialects.services import Service, Variable
from sigscope.fingerprints.protobuf import is_whole

OPENROUTER = Service(
    name="openrouter",
    title="OpenRouter",
    hosts=("openrouter.ai", "*.openrouter.ai"),
    key_variable=Variable("OPENROUTER_API_KEY", "your OpenRouter key"),
)
_ENTRY = "reasoning_details/*"

CARRIERS = (
    chat_carrier(
        "openrouter.reasoning_details.encrypted",
        f"{_ENTRY}/data",
        SignatureKind.SEALED,
        call_id_beside="id",
        comes_in_pieces=True,
    ),
    chat_carrier(
        "openrouter.reasoning_details.signature",
        f"{_ENTRY}/signature",
        comes_in_pieces=True,
    ),
    *chat_misplaced(
        "openrouter",
        call=(
            "thought_signature",
            "thoughtSignature",
            "extra_content/google/thought_signature",
            "provider_specific_fields/thought_signature",
            "reasoning_details/*/data",
        ),
        message=(
            "thought_signature",
            "thoughtSignature",
            "reasoning_opaque",
            "reasoningDetails/*/data",
            "reasoning/*/data",
        ),
    ),
)


class OpenRouterAssembler(ChatAssembler):
    """Chat chunks whose delta carries pieces of `reasoning_details` entries.

    Running entries are keyed by type, index and, where both sides have one, id:
    text and summary are joined, a signature that is not empty replaces, data is joined
    only under one id (docs/wire/openrouter.md#accumulating, [inferred] there). Without
    ids, what follows whole data is another entry.
    """

    def _take_field(
        self, message: dict[str, Json], key: str, value: Json, at: str, source: str
    ) -> None:
        if key != "reasoning_details":
            super()._take_field(message, key, value, at, source)
            return
        if not isinstance(value, list):
            self._set_odd(message, key, value, at, source)
            return
        entries = self._list(message, key)
        for position, piece in enumerate(value):
            if not isinstance(piece, dict):
                entries.append(piece)
                continue
            slot = _slot(entries, piece)
            if slot is None:
                entries.append({})
                slot = len(entries) - 1
            here, there = f"{at}/{key}/{slot}", f"{source}/{key}/{position}"
            self._take_piece(entries[slot], piece, here, there)

    def _take_piece(
        self, entry: dict[str, Json], piece: dict[str, Json], at: str, source: str
    ) -> None:
        for key, value in piece.items():
            if key in ("text", "summary") and isinstance(value, str):
                self._append(entry, key, value, at, source, Effect.THOUGHT)
            elif key == "data" and isinstance(value, str):
                if entry.get(key) != value:
                    self._append(entry, key, value, at, source, Effect.SIGNATURE)
            elif key == "signature":
                if value or key not in entry:
                    effect = Effect.SIGNATURE if value else Effect.META
                    self._set(entry, key, value, at, source, effect)
            elif entry.get(key) is None:
                self._set(entry, key, value, at, source, Effect.META)


def _slot(entries: list[Json], piece: dict[str, Json]) -> int | None:
    """The running entry that a piece goes on; None for a new one."""
    for number, entry in enumerate(entries):
        if not isinstance(entry, dict):
            continue
        if (entry.get("type"), entry.get("index")) != (
            piece.get("type"),
            piece.get("index"),
        ):
            continue
        ids = (entry.get("id"), piece.get("id"))
        if all(ids) and ids[0] != ids[1]:
            continue
        data = entry.get("data"), piece.get("data")
        if data[0] != data[1] and not any(ids) and is_whole(text_of(data[0])):
            continue
        return number
    return None


PASSED_ON = "Provider returned error"


class OpenRouter(ChatDialect):
    """`/api/v1/chat/completions` on openrouter.ai."""

    name = "openrouter"
    title = "OpenRouter chat completions"
    services = (OPENROUTER,)
    is_gateway = True
    carriers = CARRIERS
    own_path = re.compile(r"/api/v1/chat/completions/?$")
    default_path = "/api/v1/chat/completions"
    default_model = "google/gemini-3-pro-preview"
    thought_fields = ("reasoning", "reasoning_content")
    thought_key = "reasoning"
    home = InList(
        list_key="reasoning_details",
        # One that signs a call of Gemini's (docs/wire/openrouter.md#carriers).
        entry={
            "type": "reasoning.encrypted",
            "data": None,
            "id": None,
            "format": "google-gemini-v1",
            "index": 0,
        },
        value_key="data",
        call_key="id",
    )

    def is_at_own_path(self, probe: Probe) -> bool:
        """Others are served at a path like it (docs/wire/openrouter.md#ep-5)."""
        return super().is_at_own_path(probe) and not _is_answered_by_another(probe)

    def answers_so(self, probe: Probe) -> bool:
        return _has_answer_marks(probe) or (
            _is_nowhere(probe) and super().answers_so(probe)
        )

    def asks_so(self, probe: Probe) -> bool:
        return _is_nowhere(probe) and super().asks_so(probe)

    def is_marked(self, entry: dict[str, Json]) -> bool:
        """`reasoning_details`: others speak them too (Novita, MiniMax, Snowflake
        Cortex, Doubleword, Vercel's gateway), so they tell only where neither host nor
        path is known. Where one is, they are followed by name and shape."""
        entries = entry.get("reasoning_details")
        return isinstance(entries, list) and not any(map(_is_of_minimax, entries))

    def assembler(self) -> Assembler:
        return OpenRouterAssembler()


def _is_of_minimax(entry: Json) -> bool:
    """`"format": "MiniMax-response-v1"` (platform.minimax.io/docs, tool use)."""
    told = entry.get("format") if isinstance(entry, dict) else None
    return isinstance(told, str) and told.startswith("MiniMax")


def _is_nowhere(probe: Probe) -> bool:
    return not probe.host and probe.path in ("", "/")


def _is_answered_by_another(probe: Probe) -> bool:
    """OpenRouter names a provider in every answer, and its errors are objects."""
    answers = [a for a in probe.answers if isinstance(a.get("choices"), list)]
    is_unnamed = bool(answers) and not any("provider" in a for a in answers)
    return is_unnamed or any(isinstance(a.get("error"), str) for a in probe.answers)


def _has_answer_marks(probe: Probe) -> bool:
    """`provider` at the top and `native_finish_reason`: no other service has both; or
    the words in which it passes a provider's error on."""
    for answer in probe.answers:
        if _passes_on(answer.get("error")):
            return True
        choices = answer.get("choices")
        if isinstance(answer.get("provider"), str) and any(
            isinstance(choice, dict) and "native_finish_reason" in choice
            for choice in (choices if isinstance(choices, list) else ())
        ):
            return True
    return False


def _passes_on(error: Json) -> bool:
    """Whether it is what openrouter.ai/docs/api-reference/errors shows of a provider's
    error; a gateway before it puts its own words around the message."""
    if not isinstance(error, dict) or error.get("message") != PASSED_ON:
        return False
    metadata = error.get("metadata")
    return isinstance(metadata, dict) and isinstance(metadata.get("provider_name"), str)
