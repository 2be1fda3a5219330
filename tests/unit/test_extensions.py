"""What installed packages add is taken as declared; what is broken is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.commands import sigscope

from sigscope import extensions

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
GOOD = """
from sigscope.rules.base import Confidence, Rule, Severity

def check(subject):
    yield from ()

RULE = Rule(code="TOY-1", name="toy", page="A toy.", severity=Severity.INFO,
    confidence=Confidence.OBSERVED, dialects=("litellm",), checked_on="2026-11-22",
    source="made up [docs]", check=check)
"""
BROKEN = {
    "gone": ("toy_gone:RULE", "", "No module named 'toy_gone'"),
    "nameless": ("toy_rule:NOTHING", GOOD, "has no attribute 'NOTHING'"),
    "torn": ("toy_rule:RULE", "def (", "SyntaxError"),
    "leaving": ("toy_rule:RULE", "import sys; sys.exit('bye')", "SystemExit: bye"),
    "raising": ("toy_rule:RULE", "1 / 0", "ZeroDivisionError"),
    "another kind": ("toy_rule:RULE", "RULE = 'CPC-1'", "str, not Rule"),
    "taken": (
        "toy_rule:RULE",
        GOOD.replace("TOY-1", "CPC-1"),
        "a rule CPC-1 already",
    ),
    "misnamed": ("toy_rule:RULE", GOOD.replace("TOY-1", "toy"), "no rule's id"),
    "unsure error": (
        "toy_rule:RULE",
        GOOD.replace("OBSERVED", "INFERRED").replace("INFO", "ERROR"),
        "warns at most",
    ),
}


def install(folder: Path, group: str, *values: str, **modules: str) -> None:
    """As an installer leaves a package: modules, and what it declares beside them, as
    toy, toy1 ..."""
    points = [f"toy{n or ''} = {value}" for n, value in enumerate(values)]
    info = folder / "toy_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: toy-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[console_scripts]\ntoy = toy:main\n\n"
        f"[sigscope.{group}]\n# mine\n" + "".join(f"{point}\n" for point in points)
    )
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)


def run(
    folder: Path, *argv: str, script: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    places = {f"SIGSCOPE_{n}_DIR": str(folder / n) for n in ("DATA", "STATE", "CONFIG")}
    what = ["-c", script] if script else ["-m", "sigscope"]
    return subprocess.run(
        [sys.executable, *what, *argv],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={
            **os.environ,
            **places,
            "PYTHONPATH": f"{ROOT / 'app'}{os.pathsep}{folder}",
            **more,
        },
    )


def test_what_is_declared_is_found_as_metadata_tells_it(tmp_path: Path) -> None:
    install(tmp_path, "rules", "toy_rule:RULE")
    (found,) = extensions._declared((str(tmp_path),))["rules"]
    assert (found.name, found.value) == ("toy", "toy_rule:RULE")
    assert found.distribution == "toy_package-1.0"
    assert (found.module, found.package) == ("toy_rule", "toy_rule")
    from importlib.metadata import distributions

    (told,) = [
        point
        for each in distributions(path=[str(tmp_path)])
        for point in each.entry_points
        if point.group == "sigscope.rules"
    ]
    assert (told.name, told.value) == (found.name, found.value)


def test_a_rule_of_others_can_be_explained(tmp_path: Path) -> None:
    install(tmp_path, "rules", "toy_rule:RULE", toy_rule=GOOD)
    done = run(tmp_path, "explain", "TOY-1")
    assert done.returncode == 0, done.stderr
    assert "A toy." in done.stdout
    off = run(tmp_path, "explain", "TOY-1", SIGSCOPE_EXTENSIONS="off")
    assert off.returncode == 2


@pytest.mark.parametrize("before", range(235, 296, 5))
def test_why_is_cut_within_no_key(tmp_path: Path, before: int) -> None:
    """Of half a key, nobody knows that it is one."""
    why = f"x{' ' * 3}{'y' * before} ghp_{'q7Zt0f3bX9' * 4}"
    said = extensions._words(ValueError(why))
    assert "ghp_" not in said or why[-44:] in said
    assert said.startswith("ValueError: x y")


def test_what_is_broken_is_named_and_left_out(tmp_path: Path) -> None:
    """Each of them, whatever the others are."""
    values, modules = [], {}
    for n, (value, module, _) in enumerate(BROKEN.values()):
        values.append(value.replace("toy_rule", f"toy_rule{n}"))
        modules[f"toy_rule{n}"] = module
    good = GOOD.replace("TOY-1", "TOY-2")
    install(tmp_path, "rules", *values, "toy_good:RULE", **modules, toy_good=good)
    done = run(tmp_path, "explain", "TOY-2")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    doctor = run(tmp_path, "doctor")
    assert doctor.returncode == 1
    for n, (_, _, why) in enumerate(BROKEN.values()):
        name = f"toy{n or ''}"
        told = f"sigscope.rules {name} (toy_package-1.0) is left out"
        (line,) = [line for line in done.stderr.splitlines() if told in line]
        assert why in line
        assert f"rules {name} " in doctor.stdout
        assert why in doctor.stdout


@pytest.mark.parametrize(
    ("group", "argv"),
    [
        ("dialects", ("ledger", "zed-copilot-final-fix")),
        ("formats", ("import", "FILE", "--out", "o.session.jsonl")),
        (
            "edits",
            ("replay", "zed-copilot-final-fix", "--step", "2", "--ready", "list"),
        ),
        (
            "exports",
            ("export", "zed-copilot-final-fix", "--to", "report", "--out", "-"),
        ),
    ],
)
def test_no_group_of_a_broken_package_costs_the_user_anything(
    tmp_path: Path, group: str, argv: tuple[str, ...]
) -> None:
    install(tmp_path, group, "toy_rule:NOTHING", toy_rule="1 / 0")
    recorded = tmp_path / "call.txt"
    recorded.write_text("curl https://openrouter.ai/api/v1/chat/completions -d '{}'")
    told = [str(recorded) if word == "FILE" else word for word in argv]
    told = [str(tmp_path / word) if word.startswith("o.") else word for word in told]
    done = run(tmp_path, *told)
    assert done.returncode == 0, done.stderr
    assert "ZeroDivisionError" in done.stderr
    assert "is left out" in done.stderr
    assert "Traceback" not in done.stderr


FAILING = {
    "formats": """
