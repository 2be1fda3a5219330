"""An app around the pane, and exchanges to show in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textual.app import App, ComposeResult
from textual.message import Message

from sigscope.edits.records import Edit, Op
from sigscope.exchange import Body, Chunk, Exchange, Request, Response
from sigscope.reader import Reading
from sigscope.tui.json import (
    EditHistory,
    JsonPane,
    JsonSubject,
    MarkKey,
    NodeMark,
    OfferedField,
    RowView,
)
from sigscope.tui.themes import fallbacks, read_theme

SIGNATURE = "XLn4be0oRXKa" * 40
THEMES = Path(__file__).parents[3] / "themes"
URL = "https://api.githubcopilot.com/chat/completions"

REQUEST: dict[str, Any] = {
    "model": "gemini-3-pro-preview",
    "stream": True,
    "tools": [
        {
            "type": "function",
            "function": {"name": "read_file", "parameters": {"type": "object"}},
        }
    ],
    "messages": [
        {"role": "system", "content": "Be brief.\nBe kind."},
        {"role": "user", "content": "Read the README, please"},
        {
            "role": "assistant",
            "content": [],
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {
                        "name": "read_file",
                        "arguments": '{"path":"README.md","lines":[1,20]}',
                    },
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "# Title\n" * 30},
    ],
}

RESTORE = Edit(
    op=Op.SET,
    pointer="/messages/2/reasoning_opaque",
    value=json.dumps(SIGNATURE),
    label="restore from step 1",
)
OFFERED = OfferedField(
    pointer=RESTORE.pointer,
    value=RESTORE.value or "",
    note="from step 1",
    edit=RESTORE,
)
NULLED = Edit(op=Op.SET, pointer="/messages/2/content", value="null")
NULL_OFFERED = OfferedField(
    pointer=NULLED.pointer, value="null", note="instead of []", edit=NULLED
)

MARKS: dict[MarkKey, tuple[NodeMark, ...]] = {
    ("request", None, "/messages/2"): (
        NodeMark(glyph="✗", text="CPC-1", ink="bad", target="CPC-1"),
    ),
    ("request", None, "/messages/2/content"): (
        NodeMark(glyph="!", text="CPC-2", ink="warn", target="CPC-2"),
    ),
    ("event", 3, "/choices/0/delta/reasoning_opaque"): (
        NodeMark(glyph="◆", text="9f3a21", ink="sig-1", target="9f3a21"),
    ),
    ("response", None, "/choices/0/message/reasoning_opaque"): (
        NodeMark(glyph="◆", text="9f3a21", ink="sig-1", target="9f3a21"),
    ),
}

DELTAS: tuple[dict[str, Any], ...] = (
    {"role": "assistant", "reasoning_text": "Looking "},
    {"reasoning_text": "at it"},
    {"reasoning_opaque": SIGNATURE},
    {
        "tool_calls": [
            {
                "index": 0,
                "id": "call_1",
                "type": "function",
                "function": {"name": "read_file", "arguments": '{"path":'},
            }
        ]
    },
    {"tool_calls": [{"index": 0, "function": {"arguments": '"README.md"}'}}]},
)


def stream(deltas: Sequence[dict[str, Any]] = DELTAS) -> bytes:
    """A Copilot stream: a comment, a chunk for each delta, the finish, [DONE]."""
    chunks = [{"index": 0, "delta": delta} for delta in deltas]
    chunks.append({"index": 0, "delta": {}, "finish_reason": "tool_calls"})
    events = [
        "data: "
        + json.dumps({"id": "r1", "model": "gemini-3-pro-preview", "choices": [chunk]})
        for chunk in chunks
    ]
    return "\n\n".join([": hello", *events, "data: [DONE]", ""]).encode() + b"\n"


def exchange(
    request: bytes | None = None,
    response: bytes | None = None,
    *,
    status: int = 200,
    content_type: str = "text/event-stream",
) -> Exchange:
    """An exchange with Copilot."""
    sent = json.dumps(REQUEST).encode() if request is None else request
    came = stream() if response is None else response
    at = [Chunk(end=n, at_ms=float(n)) for n in range(50, len(came) + 50, 50)]
    return Exchange(
        request=Request(
            url=URL,
            headers=(
                ("Content-Type", "application/json"),
                ("Authorization", "Bearer very-secret"),
            ),
            body=Body(sent),
            http_version="HTTP/1.1",
        ),
        response=Response(
            status=status,
            headers=(("Content-Type", content_type),),
            body=Body(came),
            chunks=tuple(at),
        ),
    )


def subject(
    reading: Reading | None = None,
    *,
    offered: tuple[OfferedField, ...] = (OFFERED, NULL_OFFERED),
    marks: dict[MarkKey, tuple[NodeMark, ...]] | None = None,
    parent: Reading | None = None,
) -> JsonSubject:
    """Step 2 of a story."""
    reading = reading or Reading(exchange(), number=2)
    return JsonSubject(
        title="step 2",
        reading=reading,
        base=reading,
        parent=parent,
        parent_title="step 2" if parent else "",
        marks=MARKS if marks is None else marks,
        offered=offered,
    )


def body_subject(body: bytes) -> JsonSubject:
    """A step whose request has this body, and nothing else of interest."""
    return subject(Reading(exchange(body, b"")), offered=(), marks={})


class Harness(App[None]):
    """The pane alone; keeps the edits like a screen does, and what it was told."""

    CSS = "JsonPane { width: 100%; height: 100%; }"

    def __init__(
        self, shown: JsonSubject | None = None, theme: str = "sigscope-dark"
    ) -> None:
        self._theme_read = read_theme(THEMES / f"{theme}.toml")
        super().__init__()
        self.first = shown
        self.told: list[Message] = []
        self.history = EditHistory()

    def get_css_variables(self) -> dict[str, str]:
        found = super().get_css_variables()
        return {**found, **fallbacks(self._theme_read), **self._theme_read.variables}

    def compose(self) -> ComposeResult:
        yield JsonPane()

    def on_mount(self) -> None:
        self.register_theme(self._theme_read)
        self.theme = self._theme_read.name
        self.pane.subject = self.first
        self.pane.focus()

    @property
    def pane(self) -> JsonPane:
        return self.query_one(JsonPane)

    def on_json_pane_edits_changed(self, message: JsonPane.EditsChanged) -> None:
        self.told.append(message)
        self.history.push(message.edits, message.label)
        self.pane.edits = message.edits

    def on_json_pane_node_chosen(self, message: JsonPane.NodeChosen) -> None:
        self.told.append(message)

    def on_json_pane_tab_shown(self, message: JsonPane.TabShown) -> None:
        self.told.append(message)

    def on_json_pane_copy_requested(self, message: JsonPane.CopyRequested) -> None:
        self.told.append(message)

    def on_json_pane_mark_chosen(self, message: JsonPane.MarkChosen) -> None:
        self.told.append(message)

    def last(self, kind: type[Message]) -> Any:
        """The last message of a kind."""
        return [message for message in self.told if isinstance(message, kind)][-1]


def rows_of(view: RowView) -> list[str]:
    """All rows of a view as text, as wide as the view draws them."""
    return [
        "".join(span.text for span in view.rows.line(row, view.room)).rstrip()
        for row in range(view.row_count)
    ]


def screen_of(app: App[None]) -> list[str]:
    """The whole screen as text."""
    height = app.size.height
    lines = app.screen._compositor.render_strips()
    return ["".join(s.text for s in strip).rstrip() for strip in lines[:height]]
