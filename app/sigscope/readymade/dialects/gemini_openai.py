"""Gemini as OpenAI: the wrong placements of docs/wire/gemini-openai.md."""

from sigscope.dialects.gemini_openai import GeminiOpenAI
from sigscope.readymade.chat import chat_repertoire, on_second_call
from sigscope.readymade.rewriter import on_calls, on_each

_PATH = GeminiOpenAI.home.path
REPERTOIRE = chat_repertoire(
    "gemini-openai",
    "compatible",
    "openai/openai-python#2758; docs/wire/gemini-openai.md#wrong-placements",
    (
        (
            "extra-content-in-function",
            "`extra_content` inside `function`, which one proxy reads and Google not",
            "mistake",
            "router-for-me/CLIProxyAPI; docs/wire/gemini-openai.md#wr-3",
            on_each(on_calls(f"function/{_PATH}")),
        ),
        (
            "under-vertex",
            "the signature under `extra_content.vertex`, whatever it came under",
            "variant",
            "earendil-works/pi#7745; docs/wire/gemini-openai.md#goc-3",
            on_each(on_calls("extra_content/vertex/thought_signature")),
        ),
    ),
    right=(
        _PATH,
        "ai.google.dev/gemini-api/docs/openai; docs/wire/gemini-openai.md#policy",
    ),
    to_sibling=on_second_call,
)