from sigscope.capture.base import Format
def recognise(source): return 1 / 0
FOUND = Format(name="toy", title="A toy", recognise=recognise, read=recognise)
""",
    "edits": """
from sigscope.readymade.records import Ready
def make(context): return 1 / 0
FOUND = Ready(name="toy.edit", title="A toy", dialects=("copilot-chat",), kind="cure",
    source="made up", make=make)
""",
    "dialects": """
from sigscope.dialects.litellm import LiteLLM
class Toy(LiteLLM):
    name = "toy"
    def match(self, probe, beaten=0):
        return 1 / 0 if probe.url else 0
DIALECT = Toy()
""",
}


@pytest.mark.parametrize("group", ["formats", "edits"])
def test_what_fails_when_it_is_asked_is_named_then(tmp_path: Path, group: str) -> None:
    install(tmp_path, group, "toy_late:FOUND", toy_late=FAILING[group])
    if group == "formats":
        path = tmp_path / "call.txt"
        path.write_text("curl https://openrouter.ai/api/v1/chat/completions -d '{}'")
        done = run(tmp_path, "ledger", str(path))
    else:
        step = ("zed-copilot-final-fix", "--step", "2")
        done = run(tmp_path, "replay", *step, "--ready", "list")
    assert done.returncode == 0, done.stderr
    assert "left out: ZeroDivisionError" in done.stderr


def test_a_dialect_that_fails_on_an_exchange_speaks_for_none(tmp_path: Path) -> None:
    package = tmp_path / "toy_late"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "dialect.py").write_text(FAILING["dialects"])
    install(tmp_path, "dialects", "toy_late")
    done = run(tmp_path, "ledger", "zed-copilot-final-fix")
    assert done.returncode == 0, done.stderr
    assert "copilot-chat" in done.stdout
    assert "left out: ZeroDivisionError" in done.stderr


CRASHES = {
    "conversation": """
    def conversation(self, body, url="", histories=None):
        return 1 / 0 if body else super().conversation(body, url, histories)
""",
    "assembler": """
    def assembler(self):
        made = super().assembler()
        made.feed = lambda *_: 1 / 0
        return made
""",
    "service": """
    def service(self, probe):
        return 1 / 0
""",
}
TOY = """
from sigscope.dialects.base import Match
from sigscope.dialects.litellm import LiteLLM
class Toy(LiteLLM):
    name = "toy"
    def match(self, probe, beaten=0):
        return Match.HEADER if probe.host == "toy.example" else Match.NO
    def fits(self, probe):
        return self.match(probe) is not Match.NO
"""


def mixed(folder: Path) -> Path:
    """A recording of two steps of Copilot, one of them refused, and one of toy's."""
    path = folder / "mixed.har"
    argv = ("export", "zed-copilot-attempt-1", "--to", "har", "--out", str(path))
    assert sigscope(*argv).code == 0
    har = json.loads(path.read_text())
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
    event = {"choices": [{"delta": {"content": "Hi"}}]}
    har["log"]["entries"].append(
        {
            "request": {
                "method": "POST",
                "url": "https://toy.example/v1/chat/completions",
                "headers": [],
                "postData": {"text": json.dumps(body)},
            },
            "response": {
                "status": 200,
                "headers": [{"name": "content-type", "value": "text/event-stream"}],
                "content": {"text": f"data: {json.dumps(event)}\n\n"},
            },
        }
    )
    path.write_text(json.dumps(har))
    return path


