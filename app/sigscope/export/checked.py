"""What a check has to say of a file, for reports that machines read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sigscope.edits.notation import describe
from sigscope.records import dataclass
from sigscope.rules.findings import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFile:
    name: str
    """As it was given: a path, absolute or from where the check was started."""
    steps: Mapping[int, str]
    """Number → what it was: "POST /chat/completions"."""
    against: tuple[Finding, ...]
    """Findings that stop a build."""
    others: tuple[Finding, ...] = ()
    """Findings that do not, for they are not grave enough."""
    left_out: tuple[Finding, ...] = ()
    """Findings that do not, for they are known or ignored."""
    fingerprint: Callable[[Finding], str]
    """By what a finding is known again; asked only where a report wants it."""
    not_judged: Mapping[int, str]
    """Step → why nothing is said of it."""
    doubts: tuple[str, ...] = ()
    """What stops a build without being a finding: no request came."""
    remarks: tuple[str, ...] = ()
    """What to know of the recording before one trusts that nothing was found in it."""
    without_keys: Callable[[tuple[Finding, ...]], tuple[Finding, ...]] = tuple
    """The same findings, with no key of an answer in their words; asked only where a
    report is written."""

    @property
    def shown(self) -> tuple[Finding, ...]:
        """All but those left out, by step."""
        return tuple(sorted((*self.against, *self.others), key=lambda f: f.step))


def place_words(finding: Finding) -> str:
    """ "step 2, request /messages/1"."""
    side = "request"
    if finding.in_response:
        side = "response" if finding.event is None else f"event {finding.event}"
    return f"step {finding.step}, {side} {finding.pointer or '(whole body)'}"


def fix_words(finding: Finding) -> tuple[str, ...]:
    """A line for each edit that would mend it."""
    return tuple(edit.label or describe(edit) for edit in finding.fix or ())


def told(finding: Finding) -> str:
    """All of it, on lines of its own."""
    lines = [finding.message, f"at {place_words(finding)}", f"basis: {finding.basis}"]
    lines += [f"fix: {words}" for words in fix_words(finding)]
    return "\n".join([*lines, f"more: sigscope explain {finding.rule}"])
