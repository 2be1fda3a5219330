"""The examples of docs/test-your-client.md, as they stand there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.commands import ROOT, environment
from tests.peers import peering

GUIDE = ROOT / "docs" / "test-your-client.md"
_BLOCK = re.compile(
    r'^(?P<indent> *)```\w+ title="(?P<name>[^"]+)"\n(?P<text>.*?)^(?P=indent)```$',
    re.DOTALL | re.MULTILINE,
)
BLOCKS = {found["name"]: found["text"] for found in _BLOCK.finditer(GUIDE.read_text())}


@pytest.mark.parametrize(
    ("name", "peer", "rule"),
    [
        ("test_openai.py", "openai", "ORT-1"),
        ("test_anthropic.py", "anthropic", "ANT-2"),
        ("test_genai.py", "google-genai", "GEM-1"),
    ],
)
def test_the_right_loop_passes_and_the_wrong_one_is_told_why(
    tmp_path: Path, name: str, peer: str, rule: str
) -> None:
    home = Path(peering.tool(peer, "python")).parents[1]
    (site,) = home.glob("lib/python*/site-packages")
    # The SDK beside sigscope, as an author has them; ours win where both are.
    (tmp_path / "conftest.py").write_text(
        f"import sys\nsys.path.append({str(site)!r})\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / name).write_text(BLOCKS[name])
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", "-rA"),
            *("-p", "sigscope.testkit.plugin", name),
        ],
        env={
            **peering.peer_variables(tmp_path),
            **environment(tmp_path),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), peering.NOWHERE),
            "NO_PROXY": "127.0.0.1,localhost",
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    told = done.stdout + done.stderr
    assert "1 failed, 1 passed" in told, told
    assert "PASSED " + name + "::test_no_signature_is_lost[whole]" in told, told
    assert f"error[{rule}]" in told, told
    assert "= fix: " in told


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("right.mjs", 0, "fine: 2 signatures came back as issued, in 3 requests"),
        ("wrong.mjs", 1, "a signature was lost: 1 finding in 2 requests"),
    ],
)
def test_the_ai_sdk(tmp_path: Path, name: str, code: int, said: str) -> None:
    home = Path(peering.tool("ai-sdk", "")).parents[1]
    (tmp_path / "node_modules").symlink_to(home / "node_modules")
    (tmp_path / name).write_text(BLOCKS[name])
    done = peering.sigscope(
        tmp_path,
        *("test", "--dialect", "openrouter", "--", "node", name),
        surroundings=True,
    )
    assert done.code == code, done.told
    assert said in done.out
    # What the guide shows is what is said.
    assert f"-- node {name}\n{said}\n" in GUIDE.read_text()
    assert (code == 0) or "error[ORT-1]" in done.out