@pytest.mark.parametrize(
    ("where", "verb"),
    [("conversation", "check"), ("assembler", "ledger"), ("service", "show")],
)
def test_a_dialect_that_fails_later_is_left_out_and_the_rest_is_judged(
    tmp_path: Path, where: str, verb: str
) -> None:
    package = tmp_path / "toy_late"
    package.mkdir()
    (package / "__init__.py").write_text("")
    crash = TOY + CRASHES[where] + "DIALECT = Toy()\n"
    path = mixed(tmp_path)
    install(tmp_path, "dialects", "toy_late")
    (package / "dialect.py").write_text(TOY + "DIALECT = Toy()\n")
    fine = run(tmp_path, verb, str(path), "--json")
    assert json.loads(fine.stdout)["not_judged"] == []
    (package / "dialect.py").write_text(crash)
    for more in ((), ("--dialect", "toy:3")):
        done = run(tmp_path, verb, str(path), "--json", *more)
        assert done.returncode == fine.returncode, done.stderr
        told = json.loads(done.stdout)
        (left,) = told["not_judged"]
        assert left["steps"] == [3]
        assert (
            "by toy: a fault in the extension sigscope.dialects toy" in (left["reason"])
        )
        assert "ZeroDivisionError" in left["reason"]
        assert "toy (toy_package-1.0) is left out" in done.stderr
        if verb == "check":
            assert told["findings"] == json.loads(fine.stdout)["findings"]
    text = run(tmp_path, verb, str(path))
    assert "not judged: by toy: a fault in the extension" in text.stdout


RULE_THAT_CRASHES = GOOD.replace("yield from ()", "1 / 0\n    yield").replace(
    '("litellm",)', '("copilot-chat",)'
)


def test_a_rule_of_others_that_crashes_says_nothing_against_the_client(
    tmp_path: Path,
) -> None:
    module = RULE_THAT_CRASHES.replace("INFO", "ERROR")
    install(tmp_path, "rules", "toy_rule:RULE", toy_rule=module)
    for session, exit_code in (
        ("zed-copilot-final-fix", 0),
        ("zed-copilot-attempt-1", 1),
    ):
        line = ("check", session, "--json")
        without = sigscope(*line)
        done = run(tmp_path, *line)
        assert done.returncode == without.code == exit_code, done.stderr
        found = json.loads(done.stdout)["findings"]
        own = [f for f in found if f["rule"] == "TOY-1"]
        assert own
        assert {f["severity"] for f in own} == {"info"}
        assert "of the extension sigscope.rules toy" in own[0]["message"]
        others = [f for f in found if f["rule"] != "TOY-1"]
        assert others == without.json["findings"]
        assert "rules toy (toy_package-1.0) is left out" in done.stderr
        strict = run(tmp_path, "check", session, "--strict")
        assert strict.returncode == exit_code


def test_a_fault_in_an_extension_is_not_called_one_of_sigscope(tmp_path: Path) -> None:
    export = """
from sigscope.engine.export.exports import Format
def write(task): return 1 / 0
FOUND = Format(name="toy", suffix=".toy", words="a toy", write=write)
"""
    install(tmp_path, "exports", "toy_export:FOUND", toy_export=export)
    out = str(tmp_path / "x.toy")
    done = run(tmp_path, "export", "zed-copilot-final-fix", "--to", "toy", "--out", out)
    assert done.returncode == 3
    assert "a fault in the extension sigscope.exports toy" in done.stderr
    assert "Traceback" not in done.stderr


def test_who_asks_no_registry_does_not_look_for_extensions(tmp_path: Path) -> None:
    script = (
        "import sys; from sigscope.cli.main import run; run(['--version']);"
        " sys.exit('sigscope.extensions' in sys.modules)"
    )
    assert run(tmp_path, script=script).returncode == 0


def test_the_page_names_modules_that_are_there() -> None:
    """docs/extensions.md: every `from sigscope... import ...` can be done."""
    import re

    page = (ROOT / "docs" / "extensions.md").read_text(encoding="utf-8")
    lines = re.findall(r"`(sigscope(?:\.\w+)+): ([\w, ]+)`", page)
    assert len(lines) > 8
    for module, names in lines:
        for name in names.split(", "):
            exec(f"from {module} import {name}", {})
    assert set(re.findall(r"`sigscope\.(\w+)` \|", page)) == set(extensions.GROUPS)
