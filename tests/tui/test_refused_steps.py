"""A refused step shows the service's own sentence, whatever its API."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.tui.driving import opened
from tests.unit.rules import copilot_chat_cases as copilot
from tests.unit.rules.cases import bench, exchange
from textual.app import App, ComposeResult
from textual.command import CommandPalette

from sigscope.engine.sessions.document import Document
from sigscope.exchange import Exchange
from sigscope.refusals import Refusal, read_refusal
from sigscope.refusals.grounds import Ground
from sigscope.rules.findings import Confidence, Finding, Severity
from sigscope.session import Session, Step
from sigscope.tui.lines import width
from sigscope.tui.panes.oneliners import RefusalLine
from sigscope.tui.study import look_at, study
from sigscope.tui.symbols import UNICODE
from sigscope.tui.views.chat import chat_blocks
from sigscope.tui.views.facts import read_facts
from sigscope.tui.views.findings import lay_finding
from sigscope.tui.views.refused import (
    MOST_LINES,
    Refused,
    Unrefused,
    is_unexplained,
    lay_refused,
    refused_of,
)
from sigscope.tui.views.shownsession import Overview

SENTENCE = "Thinking mode does not support this tool_choice"
REFUSED = exchange(
    "https://llm.example.test/api/talk",
    {
        "model": "wise-one-9",
        "messages": [{"role": "user", "content": "hi"}],
        "tool_choice": "required",
    },
    {"error": {"message": SENTENCE, "code": "invalid_request_error"}},
    status=400,
)


def words(line: object) -> str:
    return "".join(span.text for span in line)  # type: ignore[attr-defined]


def test_the_list_says_the_sentence_where_the_code_says_nothing() -> None:
    (reading,) = bench([REFUSED]).readings
    facts = read_facts(reading, read_refusal(reading))
    assert facts.word == SENTENCE
    assert facts.said == SENTENCE


@pytest.mark.parametrize("cells", [78, 118, 158])
def test_it_stands_above_the_panes_at_every_width(cells: int) -> None:
    refused = Refused(status=400, said=SENTENCE)
    (line,) = lay_refused(refused, cells, UNICODE)
    assert words(line) == f"✗ 400 {SENTENCE}"


def test_a_status_that_the_sentence_begins_with_is_told_once() -> None:
    refused = Refused(status=502, said="502 Bad Gateway nginx")
    (line,) = lay_refused(refused, 78, UNICODE)
    assert words(line) == "✗ 502 Bad Gateway nginx"


def test_a_long_one_is_not_cut_and_what_came_since_stands_below() -> None:
    long = f"{SENTENCE}. Additional data, {'function call default_api:x, ' * 4}end"
    refused = Refused(status=400, said=long, offer="compares it", key="F9")
    *said, offer = [words(line) for line in lay_refused(refused, 78, UNICODE)]
    assert " ".join(" ".join(said).split()) == f"✗ 400 {long}"
    assert offer.strip() == "no rule knows why; F9 compares it"
    endless = lay_refused(replace(refused, said=SENTENCE * 20), 78, UNICODE)
    assert len(endless) == MOST_LINES + 1
    assert words(endless[-2]).endswith("…")
    assert not any(words(line).endswith("……") for line in endless)
    broken = lay_refused(replace(refused, said="word " * 60), 78, UNICODE)
    assert words(broken[-2]).endswith("word …"), "where there is room, no letter goes"
    assert all(width(line) <= 78 for line in endless)
    _, last = lay_refused(replace(refused, said="word " * 17), 78, UNICODE)
    assert words(last).startswith("  word"), "where the last line has room: there"
    assert words(last).endswith("   no rule knows why; F9 compares it")


def test_only_what_no_rule_explains_is_to_be_compared() -> None:
    refusal = Refusal(status=400, text=SENTENCE)
    echo = finding(is_echo=True)
    assert is_unexplained(refusal, (echo,))
    assert is_unexplained(refusal, ())
    assert not is_unexplained(refusal, (echo, finding(is_echo=False)))
    limit = replace(refusal, ground=Ground.LIMIT)
    assert not is_unexplained(limit, ()), "another request would not help"


def finding(*, is_echo: bool) -> Finding:
    return Finding(
        rule="REF-1" if is_echo else "CPC-1",
        severity=Severity.ERROR,
        confidence=Confidence.OBSERVED,
        step=1,
        pointer="",
        message=SENTENCE,
        is_echo=is_echo,
    )


def test_pane_and_chat_say_it_of_a_step_whose_dialect_is_not_known() -> None:
    session = Session(id="s", steps=(Step(number=1, id="1", exchange=REFUSED),))
    document = Document(session)
    *_, overview = [told for told in study(document) if isinstance(told, Overview)]
    shown = look_at(document, overview, 1, None)
    (finding,) = shown.findings
    lines = lay_finding(finding, 200, UNICODE, is_fixed=False, is_open=True)
    said = "\n".join(words(line) for line in lines)
    assert SENTENCE in said
    assert "the recorded answer's own words" in said
    assert any(SENTENCE in block.text for block in chat_blocks(shown, {}))


@pytest.mark.parametrize(("size", "kept"), [((80, 24), 1), ((120, 36), 3)])
async def test_where_there_is_room_a_long_sentence_moves_the_panes_once(
    size: tuple[int, int], kept: int
) -> None:
    class Above(App[None]):
        def compose(self) -> ComposeResult:
            yield RefusalLine()

    app = Above()
    async with app.run_test(size=size) as pilot:
        line = app.query_one(RefusalLine)
        heights = []
        long = Refused(status=400, said="word " * (size[0] // 2 - 8))
        for refused in (long, Unrefused(status=200, is_accepted=True), long):
            line.refused = refused
            await pilot.pause()
            heights.append(line.size.height)
        assert heights == [3, kept, 3]


KEYS = {"fix": "F", "compare": "D", "app.palette": "^p"}


def session(exchanges: list[Exchange]) -> Session:
    steps = (Step(number=n, id=str(n), exchange=e) for n, e in enumerate(exchanges, 1))
    return Session(id="s", steps=tuple(steps))


def perhaps_explained() -> list[Exchange]:
    """Refused for a reason that a warning with a fix may tell."""
    altered = f"{copilot.E1[:40]}_{copilot.E1[41:]}"
    sent = copilot.calls("read_file", reasoning_opaque=altered)
    return list(copilot.two_steps(sent, copilot.INVALID, status=400))


def headline(exchanges: list[Exchange]) -> Refused:
    """What stands above the panes of the last of these steps."""
    document = Document(session(exchanges))
    steps = document.steps
    *_, overview = [told for told in study(document) if isinstance(told, Overview)]
    shown = look_at(document, overview, len(steps), None)
    found = refused_of(shown, len(steps) - 1, None, KEYS.__getitem__)
    assert found is not None
    return found


def test_a_finding_that_may_be_the_cause_is_named_with_the_key_of_its_fix() -> None:
    found = headline(perhaps_explained())
    assert (found.why, found.key) == ("what CPC-5 found may be why", "F")
    assert found.offer == "applies its fix"


async def test_a_click_does_what_is_offered() -> None:
    async with opened(session(perhaps_explained())) as driver:
        await driver.press("end")
        await driver.click("applies its fix")
        assert [edit.origin for edit in driver.screen.model.edits] == ["rule CPC-5"]
        line = driver.screen.query_one(RefusalLine)
        line.refused = Refused(
            status=400, said=SENTENCE, offer="says which", command="app.palette"
        )
        await driver.rest()
        await driver.click("says which")
        assert isinstance(driver.app.screen, CommandPalette)


def test_a_refusal_in_the_words_of_an_api_offers_to_say_that_it_is_spoken() -> None:
    said = "The `reasoning_content` in the thinking mode must be passed back to the API"
    answer = {"error": {"message": f"{said}.", "type": "invalid_request_error"}}
    body = {"model": "wise-one-9", "messages": [{"role": "user", "content": "hi"}]}
    at = "http://127.0.0.1:8910"
    found = headline([exchange(f"{at}/chat/completions", body, answer, status=400)])
    assert (found.why, found.key) == ("these are words of deepseek", "^p")
    *_, offer = lay_refused(found, 40, UNICODE)
    targets = {span.target for span in offer} - {None}
    assert targets == {"app.palette"}, "what a click runs is what the words name"
    assert found.offer.startswith("Dialect says that it speaks deepseek")
    elsewhere = headline([exchange(f"{at}/api/talk", body, answer, status=400)])
    assert elsewhere.why == "no rule knows why", "its path is another API's"
