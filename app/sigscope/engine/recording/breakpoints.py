"""Breakpoints: which requests are held before they are sent.

all                    every request
sig dropped            a signature that the service has a use for is missing; also
                       altered, cut, moved, bypass, earlier, foreign, duplicated
sig lost               any of dropped, altered, cut, moved, bypass
error, warning         a rule says so, or worse
rule CPC-1             this rule has something to say
model TEXT, path TEXT, body TEXT     the text occurs there
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sigscope.engine.recording.forecast import Outlook
from sigscope.errors import UsageError
from sigscope.ledger import Fate
from sigscope.ledger.records import LOST
from sigscope.records import dataclass
from sigscope.rules.findings import Severity
from sigscope.rules.registry import rule_named
from sigscope.rules.runner import ORDER
from sigscope.rules.subject import is_lost
from sigscope.utf8 import readable
from sigscope.wire.urls import split_url

Test = Callable[[Outlook], str | None]
"""Why a request is held; None if it is not."""

FATES = tuple(fate for fate in Fate if fate not in (Fate.RECEIVED, Fate.EXACT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakpoint:
    text: str
    """As the user wrote it."""
    test: Test


def parse_breakpoint(text: str) -> Breakpoint:
    """A condition by its text. Raises UsageError with those there are."""
    word, _, rest = text.strip().partition(" ")
    reader = _READERS.get(word.lower())
    test = reader(rest.strip()) if reader else None
    if test is None:
        fates = ", ".join(FATES)
        raise UsageError(
            f"breakpoint {text!r} is not understood. Write all, sig lost, sig FATE"
            f" ({fates}), error, warning, rule CODE, model TEXT, path TEXT or body TEXT"
        )
    return Breakpoint(text=text.strip(), test=test)


def reasons(breakpoints: Sequence[Breakpoint], outlook: Outlook) -> list[str]:
    """Why a request is held, by each breakpoint that holds it."""
    found = (breakpoint_.test(outlook) for breakpoint_ in breakpoints)
    return [reason for reason in found if reason is not None]


def _all(rest: str) -> Test | None:
    return None if rest else lambda _: "every request is held"


def _signature(rest: str) -> Test | None:
    wanted: frozenset[Fate]
    if rest.lower() == "lost":
        wanted = LOST
    elif rest.lower() in FATES:
        wanted = frozenset({Fate(rest.lower())})
    else:
        return None

    def test(outlook: Outlook) -> str | None:
        for signature, fate in outlook.concerned:
            if fate.fate not in wanted:
                continue
            # A loss that does not matter must not hold anything.
            if fate.fate in LOST and not is_lost(fate):
                continue
            origin = f" from step {signature.step}" if signature.step else ""
            return f"signature {signature.id}{origin} is {fate.fate} ({fate.grade})"
        return None

    return test


def _severity(limit: Severity) -> Callable[[str], Test | None]:
    def read(rest: str) -> Test | None:
        def test(outlook: Outlook) -> str | None:
            for finding in outlook.findings:
                if ORDER[finding.severity] <= ORDER[limit]:
                    return f"{finding.severity}[{finding.rule}] {finding.message}"
            return None

        return None if rest else test

    return read


def _rule(rest: str) -> Test | None:
    rule = rule_named(rest)
    if rule is None:
        return None

    def test(outlook: Outlook) -> str | None:
        for finding in outlook.findings:
            if finding.rule == rule.code:
                return f"{finding.severity}[{finding.rule}] {finding.message}"
        return None

    return test


def _text(of: Callable[[Outlook], str]) -> Callable[[str], Test | None]:
    def read(rest: str) -> Test | None:
        def test(outlook: Outlook) -> str | None:
            is_in = rest.lower() in of(outlook).lower()
            return f"{rest!r} occurs in it" if is_in else None

        return test if rest else None

    return read


_READERS: dict[str, Callable[[str], Test | None]] = {
    "all": _all,
    "sig": _signature,
    "error": _severity(Severity.ERROR),
    "warning": _severity(Severity.WARNING),
    "rule": _rule,
    "model": _text(lambda outlook: outlook.reading.model),
    "path": _text(lambda outlook: split_url(outlook.reading.probe.url).path),
    "body": _text(lambda outlook: readable(outlook.reading.request_body.data)),
}
