"""Assembling Gemini's partial responses."""

from __future__ import annotations

from sigscope.conversation import Json
from sigscope.dialects.assembly import Assembler, Effect

_SIGNATURE_KEYS = ("thoughtSignature", "thought_signature")


class GeminiAssembler(Assembler):
    """Appends the parts of every partial response (docs/wire/gemini.md#carriers).

    Parts are never keyed by index: it restarts at 0 in each event. Neighbouring pieces
    of text of one kind become one part, unless either is signed: a signature stays on
    the very part it came on.
    """

    def _take(self, data: dict[str, Json]) -> None:
        inner = data.get("response")
        if isinstance(inner, dict) and "candidates" not in data:
            holder = self._object(self.body, "response")
            self._take_partial(holder, inner, "/response")
            for key, value in data.items():
                if key != "response":
                    self._blend(self.body, key, value, "", "", Effect.META)
        else:
            self._take_partial(self.body, data, "")

    def _take_partial(
        self, body: dict[str, Json], data: dict[str, Json], root: str
    ) -> None:
        for key, value in data.items():
            if key == "candidates" and isinstance(value, list):
                for position, candidate in enumerate(value):
                    if isinstance(candidate, dict):
                        self._take_candidate(body, candidate, root, position)
            elif key == "candidates":
                self._set_odd(body, key, value, root, root)
            elif value is not None:
                effect = {"usageMetadata": Effect.USAGE, "error": Effect.ERROR}
                self._set(body, key, value, root, root, effect.get(key, Effect.META))

    def _take_candidate(
        self, body: dict[str, Json], data: dict[str, Json], root: str, position: int
    ) -> None:
        candidates = self._list(body, "candidates")
        number = data.get("index", 0) or 0
        slot = next(
            (i for i, c in enumerate(candidates) if (c.get("index") or 0) == number),
            None,
        )
        if slot is None:
            candidates.append({})
            slot = len(candidates) - 1
        entry = candidates[slot]
        at, source = f"{root}/candidates/{slot}", f"{root}/candidates/{position}"
        for key, value in data.items():
            if key == "content":
                if isinstance(value, dict):
                    self._take_content(entry, value, at, source)
                else:
                    self._set_odd(entry, key, value, at, source)
            elif value is not None:
                effect = Effect.FINISH if key == "finishReason" else Effect.META
                self._set(entry, key, value, at, source, effect)

    def _take_content(
        self, entry: dict[str, Json], data: dict[str, Json], at: str, source: str
    ) -> None:
        content = self._object(entry, "content")
        here, there = f"{at}/content", f"{source}/content"
        for key, value in data.items():
            if key == "parts" and isinstance(value, list):
                parts = self._list(content, "parts")
                for position, part in enumerate(value):
                    self._take_part(
                        parts, part, f"{here}/parts", f"{there}/parts/{position}"
                    )
            elif key == "parts":
                self._set_odd(content, key, value, here, there)
            else:
                self._set(content, key, value, here, there, Effect.META)

    def _take_part(self, parts: list[Json], part: Json, at: str, source: str) -> None:
        last = parts[-1] if parts else None
        if isinstance(part, dict) and isinstance(last, dict) and _joins(last, part):
            effect = _effect("text", part)
            self._append(
                last, "text", part["text"], f"{at}/{len(parts) - 1}", source, effect
            )
            return
        parts.append(part if not isinstance(part, dict) else {})
        here = f"{at}/{len(parts) - 1}"
        if not isinstance(part, dict):
            self._note(here, source, Effect.META)
            return
        for key, value in part.items():
            self._set(parts[-1], key, value, here, source, _effect(key, part))


def _joins(last: dict[str, Json], part: dict[str, Json]) -> bool:
    """Whether a part only lengthens the text before it."""
    plain = {"text", "thought"}
    return (
        set(last) <= plain
        and set(part) <= plain
        and isinstance(last.get("text"), str)
        and isinstance(part.get("text"), str)
        and bool(last.get("thought")) == bool(part.get("thought"))
    )


def _effect(key: str, part: dict[str, Json]) -> Effect:
    if key in _SIGNATURE_KEYS:
        return Effect.SIGNATURE
    if key in ("functionCall", "function_call", "toolCall", "executableCode"):
        return Effect.CALL
    if key == "text" and not part["text"]:
        return Effect.META  # the last event often brings an empty one
    if key == "text":
        return Effect.THOUGHT if part.get("thought") is True else Effect.TEXT
    return Effect.MEDIA if key in ("inlineData", "fileData") else Effect.META
