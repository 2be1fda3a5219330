"""Claude's signed reasoning was altered, left in fragments or reordered.

Why it matters: Claude verifies text and signature together: 400 "Invalid `signature`
in `thinking` block" inside `metadata.raw`, for blocks of earlier turns too.
Bad:  [{"text": "I will "}, {"text": "look."}, {"signature": "EhYKBggL..."}]
Good: [{"text": "I will look.", "signature": "EhYKBggL..."}]
False alarms: entries are compared with those of the recorded response, put together
as the documentation asks; a response that is not in the session is not judged. An
accepted request earns a remark.
Fix: the entries as received, put together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sigscope.conversation import Json, Role
from sigscope.ledger.models import is_claude
from sigscope.opaque import fingerprint
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.edits import put
from sigscope.rules.openrouter.details import (
    CLAUDE_FORMATS,
    TEXT,
    entries,
    is_of,
    received_entries,
)


def check(subject: Subject) -> Iterator[Claim]:
    """Messages whose signed texts are not what the response brought."""
    if not is_claude(subject.reading.model):
        return
    for index, message in enumerate(subject.messages):
        if message.role is not Role.ASSISTANT:
            continue
        brought = received_entries(subject, index) or []
        sent: list[Json] = [entry.value for entry in entries(subject, index)]
        problem = _problem(_signed_texts(sent), _signed_texts(brought))
        if problem is not None:
            at = f"{message.pointer}/reasoning_details"
            yield Claim(
                at, problem, fix=(put(at, brought, "put back the entries as received"),)
            )


Block = tuple[str, str]
"""Text and signature; either may be empty."""


def _signed_texts(found: Sequence[Json]) -> list[Block]:
    return [
        (str(entry.get("text") or ""), str(entry.get("signature") or ""))
        for entry in found
        if isinstance(entry, dict)
        and entry.get("type") == TEXT
        and is_of(entry, CLAUDE_FORMATS)
    ]


def _problem(sent: Sequence[Block], brought: Sequence[Block]) -> str | None:
    """What is wrong with what was sent; None where it is right, or not there."""
    signatures = [signature for _, signature in brought if signature]
    if not sent or not signatures or sent == brought:
        return None
    kept = [signature for _, signature in sent if signature]
    if not set(kept) & set(signatures):
        return None
    joined = "".join(text for text, _ in sent)
    if len(sent) > len(brought) and joined == "".join(text for text, _ in brought):
        return (
            f"{len(sent)} fragments were sent where the response makes"
            f" {len(brought)}: text and signature belong into one entry"
        )
    if sorted(sent) == sorted(brought):
        return "the signed entries were reordered"
    for text, signature in sent:
        whole = next((t for t, s in brought if s == signature), text)
        if signature and text != whole:
            return (
                f"the text under signature {fingerprint(signature)} has {len(text)}"
                f" characters where {len(whole)} were received"
            )
    return None


RULE = Rule(
    code="ORT-5",
    name="claude-entries-changed",
    page=__doc__,
    severity=Severity.ERROR,
    confidence=Confidence.REPORTED,
    dialects=("openrouter",),
    checked_on="2026-11-21",
    source=(
        "openrouter.ai/docs/guides/best-practices/reasoning-tokens, "
        "agno-agi/agno#5802, "
        "docs.claude.com/en/docs/build-with-claude/extended-thinking [docs, issue "
        "report]; docs/wire/openrouter.md#ort-5, docs/wire/anthropic.md#ant-1"
    ),
    check=check,
)
