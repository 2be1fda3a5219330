"""Pointing clients at a recorder: variables and arguments, as `clients.toml` says.

Where the user has sent a client elsewhere already, the recorder stands in front of that
place, not of the usual one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from sigscope.errors import UsageError
from sigscope.recorder.routes import Route, parse_route
from sigscope.session import Spoken

LOOPBACK = "127.0.0.1,localhost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A variable that clients read their base URL from."""

    name: str
    service: str
    readers: str
    """Who reads it."""
    source: str
    confidence: str
    path: str = ""
    """What comes behind the service's address."""
    only_if_set: bool = False
    """Having it changes more than the address; it is set only where the user did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRow:
    """A client that needs something else."""

    program: str
    """The name it is started by."""
    source: str
    confidence: str
    arguments: tuple[str, ...] = ()
    """Put behind the program; `{service}` stands for its address."""
    variables: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """All of `clients.toml`."""

    services: Mapping[str, str]
    variables: tuple[Variable, ...]
    clients: tuple[ClientRow, ...]
    dialects: Mapping[str, str] = field(default_factory=dict)
    """What a service speaks, where its name tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How one client is started."""

    routes: tuple[Route, ...]
    settings: tuple[tuple[str, str, str], ...]
    """Name, prefix and path: the variable becomes recorder + prefix + path."""
    templates: tuple[tuple[str, str], ...]
    """Variables with `{service}` in them."""
    arguments: tuple[str, ...]
    """With `{service}` in them."""
    prefixes: Mapping[str, str]
    """Service → prefix."""
    notes: tuple[str, ...]
    """What the user should know."""
    named: tuple[Spoken, ...] = ()
    """What the services speak that the user has named a place of."""

    def environment(self, base: Mapping[str, str], url: str) -> dict[str, str]:
        """The client's environment; `url` is the recorder's."""
        env = dict(base)
        for name, prefix, path in self.settings:
            env[name] = f"{url}{prefix}{path}"
        for name, text in self.templates:
            env[name] = self._filled(text, url)
        # A proxy for the outside world must not be asked for this machine.
        for name in ("NO_PROXY", "no_proxy"):
            env[name] = ",".join(filter(None, [base.get(name, ""), LOOPBACK]))
        return env

    def command(self, command: Sequence[str], url: str) -> list[str]:
        """The command line with what the client needs in it."""
        extra = [self._filled(text, url) for text in self.arguments]
        return [command[0], *extra, *command[1:]]

    def _filled(self, text: str, url: str) -> str:
        for service, prefix in self.prefixes.items():
            text = text.replace("{" + service + "}", url + prefix)
        return text


@cache
def table() -> Table:
    """What is known about clients."""
    text = Path(__file__).with_name("clients.toml").read_text(encoding="utf-8")
    data: dict[str, Any] = tomllib.loads(text)
    return Table(
        services=data["services"],
        dialects=data["dialects"],
        variables=tuple(Variable(**row) for row in data["variables"]),
        clients=tuple(
            ClientRow(**{**row, "arguments": tuple(row.get("arguments", ()))})
            for row in data["clients"]
        ),
    )


def plan(
    program: str,
    environment: Mapping[str, str],
    *,
    upstreams: Sequence[str] = (),
    extra: Sequence[str] = (),
    known: Table | None = None,
) -> Plan:
    """How to start a client so that its requests come to a recorder.

    `upstreams`: `SERVICE=URL`, other places than the usual. `extra`: `NAME=SERVICE` or
    `NAME=SERVICE/path`, more variables. Raises UsageError.
    """
    known = known or table()
    services = {**known.services, **dict(_upstreams(upstreams, known))}
    named = {text.partition("=")[0] for text in upstreams}
    builder = _Builder()
    prefixes = {
        service: builder.prefix(service, url) for service, url in services.items()
    }
    settings = []
    for variable in known.variables:
        present = environment.get(variable.name, "").strip()
        if present and variable.service not in named:
            prefix = builder.prefix(variable.service, present.rstrip("/"))
            settings.append((variable.name, prefix, ""))
        elif present or not variable.only_if_set:
            prefix = prefixes[variable.service]
            settings.append((variable.name, prefix, variable.path))
    settings.extend(_extra(extra, prefixes))
    rows = [row for row in known.clients if row.program == Path(program).name]
    templates, notes = [], []
    for row in rows:
        notes += [f"{row.program}: {row.note}"] if row.note else []
        for name, text in row.variables.items():
            if environment.get(name):
                notes.append(f"{name} is set already and was left alone")
            else:
                templates.append((name, text))
    return Plan(
        routes=tuple(builder.routes),
        settings=tuple(settings),
        templates=tuple(templates),
        arguments=tuple(text for row in rows for text in row.arguments),
        prefixes=prefixes,
        notes=tuple(notes),
        named=tuple(
            spoken
            for text in upstreams
            for service in [text.partition("=")[0]]
            for spoken in named_service(
                service, services[service], f"run --upstream {service}", known
            )
        ),
    )


def named_service(
    service: str, url: str, by: str, known: Table | None = None
) -> Iterator[Spoken]:
    """What a service speaks that was named to stand at a URL; nothing for one that is
    no service, or whose dialect its name does not tell."""
    dialect = (known or table()).dialects.get(service)
    if dialect:
        yield Spoken(
            dialect=dialect, at="", endpoint=url.rstrip("/"), by=by, is_service=True
        )


class _Builder:
    """Gives each place one prefix."""

    def __init__(self) -> None:
        self.routes: list[Route] = []
        self._prefixes: dict[str, str] = {}

    def prefix(self, service: str, url: str) -> str:
        if url not in self._prefixes:
            taken = set(self._prefixes.values())
            prefix, number = f"/{service}", 2
            while prefix in taken:
                prefix, number = f"/{service}-{number}", number + 1
            self.routes.append(parse_route(url, prefix))
            self._prefixes[url] = prefix
        return self._prefixes[url]


def _upstreams(texts: Sequence[str], known: Table) -> Iterator[tuple[str, str]]:
    for text in texts:
        service, equals, url = text.partition("=")
        if not equals or service not in known.services:
            raise UsageError(
                f"write --upstream as SERVICE=URL, not {text!r}; services are"
                f" {', '.join(known.services)}"
            )
        yield service, url.rstrip("/")


def _extra(
    texts: Sequence[str], prefixes: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    for text in texts:
        name, equals, place = text.partition("=")
        service, slash, path = place.partition("/")
        if not equals or not name or service not in prefixes:
            raise UsageError(
                f"write --env as NAME=SERVICE or NAME=SERVICE/path, not {text!r};"
                f" services are {', '.join(prefixes)}"
            )
        yield name, prefixes[service], slash + path
