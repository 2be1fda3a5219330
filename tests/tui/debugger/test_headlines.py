"""What the header, the status line and the line of keys say."""

from __future__ import annotations

from dataclasses import replace

from tests.cli.commands import SESSIONS
from tests.tui.debugger.desk import FakeDesk, model_of, studied
from tests.tui.driving import EMPTY_LIST, MISSING

from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body, Mended, Remedy
from sigscope.store import open_session
from sigscope.tui.debugger.edits import Editor
from sigscope.tui.debugger.headlines import (
    apt_keys,
    headline_of,
    idle_keys,
    refused_of_model,
    status_of,
)
from sigscope.tui.debugger.jsonlink import subject_of
from sigscope.tui.json.contents import TabContents
from sigscope.tui.lines import Span, plain
from sigscope.tui.place import NodePlace
from sigscope.tui.symbols import UNICODE
from sigscope.tui.views.headline import lay_headline, lay_top, tab_line
from sigscope.tui.views.refused import Refused, Unrefused, lay_unrefused


def test_the_header_says_what_was_recorded_and_what_edits_would_bring() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    head = headline_of(model)
    assert (head.title, head.recorded, head.predicted) == (EMPTY_LIST, 400, 400)
    Editor(model, desk).switch_all_fixes()
    assert headline_of(model).edits == len(model.edits) > 0
    desk.rest()
    assert headline_of(model).predicted == 200


def test_before_anything_is_read_the_header_promises_nothing() -> None:
    model = model_of(EMPTY_LIST, FakeDesk())
    model.begin()
    head = headline_of(model)
    assert (head.recorded, head.predicted, head.is_thinking) == (None, None, False)


def test_while_the_simulator_is_asked_the_header_says_so() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    model.choose_step(1)
    assert headline_of(model).is_thinking
    desk.rest()
    assert not headline_of(model).is_thinking


def test_the_status_line_counts_steps_findings_and_runs() -> None:
    model, _, _ = studied(EMPTY_LIST)
    place = NodePlace(pointer="/messages/2")
    status = status_of(model, place)
    assert (status.place, status.step) == (place, 2)
    assert status.steps == len(model.document.steps)
    assert status.findings.startswith("1 error")
    assert (status.runs, status.busy) == ("", "")


def test_of_a_step_without_findings_the_status_line_tells_where_there_are_some() -> (
    None
):
    model, _, _ = studied("zed-copilot-final-fix")
    assert (model.selection and model.selection.step) == 1
    assert status_of(model, None).findings == "1 note in step 3"
    model.choose_step(3)
    assert status_of(model, None).findings == "1 note"
    model, _, _ = studied("zoo-litellm-dummy")
    model.choose_step(1)
    assert status_of(model, None).findings.endswith(" steps")


def test_keys_with_nothing_to_do_are_known() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    assert idle_keys(model) == {
        "anomaly.next",
        "undo",
        "fix.back",
        "overview.show",
        "paths.show",
    }
    Editor(model, desk).switch_all_fixes()
    assert idle_keys(model) == {"anomaly.next", "fix", "overview.show", "paths.show"}, (
        "all are on: one is taken back or sent"
    )
    model.choose_step(1)
    assert idle_keys(model) == {
        "bisect", "compare", "fix", "fix.back", "overview.show", "paths.show", "undo",
    }  # fmt: skip


def test_a_refused_step_asks_for_four_keys_and_an_accepted_one_for_none() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    assert apt_keys(model) == (
        "send", "fix", "fix.back", "bisect", "compare",
    )  # fmt: skip
    model.choose_step(1)
    desk.rest()
    assert apt_keys(model) == ()


def test_a_held_request_asks_for_the_fix_before_it_is_sent_on() -> None:
    model, _, _ = studied(EMPTY_LIST)
    model.facts = tuple(
        replace(fact, is_held=fact.number == 2, is_waiting=fact.number == 2)
        for fact in model.facts
    )
    assert apt_keys(model)[:2] == ("fix", "fix.back")
    assert {"recording.hold-next", "send"} <= idle_keys(model)
    model.choose_step(1)
    assert "send" not in idle_keys(model), "a step that was sent can be sent again"


def test_the_timeline_is_asked_for_from_where_reasoning_fades() -> None:
    model, desk, _ = studied("zoo-litellm-dummy")
    asked = {}
    for step in (2, 6, 16):
        model.choose_step(step)
        desk.rest()
        asked[step] = "timeline.show" in apt_keys(model)
    assert asked == {2: False, 6: True, 16: True}


def test_the_next_anomaly_is_offered_only_where_one_is_ahead() -> None:
    model, desk, _ = studied("copilot-missing-signature")
    offered = {}
    for step in (1, 2, 4):
        model.choose_step(step)
        desk.rest()
        offered[step] = "anomaly.next" not in idle_keys(model)
    assert offered == {1: True, 2: False, 4: False}


