"""Numbered files of requests and responses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sigscope.capture import numbered
from sigscope.capture.source import Source
from sigscope.errors import InputError

REQUEST = '{"model":"m","messages":[]}'
CHUNKS = '[\n  {"choices": []},\n  {"choices": []}\n]\n'


def fill(folder: Path, *names: str) -> None:
    for name in names:
        is_request = "req" in name.lower()
        (folder / name).write_text(REQUEST if is_request else CHUNKS)


def test_a_folder_is_read_in_order_of_number(tmp_path: Path) -> None:
    fill(tmp_path, "1-req.json", "1-res.json", "10-req.json", "10-res.json")
    fill(tmp_path, "2-req.json", "2-res.json")
    (tmp_path / "README.md").write_text("notes")
    source = Source(tmp_path)
    assert numbered.recognise(source)
    found = numbered.read(source)
    assert found.title == tmp_path.name
    assert found.problems == ()
    assert [exchange.remarks[0] for exchange in found.exchanges] == [
        "read from 1-req.json and 1-res.json",
        "read from 2-req.json and 2-res.json",
        "read from 10-req.json and 10-res.json",
    ]
    first = found.exchanges[0]
    assert first.request is not None
    assert first.response is not None
    assert (first.request.method, first.request.url) == ("POST", "")
    assert first.request.body.raw == REQUEST.encode()
    assert first.response.body.raw == CHUNKS.encode()
    assert (first.response.framing, first.response.status) == ("json-list", None)


@pytest.mark.parametrize(
    "names",
    [
        ("req-1.json", "res-1.json"),
        ("1-request.json", "1-response.json"),
        ("1_req.json", "1_resp.txt"),
        ("request1.json", "response1.sse"),
        ("01.Req.json", "01.Res.json"),
        ("chat-1-req.json", "chat-1-res.json"),
    ],
)
def test_other_spellings_are_understood(tmp_path: Path, names: tuple[str, str]) -> None:
    fill(tmp_path, *names)
    source = Source(tmp_path / names[0])
    assert numbered.recognise(source)
    (exchange,) = numbered.read(source).exchanges
    assert exchange.request is not None
    assert exchange.response is not None


def test_a_file_brings_its_siblings_but_no_strangers(tmp_path: Path) -> None:
    fill(tmp_path, "a-1-req.json", "a-1-res.json", "a-2-req.json", "b-1-req.json")
    found = numbered.read(Source(tmp_path / "a-1-res.json"))
    assert len(found.exchanges) == 2
    assert [(p.where, p.message) for p in found.problems] == [
        ("a-2-req.json", "its response is missing")
    ]


def test_a_list_of_files_is_read_as_it_is(tmp_path: Path) -> None:
    fill(tmp_path, "1-req.json", "1-res.json", "2-req.json", "3-req.json")
    first, *others = (tmp_path / f"{name}.json" for name in ("1-req", "1-res", "3-req"))
    found = numbered.read(Source(first, others))
    assert len(found.exchanges) == 2


def test_a_stream_or_a_plain_answer_is_no_list(tmp_path: Path) -> None:
    fill(tmp_path, "1-req.json", "2-req.json")
    (tmp_path / "1-res.txt").write_text("data: {}\n\n")
    (tmp_path / "2-res.json").write_text('{"choices": []}')
    first, second = numbered.read(Source(tmp_path)).exchanges
    assert first.response is not None
    assert second.response is not None
    assert (first.response.framing, second.response.framing) == (None, None)


def test_an_empty_file_is_a_problem(tmp_path: Path) -> None:
    fill(tmp_path, "1-req.json")
    (tmp_path / "1-res.json").write_text("")
    found = numbered.read(Source(tmp_path))
    assert found.exchanges[0].response is None
    assert found.problems[0].message == "the file is empty"


def test_only_empty_files_are_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "1-res.json").write_text(" ")
    with pytest.raises(InputError, match="the file is empty"):
        numbered.read(Source(tmp_path))


def test_a_folder_without_pairs_says_what_it_holds(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the folder is empty"):
        numbered.read(Source(tmp_path))
    for number in range(9):
        (tmp_path / f"trace{number}.har").write_text("{}")
    assert not numbered.recognise(Source(tmp_path))
    with pytest.raises(InputError, match=r"trace0.har, .*\.\.\. Name the file"):
        numbered.read(Source(tmp_path))


@pytest.mark.parametrize(
    "name", ["req.json", "1.json", "request.har", "1-requests.json", "1-req.json.bak"]
)
def test_other_names_are_none(tmp_path: Path, name: str) -> None:
    fill(tmp_path, name)
    assert not numbered.recognise(Source(tmp_path / name))


def test_the_name_alone_does_not_decide(tmp_path: Path) -> None:
    (tmp_path / "1-req.json").write_text("plain words")
    assert not numbered.recognise(Source(tmp_path / "1-req.json"))


def test_a_folder_that_may_not_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(InputError, match="Permission denied"):
        numbered.read(Source(tmp_path))


def test_pairs_without_a_number_are_read_from_a_folder(tmp_path: Path) -> None:
    fill(tmp_path, "followup-request.json", "followup-response.json")
    fill(tmp_path, "request.json", "response.json", "other-request.json")
    source = Source(tmp_path)
    assert numbered.recognise(source)
    found = numbered.read(source)
    assert [exchange.remarks[0] for exchange in found.exchanges] == [
        "read from request.json and response.json",
        "read from followup-request.json and followup-response.json",
    ]
    assert not numbered.recognise(Source(tmp_path / "request.json"))


def test_one_side_without_a_number_makes_no_pair(tmp_path: Path) -> None:
    fill(tmp_path, "request.json", "a-response.json", "requests.json")
    assert not numbered.recognise(Source(tmp_path))


def test_numbers_count_before_names_without(tmp_path: Path) -> None:
    fill(tmp_path, "1-req.json", "1-res.json", "request.json", "response.json")
    assert len(numbered.read(Source(tmp_path)).exchanges) == 1


@pytest.mark.parametrize(
    "names",
    [
        ("req_001_host_chat.json", "res_001_host_chat.json"),
        ("001/request.json", "001/response.json"),
        ("requests/001.json", "responses/001.json"),
        ("req/call-1.json", "resp/call-1.json"),
    ],
)
def test_layouts_of_folders(tmp_path: Path, names: tuple[str, str]) -> None:
    for number in "21":
        for name, content in zip(names, (REQUEST, CHUNKS), strict=True):
            path = tmp_path / name.replace("1", number)
            path.parent.mkdir(exist_ok=True)
            path.write_text(content)
    assert numbered.recognise(Source(tmp_path))
    found = numbered.read(Source(tmp_path))
    assert not found.problems
    assert len(found.exchanges) == 2
    for each in found.exchanges:
        assert each.request is not None
        assert each.response is not None


def test_calls_in_folders_come_in_their_order(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "request.json").write_text(
            f'{{"{name}": 1, "messages": []}}'
        )
        (tmp_path / name / "response.json").write_text(CHUNKS)
    found = numbered.read(Source(tmp_path))
    bodies = [each.request and each.request.body.raw[:4] for each in found.exchanges]
    assert bodies == [b'{"a"', b'{"b"']


def test_one_side_in_a_folder_makes_no_pair(tmp_path: Path) -> None:
    for name in ("requests", "001", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "requests" / "1.json").write_text(REQUEST)
    (tmp_path / "001" / "request.json").write_text(REQUEST)
    (tmp_path / "req_1_more.json").write_text(REQUEST)
    assert not numbered.recognise(Source(tmp_path))


def test_calls_in_folders_are_sorted_by_number(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        (tmp_path / f"call-{number}").mkdir()
        fill(tmp_path / f"call-{number}", "response.json")
        asked = f'{{"{number:02}": 1, "messages": []}}'
        (tmp_path / f"call-{number}" / "request.json").write_text(asked)
    found = numbered.read(Source(tmp_path))
    bodies = [each.request and each.request.body.raw[2:4] for each in found.exchanges]
    assert bodies == [b"01", b"02", b"10"]


def test_a_folder_inside_that_may_not_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("closed", "1"):
        (tmp_path / name).mkdir()
    fill(tmp_path / "1", "request.json", "response.json")
    look = Path.iterdir

    def refuse(path: Path) -> Iterator[Path]:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return look(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert numbered.recognise(Source(tmp_path))
    found = numbered.read(Source(tmp_path))
    assert len(found.exchanges) == 1
    (problem,) = found.problems
    assert (problem.where, problem.message) == (
        "closed",
        "the folder cannot be read: Permission denied",
    )


def test_of_two_files_with_one_number_the_second_is_told(tmp_path: Path) -> None:
    for name in ("requests", "responses"):
        (tmp_path / name).mkdir()
        fill(tmp_path / name, "a-1.json", "b-1.json")
    found = numbered.read(Source(tmp_path))
    assert len(found.exchanges) == 1
    assert [problem.where for problem in found.problems] == ["b-1.json"] * 2
    assert "a-1.json" in found.problems[0].message


def test_files_that_no_number_pairs_are_told(tmp_path: Path) -> None:
    fill(tmp_path, "1-req.json", "1-res.json", "a.request.json", "b.response.json")
    fill(tmp_path, "notes.json", "reset.json")

    problems = numbered.read(Source(tmp_path)).problems

    assert [each.message for each in problems] == [
        "2 files left out; nothing in their names pairs them with those that are read:"
        " a.request.json, b.response.json"
    ]
