"""Vendors behind gateways: Anthropic, OpenAI, xAI (docs/wire/anthropic.md#rules,
docs/wire/responses.md#rules)."""

from __future__ import annotations

from sigscope.upstreams.simulator.texts import ErrorText, InvalidRequest

CLAUDE_SIGNATURE = InvalidRequest(
    rule="ANT-1",
    text="messages.{position}.content.{part}: Invalid `signature` in `thinking` block",
    source=(
        "docs.claude.com/en/docs/build-with-claude/extended-thinking, "
        "anthropics/anthropic-sdk-python#1598 [issue report]; "
        "docs/wire/anthropic.md#ant-1"
    ),
)
OPENAI_UNVERIFIED = ErrorText(
    rule="RSP-3",
    text=(
        "The encrypted content {name} could not be verified. Reason: Encrypted content "
        "could not be decrypted or parsed."
    ),
    source="openai/codex#17541 [issue report]; docs/wire/responses.md#rsp-3",
    code="invalid_encrypted_content",
)
XAI_UNDECIPHERED = ErrorText(
    rule="XAI-1",
    text=(
        "Could not decrypt the provided encrypted_content. Ensure the value is the "
        "unmodified encrypted_content from a previous response."
    ),
    source="docs.x.ai [issue report]; docs/wire/others.md#xai-1",
    code="invalid-argument",
)
