"""Recording: a recorder, its session file, and what becomes of both."""

from __future__ import annotations

import re
import ssl
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import field, replace
from os.path import exists, isdir
from pathlib import Path
from typing import Protocol

from sigscope.engine.engine import TOOL, utc_now
from sigscope.engine.recording.remotemender import MendOrder, RemoteMender
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.library import Library
from sigscope.engine.sessions.opener import recovered_words
from sigscope.engine.settings.places import SUFFIX, data_dir, refuges
from sigscope.errors import InputError, NamesFolder, SigscopeError, UsageError
from sigscope.exchange import Request
from sigscope.recorder.gate import Decision
from sigscope.recorder.journal import Journal
from sigscope.recorder.recorder import BACKLOG, Recorder
from sigscope.recorder.routes import RecorderRoute, Routes
from sigscope.recorder.tape import Summary
from sigscope.records import dataclass
from sigscope.session import Session, Spoken
from sigscope.sockets import listen
from sigscope.store import Header, SessionWriter, open_session
from sigscope.store.private import make_private_folder
from sigscope.store.remains import Recovery, recover
from sigscope.wire.access import Access


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordOrder:
    routes: tuple[RecorderRoute, ...]
    port: int = 0
    """0: a free one."""
    out: Path | None = None
    """The session file; None: a new one in the data folder."""
    title: str = ""
    append: bool = False
    """Go on with the file if there is one."""
    force: bool = False
    """Replace the file if there is one."""
    named: tuple[Spoken, ...] = ()
    """What services speak that the user has named; kept in the file."""
    ca_file: Path | None = None
    """Authorities of upstreams' certificates; None: the system's."""
    mend: MendOrder | None = None
    """What is mended on the way; None: nothing."""
    access: Access = field(default_factory=Access)
    """Who is served besides programs of this machine."""
    is_remembered: bool = True
    """Whether the file shall stand in the list of sessions."""


class Gatekeeper(Protocol):
    """A gate that judges requests by what was recorded before."""

    async def __call__(self, request: Request, step: int) -> Decision:
        """As a `Gate`."""
        ...

    def follow(
        self, path: Callable[[], str], settled: Callable[[], Awaitable[None]]
    ) -> None:
        """Judge by this file, another one after that was moved or deleted. `settled`
        waits until what has ended is in it."""
        ...


class Recorded(Protocol):
    @property
    def path(self) -> Path: ...
    @property
    def first(self) -> int: ...
    @property
    def begun(self) -> int: ...
    @property
    def written(self) -> int: ...
    @property
    def lost(self) -> int: ...
    @property
    def refused(self) -> int: ...
    @property
    def is_empty(self) -> bool: ...
    def document(self) -> Document: ...


