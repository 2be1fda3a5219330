"""Every dialect in every stage: it is there, or the table says why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from tests.each import each

from sigscope.converse.speeches import registry as speeches
from sigscope.dialects.base import Dialect, Match, Probe
from sigscope.dialects.homes import Nowhere
from sigscope.dialects.registry import DIALECTS
from sigscope.engine.sending.keyheader import key_header_at
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.opener import open_file
from sigscope.export.keys import key_variable
from sigscope.ledger.dialects import policy_of
from sigscope.readymade.dialects import repertoire_of
from sigscope.refusals.dialects import wording_of
from sigscope.rules.registry import RULES
from sigscope.upstreams.simulator.services import registry as services

ROOT = Path(__file__).parents[2]
APP = ROOT / "app" / "sigscope"
URL = "https://gateway.example"

WITHOUT: Mapping[tuple[str, str], str] = {
    ("gemini", "thought key"): "a thought goes back as a part, not as a member",
    ("litellm", "host"): "a proxy is served at its user's own host",
    ("responses", "thought key"): "a summary goes back in its item, not as a member",
    ("anthropic", "thought key"): "a thought goes back as a block, not as a member",
    ("gemini-openai", "thought key"): "summaries come and go inside content",
}
"""(dialect, stage) → why it is not there."""


def asked(dialect: Dialect, host: str = URL) -> Probe:
    """A first request at its default path."""
    path = dialect.default_path.format(model="m", method="generateContent")
    return Probe(url=f"{host}{path}")


def is_recognised(dialect: Dialect) -> bool:
    """By the path, where it is its own; else by the host."""
    hosts = (host for s in dialect.services for host in s.hosts if "*" not in host)
    known = [URL, *(f"https://{host}" for host in hosts)]
    return any(dialect.match(asked(dialect, host)) >= Match.PATH for host in known)


def assembles(dialect: Dialect) -> bool:
    """Odd events neither raise nor make an answer of nothing."""
    assembler = dialect.assembler()
    for number, data in enumerate((None, [], {}, {"x": 1}), start=1):
        assembler.feed(number, data)
    return dialect.reply(assembler.body).message is None


def is_spoken(dialect: Dialect) -> bool:
    return dialect.name in speeches.names()


@cache
def bundled() -> frozenset[str]:
    """What the sessions speak that come with sigscope."""
    paths = sorted((ROOT / "sessions").glob("*.session.jsonl"))
    readings = (r for path in paths for r in Document(open_file(path)).readings)
    return frozenset(r.dialect.name for r in readings if r.dialect)


def names_keys(dialect: Dialect) -> bool:
    """A header and a variable for the key of each of its services."""
    headers = [dialect.key_header(service.name) for service in dialect.services]
    here = key_header_at(asked(dialect).url, dialect)
    return all((*headers, here)) and key_variable("", dialect.name).name != "API_KEY"


STAGES: Mapping[str, Callable[[Dialect], bool]] = {
    "services": lambda dialect: bool(dialect.services),
    "host": lambda dialect: any(service.hosts for service in dialect.services),
    "recognised": lambda dialect: (
        is_recognised(dialect) or bool(dialect.services[0].answer_headers)
    ),
    "operation": lambda dialect: bool(
        dialect.operation.search(asked(dialect).path) and dialect.default_path
    ),
    "carriers": lambda dialect: any(carrier.is_read for carrier in dialect.carriers),
    "assembled": assembles,
    "home": lambda dialect: not isinstance(dialect.home, Nowhere),
    "thought key": lambda dialect: bool(dialect.thought_key),
    "default request": lambda dialect: bool(dialect.default_model),
    "key": names_keys,
    "ledger policy": lambda dialect: policy_of(dialect) is not None,
    "rules": lambda dialect: any(dialect.name in rule.dialects for rule in RULES),
    "readymade": lambda dialect: repertoire_of(dialect.name) is not None,
    "refusals": lambda dialect: wording_of(dialect.name).name == dialect.name,
    "simulator": lambda dialect: services.named(dialect.name) is not None,
    "converse": is_spoken,
    "wire page": lambda dialect: (
        ROOT / "docs" / "wire" / f"{dialect.name}.md"
    ).exists(),
    "bundled session": lambda dialect: dialect.name in bundled(),
}
"""What a stage has of a dialect."""


@each(product(DIALECTS, STAGES), lambda row: (row[0].name, row[1]))
def test_a_dialect_is_in_every_stage_or_the_table_says_why_not(
    row: tuple[Dialect, str],
) -> None:
    dialect, stage = row
    reason = WITHOUT.get((dialect.name, stage))
    assert STAGES[stage](dialect) == (reason is None), reason or "no reason told"


def test_reasons_are_of_dialects_and_stages_that_there_are() -> None:
    names = {dialect.name for dialect in DIALECTS}
    assert {dialect for dialect, _ in WITHOUT} <= names
    assert {stage for _, stage in WITHOUT} <= set(STAGES)


@pytest.mark.parametrize(
    "stage",
    ["dialects", "ledger/dialects", "refusals/dialects", "readymade/dialects",
     "upstreams/simulator/services", "converse/speeches"],
)  # fmt: skip
def test_files_of_a_stage_are_called_as_their_dialects(stage: str) -> None:
    stems = {dialect.name.replace("-", "_") for dialect in DIALECTS}
    found = {path.stem for path in (APP / stage).glob("*.py")}
    if stage == "dialects":
        assert stems <= found
    else:
        assert found - stems <= {"__init__", "registry", "others"}
