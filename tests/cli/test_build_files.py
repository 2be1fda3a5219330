"""The pre-commit hook and the GitHub Action: files that run commands of ours."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.commands import ROOT, SESSIONS, environment

pytestmark = pytest.mark.slow
BAD = "zed-copilot-attempt-1.session.jsonl"
FINE = "gemini-parallel.session.jsonl"
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
GUIDE = (ROOT / "docs" / "test-your-client.md").read_text()
CLIENT = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
from tests.unit.testkit.loops import loop
loop(os.environ["OPENAI_BASE_URL"], os.environ["SIGSCOPE_MODEL"],
     keeps=sys.argv[1] == "keeps")
"""


def programs(folder: Path) -> dict[str, str]:
    """An environment in which `sigscope` is this code."""
    tools = folder / "bin"
    tools.mkdir()
    (tools / "sigscope").write_text(
        f'#!/bin/sh\nexec {sys.executable} -m sigscope "$@"\n'
    )
    (tools / "sigscope").chmod(0o755)
    return {**environment(folder), "PATH": f"{tools}:{os.environ['PATH']}"}


def run_step(
    folder: Path, name: str, **inputs: str
) -> subprocess.CompletedProcess[str]:
    """A step of the action as a runner runs it, with these inputs."""
    step = STEPS[name]
    given = {key: row["default"] for key, row in ACTION["inputs"].items()} | inputs
    assert set(inputs) <= set(ACTION["inputs"])
    variables = {
        key: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda m: given[m[1]], value)
        for key, value in step["env"].items()
    }
    assert "${{" not in "".join([*variables.values(), step["run"]])
    script = folder / "step.sh"
    script.write_text(step["run"])
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        env={**programs(folder), **variables},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_action_installs_what_its_other_steps_call(tmp_path: Path) -> None:
    """As a runner does, with a package builder and libraries of this environment in
    place of an index."""
    pytest.importorskip("hatchling", reason="the dev group brings hatchling")
    path_file = tmp_path / "path"
    step = STEPS["Install sigscope"]
    given = {
        "${{ inputs.python }}": sys.executable,
        "${{ github.action_path }}": str(ROOT),
        "${{ runner.temp }}/sigscope": str(tmp_path / "a folder" / "sigscope"),
    }
    variables = {key: given[value] for key, value in step["env"].items()}
    offline = {
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # "0" switches it off (pypa/pip#5735)
        "PYTHONPATH": sysconfig.get_paths()["purelib"],
        "GITHUB_PATH": str(path_file),
    }
    script = tmp_path / "step.sh"
    script.write_text(step["run"])
    around = {**environment(tmp_path), **variables, **offline}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        env=around,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (added,) = path_file.read_text().splitlines()
    told = subprocess.run(
        ["bash", "-c", "command -v sigscope && sigscope explain CPC-1"],
        env={**around, "PATH": f"{added}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith(f"{added}/sigscope\n")
    assert "reasoning_opaque" in told.stdout


@pytest.mark.parametrize(("how", "code"), [("keeps", 0), ("forgets", 1)])
def test_the_action_puts_a_client_under_test(
    tmp_path: Path, how: str, code: int
) -> None:
    (tmp_path / "client.py").write_text(CLIENT)
    done = run_step(
        tmp_path,
        "Put the client under test",
        command=f"cd . && {sys.executable} client.py {how}",
        dialect="copilot-chat",
        sarif="out.sarif",
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert ("::error file=" in done.stdout) == bool(code)
    assert (tmp_path / "out.sarif").exists()


@pytest.mark.parametrize(("files", "code"), [(FINE, 0), ("*.jsonl", 1)])
def test_the_action_checks_recordings(tmp_path: Path, files: str, code: int) -> None:
    for name in (BAD, FINE):
        (tmp_path / name).write_bytes((SESSIONS / name).read_bytes())
    done = run_step(tmp_path, "Check recordings", files=files)
    assert done.returncode == code, done.stdout + done.stderr
    assert (f"::error file={BAD}" in done.stdout) == bool(code)


def test_an_input_of_the_action_is_no_command(tmp_path: Path) -> None:
    done = run_step(tmp_path, "Check recordings", files="$(touch made) ;touch made")
    assert done.returncode == 3
    assert not (tmp_path / "made").exists()
    for step in STEPS.values():
        assert "${{" not in step["run"]


def test_the_hook_checks_what_is_committed(tmp_path: Path) -> None:
    wanted = re.compile(HOOK["files"])
    names = [BAD, FINE, "a.har", "notes.md", "har.py"]
    assert [name for name in names if wanted.search(name)] == [BAD, FINE, "a.har"]
    files = [str(SESSIONS / name) for name in (FINE, BAD)]
    variables = programs(tmp_path)
    codes = [
        subprocess.run(
            [*HOOK["entry"].split(), *given],
            env=variables,
            cwd=tmp_path,
            capture_output=True,
            timeout=300,
            check=False,
        ).returncode
        for given in (files[:1], files)
    ]
    assert codes == [0, 1]


def test_what_the_guide_shows_fits_both() -> None:
    blocks = dict(
        re.findall(r' +```yaml title="([^"]+)"\n(.*?)^ +```$', GUIDE, re.S | re.M)
    )
    (repo,) = yaml.safe_load(blocks["pre-commit.yaml"])["repos"]
    assert [hook["id"] for hook in repo["hooks"]] == [HOOK["id"]]
    jobs = yaml.safe_load(blocks["workflow.yaml"])["jobs"]
    given = jobs["signatures"]["steps"][-1]["with"]
    assert set(given) <= set(ACTION["inputs"])
