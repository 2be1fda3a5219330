"""One request, copied as cURL: every signature in it came from before the recording.

Faults that can be mended from the request itself are; what is missing and was never
recorded is said to be so. Nothing answered, so runs are held against what the simulator
says to the request as it came.
"""

from __future__ import annotations

import copy
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import builders as b
from tests.cli.commands import sigscope
from tests.unit.ledger.test_ledger_fates import changed, loop

Json = Any
History = list[Json]
Fault = Callable[[str], History]


def curl(folder: Path, dialect: str, history: History) -> Path:
    """A command as browsers and proxies copy it."""
    headers = [
        *b.REQUEST_HEADERS.get(dialect, ()),
        ("Content-Type", "application/json"),
    ]
    words = ["curl", b.URLS[dialect], "-X", "POST"]
    for name, value in headers:
        words += ["-H", f"{name}: {value}"]
    words += ["--data-raw", json.dumps(b.request_body(dialect, history))]
    path = folder / "copied.sh"
    path.write_text(shlex.join(words) + "\n")
    return path


def content_is_a_list(dialect: str) -> History:
    history = loop(dialect, b.LS)
    history[1]["content"] = []
    return history


def doubled_result(dialect: str) -> History:
    history = loop(dialect, b.LS)
    return [*history, copy.deepcopy(history[-1])]


def doubled_part(dialect: str) -> History:
    history = loop(dialect, b.LS)
    history[-1]["parts"] *= 2
    return history


def split_calls(dialect: str) -> History:
    """Parallel calls in messages of their own; only the first has the signature."""
    asked, reply, *results = loop(dialect, b.LS, b.READ)
    first, second = copy.deepcopy(reply), copy.deepcopy(reply)
    if dialect == "gemini":
        first["parts"], second["parts"] = reply["parts"][:1], reply["parts"][1:]
    else:
        first["tool_calls"] = reply["tool_calls"][:1]
        second["tool_calls"] = reply["tool_calls"][1:]
        for key in ("reasoning_opaque", "reasoning_details", "reasoning_text"):
            second.pop(key, None)
    return [asked, first, second, *results]


def in_two_messages(dialect: str) -> History:
    """Signature and text first, the calls in a message of their own behind them."""
    asked, reply, *results = loop(dialect, b.LS)
    first = copy.deepcopy(reply) | {"content": "I look."}
    del first["tool_calls"]
    second = {key: reply[key] for key in ("role", "content", "tool_calls")}
    return [asked, first, second, *results]


def on_the_call(dialect: str) -> History:
    history = loop(dialect, b.LS)
    message = history[1]
    (call,) = message["tool_calls"]
    if dialect == "openrouter":
        call["reasoning_details"] = message.pop("reasoning_details")
    else:
        call["thought_signature"] = message.pop("reasoning_opaque")
    return history


def in_the_function(dialect: str) -> History:
    """Seeds' first attempt: in `function`, and `content` an empty list as well."""
    history = loop(dialect, b.LS)
    message = history[1]
    function = message["tool_calls"][0]["function"]
    if dialect == "openrouter":
        entries = message.pop("reasoning_details")
        data = next(entry["data"] for entry in entries if "data" in entry)
        function["thought_signature"] = data
    else:
        function["thought_signature"] = message.pop("reasoning_opaque")
        message["content"] = []
    return history


def in_camel_case(dialect: str) -> History:
    history = loop(dialect, b.LS)
    message = history[1]
    if dialect == "openrouter":
        message["reasoningDetails"] = message.pop("reasoning_details")
    else:
        message["reasoningOpaque"] = message.pop("reasoning_opaque")
    return history


def in_the_function_call(dialect: str) -> History:
    history = loop(dialect, b.LS)
    part = history[1]["parts"][0]
    part["functionCall"]["thoughtSignature"] = part.pop("thoughtSignature")
    return history


def on_the_second_call(dialect: str) -> History:
    history = loop(dialect, b.LS, b.READ)
    first, second = history[1]["parts"]
    second["thoughtSignature"] = first.pop("thoughtSignature")
    return history


def on_the_result(dialect: str) -> History:
    history = loop(dialect, b.LS)
    part = history[1]["parts"][0]
    history[2]["parts"][0]["thoughtSignature"] = part.pop("thoughtSignature")
    return history


