"""`Engine.export`: what is written, what is removed, what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.export.servers import bundled, with_fix

from sigscope.engine.engine import Engine
from sigscope.engine.export.exports import FORMATS, format_named
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.tables import findings_table, ledger_table
from sigscope.errors import UsageError, WouldOverwrite
from sigscope.exchange import Body
from sigscope.session import Note, Session

KEY = "sk-or-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
OTHER = "AIzaSyA-1234567890_abcdefghijklmnopqrst"


def leaky() -> Document:
    """A session whose headers, URL, body, title, story, tags and notes hold secrets."""
    old = with_fix().session
    steps = []
    for step in old.steps:
        request = step.exchange.request
        assert request is not None
        body = request.body.raw.replace(b"What files", f"My key is {KEY}".encode(), 1)
        leaking = replace(
            request,
            url=f"{request.url}?key={OTHER}",
            headers=(
                *(h for h in request.headers if h[0] != "authorization"),
                ("Authorization", f"Bearer {KEY}"),
                ("Cookie", "session=c00kie-of-mine"),
            ),
            body=Body(body),
        )
        steps.append(replace(step, exchange=replace(step.exchange, request=leaking)))
    return Document(
        replace(
            old,
            steps=tuple(steps),
            title=f"With {KEY}",
            story=f"I sent {OTHER}.",
            tags=("zed", f"sent with {KEY}"),
            notes=[Note(text=f"{OTHER} again", at="2026-11-21T03:14:15Z", step=1)],
            redaction=(),
            path=None,
        )
    )


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_no_secret_leaves_in_any_format(form: object, tmp_path: Path) -> None:
    name = getattr(form, "name", "")
    step = 2 if getattr(form, "is_of_one", False) else None
    path = tmp_path / "out"
    told = Engine().export(leaky(), path, format=name, step=step)
    data = path.read_bytes()
    for secret in (KEY, OTHER, "c00kie-of-mine"):
        assert secret.encode() not in data
    assert told.removed["authorization header"] >= 1
    assert told.removed["cookie"] >= 1
    assert told.removed["key in URL"] >= 1
    if step is None:
        # In title and tag, in story and note.
        assert told.removed["OpenRouter key"] >= 2
        assert told.removed["Google API key"] >= 2
    assert told.size == len(data)
    assert str(told).startswith(f"{path}: ")
    assert "× cookie" in str(told)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_stand_ins_take_the_place_of_signatures_everywhere(
    form: object, tmp_path: Path
) -> None:
    document = with_fix()
    (signature,) = document.ledger.signatures
    name = getattr(form, "name", "")
    one = getattr(form, "is_of_one", False)
    path = tmp_path / "out"
    engine = Engine()
    told = engine.export(
        document, path, format=name, step=2 if one else None, stand_ins=True
    )
    data = path.read_bytes()
    assert signature.value[:24].encode() not in data
    assert signature.id.encode() not in data
    assert told.removed["signature"] >= 1
    engine.export(document, path, format=name, step=2 if one else None, force=True)
    assert signature.value[:24].encode() in path.read_bytes()


def test_curl_of_a_run_sends_the_edited_request() -> None:
    document = with_fix()
    engine = Engine()
    step = b"".join(engine.render(document, format="curl", step=2)[0])
    run = b"".join(engine.render(document, format="curl", run=2)[0])
    assert b'"content":[]' in step
    assert b'"content":[]' not in run
    assert b"# Run 2 of step 2" in run


def test_har_of_a_step_or_run_holds_just_that(tmp_path: Path) -> None:
    document = with_fix()
    engine = Engine()
    for chosen, status in (({"step": 1}, 200), ({"step": 2}, 400), ({"run": 2}, 200)):
        data = b"".join(engine.render(document, format="har", **chosen)[0])
        (entry,) = json.loads(data)["log"]["entries"]
        assert entry["response"]["status"] == status


def test_a_refused_step_is_taken_when_none_is_named() -> None:
    data = b"".join(Engine().render(bundled("zed-copilot-attempt-2"), format="curl")[0])
    assert b"# Step 2 of" in data


@pytest.mark.parametrize(
    ("format_name", "step", "run", "words"),
    [
        ("curl", None, None, "say which step: --step N, with N from 1 to 2"),
        ("curl", 9, None, "there is no step 9"),
        ("curl", None, 9, "there is no run 9"),
        ("har", 9, None, "there is no step 9"),
        ("report", 1, None, "holds the whole session"),
        ("session", None, 1, "holds the whole session"),
        ("pdf", None, None, "there is no export format 'pdf'; there are session,"),
    ],
)
def test_a_wrong_choice_is_told_and_nothing_is_written(
    tmp_path: Path, format_name: str, step: int | None, run: int | None, words: str
) -> None:
    document = bundled("zed-copilot-final-fix")
    document.session.steps = document.session.steps[:2]
    with pytest.raises(UsageError, match=words):
        Engine().export(
            document, tmp_path / "out", format=format_name, step=step, run=run
        )
    assert not (tmp_path / "out").exists()


def test_a_step_that_is_not_the_run_s_is_a_wrong_choice() -> None:
    with pytest.raises(UsageError, match="run 1 is of step 2, not 1"):
        Engine().render(with_fix(), format="curl", step=1, run=1)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_nothing_is_overwritten_without_force(form: object, tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("mine")
    document = bundled("zed-copilot-attempt-2")
    with pytest.raises(WouldOverwrite):
        Engine().export(document, path, format=getattr(form, "name", ""))
    assert path.read_text() == "mine"


def test_the_source_is_not_replaced_even_with_force(tmp_path: Path) -> None:
    path = tmp_path / "mine.session.jsonl"
    Engine().export(bundled("zed-copilot-attempt-2"), path, format="session")
    before = path.read_bytes()
    document = Engine().open(path)
    for name in ("session", "report"):
        with pytest.raises(UsageError, match="is what is being exported"):
            Engine().export(document, path, format=name, force=True)
    assert path.read_bytes() == before


def test_an_exported_session_opens_with_the_same_ledger(tmp_path: Path) -> None:
    document = with_fix()
    path = tmp_path / "copy.session.jsonl"
    Engine().export(document, path, format="session")
    again = Engine().open(path)
    assert ledger_table(again) == ledger_table(document)
    assert findings_table(again.findings) == findings_table(document.findings)
    assert [run.verdict for run in again.runs] == [run.verdict for run in document.runs]


def test_what_had_been_removed_before_is_said(tmp_path: Path) -> None:
    document = bundled("zed-copilot-attempt-2")
    told = Engine().export(document, tmp_path / "a.md", format="report")
    assert str(told).endswith(
        "removed: nothing (secrets had been removed from the session before)"
    )


def test_an_empty_session_has_no_request_to_send() -> None:
    with pytest.raises(UsageError, match="the session has no steps"):
        Engine().render(Document(Session(id="x")), format="curl")


def test_formats_have_names_and_suffixes_of_their_own() -> None:
    assert len({form.name for form in FORMATS}) == len(FORMATS)
    assert format_named("curl").is_script
