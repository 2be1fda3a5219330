"""Old formats, with a table of converters made for the test: format 1 is the first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.store.samples import HEADER, write

from sigscope.errors import InputError, UsageError
from sigscope.store import SessionWriter, migrate, open_session, reader, save_session
from sigscope.store.migrate import CONVERTERS, Migration

Json = dict[str, Any]


def from_format_0(line: Json) -> Json:
    """The invented format 0 said `kind` for `type`, and had bodies as plain text."""
    if "sigscope" in line:
        return line | {"sigscope": 1, "title": line.pop("name", "")}
    if line["kind"] != "step":
        return {"type": line["kind"], **line}
    request, response = line.pop("request"), line.pop("response")
    return {
        "type": "step",
        "number": line["number"],
        "id": f"old-{line['number']}",
        "exchange": {
            "request": {"url": request["url"]},
            "response": {"status": response["status"]},
        },
        "bodies": {
            "request": {"text": request["body"]},
            "response": {"text": response["body"], "chunks": [2, 1500]},
        },
    }


OLD = "\n".join(
    [
        '{"sigscope":0,"id":"x","name":"Old"}',
        '{"kind":"step","number":1,"request":{"url":"/a","body":"{\\"é\\":1}"},'
        '"response":{"status":200,"body":"ok"}}',
        "broken",
        '{"kind":"step","number":2}',
        '{"kind":"note","text":"n","at":"t"}',
    ]
)


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def make(number: int, **more: Any) -> Migration:
        return Migration(number, converters={0: from_format_0}, **more)

    monkeypatch.setattr(reader, "Migration", make)
    path = tmp_path / "old.session.jsonl"
    path.write_text(OLD, encoding="utf-8")
    return path


def test_an_old_file_is_read_as_if_it_were_new(old: Path) -> None:
    session = open_session(str(old))
    assert (session.id, session.title) == ("x", "Old")
    step = session.steps[0]
    assert step.exchange.request is not None
    assert step.exchange.response is not None
    assert step.exchange.request.body.raw == '{"é":1}'.encode()
    assert step.exchange.request.body.size == 8
    assert step.exchange.response.chunks[0].at_ms == 1.5
    assert session.notes[0].text == "n"
    assert [problem.where for problem in session.problems] == ["line 3", "line 4"]
    assert old.read_text(encoding="utf-8") == OLD


def test_an_old_file_can_be_saved_anew_but_not_appended_to(
    old: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="older format"):
        SessionWriter.reopen(str(old))
    new = tmp_path / "new.session.jsonl"
    save_session(open_session(str(old)), str(new))
    assert json.loads(new.read_bytes().splitlines()[0])["sigscope"] == 1
    again = open_session(str(new))
    assert list(again.steps) == list(open_session(str(old)).steps)


def test_converters_run_one_after_the_other() -> None:
    way = Migration(
        3,
        converters={
            3: lambda line: line | {"a": line["a"] + 1},
            4: lambda line: line | {"a": line["a"] * 10},
        },
        target=5,
    )
    assert way.is_needed
    assert way.convert({"a": 1}) == {"a": 20}


def test_the_present_format_needs_no_converter() -> None:
    way = Migration(1)
    assert not way.is_needed
    assert way.convert({"a": 1}) == {"a": 1}


def test_the_converters_lead_to_the_present_format_without_a_gap() -> None:
    assert list(CONVERTERS) == list(range(1, migrate.FORMAT))


def test_a_newer_format_is_said_so(tmp_path: Path) -> None:
    path = write(tmp_path / "a.session.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"sigscope":1', b'"sigscope":7'))
    with pytest.raises(InputError, match=r"format 7.*up to 1.*newer sigscope"):
        open_session(str(path))


def test_a_format_that_never_was_is_said_so(tmp_path: Path) -> None:
    path = write(tmp_path / "a.session.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"sigscope":1', b'"sigscope":0'))
    with pytest.raises(InputError, match="format 0, which no sigscope"):
        open_session(str(path))
    assert HEADER.id
