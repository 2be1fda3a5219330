"""What is counted rather than timed: bytes on disk and in memory, paid sends."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from rows_screens import _many_steps, _megabytes, _saved, _step
from sigscope.edits.notation import parse
from sigscope.engine.engine import Engine, Target
from sigscope.engine.sending.bisection import (
    Certificate,
    Foreteller,
    bisect,
    plan_bisect,
)
from sigscope.engine.sending.factors import edit_factors, fix_factors
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.session import Step

SESSIONS = Path(__file__).parents[1] / "sessions"
TURNS = 200
DIFFERENCES = 12

_MEMORY = """
import re, resource, sys
from sigscope.engine.engine import Engine
import sigscope.rules.registry, sigscope.dialects.registry

def held():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()

before = held()
document = Engine().open(sys.argv[1])
document.ledger, document.findings
# What getrusage says of a child is at least what its parent had.
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
print(max(held(), peak * 1024) - before)
"""


def rows() -> Iterator[dict[str, Any]]:
    """An agent's session on disk; a large one in memory; the sends of a proof."""
    with tempfile.TemporaryDirectory(prefix="sigscope-bench-") as name:
        folder = Path(name)
        steps = _agent_steps()
        sent = sum(map(_http_bytes, steps))
        path = _saved(folder / "agent.session.jsonl", steps)
        yield {
            "name": f"disk: an agent's session of {TURNS} steps",
            "ours": lambda: path.stat().st_size,
            "references": {"its HTTP bytes": lambda: sent},
            "ratio": 0.05,
            "rounds": 1,
            "unit": "MB",
        }
        large = _saved(folder / "large.session.jsonl", _many_steps(100, 1_000_000))
        if Path("/proc/self/statm").exists():
            yield {
                "name": f"memory: ledger and findings of {_megabytes(large)}",
                "ours": lambda: _memory(large),
                "references": {"the file": lambda: large.stat().st_size},
                "ratio": 2.0,
                "rounds": 1,
                "unit": "MB",
            }
    yield {
        "name": f"bisect: sends to prove 2 faults among {DIFFERENCES} changes",
        "ours": _sends,
        "references": {},
        "limit": 4.0,
        "rounds": 1,
        "unit": "sends",
    }


def _memory(path: Path) -> float:
    """Bytes that a process of its own takes for a session, beyond its code."""
    command = [sys.executable, "-c", _MEMORY, str(path)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return float(done.stdout)


def _sends() -> float:
    """Sends until two faults among twelve changes are proven, in the simulator."""
    session = open_file(SESSIONS / "copilot-missing-signature.session.jsonl")
    with tempfile.TemporaryDirectory(prefix="sigscope-bench-") as folder:
        document = Document(open_file(_saved(Path(folder) / "a", list(session.steps))))
        idle = [parse(f"set /extra_{n} {n}") for n in range(DIFFERENCES - 2)]
        factors = (*edit_factors(idle), *fix_factors(document, 2))
        teller = Foreteller(document, 2)
        plan = plan_bisect(document, 2, factors, teller)

        async def search() -> Certificate:
            async for item in bisect(Engine(), document, plan, Target()):
                if isinstance(item, Certificate):
                    return item
            raise AssertionError("no certificate")

        certificate = asyncio.run(search())
        assert certificate.is_proven
        return certificate.sends


def _agent_steps() -> list[Step]:
    """Every step repeats the conversation so far and adds a call and its result."""
    random = Random(2)
    messages: list[dict[str, Any]] = [{"role": "user", "content": "do it all"}]
    steps = []
    for number in range(1, TURNS + 1):
        body = {"model": "gemini-3-pro-preview", "messages": messages}
        call = {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": "read_file", "arguments": f'{{"n":{number}}}'},
        }
        said = {
            "role": "assistant",
            "content": None,
            "tool_calls": [call],
            "reasoning_opaque": random.randbytes(500).hex(),
        }
        answer = {"choices": [{"index": 0, "message": said}]}
        steps.append(
            _step(number, json.dumps(body).encode(), json.dumps(answer).encode())
        )
        text = random.randbytes(750).hex()
        result = {"role": "tool", "tool_call_id": f"call_{number}", "content": text}
        messages = [*messages, said, result]
    return steps


def _http_bytes(step: Step) -> int:
    request, response = step.exchange.request, step.exchange.response
    return sum(len(side.body.raw) for side in (request, response) if side)
