"""Assembling the named events of the Responses API.

Source: OpenAI's API reference, "Streaming events".
"""

from __future__ import annotations

from sigscope.conversation import Json
from sigscope.dialects.assembly import Assembler, Effect, own

_ENDS = ("response.completed", "response.incomplete", "response.failed")
_PIECES = {
    # event, without ".delta" or ".done" → (member of the item, what it did)
    "response.function_call_arguments": ("arguments", Effect.CALL),
    "response.custom_tool_call_input": ("input", Effect.CALL),
    "response.mcp_call_arguments": ("arguments", Effect.CALL),
    "response.code_interpreter_call_code": ("code", Effect.CALL),
}
_NESTED = {
    # event → (list of the item, index in the event, type and member of the piece)
    "response.output_text": (
        ("content", "content_index", "output_text", "text"),
        Effect.TEXT,
    ),
    "response.refusal": (
        ("content", "content_index", "refusal", "refusal"),
        Effect.TEXT,
    ),
    "response.reasoning_text": (
        ("content", "content_index", "reasoning_text", "text"),
        Effect.THOUGHT,
    ),
    "response.reasoning_summary_text": (
        ("summary", "summary_index", "summary_text", "text"),
        Effect.THOUGHT,
    ),
}
_PARTS = {
    "response.content_part": ("content", "content_index"),
    "response.reasoning_summary_part": ("summary", "summary_index"),
}


