"""What the screens say where the simulator, or the recording, does not know."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from tests import builders as b
from tests.cli.test_capture_from_the_middle import curl
from tests.tui.driving import MISSING, opened
from tests.unit.engine.test_verdicts import refused
from tests.unit.ledger.test_ledger_fates import loop

from sigscope.engine.settings.places import shipped
from sigscope.exchange import Body
from sigscope.runs import Verdict
from sigscope.session import Session
from sigscope.store import open_session
from sigscope.tui.symbols import ASCII, UNICODE

NOT_SENDABLE = {
    "an unknown dialect": ("https://api.example.com/v1/x", "--data-raw", '{"a":1}'),
    "a GET": ("https://api.githubcopilot.com/models",),
    "another API": (
        "https://openrouter.ai/api/v1/embeddings",
        *("--data-raw", '{"model":"x","input":"[/b] hello"}'),
    ),
}


@pytest.mark.parametrize("words", NOT_SENDABLE.values(), ids=NOT_SENDABLE)
async def test_s_on_a_step_that_it_cannot_send_says_why(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "copied.sh"
    path.write_text(shlex.join(["curl", *words]) + "\n")
    async with opened(path) as driver:
        await driver.press("s")
        assert driver.screen.model.runs == ()
        (told,) = [t for t in driver.told if "Step 1 was not sent" in t]
        assert "what step 1 speaks, which is not known" in told
        assert "S sends it to the service; Dialect" in told


async def test_s_without_a_body_gives_a_run_that_says_why(tmp_path: Path) -> None:
    path = tmp_path / "copied.sh"
    path.write_text(f"curl -X POST {b.URLS['openrouter']}\n")
    async with opened(path, size=(160, 48)) as driver:
        await driver.press("s")
        (run,) = driver.screen.model.runs
        assert run.verdict is Verdict.UNCLEAR
        assert "no answer was recorded to compare with" in driver.text


async def test_a_signature_from_before_the_recording_is_called_earlier(
    tmp_path: Path,
) -> None:
    path = curl(tmp_path, "gemini", loop("gemini", b.LS))
    async with opened(path, size=(160, 48)) as driver:
        await driver.press("2")
        assert "issued before this recording" in driver.text
        assert f"{UNICODE.earlier} earlier" in driver.text
        assert "1 earlier" in driver.text
        assert "never issued here" not in driver.text
    assert ASCII.earlier.isascii()


async def test_the_header_tells_what_the_rules_foretell_instead(
    tmp_path: Path,
) -> None:
    path = tmp_path / "copied.sh"
    path.write_text(f"curl {b.URLS['openrouter']} -d '{{}}'\n")
    async with opened(path, size=(180, 48)) as driver:
        await driver.until(lambda: "predicted 400" in driver.header)
        assert "the rules find nothing against it" in driver.header


async def test_of_a_body_that_was_left_out_the_rules_say_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "copied.sh"
    path.write_text(f"curl -X POST {b.URLS['openrouter']}\n")
    async with opened(path, size=(180, 48)) as driver:
        told = "predicted unknown, its body was not recorded"
        await driver.until(lambda: told in driver.header)
        assert "rules" not in driver.header
        assert "step 1: not judged: recorded without the body" in driver.text
        assert "no findings" not in driver.text


async def test_the_header_does_not_foretell_what_is_not_modelled() -> None:
    document = refused("openrouter", "Reasoning is not supported with capacitors.")
    async with opened(document.session, size=(160, 48)) as driver:
        await driver.press("1", "end")
        await driver.until(lambda: "recorded 400" in driver.header)
        await driver.until(lambda: "not modelled: ask the service" in driver.header)
        await driver.press("s")
        (run,) = driver.screen.model.runs
        assert run.verdict is Verdict.UNCLEAR
        assert "does not model this refusal" in run.reason


def without_bodies() -> Session:
    """The bundled story as a HAR may hold it: answers alone."""
    session = open_session(str(shipped("sessions") / f"{MISSING}.session.jsonl"))
    steps = []
    for each in session.steps:
        request = each.exchange.request
        assert request is not None
        bare = replace(request, headers=request.headers[:0], body=Body(b""))
        steps.append(replace(each, exchange=replace(each.exchange, request=bare)))
    return replace(session, path=None, steps=tuple(steps))


async def test_requests_without_bodies_are_an_all_clear_nowhere() -> None:
    async with opened(without_bodies(), size=(160, 44)) as driver:
        await driver.until(lambda: "its body was not recorded" in driver.header)
        row = next(r for r in driver.text.splitlines() if "1  200  tool_calls" in r)
        assert f"  {UNICODE.unjudged}{UNICODE.signature} " in row
        await driver.press("s")
        (run,) = driver.screen.model.runs
        assert run.status == 400
        assert run.verdict is Verdict.UNCLEAR
        assert "recorded without the body" in run.reason
        assert "not judged in run 1" in driver.text
        assert "none lost" not in driver.text
        await driver.press("D")
        await driver.reads("there is nothing to compare")
        assert "nothing differs" not in driver.text
        await driver.press("escape", "I", "n")
        await driver.reads("no loss is known; 4 steps not judged")
        await driver.press("escape", "Z", "l")
        await driver.reads("not judged: recorded without the body of the request")
        assert "no signature" not in driver.text
