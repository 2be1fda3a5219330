"""Messages on the screens: thinking and its signatures, the refusal, the cure."""

from __future__ import annotations

from tests.tui.driving import opened

DROPPED = "anthropic-thinking-dropped"


async def test_a_refused_request_shows_what_is_missing_and_where_it_struck() -> None:
    async with opened(DROPPED, size=(150, 46)) as driver:
        await driver.reads("struck here")
        await driver.reads("ANT-2")
        await driver.reads("does not begin with a thinking block")
        assert "anthropic" in driver.text


async def test_thinking_is_a_thought_that_bears_its_signature() -> None:
    async with opened("claude-code-tool-loop", size=(150, 46)) as driver:
        await driver.pilot.press("down")
        await driver.rest()
        document_signatures = driver.screen.model.document.ledger.signatures
        await driver.reads(document_signatures[0].id)
        await driver.reads("317 chars")
        await driver.reads("read_file")


async def test_the_stream_is_stepped_through_and_put_together() -> None:
    async with opened("claude-code-tool-loop", size=(150, 46)) as driver:
        await driver.pilot.press("P")
        await driver.reads("signature")
        await driver.reads("message_start")
