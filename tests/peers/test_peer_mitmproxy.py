"""Files of the real mitmdump: what it saw is what our recorder saw, and what it reads
is what we exported.

openai SDK → recorder → mitmdump → simulator
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.commands import SESSIONS
from tests.peers import peering
from tests.peers.peering import rows

from sigscope.engine.export.proof import differences
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.session import Step

REAL = Path(__file__).parents[1] / "real"


@contextmanager
def mitmdump(folder: Path, upstream: str) -> Iterator[str]:
    """A reverse proxy that writes flows.mitm and, when it ends, flows.har."""
    (port,) = peering.free_ports(1)
    words = [
        peering.tool("mitmproxy", "mitmdump"),
        *("--mode", f"reverse:{upstream}", "--listen-host", "127.0.0.1"),
        *("--listen-port", str(port), "-w", str(folder / "flows.mitm")),
        *("--set", f"hardump={folder / 'flows.har'}"),
        *("--set", f"confdir={folder / 'mitmproxy'}"),
    ]
    with peering.running(folder, words, peering.peer_variables(folder), chatty=True):
        peering.wait_for(f"http://127.0.0.1:{port}/_sim/log")
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module", params=["all", "known"])
def seen(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Document]:
    """The folder with mitmdump's files, and what the recorder saw."""
    folder = tmp_path_factory.mktemp("mitm")
    with (
        peering.simulating(folder, "copilot-chat") as simulator,
        mitmdump(folder, simulator) as proxy,
        peering.recording(folder, "--upstream", proxy) as recorder,
    ):
        peering.talk(
            folder,
            "openai",
            "openai_tools.py",
            "gemini-3-pro-preview",
            request.param,
            OPENAI_BASE_URL=recorder.url,
        )
        document = recorder.document()
    fate = "exact" if request.param == "all" else "dropped"
    assert rows(document)[0][1][0] == (2, fate, "required")
    return folder, document


def asks(step: Step) -> bool:
    request = step.exchange.request
    return request is not None and request.method == "POST"


@pytest.mark.parametrize("name", ["flows.mitm", "flows.har"])
def test_an_import_tells_the_same_as_the_recorder(
    seen: tuple[Path, Document], name: str
) -> None:
    folder, document = seen
    file = folder / f"{name}.session.jsonl"
    told = peering.sigscope(
        folder, "import", folder / name, "--out", file, "--force", "--json"
    )
    assert told.code == 0
    imported = peering.load(file)
    # The readiness page that was asked for first is no conversation.
    talk = [s for s in imported.steps if asks(s)]
    assert len(imported.steps) == len(talk) + 1
    theirs = peering.only(imported, talk)
    assert rows(theirs) == rows(document)
    assert differences(document, theirs) == ()
    for one, other in zip(document.readings, theirs.readings, strict=True):
        assert one.request_body.data == other.request_body.data
        assert one.response_body.data == other.response_body.data


EXPORTED = [
    SESSIONS / "copilot-missing-signature.session.jsonl",
    REAL / "chrome-sensitive.har",
    REAL / "firefox.har",
]


@pytest.mark.parametrize("source", EXPORTED, ids=lambda path: path.name)
def test_it_reads_the_har_that_we_export(tmp_path: Path, source: Path) -> None:
    har, flows = tmp_path / "ours.har", tmp_path / "theirs.mitm"
    told = peering.sigscope(tmp_path, "export", source, "--to", "har", "--out", har)
    assert told.code == 0
    done = subprocess.run(
        [
            peering.tool("mitmproxy", "mitmdump"),
            *("-n", "-r", str(har), "-w", str(flows)),
            *("--set", f"confdir={tmp_path / 'mitmproxy'}"),
        ],
        env=peering.peer_variables(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    ours, theirs = Document(open_file(source)), Document(open_file(flows))
    assert rows(theirs) == rows(ours)
    assert differences(ours, theirs) == ()
    assert peering.statuses(theirs) == peering.statuses(ours)
    for one, other in zip(ours.readings, theirs.readings, strict=True):
        assert one.request_body.data == other.request_body.data
        assert one.response_body.data == other.response_body.data
