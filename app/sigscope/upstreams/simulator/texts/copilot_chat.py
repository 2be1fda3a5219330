"""GitHub Copilot (docs/wire/copilot-chat.md#rules)."""

from __future__ import annotations

from sigscope.upstreams.simulator.texts import ErrorText

INVALID_BODY = ErrorText(
    rule="CPC-2",
    text="invalid request body",
    source=(
        "zed-industries/zed#43024 [client's notes]; docs/wire/copilot-chat.md#cpc-2"
    ),
    code="invalid_request_body",
)
UNSUPPORTED_ARGUMENT = ErrorText(
    rule="CPC-3",
    text="Unrecognized request argument supplied: {name}",
    source=("github/copilot-cli#2553 [issue report]; docs/wire/copilot-chat.md#cpc-3"),
    code="invalid_request_body",
)
NOT_ON_RESPONSES = ErrorText(
    rule="CPC-4",
    text="model {name} is not supported via Responses API.",
    source=(
        "zed-industries/zed#43024, caozhiyuan/copilot-api#113 [client's notes]; "
        "docs/wire/copilot-chat.md#cpc-4"
    ),
    code="unsupported_api_for_model",
)
NOT_ON_CHAT = ErrorText(
    rule="CPC-4",
    text='model "{name}" is not accessible via the /chat/completions endpoint',
    source=(
        "zed-industries/zed#43024, caozhiyuan/copilot-api#113 [issue report]; "
        "docs/wire/copilot-chat.md#cpc-4"
    ),
    code="unsupported_api_for_model",
)
CLAUDE_BLOB = ErrorText(
    rule="CPC-5",
    text="messages.{position}.content.0: Invalid signature in thinking block",
    source=(
        "caozhiyuan/copilot-api#73, ericc-ch/copilot-api#166, badlogic/pi-mono#1502 "
        "[issue report]; docs/wire/copilot-chat.md#cpc-5"
    ),
    code="invalid_request_body",
)
NO_KEY_COPILOT = ErrorText(
    text="unauthorized: token expired",
    source="[issue report]",
    status=401,
    code="unauthorized",
)
