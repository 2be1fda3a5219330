"""What is said of a session that grows is what is said of it from nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.ledger.test_repeated_requests import (
    alternating,
    runs_of,
    sessions,
    told,
)
from tests.unit.rules import anthropic_cases as a
from tests.unit.rules import responses_cases as r
from tests.unit.rules.cases import gemini_signature
from tests.unit.rules.test_rule_cases import BAD, GOOD

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.settings.places import shipped
from sigscope.exchange import Body, Exchange, Response
from sigscope.ledger import Ledger
from sigscope.ledger.build import Builder
from sigscope.ledger.prefix import LedgerPrefix
from sigscope.reader import Reading
from sigscope.rules import sessioncheck
from sigscope.session import Session, Step

pytestmark = pytest.mark.slow

CASES = (*BAD, *GOOD)
BUSY = Response(status=429, body=Body(b'{"error": {"message": "slow down"}}'))


def steps_of(exchanges: Sequence[Exchange]) -> list[Step]:
    return [Step(number=n, id=str(n), exchange=e) for n, e in enumerate(exchanges, 1)]


def all_of(ledger: Ledger) -> object:
    return told(ledger), runs_of(ledger), ledger.anew, ledger.unmet


def grows(
    steps: Sequence[Step], sizes: Iterator[int], draw: st.DataObject | None = None
) -> None:
    """Compared when it has grown by one of `sizes`: each time, or, as all from nothing
    costs the square of the steps, at the end and where it is drawn."""
    session = Session(id="", steps=())
    document = Document(session)
    at = 0
    while at < len(steps):
        size = next(sizes)
        new, at = steps[at : at + size], at + size
        document = document.grown(new, ())
        said, found = all_of(document.ledger), document.findings
        if draw is None or at >= len(steps) or draw.draw(st.integers(0, 3)) == 0:
            anew = Document(replace(session, steps=tuple(steps[:at])))
            assert said == all_of(anew.ledger)
            assert found == anew.findings


def one_by_one() -> Iterator[int]:
    while True:
        yield 1


@settings(max_examples=75, deadline=None)
@given(st.one_of(sessions(), alternating()), st.data())
def test_random_sessions(exchanges: tuple[Exchange, ...], data: st.DataObject) -> None:
    sizes = iter(lambda: data.draw(st.sampled_from([1, 1, 1, 2])), 0)
    grows(steps_of(exchanges), sizes, data)


@pytest.mark.parametrize("part", range(8))
def test_each_case_of_a_rule(part: int) -> None:
    """And of its last request, sent once more."""
    for case in CASES[part::8]:
        exchanges = (*case.exchanges, case.exchanges[-1])
        grows(steps_of(exchanges), one_by_one())


@st.composite
def mixed(draw: st.DrawFn) -> list[Exchange]:
    """Sessions of rules, one beside the other; some requests are refused, and sent
    again, which is refused, or not."""
    cases = draw(st.lists(st.sampled_from(CASES), min_size=1, max_size=3))
    left = [list(case.exchanges) for case in cases]
    made: list[Exchange] = []
    while left:
        one = draw(st.sampled_from(left))
        made.append(one.pop(0))
        left = [some for some in left if some]
        if draw(st.integers(0, 3)) == 0:
            again = draw(st.sampled_from(made))
            answers = [again.response, BUSY, draw(st.sampled_from(made)).response]
            made.append(replace(again, response=draw(st.sampled_from(answers))))
    return made


@settings(max_examples=100, deadline=None)
@given(mixed(), st.data())
def test_sessions_beside_one_another(
    exchanges: list[Exchange], data: st.DataObject
) -> None:
    grows(steps_of(exchanges), one_by_one(), data)


@pytest.mark.parametrize(
    "path", sorted(shipped("sessions").glob("*.jsonl")), ids=lambda path: path.name
)
def test_bundled_sessions(path: Path) -> None:
    grows(Document(open_file(path)).steps, one_by_one())


def test_a_request_that_is_accepted_when_sent_again() -> None:
    path = shipped("sessions") / "zed-copilot-attempt-2.session.jsonl"
    first, refused = (step.exchange for step in Document(open_file(path)).steps)
    accepted = replace(refused, response=first.response)
    grows(steps_of([first, refused, accepted, refused, accepted]), one_by_one())


def test_a_value_that_no_rule_speaks_of_until_it_stands_elsewhere() -> None:
    value = gemini_signature("elsewhere")
    compacted = {"type": "compaction", "content": "So far.", "encrypted_content": value}
    history = [a.user(), {"role": "assistant", "content": [compacted]}, a.user()]
    copied = {"role": "assistant", "content": [a.thought(value), a.says("Done.")]}
    exchanges = [a.ask(history), a.ask([*history, copied, a.user()])]
    grows(steps_of(exchanges), one_by_one())
    document = Document(Session(id="", steps=tuple(steps_of(exchanges))))
    assert document.findings_of(1)


@pytest.mark.parametrize("url", [r.OPENAI, r.AZURE])
def test_an_item_that_a_step_still_to_come_may_have_brought(url: str) -> None:
    bare = r.ask(r.USER, r.thought(sealed=None), store=False, url=url)
    grows(steps_of([bare, bare]), one_by_one())
    document = Document(Session(id="", steps=tuple(steps_of([bare]))))
    assert any(finding.fix for finding in document.findings)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Steps that the rules are asked about."""
    found: list[int] = []
    check = sessioncheck.check_step

    def noted(subject: sessioncheck.Subject, *rules: object) -> object:
        found.append(subject.step)
        return check(subject, *rules)  # type: ignore[arg-type]

    monkeypatch.setattr(sessioncheck, "check_step", noted)
    return found


