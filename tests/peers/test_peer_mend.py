"""Clients that fail today and cannot be changed: refused as they are, and completing
behind `--mend`, against the strict simulator.

Today's opencode keeps what Copilot issues; that of November 2025 does not
(anomalyco/opencode#4468), and is what an old installation still runs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.peers import peering
from tests.peers.peering import DROPPED, NOTHING_LOST, errors, rows, statuses
from tests.peers.test_peer_gemini_cli import QUESTION, SETTINGS
from tests.peers.test_peer_opencode import KEYS, QUIET

from sigscope.engine.sessions.document import Document

MODEL = "gemini-3-pro-preview"
SDK_LOOP = [
    (1, ((2, "exact", "required"), (3, "exact", "required"))),
    (2, ((3, "exact", "required"),)),
    (3, ()),
]


def mends(document: Document) -> list[str | None]:
    """What was done to each request."""
    found = [step.exchange.mended for step in document.steps]
    return [mended.words if mended else None for mended in found]


def came(document: Document) -> list[Any]:
    """What the client had sent, step by step."""
    readings = [document.client_reading(step.number) for step in document.steps]
    return [reading.request_json if reading else None for reading in readings]


# --- The openai SDK -------------------------------------------------------------------


def sdk_loop(folder: Path, dialect: str, *options: str) -> tuple[Any, Document]:
    bases = {"copilot-chat": "", "openrouter": "/api/v1"}
    with (
        peering.simulating(folder, dialect) as simulator,
        peering.recording(folder, "--upstream", simulator, *options) as recorder,
    ):
        said = peering.talk(
            folder,
            "openai",
            "openai_tools.py",
            MODEL,
            "known",
            OPENAI_BASE_URL=recorder.url + bases[dialect],
        )
        return said, recorder.document()


@pytest.mark.parametrize(
    ("dialect", "rule"), [("copilot-chat", "CPC-1"), ("openrouter", "ORT-1")]
)
def test_the_plain_loop_of_the_openai_sdk(
    tmp_path: Path, dialect: str, rule: str
) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()
    said, document = sdk_loop(before, dialect)
    assert (said["status"], statuses(document)) == (400, [200, 400])
    assert errors(document) == [(2, rule)]
    said, document = sdk_loop(after, dialect, "--mend")
    assert (said["status"], statuses(document)) == (200, [200, 200, 200])
    assert "notes.md" in said["text"]
    assert rows(document) == SDK_LOOP
    assert mends(document) == [
        None,
        f"1 signature put back ({rule})",
        f"2 signatures put back ({rule})",
    ]
    # The client is what it was: nothing that it sent itself has a signature.
    for body in came(document)[1:]:
        assert "reasoning_opaque" not in json.dumps(body)
        assert "reasoning_details" not in json.dumps(body)


def test_a_rule_that_is_not_named_mends_nothing(tmp_path: Path) -> None:
    said, document = sdk_loop(tmp_path, "copilot-chat", "--mend-only", "ORT-1")
    assert (said["status"], statuses(document)) == (400, [200, 400])
    assert mends(document) == [None, None]


# --- The AI SDK -----------------------------------------------------------------------


@pytest.mark.parametrize("how", ["whole", "stream"])
@pytest.mark.parametrize("options", [(), ("--mend",)], ids=["as it is", "mended"])
def test_openai_compatible_of_the_ai_sdk_on_copilot(
    tmp_path: Path, how: str, options: tuple[str, ...]
) -> None:
    home = Path(peering.tool("ai-sdk", "")).parents[1]
    script = peering.CLIENTS / "ai_sdk_tools.mjs"
    done, document = peering.run_client(
        tmp_path,
        "copilot-chat",
        "copilot",
        ("node", script, "compatible", MODEL, how),
        *("--env", "AI_SDK_BASE_URL=copilot", *options),
        PEER_HOME=str(home),
    )
    said = json.loads(done.out.splitlines()[-1])
    if not options:
        assert (said["status"], statuses(document)) == (400, [200, 400])
        assert rows(document) == DROPPED
        return
    assert (said["status"], statuses(document)) == (200, [200, 200, 200])
    assert rows(document) == NOTHING_LOST
    assert "mended: 2 requests: 3 signatures put back (CPC-1)" in done.err


# --- opencode -------------------------------------------------------------------------


def settle_opencode(folder: Path) -> str:
    """opencode of November 2025, with the provider's package that it would download."""
    program = peering.tool("opencode-2025", "opencode")
    for name in ("notes", "todo", "list"):
        (folder / f"{name}.md").write_text("Buy milk.\n")
    cache = folder / "home" / ".cache" / "opencode"
    cache.mkdir(parents=True)
    (cache / "version").write_text("9")
    known = {"dependencies": {"@ai-sdk/openai-compatible": "latest"}}
    (cache / "package.json").write_text(json.dumps(known))
    (cache / "node_modules").symlink_to(Path(program).parents[1])
    return program


@pytest.mark.parametrize("options", [(), ("--mend",)], ids=["as it is", "mended"])
def test_opencode_on_copilot(tmp_path: Path, options: tuple[str, ...]) -> None:
    program = settle_opencode(tmp_path)
    question = "Read notes.md, then read todo.md and list.md"
    model = f"github-copilot/{MODEL}"
    done, document = peering.run_client(
        tmp_path,
        "copilot-chat",
        "copilot",
        (program, "run", "--title", "Files", "-m", model, question),
        *options,
        OPENCODE_DISABLE_DEFAULT_PLUGINS="1",
        **QUIET,
        **KEYS,
    )
    if not options:
        assert statuses(document) == [200, 400], done.told
        assert rows(document) == DROPPED
        return
    assert statuses(document) == [200, 200, 200], done.told
    assert rows(document) == NOTHING_LOST
    assert mends(document)[1:] == [
        "1 signature put back (CPC-1)",
        "2 signatures put back (CPC-1)",
    ]


# --- gemini-cli -----------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("--mend",)], ids=["as it is", "mended"])
def test_gemini_cli_that_resumes(tmp_path: Path, options: tuple[str, ...]) -> None:
    """It sends the results of the turns before a second time."""
    program = peering.tool("gemini-cli", "gemini")
    (tmp_path / "home" / ".gemini").mkdir(parents=True)
    settings = tmp_path / "home" / ".gemini" / "settings.json"
    settings.write_text(json.dumps(SETTINGS))
    (tmp_path / "notes.md").write_text("Buy milk.\n")
    words = f'"{program}" -m {MODEL} --yolo --skip-trust -o text'
    script = f'{words} -p "{QUESTION}" && {words} --resume latest -p "Read notes.md"'
    done, document = peering.run_client(
        tmp_path, "gemini", "gemini", ("sh", "-c", script), *options
    )
    if not options:
        assert statuses(document)[-1] == 400, done.told
        assert {rule for _, rule in errors(document)} == {"GEM-18"}
        return
    assert set(statuses(document)) == {200}, done.told
    assert done.code == 0
    assert not errors(document)
    dropped = [words for words in mends(document) if words]
    assert dropped
    assert all(words.endswith("dropped (GEM-18)") for words in dropped)
