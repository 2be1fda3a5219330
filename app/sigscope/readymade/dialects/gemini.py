"""Gemini's own API: the wrong placements and shapes of docs/wire/gemini.md."""

from __future__ import annotations

from sigscope.conversation import PartKind
from sigscope.readymade.chat import restore
from sigscope.readymade.gemini_contents import (
    interleave,
    merge_contents,
    merge_texts,
    shorten_thoughts,
    split_contents,
    without_parts,
)
from sigscope.readymade.gemini_signatures import (
    bypass_on_siblings,
    first_part,
    in_snake_case,
    inside_call,
    inside_response,
    last_on_first_call,
    move_to_sibling,
    moved,
    next_call,
    next_part,
    on_siblings,
    own_part,
    response_part,
)
from sigscope.readymade.records import Rows, ready_edits
from sigscope.readymade.repertoire import Repertoire
from sigscope.readymade.rewriter import clear, on_each

_ON_ITS_PART = (
    "ai.google.dev/gemini-api/docs/thought-signatures [docs]; "
    "docs/wire/gemini.md#policy"
)
_INSIDE = (
    "router-for-me/CLIProxyAPI, pydantic/pydantic-ai, "
    "microsoft/vscode-copilot-chat; docs/wire/gemini.md#gem-13"
)
_ROWS: Rows = (
    (
        "restore",
        "each signature on the very part it came on, wrong copies gone",
        "cure",
        _ON_ITS_PART,
        restore,
    ),
    (
        "drop",
        "no signature is sent back",
        "mistake",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures, "
            "google-gemini/gemini-cli#26682, "
            "docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures; "
            "docs/wire/gemini.md#gem-1, docs/wire/gemini.md#gem-2"
        ),
        on_each(clear),
    ),
    (
        "in-function-call",
        "signature inside `functionCall` instead of beside it",
        "mistake",
        _INSIDE,
        on_each(moved(inside_call)),
    ),
    (
        "in-function-response",
        "signature inside the `functionResponse` of its call",
        "mistake",
        _INSIDE,
        on_each(moved(inside_response)),
    ),
    (
        "on-response-part",
        "signature on the part of the result",
        "mistake",
        "router-for-me/CLIProxyAPI; docs/wire/gemini.md#gem-13",
        on_each(moved(response_part)),
    ),
    (
        "extra-content",
        "signature as the compatible endpoint has it, in `extra_content` of the part",
        "mistake",
        "router-for-me/CLIProxyAPI; docs/wire/gemini.md#wrong-placements",
        on_each(moved(own_part, "extra_content/google/thought_signature")),
    ),
    (
        "on-first-part",
        "signature on part 0, which is not its own",
        "mistake",
        "RooCodeInc/Roo-Code; docs/wire/gemini.md#wrong-placements",
        on_each(moved(first_part)),
    ),
    (
        "on-next-part",
        "signature on the part behind its own",
        "mistake",
        (
            "pydantic/pydantic-ai, microsoft/vscode-copilot-chat, "
            "RooCodeInc/Roo-Code; docs/wire/gemini.md#wrong-placements, "
            "docs/wire/README.md#outcomes"
        ),
        on_each(moved(next_part)),
    ),
    (
        "on-second-call",
        "of parallel calls the second is signed instead of the first",
        "mistake",
        "ai.google.dev/gemini-api/docs/thought-signatures; docs/wire/gemini.md#gem-11",
        on_each(move_to_sibling),
    ),
    (
        "pending-on-next-call",
        "signature of a text glued to the next call",
        "mistake",
        (
            "pydantic/pydantic-ai, RooCodeInc/Roo-Code, microsoft/vscode-copilot-chat "
            "(geminiNativeProvider.ts); docs/wire/gemini.md#wrong-placements"
        ),
        on_each(moved(next_call)),
    ),
    (
        "last-on-first-call",
        "one variable for the last signature: it goes on the first call or part 0",
        "mistake",
        (
            "pydantic/pydantic-ai, microsoft/vscode-copilot-chat, RooCodeInc/Roo-Code "
            "(src/api/providers/gemini.ts); docs/wire/gemini.md#wrong-placements"
        ),
        on_each(last_on_first_call),
    ),
    (
        "copied-on-siblings",
        "the same signature on every parallel call",
        "mistake",
        "google/adk-js#268; docs/wire/gemini.md#gem-12",
        on_each(on_siblings),
    ),
    (
        "bypass-on-siblings",
        "the bypass on every unsigned parallel call",
        "mistake",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures, "
            "trpc-group/trpc-agent-go#1894; docs/wire/gemini.md#bypass"
        ),
        on_each(bypass_on_siblings),
    ),
    (
        "interleaved-results",
        "each parallel call followed by its own result",
        "mistake",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures, "
            "googleapis/js-genai#1275, pipecat-ai/pipecat#3420; "
            "docs/wire/gemini.md#gem-7"
        ),
        interleave,
    ),
    (
        "split-contents",
        "parallel calls of one step in contents of their own",
        "mistake",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures, "
            "googleapis/js-genai#1275, google/adk-go#764; docs/wire/gemini.md#gem-8"
        ),
        split_contents,
    ),
    (
        "merge-contents",
        "neighbouring contents of the model are one again",
        "cure",
        _ON_ITS_PART,
        merge_contents,
    ),
    (
        "merged-parts",
        "neighbouring text parts joined, signed or not",
        "mistake",
        _ON_ITS_PART,
        on_each(merge_texts),
    ),
    (
        "empty-part-dropped",
        "empty text parts left out, with the signatures on them",
        "mistake",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures, "
            "langchain-ai/langchainjs#10105; docs/wire/gemini.md#policy"
        ),
        without_parts(lambda part: part.kind is PartKind.TEXT and not part.text),
    ),
    (
        "thoughts-dropped",
        "thought parts left out, with the signatures on them",
        "mistake",
        "google-gemini/gemini-cli; docs/wire/gemini.md#wrong-placements",
        without_parts(lambda part: part.kind is PartKind.THOUGHT),
    ),
    (
        "thoughts-shortened",
        "the text of thought parts replaced by an ellipsis, the signature kept",
        "mistake",
        "lbjlaq/Antigravity-Manager#3337; docs/wire/gemini.md#gem-16",
        on_each(shorten_thoughts),
    ),
    (
        "snake-case",
        "`thought_signature` instead of `thoughtSignature` (harmless)",
        "variant",
        (
            "ai.google.dev/gemini-api/docs/thought-signatures [real traffic]; "
            "docs/wire/gemini.md#endpoints, docs/wire/gemini.md#policy"
        ),
        on_each(in_snake_case),
    ),
)

REPERTOIRE = Repertoire(
    dialect="gemini",
    ready=ready_edits(("gemini",), _ROWS, "gemini."),
    split=split_contents,
    merge=merge_contents,
    to_sibling=move_to_sibling,
)
