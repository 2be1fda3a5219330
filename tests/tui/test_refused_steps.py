"""A refused step shows the service's own sentence, whatever its API."""

from __future__ import annotations

from tests.unit.rules.cases import bench, exchange

from sigscope.engine.sessions.document import Document
from sigscope.refusals import read_refusal
from sigscope.session import Session, Step
from sigscope.tui.study import look_at, study
from sigscope.tui.symbols import UNICODE
from sigscope.tui.views.chat import chat_blocks
from sigscope.tui.views.facts import read_facts
from sigscope.tui.views.findings import lay_finding
from sigscope.tui.views.headline import Headline, lay_headline
from sigscope.tui.views.studied import Overview

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


def test_the_header_says_it_where_there_is_room() -> None:
    head = Headline(title="tea", recorded=400, said=SENTENCE)
    assert f"recorded 400 {SENTENCE}" in words(lay_headline(head, 140, UNICODE))
    short = words(lay_headline(head, 90, UNICODE))
    assert "recorded 400" in short
    assert SENTENCE not in short
    assert len(short) <= 90


def test_pane_and_chat_say_it_of_a_step_whose_dialect_is_not_known() -> None:
    session = Session(id="s", steps=(Step(number=1, id="1", exchange=REFUSED),))
    document = Document(session)
    *_, overview = [told for told in study(document) if isinstance(told, Overview)]
    shown = look_at(document, overview, 1, None)
    (finding,) = shown.findings
    lines = lay_finding(finding, 200, UNICODE, is_fixed=False, is_open=True)
    said = "\n".join(words(line) for line in lines)
    assert SENTENCE in said
    assert "the service's own words" in said
    assert any(SENTENCE in block.text for block in chat_blocks(shown, {}))
