"""Was it fixed, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.commands import SESSIONS, sigscope

BEFORE, AFTER = "zed-copilot-attempt-1", "zed-copilot-final-fix"


def test_a_fixed_client_ends_in_0_and_says_what_travels_now() -> None:
    told = sigscope("verify", BEFORE, AFTER)
    assert told.code == 0
    assert "2 of 2 steps are found again: 2 word for word" in told.out
    assert "gone error[CPC-1]" in told.out
    assert "travels now signature of the reply of step 1" in told.out
    assert told.out.splitlines()[-1].startswith("fixed: all 3 findings are gone")


def test_a_client_with_the_same_fault_ends_in_1() -> None:
    told = sigscope("verify", BEFORE, "zed-copilot-attempt-2", "--json")
    assert told.code == 1
    assert told.json["verdict"] == "not fixed"
    assert not told.json["is_fixed"]
    assert {row["state"] for row in told.json["findings"]} == {"left"}


def test_another_conversation_is_no_fix() -> None:
    told = sigscope("verify", "gemini-parallel", AFTER)
    assert told.code == 1
    assert told.out.splitlines()[-1].startswith("cannot be told: no step")


def test_findings_alike_are_told_once() -> None:
    told = sigscope("verify", "zoo-litellm-dummy", "zoo-litellm-per-call-echo")
    assert told.code == 0
    assert told.out.count("gone warning[LLM-1]") == 1
    assert "likewise: 7 more like it, in old steps 4, 6, 8, 10, 12, 14, 16" in told.out
    assert "gone warning[SES-1]" in told.out


def test_a_file_that_is_not_there_is_said() -> None:
    told = sigscope("verify", BEFORE, "nothing.har")
    assert told.code == 3
    assert "nothing.har" in told.err


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "-", "-"),
        ("diff", "-", "--step", "1", "--other", "-", "--against", "1"),
        ("bisect", "-", "--step", "2", "--other", "-", "--against", "1"),
        ("calibrate", "-", "-"),
    ],
)
def test_standard_input_cannot_be_both_files(words: tuple[str, ...]) -> None:
    told = sigscope(*words)
    assert told.code == 2
    assert "standard input can be read only once" in told.err


def test_what_of_the_new_file_cannot_be_read_is_told_with_its_line(
    tmp_path: Path,
) -> None:
    torn = tmp_path / "torn.session.jsonl"
    whole = (SESSIONS / f"{AFTER}.session.jsonl").read_bytes()
    count = len(whole.splitlines())
    torn.write_bytes(whole + b'{"type": "run", "number"\n')
    told = sigscope("verify", BEFORE, torn)
    assert f"{torn}: line {count + 1}: " in told.err


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "standard input: the file is empty"),
        (b'{"sigscope": 99}\n', "standard input: "),
    ],
)
def test_what_comes_from_standard_input_is_named_so(data: bytes, said: str) -> None:
    for words in (("verify", BEFORE, "-"), ("calibrate", "-"), ("check", "-")):
        told = sigscope(*words, stdin=data)
        assert said in told.err, told.err
        assert ".input" not in told.told
        assert told.code == 3
