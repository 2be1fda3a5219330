"""`check` in a build: reports, rules left out, baselines, several files."""

from __future__ import annotations

import errno
import io
import json
import os
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.cli.commands import SESSIONS, sigscope
from tests.unit.export.servers import bundled
from tests.unit.export.test_sarif import held

from sigscope.cli.main import run
from sigscope.session import Session
from sigscope.store import save_session

BAD = "zed-copilot-attempt-1"
FINE = "gemini-parallel"


def rules_of(name: str) -> set[str]:
    return {row["rule"] for row in sigscope("check", name, "--json").json["findings"]}


def test_reports_of_both_kinds_are_written_beside_what_is_printed(
    tmp_path: Path,
) -> None:
    sarif, junit = tmp_path / "out.sarif", tmp_path / "out.xml"
    argv = ("check", BAD, "--report", f"sarif={sarif}", "--report", f"junit={junit}")
    done = sigscope(*argv)
    assert done.code == 1
    assert "error[" in done.out
    log = sarif.read_bytes()
    held(log)
    found = {row["ruleId"] for row in json.loads(log)["runs"][0]["results"]}
    assert found == rules_of(BAD)
    assert int(ET.parse(junit).getroot().get("failures", "0")) > 0
    assert sigscope(*argv).code == 1  # a second build replaces them


