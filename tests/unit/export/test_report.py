"""The Markdown report of sessions that failed, were mended, or went well."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from tests.unit.export.servers import bundled, with_fix
from tests.unit.rules.cases import exchange

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body, Exchange
from sigscope.session import Note, Session, Step


def report(document: Document, *, stand_ins: bool = False) -> str:
    data = b"".join(Engine().render(document, format="report", stand_ins=stand_ins)[0])
    return data.decode()


def section(text: str, title: str) -> str:
    found = re.search(rf"^## {title}.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[0]


def test_a_mended_failure_is_told_from_error_to_fix() -> None:
    text = report(with_fix())
    assert text.startswith("# Zed on Copilot, attempt 1: thought_signature")
    assert "A fix is confirmed by the strict simulator." in text
    error = section(text, "The error")
    assert "```text\ninvalid request body\n```" in error
    assert "Code: `invalid_request_body`." in error
    assert "`/messages/2` (CPC-1)" in error
    fix = section(text, "The confirmed fix of step 2")
    assert '-  "content": []\n+  "content": null' in fix
    assert re.search(r'\+  "reasoning_opaque": "\S+… \(1,\d{3} characters\)"', fix)
    assert "Run 2 sent the same request" in fix
    runs = section(text, "Runs")
    assert "| 1 | step 2 | `simulator` | none | 400 | 400 | reproduced" in runs
    assert re.search(r"\| 2 \| step 2 \| `simulator` \| .+ \| 200 \| 200 \| gone", runs)


def test_a_fix_that_a_service_accepted_is_not_said_to_be_by_the_simulator() -> None:
    document = with_fix()
    text = section(report(document), "The confirmed fix of step 2")
    assert "accepted with **200**, by the simulator:" in text
    document.session.runs[-1] = replace(document.runs[-1], upstream="https://h.example")
    text = section(report(document), "The confirmed fix of step 2")
    assert "accepted with **200**, by `https://h.example`:" in text


def test_what_several_runs_were_told_is_told_once() -> None:
    document = with_fix()
    first = next(run for run in document.runs if run.error)
    more = [replace(first, number=n, error=e) for n, e in ((8, first.error), (9, "no"))]
    document.session.runs.extend(more)
    runs = section(report(document), "Runs")
    assert runs.count("invalid request body") == 1
    assert f"Runs {first.number} and 8 were told:" in runs
    assert "Run 9 was told:\n\n```text\nno\n```" in runs


def test_runs_that_say_the_same_are_one_row() -> None:
    document = with_fix()
    last = document.runs[-1]
    more = [replace(last, number=n) for n in range(last.number + 1, 40)]
    other = replace(last, number=40, edits=())
    late = [replace(last, number=n, attempt=n - 39) for n in (41, 42)]
    document.session.runs.extend([*more, other, *late])
    rows = [line for line in report(document).split("## Runs")[1].split("\n") if line]
    numbers = [row.split(" | ")[0] for row in rows[2:7]]
    assert numbers == ["| 1", "| 2–39", "| 40", "| 41, attempt 2", "| 42, attempt 3"]
    page = b"".join(Engine().render(document, format="html")[0]).decode()
    assert page.count(f">{last.number}–39<") == 1


def test_steps_signatures_and_findings_are_listed() -> None:
    text = report(bundled("zed-copilot-attempt-1"))
    assert "No fix is confirmed yet." in text
    steps = section(text, "Steps")
    assert "| 2 | 1 | `POST api.githubcopilot.com/chat/completions`" in steps
    signatures = section(text, "Signatures")
    assert "step 1, event 3, /choices/0/delta/reasoning_opaque" in signatures
    assert "step 2: moved (required)" in signatures
    findings = section(text, "Findings")
    assert "**error CPC-1**, step 2, request, `/messages/2`" in findings
    assert "Fix: `set /messages/2/content to null`" in findings


def test_a_session_without_errors_says_so() -> None:
    text = report(bundled("zed-copilot-final-fix"))
    assert "none of which was refused" in text
    assert "## The error" not in text
    assert "## Runs" not in text


def test_wrapped_errors_are_unwrapped_and_shown_whole() -> None:
    text = report(bundled("zed-openrouter-never-emitted"))
    if "metadata.raw" in text:
        assert "Unwrapped from" in text


def spoilt(error: str, title: str = "t", story: str = "") -> Document:
    """A failing session with hostile text in every free place."""
    old = bundled("zed-copilot-attempt-1").session
    steps = list(old.steps)
    exchange = steps[1].exchange
    assert exchange.response is not None
    answer = json.dumps({"error": {"message": error, "code": "x`y|z"}}).encode()
    steps[1] = replace(
        steps[1],
        exchange=replace(
            exchange, response=replace(exchange.response, body=Body(answer))
        ),
    )
    return Document(
        Session(
            id="a`b",
            title=title,
            story=story,
            steps=steps,
            notes=[Note(text=story, at="2026-11-21T03:14:15Z")],
        )
    )


def headings(text: str) -> list[str]:
    """Headings outside of fences and quotes, as a Markdown reader sees them."""
    found, fence = [], ""
    for line in text.split("\n"):
        ticks = re.match(r"`{3,}", line)
        if fence:
            if line.strip() == fence:
                fence = ""
        elif ticks:
            fence = ticks[0]
        elif line.startswith("#"):
            found.append(line)
    assert not fence
    return found


def test_recorded_text_does_not_break_out_of_its_fence() -> None:
    nasty = "bad\n```\n# Owned\n````\n<script>alert(1)</script>\n`````x"
    text = report(spoilt(nasty, title="# A | <b>`x`", story="```\n# Owned"))
    assert [line[:24] for line in headings(text)] == [
        "# \\# A \\| \\<b\\>\\`x\\`",
        "## The error",
        "## Findings",
        "## Steps",
        "## Signatures",
        "## Notes",
        "## How this was made",
    ]


def test_a_secret_in_an_error_does_not_reach_the_report() -> None:
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    text = report(spoilt(f"Incorrect API key provided: {key}"))
    assert key not in text
    assert "Removed before writing: 1 ×" in text


def test_with_stand_ins_no_signature_is_left_and_the_story_is_the_same() -> None:
    document = with_fix()
    plain, masked = report(document), report(document, stand_ins=True)
    (signature,) = document.ledger.signatures
    assert signature.id in plain
    assert signature.value[:20] in plain
    assert signature.id not in masked
    assert signature.value[:20] not in masked
    assert headings(masked) == headings(plain)


def test_an_empty_session_is_a_short_report() -> None:
    text = report(Document(Session(id="x")))
    assert text.startswith("# A session without a title")
    assert "0 steps, none of which was refused." in text


def test_steps_without_request_or_response_are_listed() -> None:
    bare = Step(number=1, id="s1", exchange=Exchange())
    text = report(Document(Session(id="x", steps=(bare,))))
    assert "(no request recorded)" in text
    assert "no answer" in text


REFUSED = {
    "model": "wise-one-9",
    "messages": [{"role": "user", "content": "hi"}],
    "tool_choice": "required",
}


def test_a_refusal_that_no_rule_explains_is_told_in_the_words_of_the_service() -> None:
    said = "Thinking mode does not support this tool_choice"
    refused = exchange(
        "https://llm.example.test/api/talk",
        REFUSED,
        {"error": {"message": said}},
        status=400,
    )
    steps = (Step(number=1, id="1", exchange=refused),)
    text = report(Document(Session(id="s", steps=steps)))
    assert f"```text\n{said}\n```" in section(text, "The error")
    assert "It speaks of `/tool_choice`." in text
    assert "The rules find the cause" not in text
    findings = section(text, "Findings")
    assert "**error REF-1**" in findings
    assert "Basis: the recorded answer's own words" in findings


def test_the_story_says_only_what_was_recorded() -> None:
    good = {"choices": [{"message": {"role": "assistant", "content": "Fine."}}]}
    url = "https://llm.example.test/api/talk"

    def story(*exchanges: Exchange) -> str:
        steps = [Step(number=n, id=str(n), exchange=e) for n, e in enumerate(exchanges)]
        return report(Document(Session(id="s", steps=steps))).partition("\n\n## ")[0]

    bare = story(exchange(url, REFUSED, good, status=None), exchange(url, REFUSED))
    assert "of 1 step no status was recorded, 1 step without an answer." in bare
    busy = story(exchange(url, REFUSED, {"error": {"message": "Slow"}}, status=429))
    assert "about the key, a limit or the service" in busy
    assert "No fix" not in busy


def test_a_fate_of_many_steps_is_told_once() -> None:
    from tests.tui.longstory import long_story

    from sigscope.engine.sessions.document import Document
    from sigscope.export.facts import fate_words

    first = Document(long_story(8)).ledger.signatures[0]
    told = [fate_words(part) for part in first.stretches]
    assert told[0].startswith("steps 2-8: exact (")
    assert len(told) == 1
