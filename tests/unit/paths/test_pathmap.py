"""Where signatures went, as a map of steps and places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.builders import (
    LS,
    copilot,
    exchange,
    openrouter,
    record,
    request_body,
    response_body,
    result,
    user,
)
from tests.effort import effort
from tests.tui.longstory import long_story

from sigscope.ledger import build_ledger
from sigscope.ledger.hops import build_hop_ledger, find_hops, hop_losses
from sigscope.paths import PathLane, PathMap, continued, map_paths
from sigscope.reader import read_steps
from sigscope.session import Step

TURN = [user(), copilot(LS), result(LS)]
REFUSED = {"error": {"message": "no"}}
DONE = copilot(content="It is empty.", opaque=None)


def drawn(found: PathMap) -> list[tuple[str, str]]:
    """Each lane: its place, and a letter for each column."""
    return [
        (found.title_of(shape), letters(found, lane))
        for shape, lanes in found.groups
        for lane in lanes
    ]


def letters(found: PathMap, lane: PathLane) -> str:
    marks = (found.mark(lane, column) for column in range(len(found.columns)))
    return "".join("." if mark is None else mark.state[0] for mark in marks)


def of(history: Sequence[Any], sent: Sequence[Any]) -> PathMap:
    """The last request is refused: what is required, an answer decides."""
    readings = record("copilot-chat", history, sent=sent, status=400, error=REFUSED)
    return map_paths(build_ledger(readings))


def without(message: Any, key: str) -> Any:
    return {name: value for name, value in message.items() if name != key}


def test_a_signature_goes_from_its_response_to_the_later_requests() -> None:
    found = of(TURN, TURN)
    assert drawn(found) == [("message · reasoning_opaque", "rc")]
    (path,) = found.paths
    assert not path.is_lost
    assert [column.label for column in found.columns] == ["1", "2"]


def test_its_line_breaks_where_it_was_lost() -> None:
    lost = [user(), without(copilot(LS), "reasoning_opaque"), result(LS)]
    found = of(TURN, lost)
    assert drawn(found) == [("message · reasoning_opaque", "rl")]
    (path,) = found.paths
    assert path.is_lost
    mark = found.mark(path.lanes[0], 1)
    assert mark is not None
    assert (mark.step, mark.sighting, mark.is_there) == (2, None, False)


def test_after_a_run_stands_what_was_recorded_and_only_after_it() -> None:
    again = [*TURN, DONE, user("And now?")]
    lost = [user(), without(copilot(LS), "reasoning_opaque"), result(LS)]
    mended = record("copilot-chat", TURN, sent=TURN)
    readings = [*record("copilot-chat", TURN, sent=lost, status=400, error=REFUSED)]
    later = record("copilot-chat", again, sent=again)[-1]
    step = Step(id="later", number=3, exchange=later.exchange)
    once_more = Step(id="cached", number=4, exchange=readings[0].exchange)
    readings += read_steps([step, once_more])
    recorded = build_ledger(readings[:3])
    run = build_ledger(mended[:2])
    assert drawn(map_paths(recorded)) == [("message · reasoning_opaque", "rlc")]
    found = map_paths(continued(run, 2, recorded), recorded_after=2)
    assert drawn(found) == [("message · reasoning_opaque", "rcc")]
    assert [column.label for column in found.columns] == ["1", "2", "(3)"]
    twice = continued(run, 2, build_ledger(readings))
    assert [signature.step for signature in twice.signatures] == [1, 4], "one value"
    assert [fate.step for fate in twice.signatures[0].fates] == [2, 3]


def test_what_was_moved_has_a_lane_in_each_place_and_a_line_between() -> None:
    message = without(copilot(LS), "reasoning_opaque")
    opaque = copilot(LS)["reasoning_opaque"]
    call = {**message["tool_calls"][0], "thought_signature": opaque}
    found = of(TURN, [user(), {**message, "tool_calls": [call]}, result(LS)])
    (home, other) = drawn(found)
    assert home == ("message · reasoning_opaque", "r.")
    assert other[0].startswith("call · ")
    assert other[0].endswith("(not read here)")
    assert other[1] == ".l"
    (path,) = found.paths
    (link,) = found.links(path, 1)
    assert (link.source, link.target) == path.lanes
    assert not list(found.links(path, 0))


def test_readable_reasoning_and_stand_ins_have_no_path() -> None:
    readings = record("openrouter", [user(), openrouter(LS), result(LS)])
    found = map_paths(build_ledger(readings))
    kinds = {str(path.signature.kind) for path in found.paths}
    assert kinds
    assert not kinds & {"text", "bypass"}


def test_one_signature_can_be_looked_at_alone() -> None:
    found = map_paths(build_ledger(read_steps(long_story(4).steps)))
    wanted = found.paths[1]
    assert found.only({wanted.key}).paths == (wanted,)
    assert found.only({wanted.key}).columns == found.columns


# --- Two hops -------------------------------------------------------------------------


def hop(host: str, start: str, ms: float, history: Sequence[Any], reply: Any) -> Step:
    made = exchange(
        "copilot-chat",
        request_body("copilot-chat", list(history)),
        response_body("copilot-chat", reply),
        url=f"https://{host}/chat/completions",
    )
    timed = replace(made, started_at=f"2026-11-21T00:00:{start}Z", duration_ms=ms)
    return Step(number=0, id="", exchange=timed)


def two_hops(*, down: Any = None, client: Any = None, up: Any = None) -> PathMap:
    """A client, a gateway, a service; what each hands on instead of the message."""
    message = copilot(LS)
    told = message if down is None else down
    first, last = [user(), told if client is None else client, result(LS)], [user()]
    asked = [*last, first[1] if up is None else up, result(LS)]
    steps = [
        hop("a.example", "00.000", 900, [user()], told),
        hop("b.example", "00.100", 700, [user()], message),
        hop("a.example", "02.000", 900, first, DONE),
        hop("b.example", "02.100", 700, asked, DONE),
    ]
    numbered = [replace(step, number=n) for n, step in enumerate(steps, start=1)]
    readings = read_steps(numbered)
    hops = find_hops(readings)
    ledger = build_hop_ledger(readings, hops)
    return map_paths(ledger, hops, hop_losses(readings, ledger, hops))


def links(found: PathMap) -> list[tuple[int, int, int | None, bool]]:
    """Column, hop from, hop to, whether it is broken."""
    (path,) = found.paths
    return [
        (
            column,
            link.source.shape.hop,
            None if link.target is None else link.target.shape.hop,
            link.is_broken,
        )
        for column in range(len(found.columns))
        for link in found.links(path, column)
    ]


def test_a_gateway_hands_it_down_and_up_again() -> None:
    found = two_hops()
    assert [column.label for column in found.columns] == ["1›2", "3›4"]
    assert drawn(found) == [
        ("client › gateway · message · reasoning_opaque", "rc"),
        ("gateway › service · message · reasoning_opaque", "rc"),
    ]
    assert links(found) == [(0, 1, 0, False), (1, 0, 1, False)]


def test_what_the_gateway_loses_on_the_way_up_breaks_between_the_hops() -> None:
    found = two_hops(up=without(copilot(LS), "reasoning_opaque"))
    assert [told for _, told in drawn(found)] == ["rc", "rm"]
    assert links(found) == [(0, 1, 0, False), (1, 0, 1, True)]


def test_what_the_client_loses_breaks_in_its_own_hop() -> None:
    found = two_hops(client=without(copilot(LS), "reasoning_opaque"))
    assert [told for _, told in drawn(found)] == ["rm", "rm"]
    assert links(found) == [(0, 1, 0, False)]


def test_what_the_gateway_keeps_never_reaches_the_client() -> None:
    found = two_hops(down=without(copilot(LS), "reasoning_opaque"))
    assert [told for _, told in drawn(found)] == ["rm"]
    assert links(found) == [(0, 1, None, True)]


# --- Long sessions --------------------------------------------------------------------


@pytest.mark.slow
def test_only_the_columns_in_sight_of_a_long_session_are_made() -> None:
    ledger = build_ledger(read_steps(long_story(300, is_timed=False).steps))

    def look() -> None:
        found = map_paths(ledger)
        for path in found.paths:
            for column in range(280, 300):
                found.mark(path.lanes[0], column)

    assert effort(look, limit=1) < 1
    found = map_paths(ledger)
    assert len(found.paths) == 300
    assert letters(found, found.paths[290].lanes[0]).strip(".")[0] == "r"
