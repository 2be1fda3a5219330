"""Whatever stands in a file: a clear message, the right code, the file untouched."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands import SESSIONS, sigscope
from tests.permissions import permissions_apply

VERBS: tuple[tuple[str, ...], ...] = (
    ("ledger",),
    ("ledger", "--json"),
    ("check",),
    ("show",),
    ("show", "--step", "1"),
    ("replay", "--step", "1"),
)
DEPTH = 100_000
SESSION = (SESSIONS / "zed-copilot-attempt-1.session.jsonl").read_bytes()


def har(entries: Any) -> bytes:
    return json.dumps({"log": {"version": "1.2", "entries": entries}}).encode()


UNREADABLE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the file is empty"),
    "blank": (b" \n\t\n", "only white space; record or save it again"),
    "binary": (bytes(range(256)) * 16, "What can be opened"),
    "zeros": (b"\0" * 4096, "What can be opened"),
    "tar": (b"a.har".ljust(257, b"\0") + b"ustar\0", "a tar archive; unpack it"),
    "prose": (b"hello there\n" * 100, "What can be opened"),
    "torn HAR": (har([])[:-4], "breaks off before the first call is whole"),
    "HAR without entries": (har([]), "save it again, when the calls are in"),
    "HAR of nothing": (har([None, 1, "x", [], {}]), "HAR"),
    "HAR of a number": (har(7), "HAR"),
    "deep list": (b"[" * DEPTH, "What can be opened"),
    "deep, closed": (b"[" * DEPTH + b"]" * DEPTH, "What can be opened"),
    "deep objects": (b'{"a":' * DEPTH, "What can be opened"),
}


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
@pytest.mark.parametrize("name", sorted(UNREADABLE))
def test_what_cannot_be_read_is_said_with_what_can_be(
    name: str, verb: tuple[str, ...], tmp_path: Path
) -> None:
    data, words = UNREADABLE[name]
    path = tmp_path / "input"
    path.write_bytes(data)
    found = sigscope(verb[0], path, *verb[1:])
    assert (found.code, found.out) == (3, "")
    assert found.err.startswith(f"sigscope: {path}: ")
    assert words in found.err
    assert path.read_bytes() == data


READABLE: dict[str, bytes] = {
    "torn JSON": b'{"model":"m","messages":[{"role":"us',
    "deep inside": b'{"messages":' + b"[" * DEPTH + b"]" * DEPTH + b',"model":"m"}',
    "HAR of wrong types": har(
        [{"request": {"method": 1, "url": [], "headers": 5}, "response": {}}]
    ),
    "torn session": SESSION[:-40],
    "session with noise": SESSION + b"\xff\xfe\x00garbage\n{}\n[]\n",
}


@pytest.mark.parametrize("verb", VERBS[:5], ids=" ".join)
@pytest.mark.parametrize("name", sorted(READABLE))
def test_what_is_damaged_is_shown_as_far_as_it_goes(
    name: str, verb: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "input"
    path.write_bytes(READABLE[name])
    found = sigscope(verb[0], path, *verb[1:])
    assert found.code in (0, 1)
    assert found.out
    assert path.read_bytes() == READABLE[name]


def test_a_torn_last_line_is_reported_and_a_run_goes_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "torn.session.jsonl"
    path.write_bytes(SESSION[:-40])
    found = sigscope("replay", path, "--step", "1", "--json")
    assert (found.code, found.json["verdict"]) == (0, "reproduced")
    assert "line 4: breaks off" in found.err
    assert path.read_bytes().startswith(SESSION[:-40])
    again = sigscope("replay", path, "--step", "2", "--json")
    assert again.json["run"] == 2


ODD: tuple[Any, ...] = (None, 1, "s", [], {}, True)
BODIES: tuple[Any, ...] = (
    *ODD,
    {"messages": None},
    {"messages": [*ODD]},
    {"messages": [{"role": 1, "content": {}, "tool_calls": {}}], "model": []},
    {
        "messages": [
            {
                "role": "assistant",
                "content": 7,
                "tool_calls": [*ODD, {"id": [], "function": {"arguments": {}}}],
                "reasoning_opaque": [1],
                "reasoning_details": [*ODD, {"data": 1, "signature": {}}],
                "provider_specific_fields": [],
            }
        ]
    },
    {"contents": [*ODD, {"role": {}, "parts": [*ODD, {"functionCall": 1}]}]},
)
ANSWERS: tuple[Any, ...] = (
    *ODD,
    {"choices": [*ODD, {"index": "a", "message": {"tool_calls": [*ODD]}}]},
    {"candidates": [*ODD, {"index": [], "content": {"parts": [*ODD]}}]},
    {"error": {"message": {}, "metadata": {"raw": 7}}},
    {"error": [{"error": [1]}]},
)
URLS = (
    "https://api.githubcopilot.com/chat/completions",
    "https://openrouter.ai/api/v1/chat/completions",
    "http://proxy:4000/v1/chat/completions",
    "https://generativelanguage.googleapis.com/v1beta/models/g:generateContent",
)


def wrong_everywhere(wrap: Callable[[str], str], kind: str) -> bytes:
    entries = []
    for url in URLS:
        headers = [{"name": "content-type", "value": kind}]
        if ":4000" in url:
            headers.append({"name": "x-litellm-call-id", "value": "1"})
        for body in BODIES:
            for answer in ANSWERS:
                for status in (200, 400):
                    text = wrap(json.dumps(answer))
                    entry = {
                        "request": {
                            "method": "POST",
                            "url": url,
                            "headers": [],
                            "postData": {"text": json.dumps(body)},
                        },
                        "response": {
                            "status": status,
                            "headers": headers,
                            "content": {"text": text},
                        },
                    }
                    entries.append(entry)
    return har(entries)


@pytest.mark.parametrize("is_streamed", [False, True])
def test_wrong_types_everywhere_are_read_judged_and_kept(
    is_streamed: bool, tmp_path: Path
) -> None:
    if is_streamed:
        data = wrong_everywhere(lambda t: f"data: {t}\n\n" * 2, "text/event-stream")
    else:
        data = wrong_everywhere(lambda t: t, "application/json")
    path = tmp_path / "wrong.har"
    path.write_bytes(data)
    steps = sigscope("ledger", path, "--json").json["steps"]
    assert len(steps) == len(URLS) * len(BODIES) * len(ANSWERS) * 2
    findings = sigscope("check", path, "--json").json["findings"]
    assert not [f for f in findings if "this rule failed" in f["message"]]
    kept = tmp_path / "wrong.session.jsonl"
    assert sigscope("import", path, "--out", kept).code == 0
    assert sigscope("ledger", kept, "--json").json["steps"] == steps
    # Steps of each service in a file of their own: each verb reads the whole again.
    chosen = json.loads(data)["log"]["entries"][::131]
    assert {entry["request"]["url"] for entry in chosen} == {*URLS}
    few = tmp_path / "few.har"
    few.write_bytes(har(chosen))
    assert sigscope("import", few, "--out", kept, "--force").code == 0
    for step in range(1, len(chosen) + 1):
        for verb in (("show",), ("show", "--events"), ("show", "--json")):
            assert sigscope(verb[0], kept, "--step", str(step), *verb[1:]).code == 0
        assert sigscope("replay", kept, "--step", str(step)).code in (0, 1)


CLAUDE = {"model": "claude-opus-4-1", "max_tokens": 9}
CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "b"}]}
NO_NAMES: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    (
        "https://api.openai.com/v1/responses",
        lambda it: {"input": [{"role": "user", "content": [{"type": it}]}]},
    ),
    ("http://gateway/x", lambda it: {"model": "m", "input": [{"type": it}]}),
    (
        "https://api.openai.com/v1/responses",
        lambda it: {"input": [{"type": "function_call_output", "call_id": it}]},
    ),
    (
        "http://gateway/x",
        lambda it: {
            **CLAUDE,
            "messages": [{"role": "user", "content": [{"type": it}]}],
        },
    ),
    (
        "https://api.anthropic.com/v1/messages",
        lambda it: {
            **CLAUDE,
            "messages": [
                {"role": "user", "content": "x"},
                CALL,
                {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": it}],
                },
            ],
        },
    ),
    (
        "https://openrouter.ai/api/v1/chat/completions",
        lambda it: {
            "model": "google/gemini-3-pro-preview",
            "messages": [
                {
                    "role": "assistant",
                    "content": "x",
                    "reasoning_details": [
                        {"type": it},
                        {"type": "reasoning.text", "format": it},
                    ],
                }
            ],
        },
    ),
)


@pytest.mark.parametrize("odd", [[], {}])
def test_what_is_no_name_stands_where_names_are_compared(
    odd: Any, tmp_path: Path
) -> None:
    path = tmp_path / "odd.har"
    asked = [
        {"method": "POST", "url": url, "postData": {"text": json.dumps(body(odd))}}
        for url, body in NO_NAMES
    ]
    answer = {"status": 400, "content": {"text": "{}"}}
    path.write_bytes(har([{"request": each, "response": answer} for each in asked]))
    found = sigscope("check", path, "--json")
    assert "this rule failed" not in found.out
    for step in range(1, len(NO_NAMES) + 1):
        sigscope("replay", path, "--step", str(step))
        sigscope("replay", path, "--step", str(step), "--ready", "list")


def test_thinking_that_is_no_text_is_held_against_what_was_received(
    tmp_path: Path,
) -> None:
    path = tmp_path / "odd.har"
    sigscope("export", "anthropic-thinking-shortened", "--to", "har", "--out", path)
    tree = json.loads(path.read_bytes())
    asked = tree["log"]["entries"][1]["request"]["postData"]
    body = json.loads(asked["text"])
    blocks = [
        block
        for message in body["messages"]
        for block in message["content"]
        if isinstance(block, dict) and "thinking" in block
    ]
    assert blocks
    blocks[0]["thinking"] = []
    asked["text"] = json.dumps(body)
    path.write_text(json.dumps(tree))
    assert sigscope("replay", path, "--step", "2", "--ready", "list").code == 0


def test_50_megabytes_of_anything_are_no_reason_to_fail(tmp_path: Path) -> None:
    path = tmp_path / "big"
    path.write_bytes(b"x" * 50_000_000)
    assert sigscope("ledger", path).code == 3
    path.write_bytes(
        b'{"model":"m","messages":[{"role":"user","content":"'
        + b"x" * 50_000_000
        + b'"}]}'
    )
    found = sigscope("ledger", path, "--json")
    assert (found.code, len(found.json["steps"])) == (0, 1)


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    missing = sigscope("check", tmp_path / "no.har")
    assert (missing.code, missing.out) == (3, "")
    assert missing.err == f"sigscope: {tmp_path / 'no.har'}: there is no such file\n"
    (tmp_path / "empty").mkdir()
    folder = sigscope("check", tmp_path / "empty")
    assert folder.code == 3
    assert "the folder is empty" in folder.err
    assert sigscope("check", tmp_path / ("n" * 300)).code == 3
    assert sigscope("check", "\0").code == 3


def test_what_may_not_be_read_says_so(tmp_path: Path) -> None:
    path = tmp_path / "secret.har"
    path.write_bytes(har([]))
    path.chmod(0)
    with permissions_apply():
        found = sigscope("check", path)
    assert found.code == 3
    assert "ermission" in found.err


def test_a_session_that_is_named_in_part_is_guessed() -> None:
    found = sigscope("check", "zed-openrouter-fixe")
    assert found.code == 3
    assert "did you mean zed-openrouter-fixed?" in found.err
    assert "did you mean" not in sigscope("check", "nothing-like-it").err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["chek"], "did you mean check?"),
        (["chek", "some.har"], "did you mean check?"),
        (["frobnicate", "--step", "2"], "is no verb, no file here"),
        (["frobnicate"], "is no verb, no file here, no bundled session"),
        (["copilot-missing"], "did you mean copilot-missing-signature?"),
        (["converse", "--policy", "zed"], "; did you mean zed-"),
        (["converse", "--policy", "%"], "no policy '%'; `sigscope converse --list`"),
        (["check"], "FILE"),
        (["ledger", "a", "b"], "unrecognized arguments: b"),
        (["--frobnicate"], "unrecognized arguments"),
        (["explain", "NOPE-1"], "there is no rule 'NOPE-1'"),
        (["check", "zed-copilot-attempt-1", "--step", "9"], "there is no step 9"),
        (["check", "zed-copilot-attempt-1", "--step", "x"], "invalid int"),
        (["check", "zed-copilot-attempt-1", "--format", "x"], "there is no format"),
        (["show", "zed-copilot-attempt-1", "--raw", "request"], "need --step"),
        (["diff", "zed-copilot-attempt-1", "--step", "1"], "say what to compare with"),
        (["simulate", "nope"], "nope"),
        (["simulate", "--port", "99999"], "99999"),
        (["simulate", "--host", "0.0.0.0", "--port", "0"], "not a loopback"),
        (["converse"], "give --policy or --dialect"),
    ],
)
def test_a_wrong_call_is_a_usage_error(argv: list[str], words: str) -> None:
    found = sigscope(*argv)
    assert (found.code, found.out) == (2, "")
    assert words in found.err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--edit", "frobnicate /x"], "no edit is called 'frobnicate'"),
        (["--edit", "set /messages/99/x 1"], "there is no index 99"),
        (["--edit", "set /messages/2/content"], "to what?"),
        (["--edit", "set messages 1"], "must start with '/'"),
        (["--edit", 'drop ""'], "whole body cannot be removed"),
        (["--edit", "header X: ☃"], "header X"),
        (["--edit", "header ☃: 1"], "cannot be a header name"),
        (["--apply-fix", "NOPE-1"], "no finding of NOPE-1"),
        (["--ready", "nope"], "no ready-made edit 'nope'"),
        (["--run", "0"], "there is no run 0"),
        (["--run", "77"], "there is no run 77"),
        (["--step", "9"], "there is no step 9"),
        (["--enforce", "maybe"], "is not one of strict, lenient"),
        (["--repeat", "0"], "positive"),
        (["--timeout", "nan"], "--timeout"),
        (["--timeout", "-1"], "--timeout"),
    ],
)
def test_a_wrong_edit_sends_and_keeps_nothing(
    argv: list[str], words: str, failing: Path
) -> None:
    before = failing.read_bytes()
    found = sigscope("replay", failing, "--step", "2", *argv)
    assert (found.code, found.out) == (2, "")
    assert words in found.err
    assert failing.read_bytes() == before


def test_what_is_wrong_is_not_scrolled_away_by_what_can_be_opened(
    tmp_path: Path,
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("hello", encoding="utf-8")
    told = sigscope("check", path).err
    assert told.count("\n") == 2
    assert "har, mitmproxy" in told
    assert "`sigscope import --help`" in told


def test_a_missing_file_is_told_with_the_place_and_the_likely_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "capture.har").write_bytes(b"{}")
    told = sigscope("check", "capturee.har").err
    assert f"no such file in {tmp_path}; did you mean capture.har?" in told
    assert "did you mean" not in sigscope("check", "other.har").err
    assert "there is no folder x" in sigscope("check", "x/capture.har").err


@pytest.mark.parametrize(
    ("name", "words", "code"),
    [
        ("https://api.example/v1", "sigscope record --upstream URL", 3),
        ("file:///tmp/a.har", "give the path alone: /tmp/a.har", 3),
        ("", "was a variable not set?", 2),
    ],
)
def test_what_cannot_name_a_file_is_told(name: str, words: str, code: int) -> None:
    found = sigscope("check", name)
    assert (found.code, found.out) == (code, "")
    assert words in found.err


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
@pytest.mark.parametrize(
    "verb",
    [
        ("import", "copilot-missing-signature"),
        ("export", "copilot-missing-signature", "--to", "report"),
        ("new", "--dialect", "gemini"),
        ("record", "--upstream", "http://x", "--port", "0"),
    ],
    ids=" ".join,
)
def test_a_folder_is_not_offered_to_be_replaced(
    verb: tuple[str, ...], force: tuple[str, ...], tmp_path: Path
) -> None:
    found = sigscope(*verb, "--out", tmp_path, *force)
    assert found.code == 2
    assert f"{tmp_path} is a folder; name a file in it" in found.err
    assert "--force to" not in found.err
