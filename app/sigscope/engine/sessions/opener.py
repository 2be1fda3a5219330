"""Opening any file as a session."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from os.path import exists, isdir, isfile, realpath
from pathlib import Path
from typing import TYPE_CHECKING

from sigscope import confinement
from sigscope.errors import InputError
from sigscope.exchange import Exchange
from sigscope.opaque import FINGERPRINT_DIGITS
from sigscope.opaque import sha256 as text_hash
from sigscope.session import Problem, Session, Step
from sigscope.store import is_session, open_session
from sigscope.store.remains import Recovery, find_remains, recover
from sigscope.utf8 import to_bytes

if TYPE_CHECKING:
    from sigscope.store.redact import Redactor
    from sigscope.capture.base import Imported

SESSION = "session"
_HEAD = 64 * 1024
SMALL = 256 * 1024
"""Bytes of a session file that is read within a frame."""


def open_file(
    path: Path,
    wanted: str | None = None,
    called: str | None = None,
    *,
    skims: bool = False,
) -> Session:
    """A session file, or a recording of any known format. Raises InputError.

    `called` is how titles and messages name it; by default as its path does. `skims`:
    as `open_session` has it.
    """
    if wanted in (None, SESSION) and _is_file(path) and _begins_session(path):
        try:
            return _open_session(path, skims=skims)
        except InputError as error:
            if called is None:
                raise
            raise InputError(error.problem, path=called) from error
    if _is_stream(path):
        # Opening it would wait for who writes to it, and it is read more than once.
        raise InputError(
            "it is a pipe or a device, which can be read only once; save what comes"
            " from it to a file",
            path=called or str(path),
        )
    # Dear to import, and nothing to a session file.
    from sigscope.capture.detect import detect, read
    from sigscope.capture.source import Source

    source = Source(path, name=called)
    name = detect(source, wanted)
    if name == SESSION:
        return open_session(str(path))
    imported = _without_keys(read(source, name))
    digest = text_hash(f"{realpath(path)}\n{_summed(imported.exchanges)}")
    return Session(
        id=f"{name}-{digest[:FINGERPRINT_DIGITS]}",
        title=imported.title or Path(source.name).name,
        path=str(path),
        format=name,
        steps=tuple(
            Step(number=number, id=f"s{number}", exchange=exchange, source=name)
            for number, exchange in enumerate(imported.exchanges, start=1)
        ),
        problems=imported.problems,
    )


def _without_keys(imported: Imported) -> Imported:
    """With no key in what was read beside requests and answers: titles, and what the
    recorder or its user wrote of them."""
    if not (
        imported.title
        or imported.problems
        or any(exchange.remarks for exchange in imported.exchanges)
    ):
        return imported
    from sigscope.store.secrets.learner import keys_of  # dear to import
    from sigscope.store.secrets.masker import mask_text

    keys = keys_of(exchange.request for exchange in imported.exchanges)

    def without(text: str) -> str:
        return mask_text(text, keys)[0]

    def hidden(problem: Problem) -> Problem:
        message, where = without(problem.message), without(problem.where)
        return replace(problem, message=message, where=where)

    def plain(exchange: Exchange) -> Exchange:
        remarks = tuple(map(without, exchange.remarks))
        is_same = remarks == exchange.remarks
        return exchange if is_same else replace(exchange, remarks=remarks)

    return replace(
        imported,
        title=without(imported.title),
        exchanges=tuple(map(plain, imported.exchanges)),
        problems=tuple(map(hidden, imported.problems)),
    )


def hide_keys(session: Session, only: int | None = None) -> None:
    """Take the keys out of all exchanges and runs, as if it had been imported: what is
    shown of them may be a piece that says no more what it is of. Nothing where that was
    done before. Costs the search of all bodies; `only`: of this step's."""
    from sigscope.store.redact import Redactor

    if "secrets" in session.redaction:
        return
    redactor = Redactor()
    for step in session.steps:
        redactor.learn(step.exchange.request)
    session.steps = tuple(
        _hidden(step, redactor) if only in (None, step.number) else step
        for step in session.steps
    )
    if only is None:
        session.runs = [redactor.run(run)[0] for run in session.runs]
        session.notes = [redactor.note(note) for note in session.notes]


def _hidden(step: Step, redactor: Redactor) -> Step:
    """The step without keys, and with the remarks that it had: nothing is stored."""
    masked, _ = redactor.step(step)
    remarks = masked.exchange.remarks[: len(step.exchange.remarks)]
    return replace(masked, exchange=replace(masked.exchange, remarks=remarks))


def _is_stream(path: Path) -> bool:
    try:
        return exists(path) and not isfile(path) and not isdir(path)
    except (OSError, ValueError):
        return False


def is_small(path: Path) -> bool:
    """Whether this is a session file that is read at once, with nothing beside it."""
    try:
        is_short = path.is_file() and path.stat().st_size <= SMALL
    except OSError:
        return False
    return is_short and _begins_session(path) and not find_remains(str(path))


def _open_session(path: Path, *, skims: bool) -> Session:
    """With what a recorder that was killed left beside it."""
    recovery = recover(str(path))
    session = open_session(str(path), skims=skims)
    told = tuple(recovered_words(recovery))
    if told:
        session.problems = (*session.problems, *told)
    return session


def recovered_words(recovery: Recovery) -> Iterator[Problem]:
    if recovery.steps:
        numbers = ", ".join(map(str, recovery.steps))
        yield Problem(
            message="recovered from what a killed recorder left beside the file; the"
            " answer may end before its end",
            where=f"step{'s' * (len(recovery.steps) > 1)} {numbers}",
        )
    if recovery.problem:
        yield Problem(message=recovery.problem)


def _summed(exchanges: Sequence[Exchange]) -> int:
    """A checksum of the requests: runs belong to them, not to what the path holds next.

    Costs a millisecond per megabyte.
    """
    total = 0
    for exchange in exchanges:
        if exchange.request is not None:
            total = zlib.crc32(to_bytes(exchange.request.url), total)
            total = zlib.crc32(exchange.request.body.raw, total)
    return total


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # a name that is too long: `Source` says why


def _begins_session(path: Path) -> bool:
    try:
        return is_session(confinement.read_head(path, _HEAD))
    except OSError:
        return False  # `Source` says why, in its own words
