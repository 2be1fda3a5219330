"""DSK-1: the kind `unreasoned`, in the words of V3.2."""

from sigscope.dialects.deepseek import FIELD
from sigscope.rules.base import Confidence, Rule, Severity, Subject
from sigscope.rules.kinds.unreasoned import PAGE, unreasoned

TEXT = "Missing `reasoning_content` field in the assistant message at message index N"


def is_older(subject: Subject) -> bool:
    """Whether the words are V3.2's: by the refusal, else by the model that is asked."""
    is_named = "-v3" in subject.reading.model.lower() and "DSK-2" not in subject.heard
    return "DSK-1" in subject.heard or is_named


RULE = Rule(
    code="DSK-1",
    name="reasoning-missing-v3",
    page=PAGE.format(models="V3.2", text=TEXT, field=FIELD, more=""),
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=("deepseek",),
    checked_on="2026-11-22",
    source=(
        "api-docs.deepseek.com/guides/thinking_mode, anomalyco/opencode#9397 "
        "[docs, issue report]; docs/wire/deepseek.md#dsk-1"
    ),
    check=unreasoned(of=is_older),
)
