"""What is not judged on the screens, and saying what it speaks."""

from __future__ import annotations

from pathlib import Path

from tests.builders import LS, openrouter, user
from tests.tui.driving import opened
from tests.unit.dialects.test_settlement import exchange as chat
from tests.unit.dialects.test_settlement import reply, steps, tool
from tests.unit.ledger.test_opaque_fields import (
    MESSAGES,
    SIGN,
    THINKING,
    exchange,
    history,
)
from tests.unit.rules.cases import exchange as rule_exchange

from sigscope.engine.sessions.document import Document
from sigscope.opaque import fingerprint
from sigscope.session import Session, Step
from sigscope.store import open_session, save_session
from sigscope.tui.screens.choicedialog import ChoiceDialog
from sigscope.tui.screens.dialectdialog import dialect_choices

URL = "https://llm.example/v1/chat/completions"


def unknown() -> Session:
    made = steps(
        exchange(MESSAGES, {"messages": [user()]}, whole={"content": [THINKING]}),
        exchange(MESSAGES, history(THINKING), whole={"content": []}),
    )
    return Session(id="u", title="Unknown", steps=made)


async def test_what_is_not_judged_is_told_in_every_pane() -> None:
    async with opened(unknown(), size=(160, 50)) as driver:
        screen = driver.screen
        assert "2 not judged" in str(screen.board.steps.border_subtitle)
        assert "1  200  not judged " in driver.text
        assert "step 1: not judged: dialect not known" in driver.text
        assert str(screen.board.signatures.border_subtitle) == "1 followed by name"
        assert fingerprint(SIGN) in driver.text
        assert "same bytes sent in" in driver.text
        assert "2 not judged" in str(screen.board.findings.border_subtitle)
        assert "no findings" not in driver.text
        assert "Dialect, in the palette, says which" in driver.text
        assert "Not judged: dialect not known. No conversation can" in driver.text
        assert "Opaque fields in it, followed by name and shape" in driver.text
        await driver.press("2", "j", "enter", "1")
        assert screen.model.selection is not None


async def test_a_choice_is_kept_in_the_file_and_read_at_once(tmp_path: Path) -> None:
    bare = {k: v for k, v in openrouter(LS).items() if k != "reasoning_details"}
    made = steps(
        chat(URL, [user()], reply(openrouter(LS))),
        chat(URL, [user(), bare, tool()], reply({"role": "assistant", "content": "x"})),
    )
    path = tmp_path / "s.session.jsonl"
    save_session(Session(id="s", title="S", steps=made), str(path))
    async with opened(open_session(str(path)), size=(160, 50)) as driver:
        screen = driver.screen
        assert "2 not judged" in str(screen.board.steps.border_subtitle)
        await driver.pilot.press("ctrl+p")
        await driver.type("dialect")
        await driver.until(lambda: "Say which API" in driver.text)
        await driver.pilot.press("enter")
        await driver.until(lambda: isinstance(driver.app.screen, ChoiceDialog))
        assert "Dialect: not known" in driver.text
        await driver.pilot.press("j", "enter")
        await driver.until(lambda: driver.app.screen is screen)
        await driver.until(
            lambda: (
                screen.model.overview is not None
                and screen.model.overview.ledger.signatures
            )
        )
        await driver.rest()
        assert "not judged" not in driver.text
        assert any("openrouter for all 2 steps" in told for told in driver.told)
    (line,) = open_session(str(path)).spoken
    assert (line.dialect, line.endpoint) == ("openrouter", "https://llm.example/v1")


def test_what_was_said_can_be_taken_back() -> None:
    session = unknown()
    before = dialect_choices(Document(session), 1)
    scopes = [choice.scope for choice in before]
    assert list(dict.fromkeys(scopes)) == ["all 2 steps of its endpoint", "step 1"]
    session.spoken.append(before[scopes.index("step 1")].spoken)
    after = dialect_choices(Document(session), 1)
    assert [c.spoken.dialect for c in after if c not in before] == [""]


def test_the_dialect_in_whose_words_a_step_was_refused_comes_first() -> None:
    said = "The `reasoning_content` in the thinking mode must be passed back to the API"
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    refused = rule_exchange(
        "http://127.0.0.1:8910/chat/completions",
        body,
        {"error": {"message": f"{said}.", "type": "invalid_request_error"}},
        status=400,
    )
    session = Session(id="s", steps=(Step(number=1, id="1", exchange=refused),))
    first, second, *_ = dialect_choices(Document(session), 1)
    assert (first.name, second.name) == ("deepseek", "copilot-chat")


async def test_a_narrow_card_of_such_a_field_is_not_cut() -> None:
    async with opened(unknown(), size=(120, 36)) as driver:
        await driver.reads("same bytes sent in")
        for y in range(driver.screen.board.signatures.size.height):
            assert "…" not in driver.screen.board.signatures.render_line(y).text
        await driver.reads("52 chars")
