"""What tests with real peers share: their environments, our processes, the ledger.

Each peer (an SDK, a proxy, a recording tool) lives in a virtual environment of its own,
`.venv-peers/NAME`, which `make test-peers` builds; some of them cannot share ours. A
peer runs as a process with a script of `clients/`. All traffic stays on loopback: every
other address is behind a proxy that is not there.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands import ROOT, Result, command, environment, spawn

from sigscope.engine.sessions.document import Document
from sigscope.pointer import resolve
from sigscope.session import Step
from sigscope.store import open_session

RECORDED = "recorded.session.jsonl"
VENVS = ROOT / ".venv-peers"
CLIENTS = Path(__file__).parent / "clients"
NOWHERE = "http://127.0.0.1:9"
"""The discard port: whoever asks it for a way out is refused at once."""
KEYS = {
    "OPENAI_API_KEY": "sk-proj-0123456789abcdefghijklmn",
    "ANTHROPIC_API_KEY": "sk-ant-api03-0123456789abcdefghijklmn",
    "GOOGLE_API_KEY": "AIzaSyA0123456789abcdefghijklmnopqrstuv",
    "GEMINI_API_KEY": "AIzaSyA0123456789abcdefghijklmnopqrstuv",
}
"""Of the form that clients insist on; they open nothing."""
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def tool(peer: str, name: str) -> str:
    """A program of a peer's environment; skips the test where there is none."""
    home = VENVS / peer
    if not (home / ".installed").exists():
        pytest.skip(f"{peer} is not installed in {home}: run make test-peers")
    folder = "bin" if (home / "bin").exists() else "node_modules/.bin"
    return str(home / folder / name)


def peer_variables(folder: Path, **more: str) -> dict[str, str]:
    """The variables of a peer: a home of the test's own, no real keys, no way out."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    proxies = {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}
    return {
        **kept,
        **dict.fromkeys((*proxies, *map(str.lower, proxies)), NOWHERE),
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
        "HOME": str(home),
        "TMPDIR": str(folder),
        **KEYS,
        **more,
    }


def talk(folder: Path, peer: str, script: str, *argv: str, **variables: str) -> Any:
    """Run a client to its end; what it printed, as JSON."""
    done = subprocess.run(
        [tool(peer, "python"), str(CLIENTS / script), *argv],
        env=peer_variables(folder, **variables),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@contextmanager
def running(
    folder: Path, words: list[str], variables: dict[str, str], *, chatty: bool = False
) -> Iterator[subprocess.Popen[str]]:
    """A process that is ended with the block, what it said to stderr in a file. What a
    chatty one says to stdout goes there too: nobody reads it."""
    with (folder / "stderr.log").open("a") as log:
        process = subprocess.Popen(
            words,
            env=variables,
            cwd=folder,
            stdout=log if chatty else subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            yield process
        finally:
            end(process)
            if process.stdout is not None:
                process.stdout.close()


def end(process: subprocess.Popen[str]) -> int:
    """Ctrl+C; harder where that does not do."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


@contextmanager
def simulating(folder: Path, dialect: str, *options: str) -> Iterator[str]:
    """`sigscope simulate` on a free port: its URL."""
    words = command("simulate", dialect, "--port", "0", "--pace", "1", *options)
    with running(folder, words, environment(folder)) as process:
        yield _first_line(process, folder)


@dataclass(slots=True)
class Recording:
    """`sigscope record` while it runs."""

    url: str
    file: Path
    process: subprocess.Popen[str] = field(repr=False)

    def document(self) -> Document:
        """End it; what is in its file."""
        assert end(self.process) == 0
        return load(self.file)


def load(file: Path) -> Document:
    """A session file."""
    return Document(open_session(str(file)))


@contextmanager
def recording(folder: Path, *options: str, port: int = 0) -> Iterator[Recording]:
    """`sigscope record`, on a free port unless one is named."""
    file = folder / RECORDED
    words = command("record", "--port", str(port), "--out", file, *options)
    with running(folder, words, environment(folder)) as process:
        yield Recording(_first_line(process, folder), file, process)


def _first_line(process: subprocess.Popen[str], folder: Path) -> str:
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    assert line.startswith("http://127.0.0.1:"), (folder / "stderr.log").read_text()
    return line


def sigscope(
    folder: Path, *argv: str | Path, surroundings: bool = False, **variables: str
) -> Result:
    """One of our verbs as a process; with the surroundings of a peer if it starts
    one."""
    found = peer_variables(folder, **variables) if surroundings else {}
    return spawn(folder, *argv, env=found, cwd=folder, timeout=100)


