"""What is known about one rule id, for one who holds nothing but an error's text.

Where a rule has a manual page (`sigscope.rules`), the page says what it means, how sure
that is and where it stands; the record only adds what is asked next.
"""

from __future__ import annotations

from sigscope.records import dataclass

TURN = (
    "the answer that brought the signature, and the refused request: from the first"
    " message of the turn on"
)
PAIR = "the refused request, and the answer to it"
ONE = "the refused request alone tells it"
TWO_HOSTS = (
    "the whole conversation with the addresses: who issued the signature, and who"
    " was asked with it"
)
STREAM = "the answer with its stream, event by event"


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """What is known about one rule id."""

    rule: str
    """ "RSP-1"."""
    api: str
    """Who says so, in words."""
    look: str
    """What to look at first, as a sentence."""
    record: str
    """What to record to be sure."""
    meaning: str = ""
    """One sentence; empty where the rule has a manual page."""
    confidence: str = ""
    """ "documented", "observed", "reported" or "inferred"; empty where there is a
    page."""
    source: str = ""
    """Public; empty where there is a page."""

    @property
    def has_page(self) -> bool:
        """Whether a rule is built, so that its manual page says more."""
        return not self.meaning


def known(
    rule: str,
    api: str,
    meaning: str,
    look: str,
    record: str,
    confidence: str,
    source: str,
) -> CatalogueEntry:
    return CatalogueEntry(
        rule=rule,
        api=api,
        look=look,
        record=record,
        meaning=meaning,
        confidence=confidence,
        source=source,
    )
