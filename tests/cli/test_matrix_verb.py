"""`sigscope matrix`: the table, its forms, and cells that are sent."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.commands import sigscope
from tests.cli.servers import answer, says, server

from sigscope.cli.verbs import matrix
from sigscope.engine.sessions.opener import open_file


def test_the_table_says_what_is_foretold_and_what_cures(failing: Path) -> None:
    before = failing.read_bytes()
    found = sigscope("matrix", failing, "--step", "2")
    assert found.code == 0
    assert "4 cells: 1 accepted, 3 refused" in found.out
    assert "are a cure together: neither alone is enough" in found.out
    assert failing.read_bytes() == before


def test_of_many_cells_it_is_told_how_many_there_were(
    failing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = sigscope("matrix", failing, "--step", "2")
    assert "so far" not in few.err
    monkeypatch.setattr(matrix, "TOLD_EVERY", 3)
    told = sigscope("matrix", failing, "--step", "2")
    assert "asked about 3 of 4 cells so far\n" in told.err
    assert told.out == few.out


def test_no_accepted_cell_is_a_verdict_against(failing: Path) -> None:
    found = sigscope("matrix", failing, "--step", "2", "--edit", "set /temperature 1")
    assert found.code == 1
    assert "no combination shown here is accepted" in found.out


def test_it_can_be_filtered_and_sorted_in_any_form(failing: Path) -> None:
    more = ("matrix", failing, "--step", "2", "--only", "accepted")
    assert [c["cell"] for c in sigscope(*more, "--json").json["cells"]] == ["1+2"]
    assert len(sigscope(*more, "--as", "csv").out.splitlines()) == 2
    assert sigscope(*more, "--as", "markdown").out.startswith("| cell | 1 | 2 |")
    assert sigscope(*more, "--as", "paper").code == 2
    assert sigscope(*more, "--sort", "luck").code == 2


def test_a_cell_that_nobody_answered_says_why(failing: Path) -> None:
    with server(says()) as at:
        url = at.url
    found = sigscope(
        *("matrix", failing, "--step", "2", "--send", "1", "--to", url),
        *("--retries", "0"),
    )
    assert found.code == 3
    assert "cell 1: no answer: cannot connect to 127.0.0.1" in found.err


def test_a_cell_that_is_sent_becomes_a_run_in_the_table(failing: Path) -> None:
    found = sigscope("matrix", failing, "--step", "2", "--send", "1+2", "--send", "1")
    assert found.code == 1
    assert "cell 1+2: run 1, 200" in found.err
    assert "cell 1: run 2, 400" in found.err
    titles = [run.title for run in open_file(failing).runs]
    assert titles == ["matrix: CPC-1, CPC-2 + CPC-2", "matrix: CPC-1, CPC-2"]
    again = sigscope("matrix", failing, "--step", "2", "--json").json["cells"]
    sent = {cell["cell"]: cell["run"] for cell in again}
    assert sent["1+2"] == {"number": 1, "status": 200}
    assert sent["0"] is None


def test_a_live_cell_is_asked_for_before_it_is_paid_for(failing: Path) -> None:
    more = ("--send", "1+2", "--to", "https://api.example.com")
    found = sigscope("matrix", failing, "--step", "2", *more)
    assert found.code == 2
    assert "may cost money" in found.err


def test_a_live_cell_is_sent_as_it_is_foretold(failing: Path) -> None:
    body = b'{"choices":[{"index":0,"message":{"role":"assistant","content":"x"}}]}'
    with server(says(answer(body))) as served:
        found = sigscope(
            *("matrix", failing, "--step", "2", "--send", "1+2", "--to", served.url),
            *("--retries", "0"),
        )
        assert len(served.requests) == 1
    assert found.code == 0
    assert b"reasoning_opaque" in served.requests[0]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--send", "3"), "they are numbered from 1 to 2"),
        (("--most", "2"), "more than the 2 that are allowed"),
        (("--ready", "nonsense"), "no ready-made edit"),
        (("--edit", "drop /nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_done_is_said(
    failing: Path, more: tuple[str, ...], words: str
) -> None:
    found = sigscope("matrix", failing, "--step", "2", *more)
    assert words in found.told
    assert found.code in (1, 2)
    assert "Traceback" not in found.told
