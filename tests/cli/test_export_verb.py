"""`sigscope export`: formats, files, standard output, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigscope.cli.main import run
from sigscope.engine.settings.places import shipped

NAME = "zed-copilot-attempt-1"
pytestmark = pytest.mark.usefixtures("folder")


Said = tuple[int, str, str]


def said(capfd: pytest.CaptureFixture[str], *argv: str) -> Said:
    code = run(["export", *argv])
    out, err = capfd.readouterr()
    return code, out, err


def test_a_report_is_written_beside_you(
    capfd: pytest.CaptureFixture[str], folder: Path
) -> None:
    code, out, _ = said(capfd, NAME, "--to", "report")
    assert code == 0
    assert (folder / f"{NAME}.md").read_text().startswith("# Zed on Copilot")
    assert out.startswith(f"{NAME}.md: ")
    assert "removed: nothing (secrets had been removed" in out


def test_a_second_time_needs_force(
    capfd: pytest.CaptureFixture[str], folder: Path
) -> None:
    said(capfd, NAME, "--to", "har")
    code, _, err = said(capfd, NAME, "--to", "har")
    assert code == 2
    assert f"{NAME}.har exists already; give --force" in err
    assert said(capfd, NAME, "--to", "har", "--force")[0] == 0


def test_curl_goes_to_standard_output_and_talk_to_stderr(
    capfd: pytest.CaptureFixture[str], folder: Path
) -> None:
    code, out, err = said(capfd, NAME, "--to", "curl", "--step", "2")
    assert code == 0
    assert out.startswith("#!/bin/sh\n")
    assert err.startswith("-: ")
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("option", [["--out", "-"], ["--stdout"]])
def test_a_report_can_go_to_standard_output(
    capfd: pytest.CaptureFixture[str], folder: Path, option: list[str]
) -> None:
    code, out, _ = said(capfd, NAME, "--to", "report", *option)
    assert code == 0
    assert out.startswith("# Zed")
    assert [*folder.iterdir()] == []


def test_the_name_of_the_file_tells_the_format(
    capfd: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert said(capfd, NAME, "--out", "a.har")[0] == 0
    assert "log" in json.loads((folder / "a.har").read_text())
    assert said(capfd, NAME, "--out", "c_test.py")[0] == 0
    assert "def test_" in (folder / "c_test.py").read_text()
    assert said(capfd, NAME, "--out", "b.session.jsonl", "--stand-ins")[0] == 0
    assert '"signatures"' in (folder / "b.session.jsonl").read_text().split("\n")[0]


def test_json_tells_what_was_written(
    capfd: pytest.CaptureFixture[str], folder: Path
) -> None:
    code, out, _ = said(
        capfd, NAME, "--to", "session", "--out", "x", "--stand-ins", "--json"
    )
    assert code == 0
    assert json.loads(out) == {
        "format": 1,
        "file": "x",
        "to": "session",
        "bytes": (folder / "x").stat().st_size,
        "removed": {"signature": 1},
        "lacks": [],
    }


def test_answers_alone_are_no_cassette(
    capfd: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "answer.json").write_text(
        '{"candidates":[{"content":{"parts":[{"text":"Hi"}],"role":"model"}}]}'
    )
    code, _, err = said(capfd, "answer.json", "--to", "vcr", "--out", "it.yaml")
    assert code == 2
    assert "no step here has both" in err
    assert [each.name for each in folder.iterdir()] == ["answer.json"]


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        ([NAME], 2, "say what to write: --to session|report|html|curl|har"),
        ([NAME, "--to", "pdf"], 2, "invalid choice: 'pdf'"),
        ([NAME, "--to", "session", "--stdout"], 2, "cannot go to standard output"),
        ([NAME, "--to", "curl", "--json"], 2, "cannot share standard output"),
        ([NAME, "--to", "curl", "--step", "7"], 2, "there is no step 7"),
        ([NAME, "--to", "report", "--step", "1"], 2, "holds the whole session"),
        (["missing.har", "--to", "report"], 3, "missing.har"),
        ([NAME, "--to", "report", "--out", "."], 2, "is a folder; name a file"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_exit_code(
    capfd: pytest.CaptureFixture[str], argv: list[str], code: int, words: str
) -> None:
    found, out, err = said(capfd, *argv, *(["--force"] if "." in argv else []))
    assert (found, out) == (code, "")
    assert words in err
    assert "Traceback" not in err


def test_the_file_that_is_read_is_never_replaced(
    capfd: pytest.CaptureFixture[str], folder: Path
) -> None:
    source = shipped("sessions") / f"{NAME}.session.jsonl"
    copy = folder / "mine.session.jsonl"
    copy.write_bytes(source.read_bytes())
    code, _, err = said(
        capfd, str(copy), "--to", "report", "--out", str(copy), "--force"
    )
    assert code == 2
    assert "is what is being exported" in err
    assert copy.read_bytes() == source.read_bytes()


@pytest.mark.parametrize("form", ["report", "html", "har", "vcr", "curl", "pytest"])
def test_without_content_no_format_tells_what_was_said(
    capfd: pytest.CaptureFixture[str], form: str
) -> None:
    name = [NAME, "--to", form, "--step", "2"]
    argv = name if form in ("curl", "pytest", "har", "vcr") else name[:3]
    plain = said(capfd, *argv, "--out", "-")[1]
    code, masked, _ = said(capfd, *argv, "--out", "-", "--no-content")
    assert code == 0
    said_in_it = "What files are in this directory?"
    assert (said_in_it in plain) is (form != "report")
    assert said_in_it not in masked
    assert "invalid request body" in masked or form in ("curl",)