class Gone(io.StringIO):
    """Standard output whose reader went away at once."""

    def write(self, text: str, /) -> int:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_reports_are_whole_when_the_reader_of_the_rest_goes(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    sarif, junit = tmp_path / "out.sarif", tmp_path / "out.xml"
    kinds = ("--report", f"sarif={sarif}", "--report", f"junit={junit}")
    with redirect_stdout(Gone()):
        assert run(["check", FINE, BAD, *kinds, *more]) == 1
    held(sarif.read_bytes())
    assert int(ET.parse(junit).getroot().get("failures", "0")) > 0
    known = tmp_path / "known.json"
    with redirect_stdout(Gone()):
        assert run(["check", BAD, "--write-baseline", str(known), *more]) == 0
    assert json.loads(known.read_text())["findings"]


def test_workflow_commands_stand_on_stdout() -> None:
    done = sigscope("check", BAD, "--report", "github")
    assert any(line.startswith("::error file=") for line in done.out.splitlines())


@pytest.mark.parametrize("name", sorted(p.name for p in SESSIONS.glob("*.jsonl"))[:4])
def test_two_checks_of_one_file_give_the_same_sarif(name: str, tmp_path: Path) -> None:
    logs = []
    for number in (1, 2):
        out = tmp_path / f"{number}.sarif"
        sigscope("check", str(SESSIONS / name), "--report", f"sarif={out}")
        logs.append(out.read_bytes())
    assert logs[0] == logs[1]


def test_a_baseline_lets_old_findings_pass_and_new_ones_not(tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    assert sigscope("check", BAD, "--write-baseline", str(known)).code == 0
    done = sigscope("check", BAD, "--baseline", str(known))
    assert done.code == 0
    assert "left out (--ignore, --baseline)" in done.out
    rows = json.loads(known.read_text())
    errors = [row for row in rows["findings"] if row["rule"] in rules_of(BAD)]
    rows["findings"] = [row for row in rows["findings"] if row != errors[0]]
    known.write_text(json.dumps(rows))
    told = sigscope("check", BAD, "--baseline", str(known), "--json").json
    assert {row["rule"] for row in told["findings"]} == {errors[0]["rule"]}


def test_rules_can_be_ignored_and_only_those_there_are() -> None:
    ignored = [word for rule in rules_of(BAD) for word in ("--ignore", rule.lower())]
    assert sigscope("check", BAD, *ignored).code == 0
    done = sigscope("check", BAD, "--ignore", "NOP-1")
    assert (done.code, "no such rule" in done.err) == (2, True)


def test_several_files_are_checked_and_the_worst_decides(tmp_path: Path) -> None:
    assert sigscope("check", FINE, FINE).code == 0
    assert sigscope("check", FINE, BAD).code == 1
    gone = sigscope("check", FINE, str(tmp_path / "none.har"), BAD)
    assert (gone.code, "error[" in gone.out) == (3, True)
    files = sigscope("check", FINE, BAD, "--json").json["files"]
    assert [table["file"] for table in files] == [FINE, BAD]


@pytest.mark.parametrize("text", ["sarif", "sarif=", "html=x", "junit"])
def test_a_report_that_is_none_is_refused(text: str) -> None:
    done = sigscope("check", BAD, "--report", text)
    assert (done.code, "sarif=PATH" in done.err) == (2, True)


def test_what_the_service_took_before_and_refuses_now_is_not_known(
    tmp_path: Path,
) -> None:
    bad = bundled(BAD)
    taken = bad.step(1).exchange.response
    steps = tuple(
        replace(step, exchange=replace(step.exchange, response=taken))
        for step in bad.steps[:2]
    )
    before, known = tmp_path / "before.session.jsonl", tmp_path / "known.json"
    session = Session(id="s", title="S", steps=steps, spoken=bad.session.spoken)
    save_session(session, str(before))
    done = sigscope("check", str(before), "--write-baseline", str(known))
    assert done.code == 0
    rows = json.loads(known.read_text())["findings"]
    assert {row["severity"] for row in rows} <= {"warning", "info"}
    assert {row["rule"] for row in rows} >= {"CPC-1", "CPC-2"}
    assert sigscope("check", str(before), "--baseline", str(known)).code == 0
    now = sigscope("check", BAD, "--baseline", str(known))
    assert now.code == 1
    assert "error[CPC-1]" in now.out
    for row in rows:
        del row["severity"]  # as older files have it
    known.write_text(json.dumps({"format": 1, "findings": rows}))
    assert sigscope("check", BAD, "--baseline", str(known)).code == 0


def test_findings_as_json_are_no_baseline_and_it_says_what_makes_one(
    tmp_path: Path,
) -> None:
    path = tmp_path / "found.json"
    path.write_text(sigscope("check", BAD, "--json").out)
    done = sigscope("check", BAD, "--baseline", str(path))
    assert done.code == 3
    assert "--write-baseline FILE makes one" in done.err


def test_a_baseline_that_is_broken_is_no_free_pass(tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text("{}")
    done = sigscope("check", BAD, "--baseline", str(tmp_path / "known.json"))
    assert done.code == 3


KEY = "8d2f4c1e-55aa-4b6e-9c01-77d0e2a4b911"
LOOKS_SO = "sk-proj-" + "Tt5Rr4Ee3Ww2Qq1Aa0Ss9Dd8Ff7Gg6"
IN_PATH = "AIzaSy" + "D9f8e7c6b5a4938271605f4e3d2c1b0aQ"


def refused_with_keys(folder: Path) -> str:
    """A HAR: a request with keys in it, and an answer that quotes them."""
    asked = {"model": "gemini-3-pro-preview", "messages": []}
    said = {"error": {"message": f"nobody knows {LOOKS_SO} of {KEY}"}}
    request = {
        "method": "POST",
        "url": f"https://api.githubcopilot.com/keys/{IN_PATH}/chat/completions",
        "headers": [{"name": "X-Api-Key", "value": KEY}],
        "postData": {"mimeType": "application/json", "text": json.dumps(asked)},
    }
    content = {"mimeType": "application/json", "text": json.dumps(said)}
    response = {"status": 400, "headers": [], "content": content}
    log = {"entries": [{"request": request, "response": response}]}
    path = folder / "k.har"
    path.write_text(json.dumps({"log": log}), encoding="utf-8")
    return str(path)


def test_no_key_goes_into_a_report_or_a_baseline(tmp_path: Path) -> None:
    har = refused_with_keys(tmp_path)
    outs = [tmp_path / name for name in ("o.sarif", "o.xml", "known.json")]
    kinds = ("--report", f"sarif={outs[0]}", "--report", f"junit={outs[1]}")
    sigscope("check", har, *kinds)
    sigscope("check", har, "--write-baseline", str(outs[2]))
    printed = sigscope("check", har, "--report", "github").out
    lines = [line for line in printed.splitlines() if line.startswith("::")]
    for text in (*(out.read_text(encoding="utf-8") for out in outs), *lines):
        assert "nobody knows sk-proj-***" in text
        assert not [key for key in (KEY, LOOKS_SO, IN_PATH) if key in text]
    assert sigscope("check", har, "--baseline", str(outs[2])).code == 0


@pytest.mark.parametrize("verb", ["bisect", "matrix"])
def test_no_key_that_an_answer_quotes_is_printed_with_its_error(
    verb: str, tmp_path: Path
) -> None:
    more = ("--dry-run",) if verb == "bisect" else ()
    har = refused_with_keys(tmp_path)
    told = sigscope(verb, har, "--step", "1", "--edit", "set /n 1", *more).out
    assert "step 1: 400 nobody knows sk-proj-***" in told
    assert not [key for key in (KEY, LOOKS_SO, IN_PATH) if key in told]