def on_the_content(dialect: str) -> History:
    history = loop(dialect, b.LS)
    history[1]["thoughtSignature"] = history[1]["parts"][0].pop("thoughtSignature")
    return history


CASES: dict[str, tuple[Fault, ...]] = {
    "copilot-chat": (
        content_is_a_list,
        doubled_result,
        split_calls,
        in_two_messages,
        on_the_call,
        in_the_function,
        in_camel_case,
    ),
    "openrouter": (
        doubled_result,
        split_calls,
        in_two_messages,
        on_the_call,
        in_the_function,
        in_camel_case,
    ),
    "litellm": (doubled_result,),
    "gemini": (
        doubled_part,
        split_calls,
        in_the_function_call,
        on_the_second_call,
        on_the_result,
        on_the_content,
    ),
}
FAULTS = [
    pytest.param(dialect, fault, id=f"{dialect}-{fault.__name__}")
    for dialect, faults in CASES.items()
    for fault in faults
]


@pytest.mark.parametrize(("dialect", "fault"), FAULTS)
def test_what_can_be_mended_from_the_request_itself_is_gone(
    tmp_path: Path, dialect: str, fault: Fault
) -> None:
    path = curl(tmp_path, dialect, fault(dialect))
    ledger = sigscope("ledger", path, "--json").json
    assert ledger["steps"][0]["dialect"] == dialect
    fates = [f["fate"] for s in ledger["signatures"] for f in s["fates"]]
    assert set(fates) == {"earlier"}
    arguments = ("replay", path, "--step", "1")
    before = sigscope(*arguments, "--json")
    assert (before.code, before.json["verdict"]) == (1, "unclear")
    assert before.json["reason"] == "refused; no answer was recorded to compare with"
    mended = sigscope(*arguments, "--apply-fix", "all", "--json")
    assert (mended.code, mended.json["verdict"]) == (0, "gone"), mended.told
    assert (
        "no answer was recorded; the simulator refuses it as it came"
        in (mended.json["reason"])
    )


@pytest.mark.parametrize(("dialect", "fault"), FAULTS)
def test_bisect_finds_it(tmp_path: Path, dialect: str, fault: Fault) -> None:
    path = curl(tmp_path, dialect, fault(dialect))
    found = sigscope("bisect", path, "--step", "1", "--json")
    assert (found.code, found.json["proven"]) == (0, True), found.told


@pytest.mark.parametrize("dialect", ["openrouter", "copilot-chat"])
def test_the_other_half_of_a_reply_is_no_loss(tmp_path: Path, dialect: str) -> None:
    path = curl(tmp_path, dialect, in_two_messages(dialect))
    (found,) = sigscope("check", path, "--json").json["findings"]
    assert "stands on /messages/1, the other half of the same reply" in found["message"]
    assert "cannot be restored" not in found["message"]
    mended = sigscope("replay", path, "--step", "1", "--apply-fix", "all", "--json")
    assert "no fix is certain" not in mended.told
    other = in_two_messages(dialect)
    other.insert(2, b.user("Go on."))
    path = curl(tmp_path, dialect, other)
    said = sigscope("check", path, "--json").json["findings"]
    assert "cannot be restored" in said[0]["message"]


@pytest.mark.parametrize("number", [2, 3])
def test_messages_are_counted_as_the_recorded_error_counts_them(
    tmp_path: Path, number: int
) -> None:
    """Whether neighbours of one role are one content is for the service to say."""
    said = (
        "Unable to submit request because function call `default_api:list_files` in"
        f" the {number}. content block is missing a `thought_signature`."
    )
    request = {
        "method": "POST",
        "url": b.URLS["copilot-chat"],
        "headers": [],
        "postData": {
            "mimeType": "application/json",
            "text": json.dumps(
                b.request_body("copilot-chat", in_two_messages("copilot-chat"))
            ),
        },
    }
    content = {"mimeType": "application/json", "text": json.dumps({"error": said})}
    response = {"status": 400, "headers": [], "content": content}
    path = tmp_path / "calls.har"
    entries = [{"request": request, "response": response}]
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}))
    (found,) = sigscope("check", path, "--json").json["findings"]
    assert (found["rule"], found["confirmed"]) == ("CPC-1", True)
    assert f"({number}. content block)" in found["message"]


