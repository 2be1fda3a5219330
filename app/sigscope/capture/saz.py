"""Session archives of Fiddler (`.saz`): a zip of raw HTTP messages, by number.

    raw/1_c.txt     POST https://h/v1/messages HTTP/1.1 ...       what the client sent
    raw/1_s.txt     HTTP/1.1 200 OK ...                           what it got
    raw/1_m.xml     <Session SID="1"><SessionTimers ClientBeginRequest="2026-..."/>

The numbers may have leading zeros. Tunnels (CONNECT) hold nothing that was said.
Source: sazparser (docs.rs), a reader of such; docs.telerik.com, FiddlerCore,
"ISAZReader", on encryption (2026-11).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sigscope.capture.archive import ZIP_MAGIC, content, members
from sigscope.capture.base import Imported
from sigscope.capture.rawhttp import call_of
from sigscope.capture.source import Source
from sigscope.capture.values import utc_time
from sigscope.errors import InputError
from sigscope.exchange import Exchange
from sigscope.session import Problem
from sigscope.utf8 import to_text
from sigscope.wire.bodies import BodyRoom

_PART = re.compile(r"raw/(\d{1,9})_([csm])\.(?:txt|xml)")
_BEGAN = re.compile(rb'\bClientBeginRequest="([^"<>]{1,64})"')
_TUNNEL = b"CONNECT "
_ENCRYPTED = "it is encrypted: save it again in Fiddler, without a password"


def recognise(source: Source) -> bool:
    """Whether an archive has such files."""
    if source.is_folder or not source.data.startswith(ZIP_MAGIC):
        return False
    return any(map(_PART.fullmatch, members(source.data)))


def read(source: Source) -> Imported:
    """Read the sessions in order of number. Raises InputError where there is none."""
    found: list[Exchange] = []
    problems: list[Problem] = []
    tunnels = 0
    for number, parts, lacks in _sessions(source):
        where = f"session {number}"
        if lacks:
            problems.append(Problem(message=lacks, where=where))
        if parts.get("c", b"").startswith(_TUNNEL):
            tunnels += 1
            continue
        exchange = call_of(parts.get("c", b""), parts.get("s", b""))
        if exchange is None:
            told = "holds no HTTP request that can be read; left out"
            problems.append(Problem(message=told, where=where))
            continue
        began = _BEGAN.search(parts.get("m", b""))
        moment = utc_time(to_text(began[1])) if began else None
        found.append(replace(exchange, started_at=moment))
    if tunnels:
        told = f"{tunnels} session{'s' * (tunnels != 1)} left out"
        why = "of what is said in a tunnel (CONNECT) nothing is kept"
        problems.append(Problem(message=f"{told}: {why}"))
    if not found:
        said = f" ({problems[0].message})" if problems else ""
        raise InputError(f"it holds no session of HTTP{said}", path=source.name)
    return Imported(exchanges=tuple(found), problems=tuple(problems))


def _sessions(source: Source) -> Iterator[tuple[int, dict[str, bytes], str]]:
    """Of each session its number, its parts, and why it lacks one."""
    data = source.data
    room = BodyRoom.of(len(data))
    names: dict[int, dict[str, str]] = {}
    files = members(data)
    for name in files:
        part = _PART.fullmatch(name)
        if part is not None:
            names.setdefault(int(part[1]), {})[part[2]] = name
    for number in sorted(names):
        parts: dict[str, bytes] = {}
        lacks = ""
        for kind, name in names[number].items():
            entry = files[name]
            if entry.flag_bits & 1:
                raise InputError(_ENCRYPTED, path=source.name)
            plain = content(data, entry, room)
            if plain is None:
                lacks = f"{name} cannot be unpacked whole"
            else:
                parts[kind] = plain
        yield number, parts, lacks
