"""Services of the user's own: who else speaks a dialect that is known.

    [acme]
    dialect = "..."
    title = "Acme's gateway"
    hosts = ["llm.acme.example", "*.acme.example"]
    request_headers = ["x-acme-team"]
    answer_headers = ["x-acme-"]
    key_header = "x-api-key"
    key_env = "ACME_API_KEY"

They stand in `services.toml` of the config folder, a table each. A request to such a
host, or with such a header, is read as that dialect. A mistake costs the one table: it
is left out, and told with its line.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from sigscope.dialects.registry import DIALECTS, SERVICES, named
from sigscope.dialects.services import Service, Variable
from sigscope.engine.settings.places import config_dir
from sigscope.records import dataclass
from sigscope.tomlfile import read_toml

_TEXTS = ("dialect", "title", "key_header", "key_env")
_LISTS = ("hosts", "request_headers", "answer_headers")
FIELDS = (*_TEXTS, *_LISTS)
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_WORD = re.compile(r"[\w*.:-]{1,200}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnServices:
    """What the user's file adds."""

    services: tuple[tuple[str, Service], ...] = ()
    """Each with the name of the dialect that it speaks."""
    names: tuple[str, ...] = ()
    """ "acme (litellm)", in the order of the file."""
    problems: tuple[str, ...] = ()
    """What cannot be used, with file and line."""

    def of(self, dialect: str) -> tuple[Service, ...]:
        """Those that speak a dialect."""
        return tuple(each for name, each in self.services if name == dialect)


class _Unusable(ValueError):
    def __init__(self, problem: str, field: str = "") -> None:
        super().__init__(problem)
        self.field = field


def services_file() -> Path:
    """Where the user's own services stand."""
    return config_dir() / "services.toml"


def own_services() -> OwnServices:
    """What the user has added. Costs a look at the file; it is read when it is new."""
    path = services_file()
    try:
        stat = path.stat()
    except OSError:
        return OwnServices()
    return _load(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=4)
def _load(path: Path, changed: int, size: int) -> OwnServices:
    file = read_toml(path)
    if file is None:
        return OwnServices()
    if file.problem:
        return OwnServices(problems=(file.problem,))
    services: list[tuple[str, Service]] = []
    problems: list[str] = []
    for name, table in file.data.items():
        try:
            services.append(_service(name, table))
        except _Unusable as problem:
            has_field = isinstance(table, dict) and problem.field in table
            keys = (name, problem.field) if has_field else (name,)
            problems.append(f"{file.place(*keys)}: [{name}] {problem}")
    return OwnServices(
        services=tuple(services),
        names=tuple(f"{service.name} ({dialect})" for dialect, service in services),
        problems=tuple(problems),
    )


def _service(name: str, table: Any) -> tuple[str, Service]:
    if not isinstance(table, dict):
        raise _Unusable("is no table; write [name] and its fields below")
    if not _NAME.fullmatch(name):
        raise _Unusable("is no name: small letters, digits and -, at most 40")
    if any(name == known.name for known in SERVICES):
        raise _Unusable("is a service that is known already; choose another name")
    for key, value in table.items():
        if key not in FIELDS:
            raise _Unusable(f"has no field {key}; it may have {', '.join(FIELDS)}", key)
        if key in _TEXTS and not isinstance(value, str):
            raise _Unusable(f"{key} is no text", key)
        if key in _LISTS and not _is_words(value):
            raise _Unusable(f"{key} is no list of names", key)
    dialect = named(table.get("dialect", ""))
    if dialect is None:
        known = ", ".join(each.name for each in DIALECTS)
        raise _Unusable(f"dialect is not one of {known}", "dialect")
    hosts, headers, answers = (
        tuple(each.lower() for each in table.get(key, ())) for key in _LISTS
    )
    if not (hosts or headers or answers):
        raise _Unusable(f"is known by nothing; give {', '.join(_LISTS)} or one of them")
    if "*" in hosts:
        raise _Unusable("hosts has *, which is every host", "hosts")
    variable = table.get("key_env", "")
    return dialect.name, Service(
        name=name,
        title=table.get("title", name),
        hosts=hosts,
        request_headers=headers,
        answer_headers=answers,
        key_header=table.get("key_header", "authorization").lower(),
        key_variable=Variable(variable, "your key") if variable else None,
    )


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, str) and _WORD.fullmatch(each) for each in value
    )
