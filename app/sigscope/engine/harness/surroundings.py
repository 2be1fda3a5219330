"""What a client under test is told: its upstream's address, a key, a model."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from sigscope.engine.recording.clients import LaunchPlan, plan, table
from sigscope.errors import UsageError
from sigscope.records import dataclass

KEY = "sk-sigscope-0123456789abcdefghijklmn"
"""Opens nothing. Any other key does as well: none is checked."""
BASE_URL, API_KEY, MODEL = "SIGSCOPE_BASE_URL", "SIGSCOPE_API_KEY", "SIGSCOPE_MODEL"
"""Set for every client, for those that read none of their SDK's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """A table of `surroundings.toml`."""

    dialect: str
    path: str
    services: tuple[str, ...]
    keys: tuple[str, ...]
    model: str

    def variables(self, base_url: str) -> dict[str, str]:
        """Those that name the upstream, its key and a model."""
        named = {
            variable.name: base_url + variable.path
            for variable in table().variables
            if variable.service in self.services and not variable.only_if_set
        }
        own = {BASE_URL: base_url, API_KEY: KEY, MODEL: self.model}
        return {**named, **dict.fromkeys(self.keys, KEY), **own}

    def launch(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        base_url: str,
        extra: Sequence[str] = (),
    ) -> LaunchPlan:
        """How a client is started. Every service that it may know is this upstream:
        what it says to another than it should is judged here, and leaves the machine
        nowhere. `extra`: as of `recording.clients.plan`. Raises UsageError."""
        known = table()
        upstreams = [f"{service}={base_url}" for service in known.services]
        made = plan(command, environment, upstreams=upstreams, extra=extra)
        # A recorder stands in front of it already, so that no prefix is needed.
        return replace(
            made,
            settings=tuple((name, "", path) for name, _, path in made.settings),
            prefixes=dict.fromkeys(made.prefixes, ""),
        )


def surroundings(dialect: str) -> Surroundings:
    """Those of a dialect. Raises UsageError for one that has none."""
    found = _all().get(dialect)
    if found is None:
        raise UsageError(f"dialect {dialect!r} is not one of {', '.join(dialects())}")
    return found


def dialects() -> tuple[str, ...]:
    """Which have any."""
    return tuple(_all())


@cache
def _all() -> Mapping[str, Surroundings]:
    text = Path(__file__).with_name("surroundings.toml").read_text(encoding="utf-8")
    rows: dict[str, dict[str, Any]] = tomllib.loads(text)
    return {
        name: Surroundings(
            dialect=name,
            path=row["path"],
            services=tuple(row["services"]),
            keys=tuple(row["keys"]),
            model=row["model"],
        )
        for name, row in rows.items()
    }
