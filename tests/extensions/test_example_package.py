"""The example package, installed into an environment of its own, adds what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
ROOT = Path(__file__).parents[2]
EXAMPLE = Path(__file__).parent / "example"

Sigscope = Callable[..., subprocess.CompletedProcess[str]]

CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ASKED = {"role": "user", "content": "Look."}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "done"}
ERROR = {"error": {"message": "acme_state is missing in message 1", "code": 400}}


def log(folder: Path) -> Path:
    """A recording in Acme's own format: the state is received, and not sent back."""
    url = "https://api.acme.example/acme/v1/chat/completions"
    signed = {**CALLING, "acme_state": "state-" + "q7Zx" * 20}
    calls = [
        {
            "url": url,
            "sent": {"model": "acme-1", "messages": [ASKED]},
            "status": 200,
            "got": {"choices": [{"message": signed, "finish_reason": "tool_calls"}]},
        },
        {
            "url": url,
            "sent": {"model": "acme-1", "messages": [ASKED, CALLING, RESULT]},
            "status": 400,
            "got": ERROR,
        },
    ]
    path = folder / "acme.json"
    path.write_text(json.dumps({"acme_log": calls}))
    return path


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter with the example installed, and nothing else."""
    pytest.importorskip("hatchling", reason="the dev group brings hatchling")
    folder = tmp_path_factory.mktemp("acme")
    venv.create(folder / "env")
    made = folder / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", made, "install", "--quiet"]
    done = subprocess.run(
        [
            *pip,
            *("--no-build-isolation", "--no-deps", "--no-index"),
            *("--disable-pip-version-check", str(EXAMPLE)),
        ],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        env={**os.environ, "PYTHONPATH": ours()},
    )
    assert done.returncode == 0, done.stderr
    return made


def ours(*before: Path) -> str:
    """What is imported in front of the environment: sigscope, and what it needs."""
    here = [path for path in sys.path if path.endswith("site-packages")]
    return os.pathsep.join([*map(str, before), str(ROOT / "app"), *here])


@pytest.fixture
def sigscope(python: Path, tmp_path: Path) -> Sigscope:
    def run(*argv: str, **more: str) -> subprocess.CompletedProcess[str]:
        places = {f"SIGSCOPE_{n}_DIR": str(tmp_path / n) for n in ("DATA", "STATE")}
        places["SIGSCOPE_CONFIG_DIR"] = str(tmp_path / "config")
        return subprocess.run(
            [python, "-m", "sigscope", *argv],
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
            cwd=tmp_path,
            env={**os.environ, **places, "PYTHONPATH": ours(), **more},
        )

    return run


def test_the_doctor_lists_it(sigscope: Sigscope) -> None:
    report = json.loads(sigscope("doctor", "--json").stdout)
    extensions = report["extensions"]
    assert [name.split()[0] for name in extensions] == [
        "dialects",
        "edits",
        "exports",
        "formats",
        "rules",
    ]
    assert all("here" in said for said in extensions.values())
    assert report["problems"] == []


def test_its_format_dialect_policy_words_and_rule_speak(
    sigscope: Sigscope, tmp_path: Path
) -> None:
    done = sigscope("check", str(log(tmp_path)), "--json")
    assert done.returncode == 1, done.stderr
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["rule"] == "ACM-1"
    assert finding["pointer"] == "/messages/1"
    assert finding["confirmed"]
    ledger = json.loads(sigscope("ledger", str(log(tmp_path)), "--json").stdout)
    assert {step["dialect"] for step in ledger["steps"]} == {"acme"}
    (signature,) = ledger["signatures"]
    (fate,) = signature["fates"]
    assert (fate["fate"], fate["grade"]) == ("dropped", "required")
    assert "acme_state" in sigscope("explain", "ACM-1").stdout


def test_its_simulator_refuses_and_accepts_the_fix(
    sigscope: Sigscope, tmp_path: Path
) -> None:
    path = str(log(tmp_path))
    bare = json.loads(sigscope("replay", path, "--step", "2", "--json").stdout)
    assert (bare["verdict"], bare["status"]) == ("reproduced", 400)
    done = sigscope("replay", path, "--step", "2", "--apply-fix", "ACM-1", "--json")
    assert json.loads(done.stdout)["verdict"] == "gone"


def test_its_edit_export_speech_and_policy_are_there(
    sigscope: Sigscope, tmp_path: Path
) -> None:
    path = str(log(tmp_path))
    held = sigscope(
        "converse", "--policy", "faithful-acme", "--out", "held.session.jsonl"
    )
    assert held.returncode == 0, held.stderr
    checked = json.loads(sigscope("ledger", "held.session.jsonl", "--json").stdout)
    assert checked["signatures"]
    steps = len(checked["steps"])
    ready = sigscope("replay", "held.session.jsonl", "--step", "2", "--ready", "list")
    assert "acme.state-dropped" in ready.stdout
    done = sigscope("export", path, "--to", "acme-csv", "--out", "steps.csv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "steps.csv").read_text() == "step,status\n1,200\n2,400\n"
    assert steps > 1


def test_without_extensions_nothing_of_it_is_there(
    sigscope: Sigscope, tmp_path: Path
) -> None:
    done = sigscope("check", str(log(tmp_path)), SIGSCOPE_EXTENSIONS="off")
    assert done.returncode == 1
    assert "dialect not known: steps 1-2" in done.stdout
    assert "ACM-1" not in done.stdout
