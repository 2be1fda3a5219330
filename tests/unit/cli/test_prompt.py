"""A held request in the user's editor: keys are in no file, and go out as they came."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from shlex import quote

import pytest

from sigscope.cli.prompt import edit_in_editor
from sigscope.engine.recording.forecast import Outlook
from sigscope.engine.recording.holds import HeldRequest
from sigscope.errors import UsageError
from sigscope.exchange import Body, Exchange, Request
from sigscope.reader import Reading
from sigscope.recorder.gate import Release

KEY = "sk-proj-T3BlbkFJabcdefgh0123456789"
BODY = f'{{"api_key":"{KEY}","n":1.0}}'.encode()
Edited = Callable[[str], None]


def held(body: bytes = BODY) -> HeldRequest:
    request = Request(method="POST", url="http://127.0.0.1/x", body=Body(body))
    reading = Reading(Exchange(request=request))
    return HeldRequest(1, Outlook(reading=reading, concerned=(), findings=()), ["all"])


@pytest.fixture
def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Edited:
    """The editor that does this to `text`, and keeps what it was given."""

    def prepare(does: str) -> None:
        script = tmp_path / "editor.py"
        script.write_text(
            "import pathlib, sys\n"
            "path = pathlib.Path(sys.argv[1]); text = path.read_text()\n"
            f"pathlib.Path({str(tmp_path / 'given')!r}).write_text(text)\n"
            f"assert path.stat().st_mode & 0o077 == 0\n{does}\n"
        )
        words = quote(sys.executable), "-S", "-E", quote(str(script))
        monkeypatch.setenv("VISUAL", " ".join(words))

    return prepare


async def test_keys_are_in_no_file_and_go_out_as_they_came(
    tmp_path: Path, edited: Edited
) -> None:
    edited("path.write_text(text.replace('1.0', '2'))")
    one = held()
    await edit_in_editor(one)
    assert KEY not in (tmp_path / "given").read_text()
    decision = one.decision.result()
    assert isinstance(decision, Release)
    assert decision.request is not None
    assert decision.request.body.raw == BODY.replace(b"1.0", b"2")


async def test_stars_do_not_go_out_in_place_of_a_key(edited: Edited) -> None:
    edited("path.write_text(text.replace('sk-proj', 'my sk-proj'))")
    one = held()
    with pytest.raises(UsageError, match="/api_key has stars"):
        await edit_in_editor(one)
    assert one.is_waiting


async def test_what_is_no_json_and_has_a_key_is_not_edited(edited: Edited) -> None:
    edited("path.write_text('{broken')")
    for body in (BODY, f"token={KEY}".encode()):
        one = held(body)
        with pytest.raises(UsageError, match="has a key in it"):
            await edit_in_editor(one)
        assert one.is_waiting
