"""`diff` tells all that a run changed, not only what it changed in the body."""

from __future__ import annotations

from pathlib import Path

from tests import builders as b
from tests.cli.commands import sigscope
from tests.unit.dialects.test_settlement import steps

from sigscope.session import Session
from sigscope.store import save_session


def test_header_and_url_of_a_run_are_differences(failing: Path) -> None:
    url = "https://api.githubcopilot.com/v1/other"
    edits = ("--edit", "header X-Foo: bar", "--edit", f"url {url}")
    sigscope("replay", failing, "--step", "2", *edits)
    found = sigscope("diff", failing, "--step", "2", "--run", "1")
    assert found.code == 1
    told = found.out.splitlines()
    assert told == [
        "set header X-Foo to bar",
        f"send to {url}",
        "the bodies do not differ",
    ]
    table = sigscope("diff", failing, "--step", "2", "--run", "1", "--json").json
    assert [edit["op"] for edit in table["around"]] == ["header", "url"]
    again = sigscope("replay", failing, "--step", "2", "--run", "1")
    assert again.code in (0, 1)
    assert sigscope("diff", failing, "--step", "2", "--run", "2").out == found.out


def test_another_model_in_the_url_is_a_difference(tmp_path: Path) -> None:
    body = b.request_body("gemini", [b.ask()])
    url = b.URLS["gemini"]
    answer = b.response_body("gemini", b.gemini(b.LS))
    path = tmp_path / "s.session.jsonl"
    other = url.replace("/models/", "/models/other-")
    asked = [b.exchange("gemini", body, answer, url=each) for each in (url, other)]
    save_session(Session(id="s", title="S", steps=steps(*asked)), str(path))
    found = sigscope("diff", path, "--step", "1", "--against", "2", "--side-by-side")
    assert found.code == 1
    assert f"| send to {other}" in found.out
    assert sigscope("diff", path, "--step", "1", "--against", "1").code == 0
