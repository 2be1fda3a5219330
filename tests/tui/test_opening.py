"""Files: read with a sign of life, refused with a reason, never in the way."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.effort import effort
from tests.patience import PATIENCE
from tests.permissions import permissions_apply
from tests.tui.driving import MISSING, opened
from tests.tui.story import story

from sigscope.engine.sessions.document import Document
from sigscope.errors import InputError
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.session import Session, Step
from sigscope.tui.debugger import sessionreader
from sigscope.tui.screens.debugger import DebuggerScreen
from sigscope.tui.screens.openingscreen import OpeningScreen
from sigscope.tui.screens.sessions import SessionList, SessionsScreen
from sigscope.tui.study import StudyProgress, study
from sigscope.tui.views.shownsession import Overview


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.har", b""),
        ("binary.bin", bytes(range(256)) * 8),
        ("torn.json", b'{"log": {"entries": ['),
        ("other.json", b'{"name": "something else"}'),
    ],
)
async def test_a_file_that_is_no_recording_says_why_and_goes_back(
    tmp_path: Path, name: str, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    async with opened(path) as driver:
        await driver.until(lambda: "cannot be opened" in driver.text)
        assert name in driver.text
        assert "Traceback" not in driver.text
        await driver.pilot.press("escape")
        await driver.until(lambda: isinstance(driver.app.screen, SessionsScreen))
        await driver.until(lambda: isinstance(driver.app.focused, SessionList))
        await driver.until(lambda: "Story" in driver.text, "the list is read")


async def test_a_list_below_a_session_is_made_when_one_goes_back() -> None:
    async with opened(MISSING) as driver:
        shelf = next(s for s in driver.app.screen_stack if type(s) is SessionsScreen)
        assert not shelf.query(SessionList)
        await driver.pilot.press("escape")
        await driver.until(lambda: driver.app.screen is shelf)
        await driver.until(lambda: isinstance(driver.app.focused, SessionList))
        await driver.until(lambda: "Story" in driver.text, "the list is read")


async def test_a_file_that_was_mended_opens_at_the_second_try(tmp_path: Path) -> None:
    path = tmp_path / "later.session.jsonl"
    async with opened(path) as driver:
        await driver.until(lambda: "cannot be opened" in driver.text)
        source = Path(__file__).parents[2] / "sessions/gemini-split-calls.session.jsonl"
        path.write_bytes(source.read_bytes())
        await driver.pilot.press("r")
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))


async def test_a_file_without_permission_says_so(tmp_path: Path) -> None:
    path = tmp_path / "mine.har"
    path.write_bytes(b"{}")
    path.chmod(0)
    with permissions_apply():
        async with opened(path) as driver:
            await driver.until(lambda: "cannot be opened" in driver.text)
            assert "ermission" in driver.text


async def test_a_path_is_asked_for_and_checked(tmp_path: Path) -> None:
    async with opened(None) as driver:
        await driver.press("o")
        await driver.type("no-such-file.har")
        await driver.press("enter")
        assert "no-such-file.har: there is no such file" in driver.text
        await driver.press("escape")
        assert isinstance(driver.app.screen, SessionsScreen)


async def test_the_list_shows_bundled_sessions_and_opens_the_one_under_the_cursor() -> (
    None
):
    async with opened(None) as driver:
        shelf = driver.app.screen.query_one(SessionList)
        await driver.until(lambda: len(shelf.items) > 15)
        await driver.until(lambda: "copilot-chat" in driver.text)
        assert "Examples" in driver.text
        assert "failed" in driver.text
        await driver.pilot.press("j", "enter")
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
        await driver.rest()
        await driver.pilot.press("q")
        await driver.until(lambda: isinstance(driver.app.screen, SessionsScreen))
        assert not driver.app._exit


async def test_a_session_without_steps_and_one_without_dialect_are_shown() -> None:
    async with opened(Session(id="none", title="nothing here")) as driver:
        assert "no steps yet" in driver.text
        await driver.press("s", "f", "d", "u", "4", "space")
        assert isinstance(driver.app.screen, DebuggerScreen)
    strange = Exchange(
        request=Request(url="https://h/x", body=Body(b"\xff\x00 not JSON")),
        response=Response(status=200, body=Body(b"<html>")),
    )
    session = Session(id="x", steps=[Step(number=1, id="1", exchange=strange)])
    async with opened(session, size=(160, 44)) as driver:
        assert "No dialect fits this exchange" in driver.text
        assert "recorded 200" in driver.header
        assert "predicted" not in driver.header


async def test_escape_sequences_of_a_recording_are_seen_not_obeyed() -> None:
    session = story()
    first = session.steps[0]
    request = first.exchange.request
    assert request is not None
    body = json.loads(request.body.raw)
    body["messages"][-1]["content"] = "red \x1b[31mink\x07 [bold]not markup[/bold]"
    evil = Request(
        url=request.url, headers=request.headers, body=Body(json.dumps(body).encode())
    )
    step = Step(number=1, id="1", exchange=Exchange(request=evil))
    made = Session(id="e", title="\x1b]0;title\x07[red]", steps=[step])
    async with opened(made, size=(160, 44)) as driver:
        assert "\x1b" not in driver.text
        assert "\x07" not in driver.text
        assert "[bold]not markup[/bold]" in driver.text


def big(steps: int) -> Session:
    """A session of so many steps, each with the whole history before it."""
    base = story().steps[2]
    request = base.exchange.request
    assert request is not None
    body = json.loads(request.body.raw)
    made = []
    for number in range(1, steps + 1):
        body["messages"].append({"role": "user", "content": f"go on, {number}. " * 40})
        raw = json.dumps(body).encode()
        exchange = Exchange(
            request=Request(url=request.url, headers=request.headers, body=Body(raw)),
            response=base.exchange.response,
        )
        made.append(Step(number=number, id=str(number), exchange=exchange))
    return Session(id="big", title="big", steps=made)


async def test_a_big_session_is_usable_while_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_end = threading.Event()

    def slow(document: Document) -> Iterator[StudyProgress | Overview]:
        for found in study(document):
            if isinstance(found, Overview):
                may_end.wait(PATIENCE)
            yield found

    monkeypatch.setattr(sessionreader, "study", slow)
    async with opened(None) as driver:
        driver.app.visits.show(Document(big(100)))
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
        screen = driver.screen
        await driver.until(lambda: len(screen.model.facts) == 100, "listed")
        await driver.pilot.press("1", "j", "j")
        assert screen.board.steps.key == 3
        assert screen.model.overview is None, "the keys did not wait for it"
        await driver.until(lambda: "following signatures" in driver.text)
        await driver.pilot.press("question_mark", "escape", "4", "s", "f", "d", "u")
        assert screen.model.overview is None
        may_end.set()
        await driver.rest()
        assert screen.model.selection is not None
        assert screen.model.selection.step == 3, "the user's choice is kept"


async def test_signatures_are_shown_while_rules_are_checked_and_no_all_clear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_end = threading.Event()

    def slow(document: Document) -> Iterator[StudyProgress | Overview]:
        for found in study(document):
            if isinstance(found, Overview) and found.is_checked:
                may_end.wait(PATIENCE)
            yield found

    monkeypatch.setattr(sessionreader, "study", slow)
    async with opened(None) as driver:
        driver.app.visits.show(Document(story()))
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
        screen = driver.screen
        await driver.until(lambda: screen.model.overview is not None, "followed")
        await driver.until(lambda: screen.board.signatures.items, "followed")
        await driver.until(lambda: "checking rules" in driver.text)
        await driver.pilot.press("1", "j", "k", "6")
        assert screen.model.shown is None
        assert "no findings" not in driver.text
        assert "checking rules" in driver.text
        may_end.set()
        await driver.rest()
        assert screen.model.shown is not None
        assert "checking rules" not in driver.text


async def test_a_list_of_a_thousand_steps_moves_in_no_time() -> None:
    exchange = Exchange(request=Request(url="https://h/x"))
    steps = [Step(number=n, id=str(n), exchange=exchange) for n in range(1, 1201)]
    async with opened(Session(id="x", title="many", steps=steps)) as driver:
        pane = driver.screen.board.steps

        def move() -> None:
            for _ in range(200):
                pane.action_move(1)
            pane.action_end(1)
            pane.action_end(-1)

        assert effort(move, limit=0.5) < 0.5, "2.5 ms for each of 200 moves"
        await driver.rest()
        assert pane.key == 1


async def test_reading_can_be_left_before_it_is_done(tmp_path: Path) -> None:
    async with opened(None) as driver:
        opening = OpeningScreen(driver.app.engine, str(tmp_path / "x"))
        driver.app.push_screen(opening)
        await driver.until(lambda: isinstance(driver.app.screen, OpeningScreen))
        await driver.pilot.press("escape")
        await driver.until(lambda: isinstance(driver.app.screen, SessionsScreen))


async def test_a_session_that_cannot_be_read_to_its_end_says_so_and_stays_usable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(document: Document) -> Iterator[StudyProgress | Overview]:
        yield StudyProgress(done=0, total=3, what="recognising")
        raise InputError("the file went away", path="x.session.jsonl")

    monkeypatch.setattr(sessionreader, "study", fails)
    async with opened(None, size=(160, 44)) as driver:
        driver.app.visits.show(Document(story()))
        await driver.until(lambda: isinstance(driver.app.screen, DebuggerScreen))
        await driver.until(lambda: "all: x.session.jsonl: the file" in driver.text)
        assert driver.text.count("not all steps could be read") == 3
        assert "checking rules" not in driver.text
        await driver.pilot.press("1", "j", "s", "D", "P", "6", "escape")
        await driver.until(lambda: not driver.app._exit)
        assert "200" in driver.text, "the steps are listed all the same"


async def test_a_session_without_steps_does_not_look_as_if_it_were_read() -> None:
    async with opened(replace(story(), steps=()), size=(80, 24)) as driver:
        await driver.press("3")
        await driver.until(lambda: "no steps yet" in driver.text)
        assert "reading …" not in driver.text
        await driver.press("6")
        await driver.until(lambda: "rules are checked with the first" in driver.text)


async def test_a_file_that_nobody_waits_for_any_more_can_be_left(
    tmp_path: Path,
) -> None:
    """Two were chosen at once: the later one is opened, the first is given up."""
    torn = tmp_path / "torn.har"
    torn.write_bytes(b"{")
    async with opened(None) as driver:
        app = driver.app
        app.open(str(torn))
        await driver.until(lambda: isinstance(app.screen, OpeningScreen))
        app.open(str(torn))
        await driver.until(
            lambda: sum(type(s) is OpeningScreen for s in app.screen_stack) == 2
        )
        for left in (1, 0):
            await driver.until(lambda: "cannot be opened" in driver.text)
            await driver.pilot.press("escape")
            await driver.until(
                lambda left=left: (
                    sum(type(s) is OpeningScreen for s in app.screen_stack) == left
                )
            )
        assert isinstance(app.screen, SessionsScreen)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
async def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Nobody may ever write to it, and then the program could not end."""
    pipe = tmp_path / "a.session.jsonl"
    os.mkfifo(pipe)
    async with opened(pipe) as driver:
        await driver.reads("a.session.jsonl cannot be opened")
        await driver.reads("it is a pipe or a device, which can be read only once")
