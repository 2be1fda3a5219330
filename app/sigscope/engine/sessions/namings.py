"""What users and named services say a session's steps speak.

parse_namings(["NAME", "NAME:2,5-7"], document)   --dialect of a call
session_namings(session)                            lines kept in the session file
profile_namings()                                   the user's own profiles
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from os.path import isfile

from sigscope.dialects.base import Dialect
from sigscope.dialects.operations import Endpoint, endpoint_of
from sigscope.dialects.registry import DIALECTS, named
from sigscope.dialects.settlement import Naming
from sigscope.errors import InputError, UnknownStep, UsageError
from sigscope.session import Session, Spoken

OPTION = "--dialect"
KEPT = "the session file"
"""Who named what a user has set on the screens."""


def parse_namings(
    texts: Iterable[str],
    steps: Collection[int],
    dialects: Sequence[Dialect] = DIALECTS,
) -> tuple[Naming, ...]:
    """`NAME` or `NAME:STEPS`, the more exact last, for that one counts. `steps` are the
    numbers that exist. Raises UsageError."""
    found: list[Naming] = []
    for text in texts:
        name, colon, places = text.partition(":")
        dialect = known_dialect(name.strip(), dialects)
        numbers = frozenset(step_numbers(places)) if colon else None
        missing = sorted((numbers or frozenset()) - set(steps))
        if missing:
            last = max(steps, default=0)
            raise UnknownStep(missing[0], last, asked=f"{OPTION} {text}")
        found.append(Naming(dialect=dialect, by=OPTION, steps=numbers))
    return tuple(sorted(found, key=lambda naming: naming.steps is not None))


def known_dialect(name: str, dialects: Sequence[Dialect] = DIALECTS) -> Dialect:
    """The dialect of this name. Raises UsageError, naming those there are."""
    dialect = named(name, dialects)
    if dialect is None:
        known = ", ".join(each.name for each in dialects)
        raise UsageError(f"dialect {name!r} is not one of {known}")
    return dialect


def step_numbers(text: str) -> list[int]:
    """Step numbers: "3,7-9". Raises UsageError."""
    found: list[int] = []
    for piece in text.replace(" ", "").split(","):
        ends = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", piece)
        if ends is None:
            raise UsageError(f"{piece!r} is no step; write them like 3,7-9")
        first, last = int(ends[1]), int(ends[2] or ends[1])
        if last < first or last - first > 1_000_000:
            raise UsageError(f"{piece!r} is no range of steps")
        found += range(first, last + 1)
    return found


def session_namings(
    session: Session, dialects: Sequence[Dialect] = DIALECTS
) -> tuple[Naming, ...]:
    """What is kept in the session. The last word about a step or an endpoint counts,
    one about a step before one about its endpoint. Names that this version does not
    know are left out."""
    last: dict[tuple[int | None, str, bool], Spoken] = {}
    for line in session.spoken:
        last[line.step, line.endpoint, line.is_service] = line
    found = []
    for line in last.values():
        dialect = named(line.dialect, dialects)
        if dialect is not None:
            found.append(
                Naming(
                    dialect=dialect,
                    by=line.by or KEPT,
                    steps=None if line.step is None else frozenset({line.step}),
                    endpoint=None if line.step else read_endpoint(line.endpoint),
                    is_service=line.is_service,
                )
            )
    return tuple(sorted(found, key=lambda naming: naming.steps is not None))


def profile_namings(dialects: Sequence[Dialect] = DIALECTS) -> tuple[Naming, ...]:
    """The services of the user's own profiles, with the dialect they name. Profiles
    that cannot be read are complained of where they are used."""
    # Profiles are read with the client's policies: only who has some pays for that.
    from sigscope.engine.settings.places import config_dir

    if not isfile(config_dir() / "profiles.toml"):
        return ()
    from sigscope.engine.settings.profiles import SHIPPED_SOURCE, load_profiles

    try:
        profiles = load_profiles().values()
    except InputError:
        return ()
    return tuple(
        Naming(
            dialect=dialect,
            by=f"profile {profile.name}",
            endpoint=endpoint_of(profile.url, dialects),
            is_service=True,
        )
        for profile in profiles
        for dialect in [named(profile.dialect, dialects)]
        if dialect is not None and profile.source != SHIPPED_SOURCE
    )


def write_endpoint(endpoint: Endpoint) -> str:
    """As it stands in a session file."""
    return f"{endpoint.origin}{endpoint.base}"


def read_endpoint(text: str) -> Endpoint:
    """An endpoint as it stands in a session file."""
    scheme, mark, rest = text.partition("://")
    if not mark:
        return Endpoint("", text)
    host, slash, base = rest.partition("/")
    return Endpoint(f"{scheme}://{host}", f"{slash}{base}")
