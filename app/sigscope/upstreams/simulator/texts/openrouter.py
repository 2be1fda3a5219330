"""OpenRouter (docs/wire/openrouter.md#rules)."""

from __future__ import annotations

from sigscope.upstreams.simulator.texts import ErrorText

PRESERVE_DETAILS = ErrorText(
    rule="ORT-1",
    text=(
        "Gemini models require OpenRouter reasoning details to be preserved in each "
        "request. Please refer to our docs: https://openrouter.ai/docs/guides/"
        "best-practices/reasoning-tokens#preserving-reasoning-blocks. Upstream error: "
        "{upstream}"
    ),
    source=(
        "openrouter.ai/docs/guides/best-practices/reasoning-tokens, "
        "microsoft/vscode#279676, janhq/jan#7009 [issue report]; "
        "docs/wire/openrouter.md#ort-1"
    ),
)
NO_PAYLOAD = ErrorText(
    rule="ORT-2",
    text="Invalid input: expected {expected}, received {received}",
    source=(
        "cline/cline#8214 [issue report: cline #8214; wrapping inferred]; "
        "docs/wire/openrouter.md#ort-2"
    ),
)
NO_KEY_OPENROUTER = ErrorText(
    text="No auth credentials found",
    source="[docs][issue report]",
    status=401,
)
DUPLICATE_ITEM = ErrorText(
    rule="ORT-3",
    text=(
        "Duplicate item found with id {name}. Remove duplicate items from your input "
        "and try again."
    ),
    source=(
        "OpenRouterTeam/ai-sdk-provider [issue report; source code: ai-sdk-provider]; "
        "docs/wire/openrouter.md#ort-3"
    ),
)
NOT_PERSISTED = ErrorText(
    rule="ORT-4",
    text=(
        "Item with id '{name}' not found. Items are not persisted when `store` is set "
        "to false. Try again with `store` set to true, or remove this item from your "
        "input."
    ),
    source=(
        "RooCodeInc/Roo-Code (src/api/providers/openrouter.ts), vercel/ai#12689 "
        "[source code: Roo; issue report]; docs/wire/openrouter.md#ort-4, "
        "docs/wire/responses.md#rsp-4"
    ),
    status=404,
)
