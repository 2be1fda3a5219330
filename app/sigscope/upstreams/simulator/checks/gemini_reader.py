"""`contents` read as Google's JSON parser reads them, field errors and all."""

from __future__ import annotations

import json
from dataclasses import field
from typing import Any

from sigscope.records import dataclass
from sigscope.upstreams.simulator.contents import Content, ContentPart, PartKind
from sigscope.upstreams.simulator.records import (
    Json,
    Refusal,
    as_dict,
    as_list,
    as_text,
)
from sigscope.upstreams.simulator.texts import ErrorText
from sigscope.upstreams.simulator.texts import google as texts

_DATA = frozenset(
    {
        "text",
        "inline_data",
        "function_call",
        "function_response",
        "file_data",
        "executable_code",
        "code_execution_result",
        "tool_call",
        "tool_response",
    }
)
"""Members of the oneof `data`: a part has one of them."""
_PART = _DATA | {
    "thought",
    "thought_signature",
    "video_metadata",
    "part_metadata",
    "media_resolution",
}
_NESTED = {
    "function_call": frozenset({"id", "name", "args", "partial_args", "will_continue"}),
    "function_response": frozenset(
        {"id", "name", "response", "parts", "will_continue", "scheduling"}
    ),
}
_STRINGS = {"text": "TYPE_STRING", "thought_signature": "TYPE_BYTES"}
_KINDS: dict[str, PartKind] = {
    "function_call": "call",
    "function_response": "result",
    "inline_data": "data",
    "file_data": "data",
}


@dataclass(slots=True)
class _Violation:
    field: str
    text: str
    pointer: str
    error: ErrorText


@dataclass(slots=True)
class ContentsReader:
    """Reads contents as Google's JSON parser does, and notes what it refuses.

    Field names are taken in camelCase and snake_case, and errors print the latter.
    Checked: contents, parts, calls and results. Other settings are taken as they are.
    """

    violations: list[_Violation] = field(default_factory=list)
    first: Refusal | None = None
    """A refusal that is no field violation."""

    def refusal(self) -> Refusal | None:
        """All field violations as one refusal, one line each; base64 excepted."""
        if not self.violations:
            return self.first
        worst = self.violations[0]
        return Refusal(
            message="\n".join(violation.text for violation in self.violations),
            rule=worst.error.rule,
            source=worst.error.source,
            code=worst.error.code,
            pointer=worst.pointer,
            violations=tuple((v.field, v.text) for v in self.violations),
        )

    def read(self, body: Json) -> list[Content]:
        if not isinstance(body, dict):
            self._mistyped("", "TYPE_MESSAGE", body, "")
            return []
        if "messages" in body:
            self._unknown("messages", "", "/messages")
        listed = body.get("contents", [])
        if isinstance(listed, dict):
            listed = [listed]
        if not listed:
            self.first = texts.NO_CONTENTS.refuse(pointer="/contents")
        if not isinstance(listed, list):
            self._mistyped("contents", "type.googleapis.com/Content", listed, "")
        return [
            self._content(entry, f"contents[{i}]", f"/contents/{i}")
            for i, entry in enumerate(as_list(listed))
        ]

    def _content(self, entry: Json, where: str, pointer: str) -> Content:
        if not isinstance(entry, dict):
            self._mistyped(where, "type.googleapis.com/Content", entry, pointer)
            return Content(role="user", pointer=pointer)
        for key in entry:
            if key not in ("role", "parts"):
                self._unknown(key, where, f"{pointer}/{key}")
        role = entry.get("role") or "user"
        if role not in ("user", "model", "function") and self.first is None:
            self.first = texts.BAD_ROLE.refuse(pointer=f"{pointer}/role")
        parts = entry.get("parts", [])
        if isinstance(parts, dict):
            parts = [parts]
        return Content(
            role=str(role),
            pointer=pointer,
            parts=[
                self._part(part, f"{where}.parts[{j}]", f"{pointer}/parts/{j}")
                for j, part in enumerate(as_list(parts))
            ],
        )

    def _part(self, entry: Json, where: str, pointer: str) -> ContentPart:
        if not isinstance(entry, dict):
            self._mistyped(where, "type.googleapis.com/Part", entry, pointer)
            return ContentPart(kind="other", pointer=pointer, raw=entry)
        members = {_snake(key): (key, value) for key, value in entry.items()}
        self._check(members, where, pointer)
        data = next((m for m in members if m in _DATA and _is_set(members[m])), "")
        value = as_dict(members[data][1]) if data else {}
        key, signature = members.get("thought_signature", ("", None))
        part = ContentPart(
            kind=_KINDS.get(data, "other"),
            pointer=pointer,
            name=as_text(value.get("name")),
            call_id=as_text(value.get("id")),
            signature=as_text(signature),
            signature_pointer=f"{pointer}/{key}" if key else "",
            raw=entry,
        )
        if data == "text":
            part.text = as_text(members["text"][1])
            thought = members.get("thought", ("", False))[1]
            part.kind = "thought" if thought is True else "text"
        elif data == "function_call":
            part.arguments = value.get("args") or {}
        elif data == "function_response":
            part.arguments = value.get("response")
            part.text = _result_text(value.get("response"))
        return part

    def _check(
        self, members: dict[str, tuple[str, Json]], where: str, pointer: str
    ) -> None:
        taken = ""
        for name, (key, value) in members.items():
            if name not in _PART:
                self._unknown(key, where, f"{pointer}/{key}")
            elif name in _DATA and _is_set((key, value)):
                if taken:
                    text = texts.ONEOF.text.format(field=where, name=key)
                    self._violate(where, text, f"{pointer}/{key}", texts.ONEOF)
                taken = taken or name
            wanted = _STRINGS.get(name)
            if wanted and not isinstance(value, str | None):
                self._mistyped(f"{where}.{name}", wanted, value, f"{pointer}/{key}")
            for inner in as_dict(value) if name in _NESTED else ():
                if _snake(inner) not in _NESTED[name]:
                    place = f"{pointer}/{key}/{inner}"
                    self._unknown(inner, f"{where}.{name}", place)

    def _unknown(self, name: str, where: str, pointer: str) -> None:
        at = f" at '{where}'" if where else ""
        text = texts.UNKNOWN_NAME.text.format(name=name, at=at)
        self._violate(where, text, pointer, texts.UNKNOWN_NAME)

    def _mistyped(self, where: str, kind: str, value: Json, pointer: str) -> None:
        shown = json.dumps(value)[:80]
        text = texts.BAD_TYPE.text.format(field=where, kind=kind, value=shown)
        self._violate(where, text, pointer, texts.BAD_TYPE)

    def _violate(self, where: str, text: str, pointer: str, error: ErrorText) -> None:
        self.violations.append(_Violation(where, text, pointer, error))


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


def _is_set(member: tuple[str, Any]) -> bool:
    return member[1] is not None


def _result_text(response: Json) -> str:
    """What a function response says: its one string, else its JSON."""
    if isinstance(response, dict) and len(response) == 1:
        value = next(iter(response.values()))
        if isinstance(value, str):
            return value
    return "" if response is None else json.dumps(response, ensure_ascii=False)