PATHS = {
    "copilot-chat": "",
    "gemini": "",
    "openrouter": "/api/v1",
    "litellm": "/v1",
    "anthropic": "",
}
"""What stands behind the simulator's address in the base URL of a service."""


def run_client(
    folder: Path,
    dialect: str,
    service: str,
    client: Sequence[str | Path],
    *options: str,
    **variables: str,
) -> tuple[Result, Document]:
    """`sigscope run` with a client whose `service` is the simulator of a dialect.

    What it printed and its exit code, and what was recorded.
    """
    with simulating(folder, dialect) as simulator:
        done = sigscope(
            folder,
            *("run", "--upstream", f"{service}={simulator}{PATHS[dialect]}"),
            *("--out", RECORDED, *options, "--", *client),
            surroundings=True,
            **variables,
        )
    assert (folder / RECORDED).exists(), done.told
    document = load(folder / RECORDED)
    assert set(dialects(document)) == {dialect}, done.told
    return done, document


def mended(folder: Path, step: int) -> bool:
    """Whether the fixes of all findings make the simulator accept a recorded step."""
    argv = ("replay", RECORDED, "--step", str(step), "--apply-fix", "all")
    return sigscope(folder, *argv).code == 0


def confirmed(folder: Path, step: int) -> bool:
    """Whether the fixes of a recorded step are predicted to be accepted, and are."""
    argv = ("replay", RECORDED, "--step", str(step), "--apply-fix", "all")
    done = sigscope(folder, *argv)
    return done.code == 0 and "predicted 200, got 200" in done.out


def only(document: Document, steps: Sequence[Step]) -> Document:
    """Some steps of a document, numbered anew."""
    numbered = tuple(replace(step, number=n) for n, step in enumerate(steps, start=1))
    return Document(replace(document.session, steps=numbered))


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on, for peers that cannot choose one themselves."""
    with ExitStack() as stack:
        listeners = [
            stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            for _ in range(count)
        ]
        return [listener.getsockname()[1] for listener in listeners]


def wait_for(url: str, *, seconds: float = 30) -> None:
    """Until a page can be had."""
    until = time.monotonic() + seconds
    while True:
        try:
            OPENER.open(url, timeout=5).close()
        except OSError:
            assert time.monotonic() < until, f"nobody answers at {url}"
            time.sleep(0.1)
        else:
            return


Row = tuple[int | None, tuple[tuple[int, str, str], ...]]
NOTHING_LOST: list[Row] = [
    (1, ((2, "exact", "required"), (3, "exact", "required"))),
    (2, ((3, "exact", "required"),)),
    (3, ()),
]
"""The ledger of a client that sends all back: a call, parallel calls, an answer."""
DROPPED: list[Row] = [(1, ((2, "dropped", "required"),))]
"""That of one which sends none back, and is refused."""


def rows(document: Document) -> list[Row]:
    """The ledger in short: where each signature came, then (step, fate, grade)."""
    return [
        (
            signature.step,
            tuple((f.step, str(f.fate), str(f.grade)) for f in signature.fates),
        )
        for signature in document.ledger.signatures
    ]


def replays(document: Document) -> list[tuple[int | None, list[tuple[int, str]]]]:
    """Where each signature came, then where it stood in requests: (step, pointer).
    Without those that the finished item brought another in place of. Each stands there
    to the letter, and the ledger says so."""
    found = []
    for signature in document.ledger.signatures:
        if signature.is_provisional:
            continue
        places = [(place.step, place.sighting.pointer) for place in signature.sent]
        for step, pointer in places:
            body = document.reading(step).request_json
            assert resolve(body, pointer) == signature.value, (step, pointer)
        fates = {str(fate.fate) for fate in signature.fates}
        assert fates <= {"exact"}, (signature.id, fates)
        assert [fate.step for fate in signature.fates] == [step for step, _ in places]
        found.append((signature.step, places))
    return found


def calls(document: Document) -> list[int]:
    """How many calls each answer made."""
    replies = [reading.reply.message for reading in document.readings]
    return [len(message.calls) if message else 0 for message in replies]


def statuses(document: Document) -> list[int | None]:
    """What was answered, step by step."""
    return [reading.status for reading in document.readings]


def dialects(document: Document) -> list[str | None]:
    """What was spoken, step by step."""
    return [r.dialect.name if r.dialect else None for r in document.readings]


def errors(document: Document) -> list[tuple[int, str]]:
    """Findings that a service refuses a request for: (step, rule)."""
    return [(f.step, f.rule) for f in document.findings if f.severity == "error"]
