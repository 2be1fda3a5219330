"""What became of the request on show, decided without a terminal."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.tui.debugger.desk import FakeDesk, studied
from tests.tui.driving import EMPTY_LIST, MISSING
from tests.unit.rules import gemini_cases as gemini

from sigscope.edits.records import Edit, Op
from sigscope.engine.sessions.document import Document
from sigscope.ledger import Fate
from sigscope.rules.findings import Finding
from sigscope.runs import Verdict
from sigscope.session import Session, Step
from sigscope.tui.debugger.edits import Editor
from sigscope.tui.debugger.headlines import headline_of, refused_of_model, status_of
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.debugger.sends import Sender
from sigscope.tui.lines import plain
from sigscope.tui.symbols import UNICODE
from sigscope.tui.views.chat import Block, chat_blocks
from sigscope.tui.views.chatlines import lay_block
from sigscope.tui.views.findings import NOBODY, mended_words
from sigscope.tui.views.headline import lay_headline
from sigscope.tui.views.jsonmarks import json_marks
from sigscope.tui.views.outcome import marks_as_sent, outcome_of, run_of, where_sent
from sigscope.tui.views.refused import Unrefused, lay_refused, lay_unrefused
from sigscope.tui.views.signatures import cards_of, signatures_title


class Bench:
    """A session, read to the end, with what edits and sends."""

    def __init__(self, name: str | Document = MISSING) -> None:
        self.model, self.desk, _ = studied(name)
        self.editor = Editor(self.model, self.desk)
        self.sender = Sender(self.model, self.desk)

    def send(self) -> None:
        self.sender.send()
        asyncio.run(self.desk.tasks.pop("send")())  # type: ignore[arg-type]
        self.desk.rest()

    @property
    def findings(self) -> tuple[Finding, ...]:
        assert self.model.shown is not None
        return self.model.shown.findings

    @property
    def header(self) -> str:
        line = lay_headline(headline_of(self.model), 160, UNICODE)
        return "".join(span.text for span in line)

    @property
    def refusal_lines(self) -> list[str]:
        refused = refused_of_model(self.model)
        if isinstance(refused, Unrefused):
            lines = [lay_unrefused(refused, 100, UNICODE)]
        else:
            lines = lay_refused(refused, 100, UNICODE) if refused else []
        return ["".join(span.text for span in line) for line in lines]

    @property
    def blocks(self) -> tuple[Block, ...]:
        model = self.model
        assert model.shown is not None
        return chat_blocks(model.shown, {}, outcome=model.outcome)


def signature_of(model: DebuggerModel) -> str:
    assert model.overview is not None
    return model.overview.ledger.signatures[0].sha256


def test_nothing_is_said_of_what_was_not_sent() -> None:
    bench = Bench()
    assert bench.model.outcome is None
    assert "predicted 400" in bench.header
    assert [line.strip() for line in bench.refusal_lines] == [
        "✗ 400 invalid request body"
    ]
    bench.editor.apply_next_fix()
    bench.desk.rest()
    assert bench.model.outcome is None


def test_where_the_error_struck_is_past_when_the_fix_is_confirmed() -> None:
    bench = Bench("zed-openrouter-never-emitted")

    def struck() -> tuple[str, str]:
        (block,) = (block for block in bench.blocks if block.kind == "strike")
        laid = lay_block(block, 90, UNICODE, NOBODY, folded=False)
        return block.name, plain(laid[0]).strip()

    assert struck()[1].startswith("✗ 400 struck here  ")
    bench.send()
    assert struck()[0] == "400 struck here"
    bench.editor.apply_next_fix()
    bench.desk.rest()
    bench.send()
    assert struck()[1].startswith("✓ 400 struck here before the fix  ")


def test_the_screen_turns_when_the_fix_is_confirmed() -> None:
    bench = Bench()
    bench.editor.switch_all_fixes()
    bench.send()
    outcome = bench.model.outcome
    assert outcome is not None
    assert outcome.is_confirmed
    assert outcome.mended == set(bench.findings)
    assert outcome.added == ()
    assert "recorded 400 → got 200 (simulator, run 1)" in bench.header
    (line,) = bench.refusal_lines
    assert line.endswith("✓ fix confirmed")
    status = status_of(bench.model, None)
    assert status.findings == "2 errors, 2 mended"
    words = {mended_words(f, outcome) for f in bench.findings}
    assert words == {"fix confirmed, run 1"}


def test_the_ghost_is_solid_and_its_fate_is_as_sent() -> None:
    bench = Bench()
    sha256 = signature_of(bench.model)

    def badges() -> set[tuple[bool, Fate]]:
        return {
            (badge.is_ghost, badge.fate.fate)
            for block in bench.blocks
            for badge in block.badges
            if badge.sha256 == sha256 and badge.fate is not None
        }

    assert badges() == {(True, Fate.DROPPED)}
    bench.editor.switch_all_fixes()
    bench.send()
    assert badges() == {(False, Fate.EXACT)}
    model, outcome = bench.model, bench.model.outcome
    assert outcome is not None
    assert model.overview is not None
    ledger = model.overview.ledger
    card, *_ = cards_of(ledger, run=outcome.run.number, run_ledger=outcome.sent.ledger)
    assert card.here is not None
    assert card.here.fate is Fate.EXACT
    assert "1 dropped" in signatures_title(ledger)
    assert (
        signatures_title(ledger, outcome=outcome) == "3 received · none lost in run 1"
    )


def test_badges_of_the_json_turn_too() -> None:
    bench = Bench()
    bench.editor.switch_all_fixes()
    bench.send()
    model, outcome = bench.model, bench.model.outcome
    assert outcome is not None
    assert model.shown is not None
    assert model.overview is not None
    found = json_marks(
        marks_as_sent(model.shown.marks, outcome),
        UNICODE,
        model.overview.palette,
        mended=outcome.mended,
    )
    told = {(m.glyph, m.text, m.note[:1]) for marks in found.values() for m in marks}
    assert told == {("◆", "4fc87b", "✓"), ("✓", "CPC-1", ""), ("✓", "CPC-2", "")}


def test_what_stood_in_a_wrong_place_is_shown_where_it_was_put() -> None:
    astray = {"text": "", "thoughtSignature": gemini.S1}
    sent = [gemini.model(astray, gemini.call("ls")), gemini.results("ls")]
    answer = gemini.refused(gemini.MISSING_STUDIO)
    exchanges = gemini.two_steps([gemini.call("ls", gemini.S1)], sent, answer)
    steps = tuple(
        Step(number=n, id=str(n), exchange=one) for n, one in enumerate(exchanges, 1)
    )
    bench = Bench(Document(Session(id="s", steps=steps)))

    def places() -> set[str]:
        parts = (block for block in bench.blocks if block.kind in ("text", "call"))
        return {block.place.pointer for block in parts if block.badges}

    def marked() -> set[str]:
        outcome, shown = bench.model.outcome, bench.model.shown
        assert shown is not None
        marks = marks_as_sent(shown.marks, outcome) if outcome else shown.marks
        return {place.pointer for place, here in marks.signatures.items() if here}

    wrong, right = "/contents/1/parts/0", "/contents/1/parts/1"
    assert places() == {wrong}
    assert f"{wrong}/thoughtSignature" in marked()
    bench.editor.switch_all_fixes()
    bench.send()
    assert bench.model.outcome is not None
    assert bench.model.outcome.is_confirmed
    assert places() == {right}
    assert f"{wrong}/thoughtSignature" not in marked(), (
        "the field that was added has a row of its own"
    )


def test_it_turns_back_when_the_edits_change_and_again_when_they_are_as_sent() -> None:
    bench = Bench()
    bench.editor.switch_all_fixes()
    bench.send()
    bench.editor.take_fix_back()
    bench.desk.rest()
    assert bench.model.outcome is None
    assert "predicted 400" in bench.header
    bench.editor.undo()
    bench.desk.rest()
    assert bench.model.outcome is not None
    assert "got 200 (simulator, run 1)" in bench.header


def test_it_stays_when_one_looks_at_another_step_meanwhile() -> None:
    bench = Bench()
    bench.editor.switch_all_fixes()
    bench.send()
    bench.model.choose_step(1)
    bench.desk.rest()
    assert bench.model.outcome is None
    assert bench.refusal_lines == ["✓ 200 accepted · tool_calls"]
    bench.model.choose_step(2)
    bench.desk.rest()
    assert bench.model.outcome is not None
    assert "fix confirmed" in bench.refusal_lines[0]


def test_half_a_fix_mends_its_finding_and_confirms_nothing() -> None:
    bench = Bench()
    bench.editor.apply_next_fix()
    bench.send()
    outcome = bench.model.outcome
    assert outcome is not None
    assert not outcome.is_confirmed
    assert [finding.rule for finding in outcome.mended] == ["CPC-1"]
    assert mended_words(bench.findings[0], outcome) == "mended, run 1"
    assert mended_words(bench.findings[1], outcome) == ""
    assert "recorded 400 → got 400 (simulator, run 1)" in bench.header
    assert bench.refusal_lines[0].endswith("✗ reproduced")


def test_what_falls_silent_without_its_fix_is_not_mended_unless_accepted() -> None:
    """A rule may speak only because of the recorded answer."""
    bench = Bench(EMPTY_LIST)
    bench.editor.switch_all_fixes()
    bench.send()
    outcome, shown = bench.model.outcome, bench.model.shown
    assert outcome is not None
    assert shown is not None
    unclear = replace(outcome.run, verdict=Verdict.UNCLEAR, edits=())
    assert outcome_of(shown, outcome.sent, unclear).mended == frozenset()
    fixed = replace(outcome.run, verdict=Verdict.UNCLEAR)
    assert outcome_of(shown, outcome.sent, fixed).mended == set(shown.findings)


def test_another_node_of_the_same_rule_is_taken_for_the_one_that_moved() -> None:
    bench = Bench(EMPTY_LIST)
    bench.editor.switch_all_fixes()
    bench.send()
    outcome, shown = bench.model.outcome, bench.model.shown
    assert outcome is not None
    assert shown is not None
    (finding,) = shown.findings
    moved = replace(finding, pointer="/messages/3/content")
    sent = replace(outcome.sent, findings=(moved,))
    found = outcome_of(shown, sent, outcome.run)
    assert (found.mended, found.added) == (frozenset(), ())
    other = replace(finding, rule="CPC-9")
    found = outcome_of(shown, replace(sent, findings=(other,)), outcome.run)
    assert (found.mended, found.added) == ({finding}, (other,))


def test_the_newest_run_counts_and_the_order_of_edits_does_not() -> None:
    bench = Bench()
    bench.editor.switch_all_fixes()
    bench.send()
    bench.send()
    one, two = bench.model.runs
    edits = one.edits
    assert run_of((one, two), 2, None, edits[::-1]) == two
    assert run_of((one, two), 2, None, edits[:1]) is None
    assert run_of((one, two), 3, None, edits) is None
    assert run_of((one, two), 2, 1, edits) is None
    put = tuple(Edit(op=Op.INSERT, pointer="/messages/0", value=v) for v in "12")
    inserted = replace(one, edits=put)
    assert run_of((inserted,), 2, None, put) == inserted
    assert run_of((inserted,), 2, None, put[::-1]) is None


@pytest.mark.parametrize(
    ("upstream", "words"),
    [("simulator", "simulator, run 1"), ("https://api.example.test", "live, run 1")],
)
def test_where_it_was_sent_is_said(upstream: str, words: str) -> None:
    bench = Bench(EMPTY_LIST)
    bench.send()
    run = replace(bench.model.runs[0], upstream=upstream)
    assert where_sent(run) == words


def test_a_run_that_proves_nothing_says_so_in_the_header() -> None:
    bench = Bench(EMPTY_LIST)
    bench.send()
    run = replace(bench.model.runs[0], verdict=Verdict.UNCLEAR, reason="rate limit")
    bench.model.runs = (run,)
    assert "got 400, unclear (simulator, run 1)" in bench.header
    bench.model.runs = (replace(run, status=None),)
    assert "got no answer, unclear" in bench.header


def test_an_answer_that_comes_too_late_is_not_taken() -> None:
    bench = Bench(EMPTY_LIST)
    desk: FakeDesk = bench.desk
    bench.sender.send()
    asyncio.run(desk.tasks.pop("send")())  # type: ignore[arg-type]
    came = desk.do("outcome")
    bench.editor.apply_next_fix()
    came()
    assert bench.model.outcome is None


def test_the_chat_ends_with_the_run_and_leads_to_it() -> None:
    bench = Bench()
    assert all(block.kind != "outcome" for block in bench.blocks)
    bench.editor.switch_all_fixes()
    bench.send()
    last = bench.blocks[-1]
    assert (last.kind, last.run, last.name) == ("outcome", 1, "run 1  200")
    assert last.aside.startswith("fix confirmed")
