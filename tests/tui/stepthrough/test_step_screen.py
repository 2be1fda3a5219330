"""Stepping through a response on screen."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from tests.builders import LS, copilot, exchange, request_body, response_body, user
from tests.patience import PATIENCE, until
from tests.tui.stepthrough.harness import Harness, bundled, text_of, walk_of
from tests.tui.stillness import workers_ended
from tests.unit.stepthrough import streams as s
from textual.events import Key

from sigscope.dialects.assembly import Effect
from sigscope.exchange import Body, Response
from sigscope.reader import Reading
from sigscope.stepthrough import StreamBreakpoint
from sigscope.stepthrough.happenings import Happening
from sigscope.stepthrough.player import FieldChange
from sigscope.tui.itemlist import ItemList
from sigscope.tui.lines import plain
from sigscope.tui.panes.keyline import KeyLine
from sigscope.tui.screens.help import sections_of
from sigscope.tui.stepthrough import model as stepmodel
from sigscope.tui.stepthrough.headline import Where, lay_footing, lay_where
from sigscope.tui.stepthrough.presenter import CLIENT, EVENTS, MESSAGE, NAMES, RAW
from sigscope.tui.stepthrough.screen import StepScreen
from sigscope.tui.stepthrough.stops import StopsDialog
from sigscope.tui.stepthrough.walk import load
from sigscope.tui.symbols import ASCII, UNICODE

MESSAGE_AT = "/choices/0/message"


def story(**more: Any) -> StepScreen:
    return StepScreen(walk_of(s.story()), **more)


def head(screen: StepScreen) -> str:
    line = text_of(screen.query_one("HeadLine"))  # type: ignore[arg-type]
    return " ".join(line.split())


def foot(screen: StepScreen) -> str:
    line = text_of(screen.query_one("FootLine"))  # type: ignore[arg-type]
    return " ".join(line.split())


async def test_the_first_event_is_shown_with_what_it_made() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await pilot.pause()
        assert "step 1 · event 1 of 10 · 0.100 s" in head(screen)
        assert "**Look**" in text_of(screen.message_list)
        assert "reasoning_text" in text_of(screen.raw)
        assert "content null" in text_of(screen.client)


async def test_brackets_step_and_angles_go_to_the_ends() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        for key, wanted in (("]", 2), ("]", 3), ("[", 2), (">", 10), ("<", 0)):
            await pilot.press(key)
            assert screen.model.event == wanted
        await pilot.press("[")
        assert screen.model.event == 0
        assert "nothing yet" in text_of(screen.message_list)


async def test_help_calls_a_pane_what_stands_above_it() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        for key, name in zip("1234", NAMES.values(), strict=True):
            await pilot.press(key)
            assert sections_of(screen)[0].title == name


async def test_the_cursor_begins_on_what_the_event_changed() -> None:
    screen = StepScreen(bundled("copilot-missing-signature"), event=3)
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        for size in ((80, 24), (120, 36), (160, 44)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert screen.message_list.pointer == f"{MESSAGE_AT}/reasoning_opaque"
            assert f"{MESSAGE_AT}/reasoning_opaque" in foot(screen), size


async def test_an_answer_in_one_piece_is_shown_as_its_one_event() -> None:
    screen = StepScreen(bundled("copilot-missing-signature"), index=1)
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        words = " ".join(text_of(screen.events_list).split())
        assert words == "the answer came in one piece: nothing to step through"
        for pane in (screen.message_list, screen.client):
            words = " ".join(text_of(pane).split())
            assert words == "no message came: pane 2 shows the answer"
        assert '"invalid request body"' in text_of(screen.raw)
        assert "the whole answer" in str(screen.box(RAW).border_subtitle)
        assert "event" not in head(screen)
        keys = "".join(span.text for span in screen.query_one(KeyLine).spans(120))
        assert "Back" in keys
        assert "Play" not in keys
        assert "Event" not in keys
        await pilot.press("]")
        assert "there are no events here" in foot(screen)


async def test_what_stands_in_an_answer_in_one_piece_is_found() -> None:
    screen = StepScreen(bundled("copilot-missing-signature"), index=1)
    async with Harness(screen).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert screen.raw.has_focus, "the one pane that there is room for"
        await pilot.press("slash", *"body", "enter")
        await pilot.pause()
        leaf = screen.raw.leaf()
        assert leaf is not None
        assert leaf.pointer == "/error/message"
        await pilot.press("escape", "w")
        assert "no message came" in foot(screen)


async def test_an_answer_in_one_piece_marks_its_signature_and_begins_there() -> None:
    body = response_body("copilot-chat", copilot(LS))
    asked = request_body("copilot-chat", [user()])
    screen = StepScreen(walk_of(Reading(exchange("copilot-chat", asked, body))))
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        (row,) = [
            row for row in text_of(screen.raw).splitlines() if UNICODE.signature in row
        ]
        assert "reasoning_opaque" in row
        leaf = screen.raw.leaf()
        assert leaf is not None
        assert leaf.pointer == f"{MESSAGE_AT}/reasoning_opaque"
        await pilot.press("2", "w")
        assert screen.message_list.pointer == leaf.pointer
        assert UNICODE.signature in text_of(screen.message_list)
        kept = text_of(screen.client)
        assert "call_1" in kept
        assert UNICODE.signature in kept.partition("never looked at")[2]
        assert "1 signature lost" in str(screen.box(CLIENT).border_subtitle)


@pytest.mark.parametrize(
    ("body", "raw", "others"),
    [
        (b"<h1>502</h1>\n\x1b[31m later", "<h1>502</h1> \\x1b[31m later", "pane 2"),
        (b"", "the answer has no body", "the answer has no body"),
    ],
    ids=["no JSON", "empty"],
)  # fmt: skip
async def test_an_answer_that_is_no_json_is_shown_as_text(
    body: bytes, raw: str, others: str
) -> None:
    made = exchange("copilot-chat", request_body("copilot-chat", [user()]), None)
    bad = replace(made, response=Response(status=502, body=Body(body)))
    screen = StepScreen(walk_of(Reading(bad)))
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert " ".join(text_of(screen.raw).split()) == raw
        assert others in text_of(screen.message_list)


async def test_the_line_of_keys_follows_to_a_step_without_events() -> None:
    screen = StepScreen(bundled("copilot-missing-signature"), index=0)

    def lowest() -> str:
        return "".join(part.text for part in screen._compositor.render_strips()[-1])

    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert "Play" in lowest()
        await pilot.press("right_curly_bracket")
        await pilot.pause()
        assert screen.model.count == 0
        assert "Play" not in lowest()


async def test_what_the_event_changed_is_marked() -> None:
    screen = story(event=2)
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await pilot.pause()
        rows = text_of(screen.message_list).splitlines()
        (row,) = [row for row in rows if "reasoning_text" in row]
        assert row.lstrip().startswith("›")
        assert "› 1 extended" in foot(screen)
        await pilot.press("]")
        rows = text_of(screen.message_list).splitlines()
        (row,) = [row for row in rows if "reasoning_opaque" in row]
        assert row.lstrip().startswith("+")
        assert "◆" in row
        assert not any("reasoning_text" in r and "›" in r for r in rows)


async def test_the_client_column_tells_what_is_lost() -> None:
    screen = story(event=2)
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await pilot.pause()
        assert "◆" not in text_of(screen.client)
        await pilot.press("]")
        await pilot.pause()
        assert "✗ ◆" in text_of(screen.client)
        assert "1 signature lost" in str(screen.box(CLIENT).border_subtitle)
        await pilot.press(">")
        await pilot.pause()
        shown = text_of(screen.client)
        assert "read_file" in shown
        assert '{"path":"a.md"}' in shown
        assert "10 of 10 events" in shown


async def test_a_field_of_the_raw_event_leads_to_the_message() -> None:
    screen = story(event=5)
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await pilot.pause()
        await pilot.press("2")
        await pilot.press("w")
        assert screen.panes.current == MESSAGE
        assert screen.message_list.pointer == (
            f"{MESSAGE_AT}/tool_calls/0/function/arguments"
        )


async def test_n_goes_to_breakpoints_and_says_which() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await pilot.press("n")
        assert screen.model.event == 3
        assert "paused at breakpoint signature arrives 15a52e of 240" in head(screen)
        await pilot.press("n")
        assert screen.model.event == 3
        assert "no breakpoint is met after here" in foot(screen)


async def test_a_breakpoint_is_set_on_the_value_under_the_cursor() -> None:
    screen = story(event=6)
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await pilot.press("3")
        screen.message_list.select(f"{MESSAGE_AT}/reasoning_text")
        await pilot.press("B")
        point = StreamBreakpoint("pointer", f"{MESSAGE_AT}/reasoning_text")
        assert point in screen.model.stops
        assert "●" in text_of(screen.message_list)
        await pilot.press("N", "N")
        assert screen.model.event == 2
        assert f"{MESSAGE_AT}/reasoning_text changes" in head(screen)


async def test_the_dialog_switches_breakpoints_and_counts_where_they_are_met() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.press("b")
        await pilot.pause()
        dialog = screen.app.screen
        assert isinstance(dialog, StopsDialog)
        shown = text_of(dialog.query_one(ItemList))
        assert "signature arrives" in shown
        assert "2 events, the first 4" in shown
        await pilot.press("space", "j", "space", "escape")
        await pilot.pause()
        assert StreamBreakpoint("signature") not in screen.model.stops
        assert StreamBreakpoint("call") in screen.model.stops
        await pilot.press("n")
        assert screen.model.event == 4


async def test_a_pointer_that_is_none_is_refused_and_one_is_taken() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.press("b")
        await pilot.pause()
        field = screen.app.screen.query_one("Input")
        field.focus()
        field.value = "usage"  # type: ignore[attr-defined]
        await pilot.press("enter")
        await pilot.pause()
        assert len(screen.app.screen._chosen) == 2  # type: ignore[attr-defined]
        field.value = "/usage"  # type: ignore[attr-defined]
        await pilot.press("enter", "escape")
        await pilot.pause()
        assert StreamBreakpoint("pointer", "/usage") in screen.model.stops


async def test_escape_pauses_first_and_then_leaves_at_the_event() -> None:
    screen = story(event=2)
    app = Harness(screen)
    async with app.run_test(size=(120, 36)) as pilot:
        screen.now = lambda: 0.0
        await pilot.press("space", "escape")
        assert not screen.model.is_playing
        assert app.screen is screen
        await pilot.press("escape")
        await pilot.pause()
        assert app.answer.event == 2
        assert app.answer.step == 1
        assert app.answer.pointer.startswith("/choices/0/delta/")


async def test_other_steps_are_stepped_through_from_their_start() -> None:
    screen = StepScreen(bundled("copilot-missing-signature"))
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.press("}")
        assert "step 2" in head(screen)
        assert "came in one piece" in text_of(screen.events_list)
        await pilot.press("}", "}")
        assert "step 4 · event 1 of 6" in head(screen)
        await pilot.press("}")
        assert "this is the last step" in foot(screen)


async def test_what_fits_is_on_show_and_the_rest_is_a_key_away() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        for size, panes in (
            ((160, 44), {EVENTS, RAW, MESSAGE, CLIENT}),
            ((120, 36), {EVENTS, RAW, MESSAGE, CLIENT}),
            ((100, 30), {EVENTS, RAW, MESSAGE, CLIENT}),
            ((140, 24), {EVENTS, RAW, MESSAGE}),
            ((120, 24), {EVENTS, MESSAGE}),
            ((99, 40), {MESSAGE}),
            ((80, 24), {MESSAGE}),
        ):
            await pilot.press("1", "3")
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert screen.panes.visible == panes, size
            await pilot.press("4")
            await pilot.pause()
            assert CLIENT in screen.panes.visible, size
            assert screen.client.has_focus, size
            assert screen.client.size.width >= 20, size
            await pilot.press("z")
            assert screen.panes.visible == {CLIENT}, size
            await pilot.press("z")


async def test_a_resize_keeps_event_and_cursor() -> None:
    screen = story(event=6)
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await pilot.press("3")
        screen.message_list.select("/choices/0/message/role")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert screen.model.event == 6
        assert screen.message_list.pointer == "/choices/0/message/role"
        await pilot.resize_terminal(30, 8)
        await pilot.pause()
        assert screen.has_class("-tiny")


async def test_a_click_on_the_ruler_goes_to_the_event_there() -> None:
    screen = story()
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        width = screen.ruler.size.width
        await pilot.click(screen.ruler, offset=(2 + width // 2, 1))
        assert screen.model.event in (5, 6)


async def test_a_large_response_is_read_in_a_thread() -> None:
    many = [s.delta(content=f"word {n} ") for n in range(3000)]
    screen = StepScreen(walk_of(s.reading(s.sse(*many))))
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await until(lambda: screen.model.loaded, "read")
        await pilot.pause()
        assert screen.model.count == 3000
        await pilot.press(">")
        await pilot.pause()
        assert "event 3,000 of 3,000" in head(screen)
        assert "word 2999" in text_of(screen.message_list)


async def test_keys_pressed_while_a_response_is_read_count_when_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = Event()

    def load_at_the_gate(*given: Any) -> Any:
        assert gate.wait(PATIENCE)
        return load(*given)

    monkeypatch.setattr(stepmodel, "load_long", load_at_the_gate)
    many = [s.delta(content=f"word {n} ") for n in range(3000)]
    screen = StepScreen(walk_of(s.reading(s.sse(*many))))
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        for key in ("greater_than_sign", *2 * ["left_square_bracket"]):
            screen.app.post_message(Key(key, None))
        await pilot.pause()
        assert screen.model.loaded is None
        gate.set()
        await workers_ended(screen.app)
        await pilot.pause()
        assert screen.model.event == 2998


async def test_in_ascii_nothing_else_is_drawn() -> None:
    screen = story(event=3, symbols=ASCII)
    async with Harness(screen).run_test(size=(160, 44)) as pilot:
        await pilot.pause()
        lists = (screen.message_list, screen.client, screen.ruler, screen.raw)
        text = "".join(text_of(widget) for widget in lists)
        odd = {char for char in text if ord(char) > 126}
        assert odd <= {"·", "…"}


def test_a_long_wait_is_told_while_playing() -> None:
    where = Where(name="step 1", events=9, is_playing=True, wait_ms=3200)
    assert "next in 3.2 s" in plain(lay_where(where, 100, UNICODE))


def test_a_long_title_gives_way_to_where_the_player_is_and_says_so() -> None:
    where = Where(title="a session with a long name " * 3, name="step 2", events=9)
    said = plain(lay_where(where, 70, UNICODE))
    assert len(said) <= 70
    assert "sigscope  a session with a long" in said
    assert "…  step 2" in said
    assert said.endswith("step 2 · event 0 of 9")
    narrow = plain(lay_where(where, 40, UNICODE))
    assert narrow == "sigscope   step 2 · event 0 of 9"


def test_an_answer_is_not_cut_for_the_figures_beside_it() -> None:
    said = "◆ 4fc87b arrived here; step 2 lost it, and was refused"
    change = FieldChange(
        pointer="/a", kind="added", effect=Effect.META, source="/a", before=None
    )
    happening = Happening(number=1)
    wide = plain(lay_footing("", [change], happening, said, 80, UNICODE))
    assert said in wide
    assert "1 added" in wide
    assert (
        plain(lay_footing("", [change], happening, said, 60, UNICODE)).strip() == said
    )


async def test_an_event_that_is_no_json_is_spelled_out() -> None:
    raw = b"data: \x1b[31m[red]\xe2\x80\xae\n\n"
    screen = StepScreen(walk_of(s.reading(raw)))
    async with Harness(screen).run_test(size=(120, 36)) as pilot:
        await pilot.press("]")
        assert r"\x1b[31m[red]\u202e" in text_of(screen.raw)
