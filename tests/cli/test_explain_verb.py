"""`sigscope explain`: from an error's text to what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.commands import sigscope, spawn
from tests.effort import effort
from tests.unit.refusals.sentences import SENTENCES, google, openai

GEM_2 = SENTENCES["GEM-2"]


def test_an_error_is_explained_with_its_place_and_what_to_do_next() -> None:
    found = sigscope("explain", f"API Error: 400 {google(GEM_2)}")
    assert found.code == 0
    lines = [" ".join(line.split()) for line in found.out.splitlines()]
    assert lines[0].startswith("GEM-2 ")
    assert "names the function `list_files`, position 12" in lines
    assert any(line.startswith("which is contents[11]: ") for line in lines)
    assert any(line.startswith("look at ") for line in lines)
    assert any(line.startswith("record ") for line in lines)
    assert "more sigscope explain GEM-2" in lines
    assert any(line.startswith("next sigscope check capture.har") for line in lines)


def test_a_place_is_named_where_the_function_was_left_out() -> None:
    told = "in the 2. content block is missing a thought_signature"
    lines = [" ".join(x.split()) for x in sigscope("explain", told).out.splitlines()]
    assert "names position 2" in lines


def test_unquoted_words_are_one_text() -> None:
    assert sigscope("explain", "Corrupted", "thought", "signature.").code == 0


def test_an_error_of_an_api_without_rules_here_is_named_with_its_source() -> None:
    found = sigscope("explain", SENTENCES["KIM-1"])
    assert found.code == 0
    assert found.out.startswith("KIM-1\nKimi (Moonshot)")
    assert "platform.moonshot.ai" in found.out


def test_unknown_words_say_so_and_show_the_innermost_sentence() -> None:
    found = sigscope("explain", f"Error: {google(openai('Nobody knows this one.'))}")
    assert found.code == 1
    assert found.out.startswith("unknown: no rule knows these words")
    assert "“Nobody knows this one.”" in found.out
    assert "record" in found.out


def test_words_that_fit_two_rules_are_not_said_to_fit_none() -> None:
    found = sigscope("explain", "invalid request body")
    assert found.code == 1
    assert found.out.startswith("undecided: these words fit more than one rule\n  it m")
    assert "no rule knows" not in found.out


def test_a_key_that_was_refused_is_named_as_that() -> None:
    found = sigscope("explain", "HTTP 401: Incorrect API key provided: sk-x")
    assert found.code == 1
    assert "The key, its rights" in found.out


def test_the_json_of_an_explanation_has_places_and_codes() -> None:
    table = sigscope("explain", "--json", f"litellm.BadRequestError: {GEM_2}").json
    assert (table["format"], table["known"]) == (1, True)
    first, second = table["rules"]
    assert (first["code"], first["via"], second["code"]) == ("LLM-2", "GEM-2", "GEM-2")
    assert second["functions"] == ["list_files"]
    (place,) = second["positions"]
    assert (place["said"], place["node"]) == ("position 12", "contents[11]")
    assert "system message does not count" in place["counts"]
    unknown = sigscope("explain", "--json", "429 Too Many Requests").json
    assert (unknown["known"], unknown["rules"]) == (False, [])
    assert unknown["about"] == "limit"


@pytest.mark.parametrize("code", ["KIM-1", "kim-1", "kim1", "KIM 1", "bed-2", "GIN-2"])
def test_a_rule_that_is_only_known_of_has_a_page_too(code: str) -> None:
    found = sigscope("explain", code)
    assert found.code == 0
    assert "no rule is built for it yet" in found.out
    (row,) = sigscope("explain", code, "--json").json["rules"]
    assert row["summary"]
    assert not row["has_page"]


def test_a_rule_that_is_not_there_names_where_all_are_listed() -> None:
    """Known codes of APIs without rules here, like KIM-1, are among them."""
    told = sigscope("explain", "NOPE-1").err
    assert "`sigscope explain` lists them, and more" in told


def test_a_code_alone_is_explained_and_a_rule_that_is_not_there_is_not() -> None:
    assert sigscope("explain", "previous_response_not_found").out.startswith("RSP-8")
    found = sigscope("explain", "NOPE-1")
    assert (found.code, found.out) == (2, "")


@pytest.mark.parametrize("text", ["", "  \n"])
def test_no_text_is_a_usage_error(text: str) -> None:
    found = sigscope("explain", text)
    assert found.code == 2
    assert "there is no text" in found.err


def test_the_name_of_a_file_leads_to_the_right_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "error.log").write_text(GEM_2)
    monkeypatch.chdir(tmp_path)
    found = sigscope("explain", "error.log")
    assert found.code == 2
    assert "sigscope explain - < error.log" in found.err


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (GEM_2.encode(), 0),
        (GEM_2.encode("utf-16"), 0),
        (b"\xff\x00\xc3" + GEM_2.encode() + b"\xfe", 0),
        (b"\x1b]0;title\x07 nothing known", 1),
        (b"", 2),
    ],
)
def test_piped_bytes_of_any_kind_are_read(data: bytes, code: int) -> None:
    done = sigscope("explain", "-", stdin=data)
    assert done.code == code
    assert "\x1b" not in done.out


def test_a_real_pipe_is_read(tmp_path: Path) -> None:
    assert spawn(tmp_path, "explain", "-", input=GEM_2.encode("utf-16")).code == 0


def test_a_log_of_a_megabyte_is_explained_within_a_second_of_work() -> None:
    line = '2026-01-01T00:00:00Z INFO served {"id": 7, "path": "C:\\\\new"} in 3 ms\n'
    log = line * (1_000_000 // len(line)) + google(GEM_2)
    assert sigscope("explain", log).code == 0
    assert effort(lambda: sigscope("explain", log), limit=1) < 1


def test_without_an_error_rules_only_known_of_are_listed_with_their_meaning() -> None:
    known = sigscope("explain", "--json").json["known"]
    assert known
    assert all(row["code"] and row["summary"] for row in known)