@pytest.mark.parametrize("dialect", ["gemini", "openrouter", "copilot-chat"])
def test_what_was_never_recorded_cannot_be_restored(
    tmp_path: Path, dialect: str
) -> None:
    history = changed(loop(dialect, b.LS), lambda _: None)
    history[1].pop("reasoning_details", None)
    path = curl(tmp_path, dialect, history)
    said = sigscope("check", path, "--json").json["findings"]
    told = [f for f in said if "cannot be restored from this capture" in f["message"]]
    assert told, said
    assert all("record from the request on that" in f["message"] for f in told)
    assert all(f["fix"] is None for f in told)


@pytest.mark.parametrize("dialect", sorted(b.URLS))
def test_a_healthy_request_is_no_fault(tmp_path: Path, dialect: str) -> None:
    path = curl(tmp_path, dialect, loop(dialect, b.LS))
    assert sigscope("check", path).code == 0
    sent = sigscope("replay", path, "--step", "1")
    assert sent.code == 0
    assert "accepted; no answer was recorded to compare with" in sent.out


def test_a_history_without_a_model_is_doubted_not_cleared(tmp_path: Path) -> None:
    history = changed(loop("gemini", b.LS), lambda _: None)
    path = tmp_path / "contents.json"
    path.write_text(json.dumps(history))
    checked = sigscope("check", path, "--json")
    (found,) = checked.json["findings"]
    assert (found["rule"], found["severity"], checked.code) == ("GEM-3", "warning", 0)
    assert "no model is named here: Gemini 3 and newer refuse it" in found["message"]
    signed = loop("gemini", b.LS)
    path.write_text(json.dumps(signed))
    assert sigscope("check", path, "--json").json["findings"] == []


def test_words_for_people_say_where_a_signature_came_from(tmp_path: Path) -> None:
    path = curl(tmp_path, "gemini", loop("gemini", b.LS))
    shown = sigscope("ledger", path).out
    assert "issued before this recording" in shown
    assert "step   1  earlier" in shown


def test_where_the_rules_foretell_something_else_both_are_said(tmp_path: Path) -> None:
    path = tmp_path / "empty.sh"
    path.write_text(f"curl -X POST -H 'Content-Length: 0' {b.URLS['openrouter']}\n")
    sent = sigscope("replay", path, "--step", "1")
    assert "predicted 400, got 400" in sent.out
    assert "the rules foretell something else: the rules find nothing" in sent.out
    row = sigscope("replay", path, "--step", "1", "--dry-run", "--json").json
    assert (row["predicted"], row["rules"]) == (400, {"says": "accepts", "codes": []})


def test_what_a_proxy_stamps_in_silence_is_brought_home_too(tmp_path: Path) -> None:
    """LiteLLM refuses nothing: it signs with a bypass what it does not read."""
    history = loop("litellm", b.LS)
    call = history[1]["tool_calls"][0]
    history[1]["provider_specific_fields"] = call.pop("provider_specific_fields")
    path = curl(tmp_path, "litellm", history)
    (found,) = sigscope("check", path, "--json").json["findings"]
    assert (found["rule"], found["severity"]) == ("SES-5", "warning")
    mended = sigscope(
        *("replay", path, "--step", "1", "--apply-fix", "SES-5", "--json")
    )
    assert mended.code == 0
    home = "/messages/1/tool_calls/0/provider_specific_fields"
    assert home in [edit["pointer"] for edit in mended.json["edits"]]


def test_a_report_does_not_speak_of_an_answer_that_was_not_recorded(
    tmp_path: Path,
) -> None:
    path = curl(tmp_path, "copilot-chat", content_is_a_list("copilot-chat"))
    sigscope("replay", path, "--step", "1", "--apply-fix", "all")
    said = sigscope("export", path, "--to", "report", "--stdout").out
    assert "gone: accepted, as it was not without edits (no answer was recorded" in said
    assert "the recorded error" not in said


def test_the_ledger_says_of_each_signature_where_it_came_from(tmp_path: Path) -> None:
    path = curl(tmp_path, "gemini", loop("gemini", b.LS))
    found = json.loads(sigscope("ledger", str(path), "--json").out)
    assert [s["origin"] for s in found["signatures"]] == ["earlier"]
    assert "issued before this recording" in sigscope("ledger", str(path)).out
