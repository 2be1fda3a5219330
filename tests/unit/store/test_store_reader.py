"""Reading sessions: what was written, and what became of the file since."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.store.samples import (
    append,
    contents,
    lines,
    make_note,
    make_run,
    make_step,
    parsed,
    wheres,
    write,
)

from sigscope.errors import InputError
from sigscope.session import Session
from sigscope.store import SessionFile, SessionWriter, open_session

BODY = b'{"messages":[{"role":"user","content":"What is in a.md?"}]}'
OTHER = BODY.replace(b"]}", b',{"role":"assistant","content":"\xc3\xa9"}]}')


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.session.jsonl"


def test_everything_comes_back(path: Path) -> None:
    records = (
        make_step(1, BODY, b"\x00\xff\x80"),
        make_step(2, OTHER, b""),
        make_run(1, OTHER, b"data: x\n\n"),
        make_run(2, BODY, "größe\r\n\u2028".encode()),
        make_note(),
        make_note(2),
    )
    session = open_session(str(write(path, *records)))
    assert contents(session) == list(records)
    assert not session.problems
    assert (session.id, session.title) == ("b0c4", "A title")
    assert (session.story, session.tool) == ("What *happened*.", "sigscope 0.1.0")
    assert session.created_at == "2026-11-21T03:14:15Z"
    assert session.redaction == ("secrets",)
    assert (session.path, session.format) == (str(path), "session")


def test_bodies_are_not_read_before_they_are_looked_at(path: Path) -> None:
    write(path, make_step(1, BODY * 50, OTHER * 50))
    session = open_session(str(path))
    step = session.steps[0]
    assert step.exchange.request is not None
    assert step.exchange.request.body.size == len(BODY * 50)
    os.truncate(path, 900)
    with pytest.raises(InputError, match="cut short"):
        _ = step.exchange.request.body.raw


def test_a_step_is_the_same_record_every_time(path: Path) -> None:
    session = open_session(str(write(path, make_step(1), make_step(2))))
    assert session.steps[0] is session.steps[0]
    assert session.steps[-1] is session.steps[1]
    assert [step.number for step in session.steps[:5]] == [1, 2]
    with pytest.raises(IndexError):
        _ = session.steps[2]


def test_steps_are_in_order_of_their_numbers(path: Path) -> None:
    session = open_session(str(write(path, make_step(3), make_step(1), make_step(2))))
    assert [step.number for step in session.steps] == [1, 2, 3]


@given(bodies=st.lists(st.binary(max_size=80), min_size=2, max_size=8))
@settings(max_examples=40)
def test_any_bodies_come_back(
    bodies: list[bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("any") / "a.session.jsonl"
    steps = [
        make_step(number, request * 3, response)
        for number, (request, response) in enumerate(pairwise(bodies), start=1)
    ]
    assert contents(open_session(str(write(path, *steps)))) == steps


# --- Broken files ---------------------------------------------------------------------


@pytest.mark.slow
def test_cut_at_any_byte_all_lines_before_are_there(path: Path) -> None:
    records = (
        make_step(1, BODY),
        make_step(2, OTHER, b"\xff"),
        make_run(),
        make_note(),
    )
    data = write(path, *records).read_bytes()
    whole = [len(line) for line in lines(path)]
    ends = [sum(whole[:count]) for count in range(1, len(whole) + 1)]
    for size in reversed(range(len(data))):
        os.truncate(path, size)
        try:
            session = open_session(str(path))
        except InputError:
            assert size < ends[0] - 1
            continue
        complete = sum(end - 1 <= size for end in ends)
        assert contents(session) == list(records[: max(0, complete - 1)])
        torn = size not in (*ends, *(end - 1 for end in ends))
        assert wheres(session) == ([f"line {complete + 1}"] if torn else [])
        assert all("breaks off" in problem.message for problem in session.problems)


def test_any_line_may_be_broken_and_the_rest_is_read(path: Path) -> None:
    records = (make_step(1), make_run(1), make_note(), make_step(2), make_note(1))
    good = lines(write(path, *records))
    for place in range(1, len(good)):
        for bad in (
            b"\n",
            b"garbage\n",
            b"\x00\x01\n",
            b"[1]\n",
            good[place][:-9] + b"\n",
        ):
            path.write_bytes(b"".join([*good[:place], bad, *good[place + 1 :]]))
            session = open_session(str(path))
            rest = [r for at, r in enumerate(records, start=1) if at != place]
            found = contents(session)
            assert len(found) == len(rest)
            assert all(record in found for record in rest)
            assert wheres(session) == ([] if bad == b"\n" else [f"line {place + 1}"])


@pytest.mark.slow
@given(place=st.integers(0, 10**6), change=st.integers(1, 255))
@settings(max_examples=150)
def test_a_changed_byte_anywhere_never_goes_unnoticed(
    place: int, change: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("changed") / "a.session.jsonl"
    records = (make_step(1, BODY), make_step(2, OTHER, BODY), make_note())
    data = bytearray(write(path, *records).read_bytes())
    place %= len(data) - 1
    data[place] ^= change
    path.write_bytes(data)
    try:
        session = open_session(str(path))
    except InputError:
        return
    same = contents(session) == list(records) and session.id == "b0c4"
    assert session.problems or (same and session.title == "A title")


def rewritten(path: Path, number: int, change: Callable[[bytes], bytes]) -> Session:
    data = lines(path)
    data[number - 1] = change(data[number - 1].rstrip(b"\n")) + b"\n"
    path.write_bytes(b"".join(data))
    return open_session(str(path))


def test_a_lost_line_loses_only_the_bodies_that_repeat_it(path: Path) -> None:
    write(path, make_step(1, BODY), make_step(2, OTHER, b"other"), make_step(3, b"[]"))
    session = rewritten(path, 2, lambda line: line[:50])
    assert wheres(session) == ["line 2", "line 3"]
    assert "repeats parts of a line that cannot be read" in session.problems[1].message
    two, three = session.steps
    assert two.exchange.request is not None
    assert two.exchange.response is not None
    assert two.exchange.request.url == "https://host/v1/chat?alt=sse"
    assert not two.exchange.request.body
    assert any("lost" in remark for remark in two.exchange.remarks)
    assert two.exchange.response.body.raw == b"other"
    assert three == make_step(3, b"[]")


def test_a_line_edited_by_hand_is_shown_as_it_is_now(path: Path) -> None:
    write(path, make_step(1, BODY), make_step(2, OTHER))
    session = rewritten(path, 2, lambda line: line.replace(b'"Title"', b'"Mine"'))
    assert session.steps[0].title == "Mine"
    assert wheres(session) == ["line 2"]
    assert "changed after it was written" in session.problems[0].message
    assert session.steps[1] == make_step(2, OTHER)


def test_a_body_edited_by_hand_is_shown_and_so_is_what_repeats_it(path: Path) -> None:
    write(path, make_step(1, BODY), make_step(2, OTHER))
    session = rewritten(path, 2, lambda line: line.replace(b"What is", b"What was"))
    one, two = (step.exchange.request for step in session.steps)
    assert one is not None
    assert two is not None
    assert one.body.raw == BODY.replace(b"What is", b"What was")
    assert one.body.size == len(BODY) + 1
    assert b"What " in two.body.raw
    assert wheres(session) == ["line 2", "line 2", "line 3"]
    assert "not what was recorded" in session.problems[2].message


def test_a_line_without_a_sum_is_read_whole(path: Path) -> None:
    hand_made = {
        "exchange": {"request": {"url": "/a"}, "response": {"status": 200}},
        "bodies": {
            "request": {"text": "{}"},
            "response": {"base64": "/w==", "chunks": [1, 2500]},
        },
        "id": "x",
        "number": 7,
        "type": "step",
    }
    write(path, make_step(1))
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(hand_made) + "\r\n")
    session = open_session(str(path))
    assert not session.problems
    exchange = session.steps[1].exchange
    assert exchange.request is not None
    assert exchange.response is not None
    assert exchange.request.body.raw == b"{}"
    assert exchange.request.body.size == 2
    assert exchange.response.body.raw == b"\xff"
    assert exchange.response.chunks[0].at_ms == 2.5
    with SessionWriter.reopen(str(path)) as writer:
        append(writer, make_step(8, BODY))
    assert not open_session(str(path)).problems


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"text": "ab", "copies": [1, 2]}, "threes"),
        ({"text": "ab", "copies": [0, 5000, 3]}, "not there"),
        ({"text": "ab", "copies": [0, 1, 3]}, "reaches past"),
        ({"base64": "a"}, "padd|multiple"),
    ],
    ids=str,
)
def test_a_hand_made_body_that_makes_no_sense_is_left_out(
    path: Path, body: dict[str, object], reason: str
) -> None:
    line = {"type": "step", "number": 2, "id": "x", "exchange": {"request": {}}}
    write(path, make_step(1))
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line | {"bodies": {"request": body}}) + "\n")
    session = open_session(str(path))
    assert wheres(session) == ["line 3"]
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(session.problems[0].message)
    request = session.steps[1].exchange.request
    assert request is not None
    assert not request.body


def test_wrong_fields_are_named_with_their_line(path: Path) -> None:
    write(path, make_step(1))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"type":"step","number":2,"id":"x"}\n')
        file.write('{"type":"run","number":1}\n')
        file.write('{"type":"note","text":5,"at":"x"}\n{"typ":1}\n{"type":3}\n')
    problems = open_session(str(path)).problems
    assert [problem.where for problem in problems] == [f"line {n}" for n in range(3, 8)]
    assert problems[0].message.startswith("exchange: Field required")
    assert problems[1].message.startswith("step: Field required (and ")
    assert problems[2].message.startswith("text: ")
    assert "neither a step nor a run nor a note" in problems[3].message


def test_a_wrong_field_under_a_right_sum_is_a_problem_too(path: Path) -> None:
    from sigscope.store.lines import encode_line

    write(path, make_step(1))
    bad = {"type": "step", "number": 2, "id": 5, "exchange": {}}
    with path.open("ab") as file:
        file.write(encode_line(bad))
        file.write(encode_line({"type": "note", "text": 5, "at": "x"}))
    session = open_session(str(path))
    assert session.steps[1].number == 2
    assert any("id: " in remark for remark in session.steps[1].exchange.remarks)
    assert sorted(wheres(session)) == ["line 3", "line 4"]


def test_what_a_newer_version_wrote_is_passed_over(path: Path) -> None:
    write(path, make_step(1))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"type":"bookmark","step":1}\n{"type":"bookmark","step":2}\n')
        file.write('{"type":"note","text":"x","at":"t","colour":"red"}\n')
    file_ = SessionFile(str(path))
    assert not file_.session.problems
    assert file_.session.notes[0].text == "x"
    assert file_.unknown == {"bookmark": 2}


def test_two_sessions_in_one_file_are_noticed(path: Path) -> None:
    data = write(path, make_step(1), make_run(1)).read_bytes()
    path.write_bytes(data + data)
    session = open_session(str(path))
    assert contents(session) == [make_step(1), make_run(1)]
    assert wheres(session) == ["line 4", "line 5", "line 6"]
    assert "second header" in session.problems[0].message
    assert "step 1 once more, which line 2 is" in session.problems[1].message


@pytest.mark.parametrize("parent", [1, 7])
def test_a_run_is_made_from_none_but_one_before_it(path: Path, parent: int) -> None:
    """The way back from it would have no end."""
    write(path, make_step(1), replace(make_run(1), parent=parent))
    session = open_session(str(path))
    assert [run.parent for run in session.runs] == [None]
    assert wheres(session) == ["line 3"]


def test_two_bodies_in_one_place_are_kept_apart(path: Path) -> None:
    """Two writers on a file system without locks."""
    start = write(path, make_step(1, BODY)).read_bytes()
    with SessionWriter.reopen(str(path)) as writer:
        append(writer, make_step(2, OTHER))
    one = path.read_bytes()[len(start) :]
    path.write_bytes(start)
    with SessionWriter.reopen(str(path)) as writer:
        append(writer, make_step(3, OTHER[::-1] * 2))
    path.write_bytes(path.read_bytes() + one)
    session = open_session(str(path))
    assert contents(session) == [
        make_step(1, BODY),
        make_step(2, OTHER),
        make_step(3, OTHER[::-1] * 2),
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"\x7fELF\x02\x01\x01\x00", "no session header"),
        (b'{"log":{}}\n', "no session header"),
        (b"\n".join([b'{"type":"step"}'] * 3), "no session header"),
    ],
)
def test_what_is_no_session_is_said_so(path: Path, data: bytes, reason: str) -> None:
    path.write_bytes(data)
    with pytest.raises(InputError, match=reason) as caught:
        open_session(str(path))
    assert str(path) in str(caught.value)


def test_a_header_by_hand_is_understood(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf{"id": "x", "title": "t", "sigscope": 1}\r\n')
    session = open_session(str(path))
    assert (session.id, session.title, session.problems) == ("x", "t", ())


def test_a_header_with_a_wrong_field_does_not_cost_the_steps(path: Path) -> None:
    data = write(path, make_step(1)).read_bytes()
    path.write_bytes(b'{"sigscope":1,"title":5}\n' + data.partition(b"\n")[2])
    session = open_session(str(path))
    assert contents(session) == [make_step(1)]
    assert wheres(session) == ["line 1"]


# --- Growing files --------------------------------------------------------------------


def test_poll_reads_what_was_added(path: Path) -> None:
    write(path, make_step(1, BODY))
    file = SessionFile(str(path))
    assert not file.poll()
    with SessionWriter.reopen(str(path)) as writer:
        append(
            writer, make_step(3, OTHER), make_run(1, OTHER), make_step(2), make_note()
        )
    growth = file.poll()
    assert growth
    assert (growth.steps, growth.runs, growth.notes) == ([3, 2], [1], 1)
    assert [step.number for step in file.session.steps] == [1, 2, 3]
    assert contents(file.session) == contents(open_session(str(path)))
    assert not file.poll()


def test_a_line_that_is_being_written_is_a_problem_until_it_is_whole(
    path: Path,
) -> None:
    data = write(path, make_step(1), make_step(2)).read_bytes()
    path.write_bytes(data[:-30])
    file = SessionFile(str(path))
    assert [step.number for step in file.session.steps] == [1]
    assert wheres(file.session) == ["line 3"]
    path.write_bytes(data[:-1])
    assert file.poll().steps == [2]
    assert not file.session.problems
    path.write_bytes(data)
    assert not file.poll()
    assert not file.session.problems


def test_a_file_cut_short_or_replaced_under_us_is_said_so(path: Path) -> None:
    write(path, make_step(1))
    file = SessionFile(str(path))
    assert not file.was_replaced
    os.truncate(path, 10)
    assert not file.poll()
    file.poll()
    assert [p.message for p in file.session.problems] == [
        "the file was cut short while it was open"
    ]
    path.unlink()
    assert file.was_replaced


def test_the_file_is_one_line_a_record(path: Path) -> None:
    write(path, make_step(1, b"a\nb\r\x85\xe2\x80\xa8", b"\n"), make_note())
    found = [parsed(line) for line in lines(path)]
    assert [line.get("type") for line in found] == [None, "step", "note"]
    assert found[0]["sigscope"] == 1
