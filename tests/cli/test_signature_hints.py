"""What signatures tell of themselves, wherever they are shown: a hint, no finding."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.commands import SESSIONS, sigscope

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.tui.symbols import UNICODE
from sigscope.tui.views.palette import Palette
from sigscope.tui.views.signatures import cards_of, lay_card

RESPONSES = SESSIONS / "responses-dropped-reasoning.session.jsonl"
SEALED = "OpenAI (inferred); sealed 2026-03-11T10:15:00Z (inferred)"


@pytest.mark.parametrize("more", [(), ("--compact",)])
def test_the_ledger_tells_hints_as_text_and_as_json(more: tuple[str, ...]) -> None:
    assert f"   hint: {SEALED}" in sigscope("ledger", RESPONSES).out
    first = sigscope("ledger", RESPONSES, "--json", *more).json["signatures"][0]
    assert [(hint["about"], hint["value"]) for hint in first["hints"]] == [
        ("origin", "openai"),
        ("minted", "2026-03-11T10:15:00Z"),
    ]
    assert first["hints"][0]["source"] == "docs/wire/fingerprints.md#fp-openai"
    assert first["hints"][0]["confidence"] == "inferred"


def test_a_step_tells_hints_those_alike_together() -> None:
    out = sigscope("show", RESPONSES, "--step", "1").out
    lines = [line for line in out.splitlines() if line.startswith("hint: ")]
    assert lines == [f"hint: 277b14 and 1 more: {SEALED}"]
    rows = sigscope("show", RESPONSES, "--step", "1", "--json").json["hints"]
    assert [row["in_response"] for row in rows] == [True, True]
    assert rows[0]["pointer"] == "/item/encrypted_content"


@pytest.mark.parametrize("form", ["report", "html"])
def test_reports_tell_hints(form: str, tmp_path: Path) -> None:
    out = tmp_path / f"told.{form}"
    sigscope("export", RESPONSES, "--to", form, "--out", out)
    assert SEALED in out.read_text(encoding="utf-8")


def test_the_card_under_the_cursor_tells_hints() -> None:
    ledger = Document(open_file(RESPONSES)).ledger
    card, palette = cards_of(ledger)[0], Palette.of(ledger.signatures)
    for is_open in (True, False):
        lines = lay_card(card, 40, UNICODE, palette, step=1, is_open=is_open)
        text = " ".join("".join(span.text for span in each).strip() for each in lines)
        assert (SEALED in text) is is_open


def test_readable_reasoning_tells_nothing() -> None:
    for path in SESSIONS.glob("*.session.jsonl"):
        for signature in Document(open_file(path)).ledger.signatures:
            assert signature.kind != "text" or signature.hints == ()