class ResponsesAssembler(Assembler):
    """Makes the body that `response.completed` brings, also of a stream without it.

    Items are told apart by `output_index`: Copilot gives one item another `item_id` in
    every event (source: anomalyco/opencode#9124). The `encrypted_content` of
    `output_item.added` is left out: that of the finished item is another, and the one
    to send back. An end with an empty `output` leaves the items that came.
    """

    def __init__(self) -> None:
        super().__init__()
        self._slots: dict[int, int] = {}
        """Place in `output` by `output_index`."""

    def _take(self, data: dict[str, Json]) -> None:
        kind = data.get("type")
        kind = kind if isinstance(kind, str) else ""
        stem, _, verb = kind.rpartition(".")
        if kind == "error" or ("error" in data and not kind):
            self._take_error(data)
        elif isinstance(data.get("response"), dict):
            self._take_response(data["response"], is_end=kind in _ENDS)
        elif stem == "response.output_item" and isinstance(data.get("item"), dict):
            self._take_item(data, data["item"], is_done=verb == "done")
        elif stem in _PARTS and isinstance(data.get("part"), dict):
            self._take_part(data, *_PARTS[stem])
        elif stem in _NESTED and verb in ("delta", "done"):
            self._take_nested(data, stem, verb)
        elif stem in _PIECES and verb in ("delta", "done"):
            self._take_piece(data, stem, verb)
        elif stem == "response.output_text.annotation" and "annotation" in data:
            self._take_annotation(data)

    # --- The whole --------------------------------------------------------------------

    def _take_error(self, data: dict[str, Json]) -> None:
        """An error that ends the stream: the event itself, or what it wraps."""
        inner = data.get("error")
        if isinstance(inner, dict | str):
            self._set(self.body, "error", inner, "", "", Effect.ERROR)
            return
        told = {key: value for key, value in data.items() if key != "type"}
        self.body["error"] = own(told)
        self._note("/error", "", Effect.ERROR)

    def _take_response(self, response: dict[str, Json], *, is_end: bool) -> None:
        for key, value in response.items():
            if key == "output" and isinstance(value, list):
                self._take_output(value)
            elif value is not None or key not in self.body or is_end:
                effect = _effect(key, value, is_end)
                self._set(self.body, key, value, "", "/response", effect)
        if is_end:
            for key in [key for key in self.body if key not in response]:
                if key not in ("output", "error"):
                    del self.body[key]

    def _take_output(self, items: list[Json]) -> None:
        output = self._list(self.body, "output")
        if not items:
            return
        places = [self._slots.get(index) for index in range(len(items))]
        if len(items) == len(output) and places == list(range(len(items))):
            for place, item in enumerate(items):
                self._finish(output, place, item, f"/response/output/{place}")
            self._note("/output", "/response/output", Effect.META)
        else:
            self.body["output"] = own(list(items))
            self._slots = {index: index for index in range(len(items))}
            self._note("/output", "/response/output", Effect.META)

    # --- Items ------------------------------------------------------------------------

    def _take_item(
        self, data: dict[str, Json], item: dict[str, Json], *, is_done: bool
    ) -> None:
        output = self._list(self.body, "output")
        place = self._place(data, is_new=True)
        if is_done:
            self._finish(output, place, item, "/item")
        else:
            entry, at = self._object_in(output, place), f"/output/{place}"
            for key, value in item.items():
                if key != "encrypted_content":
                    self._set(entry, key, value, at, "/item", _item_effect(key, item))
        self._note(f"/output/{place}", "/item", Effect.META)

    def _finish(self, output: list[Json], place: int, item: Json, source: str) -> None:
        """Make an entry what the finished item is."""
        at = f"/output/{place}"
        if not isinstance(item, dict):
            output[place] = item
            self._note(at, source, Effect.META)
            return
        entry = self._object_in(output, place)
        for key in [key for key in entry if key not in item]:
            del entry[key]
        for key, value in item.items():
            self._set(entry, key, value, at, source, _item_effect(key, item))

    def _place(self, data: dict[str, Json], *, is_new: bool = False) -> int:
        """Where the item stands that an event speaks of: by `output_index`; without
        one by its id, else the last one."""
        output = self._list(self.body, "output")
        index = data.get("output_index")
        if isinstance(index, int) and not isinstance(index, bool):
            if index not in self._slots:
                self._slots[index] = len(output)
                output.append({})
            return self._slots[index]
        item = data.get("item")
        name = item.get("id") if isinstance(item, dict) else data.get("item_id")
        for place, entry in enumerate(output):
            if name and isinstance(entry, dict) and entry.get("id") == name:
                return place
        if is_new or not output:
            self._slots.setdefault(len(output), len(output))
            output.append({})
        return len(output) - 1

    @staticmethod
    def _object_in(items: list[Json], place: int) -> dict[str, Json]:
        if not isinstance(items[place], dict):
            items[place] = {}
        found: dict[str, Json] = items[place]
        return found

    # --- What is inside of items ------------------------------------------------------

    def _entry(self, data: dict[str, Json]) -> tuple[dict[str, Json], str]:
        place = self._place(data)
        output = self._list(self.body, "output")
        return self._object_in(output, place), f"/output/{place}"

    def _inner(
        self, data: dict[str, Json], member: str, index_key: str
    ) -> tuple[list[Json], int, str]:
        """A list of an item and the place in it that an event speaks of."""
        entry, at = self._entry(data)
        pieces = self._list(entry, member)
        index = data.get(index_key)
        place = len(pieces)
        if isinstance(index, int) and 0 <= index < place:
            place = index
        elif index is None and pieces:
            place -= 1
        if place == len(pieces):
            pieces.append({})
        return pieces, place, f"{at}/{member}"

    def _take_part(self, data: dict[str, Json], member: str, index_key: str) -> None:
        pieces, place, at = self._inner(data, member, index_key)
        piece = self._object_in(pieces, place)
        for key, value in data["part"].items():
            effect = Effect.THOUGHT if member == "summary" else Effect.TEXT
            is_said = key in ("text", "refusal") and value
            wrote = effect if is_said else Effect.META
            self._set(piece, key, value, f"{at}/{place}", "/part", wrote)

    def _take_nested(self, data: dict[str, Json], stem: str, verb: str) -> None:
        (member, index_key, type_, key), effect = _NESTED[stem]
        text = data.get("delta" if verb == "delta" else key)
        if not isinstance(text, str):
            return
        pieces, place, at = self._inner(data, member, index_key)
        piece = self._object_in(pieces, place)
        piece.setdefault("type", type_)
        self._add(piece, key, text, f"{at}/{place}", verb, effect)

    def _take_piece(self, data: dict[str, Json], stem: str, verb: str) -> None:
        key, effect = _PIECES[stem]
        text = data.get("delta" if verb == "delta" else key)
        if isinstance(text, str):
            entry, at = self._entry(data)
            self._add(entry, key, text, at, verb, effect)

    def _add(
        self,
        holder: dict[str, Json],
        key: str,
        text: str,
        at: str,
        verb: str,
        effect: Effect,
    ) -> None:
        """Lengthen a text, or make it what its last event says."""
        if verb == "done":
            self._set(holder, key, text, at, "", effect)
            return
        before = holder.get(key)
        before = before if isinstance(before, str) else ""
        holder[key] = before + text
        if text:
            appended = bool(before)
            self._note(f"{at}/{key}", "/delta", effect, appended=appended)

    def _take_annotation(self, data: dict[str, Json]) -> None:
        pieces, place, at = self._inner(data, "content", "content_index")
        notes = self._list(self._object_in(pieces, place), "annotations")
        notes.append(own(data["annotation"]))
        here = f"{at}/{place}/annotations/{len(notes) - 1}"
        self._note(here, "/annotation", Effect.META)


def _effect(key: str, value: Json, is_end: bool) -> Effect:
    """Of a member of the whole; `"error": null` stands in every answer."""
    if key == "error" and value is not None:
        return Effect.ERROR
    if key == "usage":
        return Effect.USAGE
    return Effect.FINISH if key == "status" and is_end else Effect.META


def _item_effect(key: str, item: dict[str, Json]) -> Effect:
    value = item.get(key)
    if not value:
        return Effect.META
    if key == "encrypted_content":
        return Effect.SIGNATURE
    if key == "summary" or (key == "content" and item.get("type") == "reasoning"):
        return Effect.THOUGHT
    if key == "content":
        return Effect.TEXT
    is_call = str(item.get("type")).endswith("_call")
    if is_call and key in ("call_id", "name", "arguments", "input", "action"):
        return Effect.CALL
    return Effect.META
