"""The picture of a test that failed: what pytest says, as a terminal shows it."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from tests.cli.commands import ROOT, environment

WIDTH = 116
_TIMED = re.compile(r"^.*\d+ (?:failed|passed).* in [\d.]+s.*$\n?", re.MULTILINE)
"""The last line tells a time, which is another in every picture."""
_SIGNATURE = re.compile(r"(?<=reasoning_opaque )[0-9a-f]{6}\b")
"""A signature seals when it was issued: its fingerprint is another in every picture."""
_DRAWN = "e4e49b"
DARK = TerminalTheme(
    (22, 24, 33),
    (214, 218, 230),
    [
        *((22, 24, 33), (242, 120, 132), (139, 207, 130), (226, 190, 110)),
        *((122, 162, 247), (199, 146, 234), (115, 205, 220), (214, 218, 230)),
    ],
)
TEST = """
from my_client import loop

def test_signatures_come_back(sigscope_upstream):
    upstream = sigscope_upstream("copilot-chat")
    loop(upstream.base_url, upstream.model, keeps=False)
    upstream.assert_no_signature_lost()
"""


def failure(folder: Path) -> str:
    """What pytest prints of a client that forgets, with its colours."""
    loops = (ROOT / "tests/unit/testkit/loops.py").read_text(encoding="utf-8")
    (folder / "my_client.py").write_text(loops, encoding="utf-8")
    (folder / "test_my_client.py").write_text(TEST.lstrip(), encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-q", "--color=yes", "-rN"]
    words += ["-p", "no:cacheprovider", "-p", "sigscope.testkit.plugin"]
    variables = {
        **{name: value for name, value in os.environ.items() if name != "NO_COLOR"},
        **environment(folder),
        "COLUMNS": str(WIDTH),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    variables.pop("PYTEST_ADDOPTS", None)
    variables.pop("NO_COLOR", None)
    done = subprocess.run(
        [*words, "--sigscope-keep=kept"],
        env=variables,
        cwd=folder,
        capture_output=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 1, done.stderr.decode()
    said = _SIGNATURE.sub(_DRAWN, done.stdout.decode())
    return _TIMED.sub("", said).rstrip() + "\n"


def draw_failure(folder: Path) -> str:
    """The same as SVG."""
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(Text.from_ansi(failure(folder)), soft_wrap=False)
    return console.export_svg(title="pytest", theme=DARK, unique_id="test-failure")
