"""Stored answers of the Responses API, asked for again: `GET /responses/ID` and its
`/input_items` (platform.openai.com/docs/api-reference/responses/get)."""

from __future__ import annotations

import hashlib
from typing import Any

from sigscope.records import dataclass
from sigscope.upstreams.simulator.arrival import Incoming
from sigscope.upstreams.simulator.checks.responses import wrap
from sigscope.upstreams.simulator.keptanswers import KeptAnswers
from sigscope.upstreams.simulator.records import Json, as_dict, as_text
from sigscope.upstreams.simulator.speech.voice import SimAnswer, compact, document
from sigscope.upstreams.simulator.texts import responses as texts
from sigscope.utf8 import to_bytes

_MOST = 100
_USUAL = 20
"""Items of one page of a list."""
_JSON = (("content-type", "application/json"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """One answer by its id."""

    name: str

    def whole(self, incoming: Incoming, shelf: KeptAnswers) -> SimAnswer:
        """As it was given; what only a recording tells of has its items alone."""
        items = shelf.history(self.name)
        if items is None:
            return self._unknown()
        asked = shelf.asked(self.name) or ()
        found = shelf.whole(self.name) or {
            "id": self.name,
            "object": "response",
            "status": "completed",
            "output": list(items[len(asked) :]),
        }
        return SimAnswer(status=200, headers=_JSON, pieces=(document(found),))

    def input_items(self, incoming: Incoming, shelf: KeptAnswers) -> SimAnswer:
        """A page of what was said before it: the latest first, if not asked else."""
        asked = shelf.asked(self.name)
        if asked is None:
            return self._unknown()
        items = [_item(self.name, number, item) for number, item in enumerate(asked)]
        if incoming.query.get("order") != "asc":
            items.reverse()
        names = [item["id"] for item in items]
        after = incoming.query.get("after", "")
        start = names.index(after) + 1 if after in names else 0
        page = items[start : start + _limit(incoming.query.get("limit", ""))]
        found = {
            "object": "list",
            "data": page,
            "first_id": page[0]["id"] if page else None,
            "last_id": page[-1]["id"] if page else None,
            "has_more": start + len(page) < len(items),
        }
        return SimAnswer(status=200, headers=_JSON, pieces=(document(found),))

    def _unknown(self) -> SimAnswer:
        refusal = texts.NO_ANSWER.refuse(name=self.name)
        body = document(wrap(refusal))
        return SimAnswer(status=refusal.status, headers=_JSON, pieces=(body,))


def _limit(text: str) -> int:
    return min(max(int(text), 1), _MOST) if text.isdecimal() else _USUAL


def _item(answer: str, number: int, item: Json) -> dict[str, Any]:
    """An item as the list shows it: each has an id, a text is a part."""
    shown = dict(as_dict(item))
    kind = as_text(shown.setdefault("type", "message"))
    made = hashlib.sha256(to_bytes(f"{answer} {number} {compact(item)}")).hexdigest()
    shown.setdefault("id", f"{_PREFIXES.get(kind, 'msg')}_{made[:48]}")
    if kind == "message":
        shown.setdefault("status", "completed")
        if isinstance(shown.get("content"), str):
            side = "output_text" if shown.get("role") == "assistant" else "input_text"
            shown["content"] = [{"type": side, "text": shown["content"]}]
    return shown


_PREFIXES: dict[str, str] = {
    "reasoning": "rs",
    "function_call": "fc",
    "function_call_output": "fco",
    "custom_tool_call": "ctc",
    "custom_tool_call_output": "ctco",
}
