"""Assembling streams of `chat.completion.chunk` objects."""

from __future__ import annotations

from sigscope.conversation import Json
from sigscope.dialects.assembly import Assembler, Effect, own


class ChatAssembler(Assembler):
    """Joins `chat.completion.chunk` objects (docs/wire/gemini-openai.md#carriers,
    docs/wire/openrouter.md#carriers, docs/wire/copilot-chat.md#carriers,
    docs/wire/litellm.md#carriers)."""

    thought_keys: tuple[str, ...] = (
        "reasoning_content",
        "reasoning",
        "reasoning_text",
        "thinking",
        "cot_summary",
    )
    """Delta fields with readable reasoning, joined with no separator."""

    def __init__(
        self,
        signature_keys: tuple[str, ...] = (),
        thought_keys: tuple[str, ...] = (),
    ) -> None:
        """`signature_keys`: delta fields that hold one whole signature; of several in
        one response the last stays, as VS Code does it. `thought_keys`: more of these.
        """
        super().__init__()
        self.thought_keys = (*self.thought_keys, *thought_keys)
        self.signature_keys = signature_keys
        self._call_slots: dict[tuple[str, int], int] = {}

    def _take(self, data: dict[str, Json]) -> None:
        for key, value in data.items():
            if key == "choices" and isinstance(value, list):
                for position, choice in enumerate(value):
                    if isinstance(choice, dict):
                        self._take_choice(choice, f"/choices/{position}")
            elif key == "choices":
                self._set_odd(self.body, key, value, "", "")
            elif key == "usage":
                if value is not None:
                    self._set(self.body, key, value, "", "", Effect.USAGE)
            elif key == "object" and value == "chat.completion.chunk":
                self._set(self.body, key, "chat.completion", "", "", Effect.META)
            else:
                effect = Effect.ERROR if key == "error" else Effect.META
                self._blend_meta(key, value, effect)

    def _blend_meta(self, key: str, value: Json, effect: Effect) -> None:
        """Top-level members: the latest value that is not null counts."""
        if value is not None or key not in self.body:
            self._set(self.body, key, value, "", "", effect)

    def _take_choice(self, choice: dict[str, Json], source: str) -> None:
        number = choice.get("index")
        number = number if isinstance(number, int) and number >= 0 else 0
        choices = self._list(self.body, "choices")
        position = next(
            (i for i, c in enumerate(choices) if c.get("index") == number), None
        )
        if position is None:
            position = len(choices)
            choices.append({"index": number, "message": {}, "finish_reason": None})
        entry, at = choices[position], f"/choices/{position}"
        for key, value in choice.items():
            if key in ("delta", "message"):
                if isinstance(value, dict):
                    self._take_delta(entry, value, at, f"{source}/{key}")
            elif key == "index":
                continue
            elif value is not None or key not in entry:
                effect = Effect.FINISH if key == "finish_reason" else Effect.META
                self._set(entry, key, value, at, source, effect)

    def _take_delta(
        self, entry: dict[str, Json], delta: dict[str, Json], at: str, source: str
    ) -> None:
        message, here = entry["message"], f"{at}/message"
        for key, value in delta.items():
            self._take_field(message, key, value, here, source)

    def _take_field(
        self, message: dict[str, Json], key: str, value: Json, at: str, source: str
    ) -> None:
        if key == "tool_calls" and isinstance(value, list):
            for position, call in enumerate(value):
                if isinstance(call, dict):
                    self._take_call(message, call, at, f"{source}/{key}/{position}")
        elif key == "tool_calls":
            self._set_odd(message, key, value, at, source)
        elif value is None:
            if key not in message and key == "content":
                message[key] = None
        elif key in self.signature_keys and isinstance(value, str):
            self._set(message, key, value, at, source, Effect.SIGNATURE)
        elif key in self.thought_keys and isinstance(value, str):
            effect = Effect.THOUGHT if value else Effect.META
            self._append(message, key, value, at, source, effect)
        elif key in ("content", "refusal") and isinstance(value, str):
            effect = Effect.TEXT if value else Effect.META
            self._append(message, key, value, at, source, effect)
        else:
            effect = Effect.TEXT if key == "content" else Effect.META
            self._blend(message, key, value, at, source, effect)

    def _take_call(
        self, message: dict[str, Json], call: dict[str, Json], at: str, source: str
    ) -> None:
        calls = self._list(message, "tool_calls")
        slot = self._slot(calls, call, at)
        entry, here = calls[slot], f"{at}/tool_calls/{slot}"
        for key, value in call.items():
            if key == "index":
                continue
            if key == "function":
                if isinstance(value, dict):
                    function = self._object(entry, key)
                    self._take_function(function, value, here, f"{source}/function")
                else:
                    self._set_odd(entry, key, value, here, source)
            else:
                self._take_call_field(entry, key, value, here, source)

    def _take_call_field(
        self, entry: dict[str, Json], key: str, value: Json, at: str, source: str
    ) -> None:
        if key == "id" and not value:
            entry.setdefault(key, own(value))
            return
        self._blend(entry, key, value, at, source, Effect.CALL)

    def _take_function(
        self, function: dict[str, Json], value: dict[str, Json], at: str, source: str
    ) -> None:
        here = f"{at}/function"
        for key, inner in value.items():
            if key == "arguments" and isinstance(inner, str):
                self._append(function, key, inner, here, source, Effect.CALL)
            elif key == "name" and not inner:
                function.setdefault(key, own(inner))
            else:
                self._blend(function, key, inner, here, source, Effect.CALL)

    def _slot(self, calls: list[Json], call: dict[str, Json], at: str) -> int:
        """Which call of the message a delta speaks of.

        By `index`, unless the slot is taken by a call of another id (gateways that
        give every parallel call index 0); without an index by id; without either it is
        another call where it names its function, else the last one
        (docs/wire/gemini-openai.md#carriers: Gemini's entries have no index, and each
        comes whole).
        """
        number, call_id = call.get("index"), call.get("id")
        function = call.get("function")
        is_named = isinstance(function, dict) and bool(function.get("name"))
        key = (at, number) if isinstance(number, int) else None
        slot = self._call_slots.get(key) if key else None
        if slot is None and key is None and calls:
            same = [i for i, c in enumerate(calls) if c.get("id") == call_id]
            slot = same[-1] if call_id and same else None
            if slot is None and not call_id and not is_named:
                slot = len(calls) - 1
        taken = None if slot is None else calls[slot].get("id")
        if call_id and taken and taken != call_id:
            slot = None
        if slot is None:
            calls.append({})
            slot = len(calls) - 1
        if key:
            self._call_slots[key] = slot
        return slot
