"""The Network monitor of Firefox: the HAR that it exports by itself is read."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from tests.peers import peering
from tests.real.talk import STEPS, TALK, serving

from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")

SETTINGS = {
    "devtools.toolbox.selectedTool": "netmonitor",
    "devtools.netmonitor.har.enableAutoExportToFile": True,
    "devtools.netmonitor.har.forceExport": True,
    "devtools.netmonitor.har.defaultFileName": "it",
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    # It would ask these addresses at its start.
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": peering.NOWHERE,
}


def preference(name: str, value: object) -> str:
    spelled = str(value).lower() if isinstance(value, bool) else f'"{value}"'
    return f'user_pref("{name}", {spelled});\n'


@pytest.mark.skipif(PROGRAM is None, reason="there is no firefox here")
def test_what_it_exports_is_read(tmp_path: Path) -> None:
    assert PROGRAM is not None
    profile, har = tmp_path / "profile", tmp_path / "it.har"
    profile.mkdir()
    settings = {**SETTINGS, "devtools.netmonitor.har.defaultLogDir": tmp_path}
    lines = [preference(name, value) for name, value in settings.items()]
    (profile / "user.js").write_text("".join(lines))
    server = serving()
    url = f"http://127.0.0.1:{server.server_port}/soon"
    words = [PROGRAM, "--headless", "--no-remote", "--profile", str(profile)]
    words += ["--devtools", url]
    try:
        variables = peering.peer_variables(tmp_path, MOZ_HEADLESS="1")
        with peering.running(tmp_path, words, variables, chatty=True):
            wait_for(har)
    finally:
        server.shutdown()
        server.server_close()
    document = Document(open_file(har))
    asked = [
        step
        for step in document.steps
        if step.exchange.request and step.exchange.request.method == "POST"
    ]
    talk = peering.only(document, asked)
    calls = [call for call in TALK if call.sent]
    for call, reading in zip(calls, talk.readings, strict=True):
        assert reading.request_body.data == call.sent
        assert reading.response_body.data == call.received
        assert reading.status == call.status
    assert peering.rows(talk) == list(STEPS)


def wait_for(file: Path) -> None:
    """Until a file that is written in one go has its end."""
    until = time.monotonic() + 90
    while not (file.exists() and file.read_text().rstrip().endswith("}")):
        assert time.monotonic() < until, "no HAR was exported"
        time.sleep(0.2)