def test_only_steps_that_are_new_are_judged(judged: list[int]) -> None:
    """And one that was refused, when it is sent again and accepted."""
    path = shipped("sessions") / "claude-code-tool-loop.session.jsonl"
    *others, last = (step.exchange for step in Document(open_file(path)).steps)
    exchanges = [*others, replace(last, response=BUSY), last]
    document = Document(Session(id="", steps=()))
    for step in steps_of(exchanges):
        document = document.grown([step], ())
        assert document.findings is not None
    count = len(exchanges)
    assert judged == [*range(1, count), count - 1, count]


def test_the_first_step_more_is_judged_by_itself_where_more_was_expected(
    judged: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is in the ledger."""
    path = shipped("sessions") / "claude-code-tool-loop.session.jsonl"
    steps = list(Document(open_file(path)).steps)
    document = Document(Session(id="", steps=tuple(steps[:-1])))
    document.expect_more()
    anew = Document(Session(id="", steps=tuple(steps[:-1])))
    assert document.findings == anew.findings
    assert all_of(document.ledger) == all_of(anew.ledger)
    taken: list[int] = []
    take = Builder.take

    def noted(builder: Builder, reading: Reading) -> None:
        taken.append(reading.number)
        take(builder, reading)

    monkeypatch.setattr(Builder, "take", noted)
    judged.clear()
    assert document.grown(steps[-1:], ()).findings is not None
    assert taken == judged == [steps[-1].number]


def test_where_the_ledger_says_otherwise_of_known_steps_all_are_judged(
    judged: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LedgerPrefix, "take", lambda *_: False)
    path = shipped("sessions") / "claude-code-tool-loop.session.jsonl"
    document = Document(Session(id="", steps=()))
    for step in Document(open_file(path)).steps[:3]:
        document = document.grown([step], ())
        assert document.findings is not None
    assert judged == [1, 1, 2, 1, 2, 3]


def test_an_older_document_still_says_what_it_said() -> None:
    """And so do two that go on from one in different ways."""
    path = shipped("sessions") / "claude-code-tool-loop.session.jsonl"
    steps = list(Document(open_file(path)).steps)
    assert len(steps) > 2
    first = Document(Session(id="", steps=())).grown(steps[:1], ())
    second = first.grown(steps[1:2], ())
    third = second.grown(steps[2:3], ())
    other = second.grown([replace(steps[1], number=3, id="other")], ())
    for document in (third, other, first, second, third, other):
        anew = Document(replace(document.session, path=None))
        assert document.findings == anew.findings
        assert all_of(document.ledger) == all_of(anew.ledger)


def test_after_a_failure_all_is_said_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    path = shipped("sessions") / "claude-code-tool-loop.session.jsonl"
    steps = list(Document(open_file(path)).steps)
    document = Document(Session(id="", steps=())).grown(steps[:1], ())
    assert document.findings is not None
    document = document.grown(steps[1:3], ())

    def fail(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as broken:
        broken.setattr(Builder, "account", fail)
        with pytest.raises(MemoryError):
            _ = document.ledger
    anew = Document(replace(document.session, path=None))
    assert all_of(document.ledger) == all_of(anew.ledger)
    assert document.findings == anew.findings