class Recording:
    """A recorder with its file. `start`, later `stop`."""

    def __init__(
        self,
        order: RecordOrder,
        *,
        on_problem: Callable[[str], None],
        on_end: Callable[[Summary], None] = lambda _: None,
        on_step: Callable[[int], None] | None = None,
        holding: Gatekeeper | None = None,
        on_refused: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Makes the file and takes the port, so that what cannot be done is said
        before a client is told to come. Raises UsageError (WouldOverwrite),
        InputError, UpstreamError."""
        routes = Routes(order.routes)
        context = _tls(order.ca_file)
        path = order.out or default_file(order)
        self._is_named = order.out is not None
        self._is_remembered = order.is_remembered
        listener = listen(order.port, backlog=BACKLOG)
        try:
            first = _prepare(path, order, routes, on_problem)
            _keep_named(path, order)
        except SigscopeError:
            listener.close()
            raise
        journal = Journal(
            str(path),
            clock=time.monotonic,
            name=uuid.uuid4().hex[:8],
            first=first,
            on_problem=on_problem,
            on_end=on_end,
            on_step=on_step,
            elsewhere=[str(folder.absolute()) for folder in refuges()],
        )
        self._mender: RemoteMender | None = None
        if order.mend is not None:
            self._mender = RemoteMender(order.mend, order.named, on_problem=on_problem)
        self.first = first
        """Number of the first step that this recording makes."""
        self.recorder = Recorder(
            routes,
            journal,
            listener,
            gate=holding,
            mender=self._mender,
            context=context,
            access=order.access,
            on_refused=on_refused,
        )
        self.holding = holding
        """What decides about requests before they are sent; None lets all pass."""
        if holding is not None:
            holding.follow(lambda: journal.path, journal.settled)

    @property
    def path(self) -> Path:
        """The session file; another one after that was deleted."""
        return Path(self.recorder.journal.path)

    @property
    def lost(self) -> int:
        """Exchanges that passed and are not in the file."""
        return self.begun - self.written

    @property
    def url(self) -> str:
        """The recorder's address."""
        return self.recorder.url

    @property
    def begun(self) -> int:
        """Exchanges seen."""
        return self.recorder.journal.begun

    @property
    def written(self) -> int:
        """Exchanges in the file."""
        return self.recorder.journal.written

    @property
    def refused(self) -> int:
        """Requests that were not served, and are recorded nowhere."""
        return self.recorder.refused

    async def settled(self) -> None:
        """Until what has ended is in the file."""
        await self.recorder.journal.settled()

    async def start(self) -> None:
        """Take requests from now on."""
        if self._mender is not None:
            await self._mender.start()
        await self.recorder.start()

    async def stop(self) -> None:
        """End what is open, and have everything written. A file that nobody named and
        nothing was written to goes away."""
        await self.recorder.stop()
        if self._mender is not None:
            await self._mender.stop()
        if self.is_empty and not self._is_named:
            self.path.unlink(missing_ok=True)
        elif self._is_remembered:
            Library().remember(self.path)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was recorded."""
        return self.recorder.journal.begun == 0

    def document(self) -> Document:
        """What was recorded. Raises InputError."""
        return recorded_document(self.path, is_empty=self.is_empty)


def recorded_document(path: Path, *, is_empty: bool) -> Document:
    """What was recorded to a file, which may be gone if nothing was. Raises
    InputError."""
    if is_empty:
        return Document(Session(id="", path=str(path)))
    return Document(open_session(str(path)))


def default_file(order: RecordOrder) -> Path:
    """A new file in the data folder, named after the upstream, or the title where
    there are several, and the time."""
    name = order.title.removeprefix("Recorded: ")[:40]
    if len(order.routes) == 1:
        name = order.routes[0].origin.host
    host = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
    moment = re.sub(r"[^0-9T]", "", utc_now().partition(".")[0])
    folder = data_dir() / "sessions"
    stem = "-".join(filter(None, ["recorded", host, moment]))
    path = folder / f"{stem}{SUFFIX}"
    number = 2
    while exists(path):
        path = folder / f"{stem}-{number}{SUFFIX}"
        number += 1
    return path


def _prepare(
    path: Path, order: RecordOrder, routes: Routes, on_problem: Callable[[str], None]
) -> int:
    """Make or open the file; the number of its next step."""
    if isdir(path):
        raise NamesFolder(str(path))
    recovery = recover(str(path)) if exists(path) else Recovery()
    if order.append and exists(path):
        for told in recovered_words(recovery):
            on_problem(f"{told.where}: {told.message}" if told.where else told.message)
        with SessionWriter.reopen(str(path)) as writer:
            return (
                max((step.number for step in writer.file.session.steps), default=0) + 1
            )
    header = Header(
        id=uuid.uuid4().hex,
        title=order.title or "Recorded from " + ", ".join(_names(routes)),
        created_at=utc_now(),
        tool=TOOL,
    )
    try:
        make_private_folder(path.parent)
    except OSError as error:
        elsewhere = "" if order.out else "; name a file elsewhere with --out"
        raise InputError(
            f"cannot be made: {error.strerror or error}{elsewhere}",
            path=str(path.parent),
        ) from error
    SessionWriter.create(str(path), header, force=order.force).close()
    return 1


def _keep_named(path: Path, order: RecordOrder) -> None:
    if order.named:
        with SessionWriter.reopen(str(path)) as writer:
            known = {
                (line.endpoint, line.dialect) for line in writer.file.session.spoken
            }
            for line in order.named:
                if (line.endpoint, line.dialect) not in known:
                    writer.append_spoken(replace(line, at=utc_now()))


def _names(routes: Routes) -> list[str]:
    return list(dict.fromkeys(route.origin.authority for route in routes.all))


def _tls(ca_file: Path | None) -> ssl.SSLContext | None:
    if ca_file is None:
        return None
    try:
        return ssl.create_default_context(cafile=str(ca_file))
    except OSError as error:  # ssl.SSLError is of its kin
        raise UsageError(
            f"{ca_file} cannot be read as certificates (PEM): {error.strerror or error}"
        ) from error
