"""Gemini as OpenAI: the wrong placements of docs/wire/gemini-openai.md."""

from __future__ import annotations

from dataclasses import replace

from sigscope.readymade.chat import chat_repertoire, on_second_call, restore
from sigscope.readymade.rewriter import on_calls, on_each

_PATH = "extra_content/{}/thought_signature"
_MADE = chat_repertoire(
    "gemini-openai",
    "compatible",
    "openai/openai-python#2758; docs/wire/gemini-openai.md#wrong-placements",
    (
        (
            "extra-content-in-function",
            "`extra_content` inside `function`, which one proxy reads and Google not",
            "mistake",
            "router-for-me/CLIProxyAPI; docs/wire/gemini-openai.md#wr-3",
            on_each(on_calls(f"function/{_PATH.format('google')}")),
        ),
        (
            "under-vertex",
            "the signature under `extra_content.vertex`, whatever it came under",
            "variant",
            "earendil-works/pi#7745; docs/wire/gemini-openai.md#goc-3",
            on_each(on_calls(_PATH.format("vertex"))),
        ),
        (
            "restore",
            "every signature back on its call, copies in wrong places gone",
            "cure",
            "ai.google.dev/gemini-api/docs/openai; docs/wire/gemini-openai.md#policy",
            restore,
        ),
    ),
    to_sibling=on_second_call,
)
_HOME = "compatible.extra-content"
"""With others an attempt; here it is the right place."""
REPERTOIRE = replace(
    _MADE, ready=tuple(ready for ready in _MADE.ready if ready.name != _HOME)
)