def test_both_versions_of_a_mended_request_can_be_compared() -> None:
    document = Document(open_session(str(SESSIONS / f"{EMPTY_LIST}.session.jsonl")))
    step = document.step(2)
    assert step.exchange.request is not None
    sent = replace(step.exchange.request, body=Body(raw=b'{"model": "as asked"}'))
    remedy = Remedy(rule="CPC-1", act="put back", count=1, at="/messages/2", words="")
    mended = Mended(request=sent, remedies=(remedy,))
    other = replace(step, exchange=replace(step.exchange, mended=mended))
    steps = tuple(other if each.number == 2 else each for each in document.steps)
    model, desk, _ = studied(Document(replace(document.session, steps=steps)))
    contents = TabContents()
    for number, modes in ((1, ()), (2, ("mended",))):
        model.choose_step(number)
        desk.rest()
        assert model.shown is not None
        contents.subject = subject_of(model, model.shown, UNICODE)
        assert contents.diff_modes == modes
    pair = contents.pair()
    assert pair.title == "client sent → mended"
    assert contents.diff_words("", "/model") == [pair.title, "/model"]
    model.choose_step(1)
    desk.rest()
    contents.subject = subject_of(model, model.shown, UNICODE)
    assert contents.diff_words("same", None) == ["same"]
    assert pair.old is not None
    assert pair.old.document.raw == b'{"model": "as asked"}'
    assert pair.new is not None
    assert pair.new.document.raw == document.reading(2).request_body.data


def test_a_request_that_was_mended_says_so_in_header_and_row() -> None:
    document = Document(open_session(str(SESSIONS / f"{EMPTY_LIST}.session.jsonl")))
    step = document.step(2)
    assert step.exchange.request is not None
    remedy = Remedy(rule="CPC-1", act="put back", count=2, at="/messages/2", words="")
    mended = Mended(request=step.exchange.request, remedies=(remedy,))
    other = replace(step, exchange=replace(step.exchange, mended=mended))
    steps = tuple(other if each.number == 2 else each for each in document.steps)
    model, _, _ = studied(Document(replace(document.session, steps=steps)))
    model.choose_step(2)
    words = "2 signatures put back (CPC-1)"
    assert headline_of(model).mended == words
    shown = "".join(
        span.text for span in lay_headline(headline_of(model), 160, UNICODE)
    )
    assert f"mended: {words}" in shown
    assert [fact.word.endswith(" · mended") for fact in model.facts][:2] == [
        False,
        True,
    ]


def test_where_a_step_was_refused_the_others_have_a_line_too() -> None:
    """So that the panes below do not move while one walks from step to step."""
    model, desk, _ = studied(EMPTY_LIST)
    assert isinstance(refused_of_model(model), Refused)
    model.choose_step(1)
    desk.rest()
    other = refused_of_model(model)
    assert isinstance(other, Unrefused)
    said = "".join(span.text for span in lay_unrefused(other, 78, UNICODE))
    assert said == "✓ 200 accepted · tool_calls"


def test_a_held_request_is_said_to_be_held_not_to_have_no_answer() -> None:
    model, desk, _ = studied(EMPTY_LIST)
    model.choose_step(1)
    desk.rest()
    model.facts = tuple(
        replace(fact, word="held, 3:46 left", is_held=fact.number == 1)
        for fact in model.facts
    )
    line = refused_of_model(model)
    assert isinstance(line, Unrefused)
    assert line.word == "held, 3:46 left"


def test_a_step_without_an_answer_is_not_said_to_be_accepted() -> None:
    waiting = Unrefused(status=None, word="held")
    said = "".join(span.text for span in lay_unrefused(waiting, 78, UNICODE))
    assert said == "– held"


def test_a_session_without_a_refusal_has_no_such_line() -> None:
    model, _, _ = studied("gemini-parallel")
    assert refused_of_model(model) is None


def test_where_a_signature_is_lost_its_path_is_offered_and_elsewhere_not() -> None:
    model, desk, _ = studied(MISSING)
    assert apt_keys(model)[-1] == "paths.show"
    assert "paths.show" not in idle_keys(model)
    model.choose_step(3)
    desk.rest()
    assert "paths.show" in idle_keys(model)
    assert "paths.show" not in apt_keys(model)


def test_a_screen_beside_the_debugger_names_the_session_as_far_as_there_is_room() -> (
    None
):
    words, right = (Span("client › step 3"),), (Span("call 1 of 2"),)
    of_width = {
        cells: plain(lay_top("by way of a gateway", words, right, cells)).split("  ")
        for cells in (80, 50, 44)
    }
    assert of_width[80][:3] == ["sigscope", "by way of a gateway", "client › step 3"]
    assert of_width[50][:3] == ["sigscope", "by way of…", "client › step 3"]
    assert of_width[44][:2] == ["sigscope", "client › step 3"]
    assert all(found[-1].strip() == "call 1 of 2" for found in of_width.values())
    assert plain(lay_top("a", (), (), 80)) == "sigscope  a"


def test_where_names_do_not_fit_only_the_pane_in_focus_has_its_own() -> None:
    panes = [(1, "Steps", True, False), (2, "Signatures", False, True)]
    assert plain(tab_line(panes, 40)) == " 1 Steps │ 2 Signatures"
    assert plain(tab_line(panes, 20)).rstrip() == " 1  2 Signatures"
