"""A fix of one request as a rule of conduct for every later one.

Pointers of a recorded step mean nothing in the next request. What means something is
who proposed an edit: a rule's finding, which will be found again and offer its fix for
what is wrong then; a ready-made edit, which is made anew for any request it fits; or a
change beside the history (a setting, a header, the URL), which stays the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from sigscope.edits.apply import apply_to_request
from sigscope.edits.records import Edit, Op
from sigscope.edits.words import describe
from sigscope.engine.sending.ready import applicable_to, context_of
from sigscope.engine.sessions.document import Document
from sigscope.errors import EditError
from sigscope.exchange import Exchange, Request
from sigscope.readymade import by_name
from sigscope.records import dataclass
from sigscope.rules.base import Subject
from sigscope.rules.cure import cure_of
from sigscope.rules.findings import Finding
from sigscope.rules.runner import check_step
from sigscope.session import Step

ROUNDS = 3
"""One fix may uncover the next mistake."""
_BESIDE = (Op.HEADER, Op.UNHEADER, Op.URL)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsentRequest:
    """A request that is still to be sent, and what the rules say of it."""

    before: Document
    document: Document
    """The steps before it, and itself, unanswered, as the last."""
    step: int
    findings: Sequence[Finding] = field(repr=False)

    @property
    def request(self) -> Request:
        return self.document.request(self.step)


def look_ahead(document: Document, request: Request) -> UnsentRequest:
    """What the rules say of a request that follows the steps of a document. Costs the
    ledger of all of them."""
    number = max((step.number for step in document.steps), default=0) + 1
    pending = Step(
        number=number, id=f"pending-{number}", exchange=Exchange(request=request)
    )
    grown = document.grown([pending], ())
    subject = Subject(
        reading=grown.reading(number),
        ledger=grown.ledger,
        readings={reading.number: reading for reading in grown.readings},
    )
    return UnsentRequest(
        before=document,
        document=grown,
        step=number,
        findings=check_step(subject),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingFix:
    """What is done to every request."""

    rules: tuple[str, ...] = ()
    """Whose findings are mended."""
    ready: tuple[str, ...] = ()
    """Ready-made edits that are made where they fit."""
    settings: tuple[Edit, ...] = ()
    """Edits beside the history, made as they are."""
    recorded: frozenset[Edit] = frozenset()
    """The edits it was made of."""

    @property
    def words(self) -> str:
        """ "the fix of CPC-1, copilot.final-fix"."""
        parts = [f"the fix of {rule}" for rule in self.rules]
        parts += self.ready
        parts += [describe(edit) for edit in self.settings]
        return ", ".join(parts)

    def and_then(self, other: StandingFix) -> StandingFix:
        """Both; what is in both is done once."""
        return StandingFix(
            rules=tuple(dict.fromkeys((*self.rules, *other.rules))),
            ready=tuple(dict.fromkeys((*self.ready, *other.ready))),
            settings=tuple(dict.fromkeys((*self.settings, *other.settings))),
            recorded=self.recorded | other.recorded,
        )

    def mend(self, outlook: UnsentRequest) -> UnsentRequest:
        """The request as it is sent; itself where there is nothing to mend. Raises
        EditError."""
        outlook = _edited(outlook, self.settings)
        for name in self.ready:
            outlook = _edited(outlook, self._made(outlook, name))
        for _ in range(ROUNDS):
            edits = self._cure(outlook)
            if not edits:
                break
            outlook = _edited(outlook, edits)
        return outlook

    def adopting(self, findings: Iterable[Finding]) -> StandingFix:
        """This fix, and the rules that offer the very edits it was made of: the same
        mistake, which has another name when its message is an older one."""
        same = (f.rule for f in findings if f.fix and self.recorded.issuperset(f.fix))
        return replace(self, rules=tuple(dict.fromkeys((*self.rules, *same))))

    def mistakes(self, findings: Iterable[Finding]) -> list[Finding]:
        """Those that it mends."""
        return [
            f for f in findings if f.fix and f.rule in self.rules and not f.in_response
        ]

    def _cure(self, outlook: UnsentRequest) -> tuple[Edit, ...]:
        text = outlook.document.reading(outlook.step).request_text
        return cure_of(self.mistakes(outlook.findings), text).edits

    @staticmethod
    def _made(outlook: UnsentRequest, name: str) -> tuple[Edit, ...]:
        ready = by_name(name)
        if ready is None:
            return ()
        return ready.edits(context_of(outlook.document, outlook.step)) or ()


def _edited(outlook: UnsentRequest, edits: Sequence[Edit]) -> UnsentRequest:
    if not edits:
        return outlook
    return look_ahead(outlook.before, apply_to_request(edits, outlook.request))


def generalise(
    document: Document,
    step: int,
    edits: Sequence[Edit],
    history: str,
    foreseen: Sequence[Finding] = (),
) -> StandingFix | str:
    """The fix that these edits of a step are an instance of; or why none is known.
    `history`: pointer of the step's list of messages. `foreseen`: what the rules say
    of the step without its answer, as they will of later requests: an error's words
    may choose between two rules."""
    found = (*document.findings_of(step), *foreseen)
    offering = [f for f in found if f.fix and not f.in_response]
    fix = _by_parts(document, step, edits, history, offering)
    if isinstance(fix, StandingFix):
        return fix
    return _by_effect(document, step, edits, offering) or fix


def _by_parts(
    document: Document,
    step: int,
    edits: Sequence[Edit],
    history: str,
    offering: Sequence[Finding],
) -> StandingFix | str:
    given = set(edits)
    named = {e.origin.removeprefix("ready ") for e in edits}
    chosen = [
        (one.name, made)
        for one, made in applicable_to(document, step)
        if one.name in named and given.issuperset(made)
    ]
    rest = given.difference(*(made for _, made in chosen))
    fixed = [f for f in offering if f.fix and rest.issuperset(f.fix)]
    rest = rest.difference(*(f.fix or () for f in fixed))
    settings = [e for e in edits if e in rest and _is_beside(e, history)]
    rest.difference_update(settings)
    ready = [name for name, _ in chosen]
    fitting = applicable_to(document, step) if rest else ()
    # Edits that came without a name: the cure that accounts for most of them.
    for one, made in sorted(fitting, key=lambda f: (f[0].kind != "cure", -len(f[1]))):
        if given.issuperset(made) and rest.intersection(made):
            ready.append(one.name)
            rest.difference_update(made)
    if rest:
        left = next(edit for edit in edits if edit in rest)
        return (
            f"the edit {describe(left)!r} is about this one message, and neither a rule"
            " nor a ready-made edit says what its like is in the next request; give"
            " the fix by --apply-fix or --ready (--ready list shows what fits)"
        )
    return StandingFix(
        rules=tuple(dict.fromkeys(f.rule for f in fixed)),
        ready=tuple(ready),
        settings=tuple(settings),
        recorded=frozenset(given),
    )


def _by_effect(
    document: Document,
    step: int,
    edits: Sequence[Edit],
    offering: Sequence[Finding],
) -> StandingFix | None:
    """Edits by hand that come to the same body as the fixes of rules do."""
    rules = tuple(dict.fromkeys(f.rule for f in offering))
    wanted = _body(document, step, edits)
    for chosen in (rules, *((rule,) for rule in rules)):
        text = document.reading(step).request_text
        cure = cure_of((f for f in offering if f.rule in chosen), text).edits
        if wanted is not None and _body(document, step, cure) == wanted:
            return StandingFix(rules=chosen, recorded=frozenset(cure))
    return None


def _body(document: Document, step: int, edits: Sequence[Edit]) -> object:
    """The parsed body with edits; None where there is none."""
    try:
        request = document.edited(step, edits)
        return (request.url, json.loads(request.body.raw))
    except (EditError, ValueError, RecursionError):
        return None


def _is_beside(edit: Edit, history: str) -> bool:
    """Whether it is about no message."""
    if edit.op in _BESIDE:
        return True
    places = (edit.pointer, edit.source or "")
    return not any(f"{place}/".startswith(f"{history}/") for place in places if place)
