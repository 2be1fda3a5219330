"""DSK-2: DSK-1 in the words of V4 and newer, at both of its APIs."""

from collections.abc import Iterator

from sigscope.dialects.anthropic import Anthropic
from sigscope.dialects.deepseek import DEEPSEEK, FIELD
from sigscope.rules.base import Claim, Confidence, Rule, Severity, Subject
from sigscope.rules.deepseek.dsk_1_reasoning_missing_v3 import is_older
from sigscope.rules.kinds.unreasoned import PAGE, unreasoned
from sigscope.rules.kinds.unthought import Unthought

TEXT = "The `reasoning_content` in the thinking mode must be passed back to the API."
TWIN = """ The twin of
Anthropic's API says "The `content[].thinking` in the thinking mode must be passed back
to the API." of blocks that are left out."""
_IN_MESSAGES = Unthought(rule="DSK-2", service=DEEPSEEK.name)
_IN_CHAT = unreasoned(of=lambda subject: not is_older(subject))


def check(subject: Subject) -> Iterator[Claim]:
    """As each of the two APIs is asked."""
    is_twin = isinstance(subject.reading.dialect, Anthropic)
    yield from _IN_MESSAGES(subject) if is_twin else _IN_CHAT(subject)


RULE = Rule(
    code="DSK-2",
    name="reasoning-missing",
    page=PAGE.format(models="V4 and newer", text=TEXT, field=FIELD, more=TWIN),
    severity=Severity.ERROR,
    confidence=Confidence.DOCUMENTED,
    dialects=("deepseek", "anthropic"),
    service=DEEPSEEK.name,
    instead_of=("ANT-2",),
    checked_on="2026-11-22",
    source=(
        "api-docs.deepseek.com/guides/thinking_mode, anomalyco/opencode#24722, "
        "OEvortex/aether#31 [docs, issue report]; docs/wire/deepseek.md#dsk-2"
    ),
    check=check,
)
