"""What a rule is and what it says; what it sees is a `Subject`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace

from sigscope.edits.masks import writes_mask
from sigscope.records import dataclass
from sigscope.rules.edits import Fix, MadeEdits
from sigscope.rules.findings import Claim, Confidence, Finding, Severity
from sigscope.rules.subject import Subject

__all__ = ["Check", "Claim", "Confidence", "Finding", "Rule", "Severity", "Subject"]

Check = Callable[[Subject], Iterator[Claim]]
"""What finds: a generator function of the rule's file, or one of `rules.kinds`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule's card. What it says stands nowhere else: manual page, findings and JSON
    show it from here."""

    code: str
    """"CPC-1": also the name of its page in docs/rules."""
    name: str
    """What it finds, in kebab case: "signature-dropped"."""
    page: str | None
    """The manual page, `__doc__` of the rule's file (`rules.page`)."""
    severity: Severity
    """The most it says of its own; never ERROR where `confidence` is INFERRED."""
    confidence: Confidence
    dialects: tuple[str, ...]
    checked_on: str
    """Date (ISO) of the facts it rests on."""
    source: str
    """Where the fact stands, and of what kind that is: "anomalyco/opencode#5346 [issue
    report]". Pages of docs/wire come last, and the rule's own row is not named."""
    check: Check
    hears_all_errors: bool = False
    """Whether to ask it about every error, whatever the dialect: it knows the words
    of an API that has no dialect here."""

    service: str = ""
    """Whose rule it is, where that service speaks an API of others too."""
    instead_of: tuple[str, ...] = ()
    """Rules of that API that keep silent at this service: what they are about, it wants
    otherwise."""
    looks_ahead: bool = False
    """Whether steps that come after one may change what it says of that one; of a
    request that was refused any rule may be told that it was sent again."""
    is_last_word: bool = False
    """Whether to ask it only about errors that no other rule's finding explains."""

    @property
    def reference(self) -> str:
        """The source, with the rule's own row in docs/wire where it names no other:
        "...; docs/wire/copilot-chat.md#cpc-1"."""
        if self.is_last_word or "docs/wire/" in self.source:
            return self.source
        return f"{self.source}; docs/wire/{self.dialects[0]}.md#{self.code.lower()}"

    @property
    def manual(self) -> str:
        """The page without the indentation of a docstring."""
        return inspect.cleandoc(self.page or "")

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """What the check claims, over this card's name."""
        for claim in self.check(subject):
            yield self._finding(claim, subject)

    def _finding(self, claim: Claim, subject: Subject) -> Finding:
        is_remark = subject.is_accepted and not claim.in_response
        usual = Severity.INFO if is_remark else claim.worst or self.severity
        fix, said = claim.fix, claim.said
        if fix and writes_mask(fix, subject.ledger.masks):
            fix, said = None, f"{said}; {MASKED}"
        known = subject.once_in_session(_texts)
        if len(known) >= _MOST_TEXTS:
            known.clear()
        return Finding(
            rule=self.code,
            severity=claim.severity or usual,
            confidence=self.confidence,
            step=subject.step,
            pointer=known.setdefault(claim.pointer, claim.pointer),
            message=known.setdefault(said, said),
            fix=fix and self._own(fix, subject),
            signature=claim.signature,
            in_response=claim.in_response,
            event=claim.event,
            candidates=claim.candidates,
            is_confirmed=self.is_last_word,
            is_echo=self.is_last_word,
            spoken=claim.spoken,
        )

    def _own(self, fix: Fix, subject: Subject) -> Fix:
        """Edits under this rule's name. One object for one: requests repeat the faults
        of those before, and the edits that mend them."""
        known = subject.once_in_session(_own_edits)
        own = known.get(self.code)
        if own is None:
            name = f"rule {self.code}"
            own = known[self.code] = MadeEdits(lambda edit: replace(edit, origin=name))
        return own.of(fix)


MASKED = (
    "what belongs there is masked in the recording, so that only the client can put it"
    " back"
)
_MOST_TEXTS = 10_000
"""Pointers and messages that are known to be said again: one object for one."""


def _texts(_: Subject) -> dict[str, str]:
    return {}


def _own_edits(_: Subject) -> dict[str, MadeEdits]:
    """Of each rule."""
    return {}
