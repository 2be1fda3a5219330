"""Every refusal is a finding, from the command line to the report."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands import sigscope, sigscope_around
from tests.cli.servers import answer, says, server

URL = "https://llm.example.test/api/talk"
KIND = "application/json"
SENTENCE = "Thinking mode does not support this tool_choice"
BODY: dict[str, Any] = {
    "model": "wise-one-9",
    "messages": [{"role": "user", "content": "hi"}],
    "tool_choice": "required",
}
FINE = {"choices": [{"message": {"role": "assistant", "content": "Fine."}}]}


def entry(answered: tuple[int, Any], method: str = "POST", url: str = URL) -> Any:
    status, body = answered
    request: dict[str, Any] = {"method": method, "url": url, "headers": []}
    if method == "POST":
        request["postData"] = {"mimeType": KIND, "text": json.dumps(BODY)}
    content = {"mimeType": KIND, "text": json.dumps(body)}
    return {
        "request": request,
        "response": {"status": status, "headers": [], "content": content},
    }


def har(folder: Path, *entries: Any) -> Path:
    path = folder / "talk.har"
    path.write_text(json.dumps({"log": {"entries": list(entries)}}))
    return path


def told(message: str, **more: Any) -> Any:
    return {"error": {"message": message, **more}}


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, "REF-1"), (401, "REF-2"), (429, "REF-3"), (402, "REF-3"), (503, "REF-4")],
)
def test_a_refusal_of_an_unknown_api_ends_with_1_and_a_code(
    status: int, code: str, tmp_path: Path
) -> None:
    path = har(tmp_path, entry((status, told(SENTENCE))))
    done = sigscope("check", path)
    assert done.code == 1
    assert f"error[{code}]" in done.out
    assert SENTENCE in done.out
    (row,) = sigscope("check", path, "--json").json["findings"]
    assert (row["rule"], row["severity"]) == (code, "error")
    assert SENTENCE in row["message"]
    assert row["echo"]
    assert sigscope("explain", code).out.startswith(code)


def test_a_node_that_is_named_is_shown(tmp_path: Path) -> None:
    path = har(tmp_path, entry((400, told(SENTENCE))))
    (row,) = sigscope("check", path, "--json").json["findings"]
    assert (row["pointer"], row["in_response"]) == ("/tool_choice", False)


@pytest.mark.parametrize("status", [400, 429, 500])
def test_a_retry_that_came_through_ends_with_0(status: int, tmp_path: Path) -> None:
    path = har(tmp_path, entry((status, told("Slow"))), entry((200, FINE)))
    done = sigscope("check", path)
    assert done.code == 0
    assert "warning[REF-" in done.out
    assert "Step 2 sent the same request again" in done.out
    assert sigscope("check", path, "--strict").code == 1


def test_a_side_request_that_failed_ends_with_0(tmp_path: Path) -> None:
    models = entry(
        (404, told("Nothing here")), "GET", "https://llm.example.test/models"
    )
    done = sigscope("check", har(tmp_path, models, entry((200, FINE))))
    assert done.code == 0
    assert "GET /models, which is no model call" in done.out


def test_show_and_reports_carry_the_sentence(tmp_path: Path) -> None:
    wrapped = told("Provider returned error", metadata={"raw": told(SENTENCE)})
    path = har(tmp_path, entry((400, wrapped)))
    refusal = sigscope("show", path, "--step", "1", "--json").json["refusal"]
    assert (refusal["text"], refusal["about"]) == (SENTENCE, "request")
    assert SENTENCE in sigscope("show", path, "--step", "1").out
    for form in ("report", "html"):
        page = sigscope("export", path, "--to", form, "--stdout").out
        assert SENTENCE in page
        assert "REF-1" in page


def test_run_check_ends_with_1_where_the_service_refused(tmp_path: Path) -> None:
    client = (
        "import os, json, urllib.request, urllib.error\n"
        "request = urllib.request.Request(os.environ['OPENAI_BASE_URL'] + '/talk',"
        f" json.dumps({BODY!r}).encode(), {{'content-type': 'application/json'}})\n"
        "try: urllib.request.urlopen(request, timeout=20)\n"
        "except urllib.error.HTTPError: pass\n"
    )
    refused = answer(json.dumps(told(SENTENCE)).encode(), "400 Bad Request")
    with server(says(refused)) as served:
        done = sigscope_around(
            *("run", "--check", "--out", tmp_path / "s.session.jsonl"),
            *("--upstream", f"openai={served.url}/v1"),
            *("--", sys.executable, "-c", client),
        )
    assert done.code == 1, done.err
    assert "error[REF-1]" in done.err
    assert SENTENCE in done.err
