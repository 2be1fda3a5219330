"""The engine: one method per use case. Owns clock, ids, files and upstreams."""

from __future__ import annotations

import asyncio
import os
import time
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sigscope import __version__
from sigscope.errors import SigscopeError, UsageError
from sigscope.exchange import Headers, Request, header
from sigscope.records import dataclass
from sigscope.runs import RulesVoice, Run
from sigscope.upstreams.target import (
    SIMULATOR,
    aim,
    is_loopback_name,
    parse_target,
    with_key,
)
from sigscope.wire.urls import split_url

if TYPE_CHECKING:  # imported by the use case that needs it: a start pays for none
    from sigscope.edits.records import Edit
    from sigscope.engine.export.exports import Exported, Rendered
    from sigscope.engine.sending.sender import Order, SendProgress
    from sigscope.engine.sessions.document import Document
    from sigscope.engine.sessions.runkeeper import Keeper
    from sigscope.session import Session
    from sigscope.timeline.decline import Decline
    from sigscope.upstreams.base import Clock, Upstream
    from sigscope.upstreams.simulator import Judgement, SimConfig
    from sigscope.verification import Verification

TOOL = f"sigscope {__version__}"
BACK_OFF_SECONDS = (1.0, 3.0)
"""Pauses before a live send without evidence is tried again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where runs go, and how."""

    url: str = SIMULATOR
    """"simulator", or an http(s) URL."""
    key: str | None = None
    """The user's key, read from the environment; never stored."""
    key_header: str = ""
    """The header that takes the key; empty: the one of the step's dialect."""
    headers: Headers = ()
    """Sent where the request has none of that name."""
    timeout: float = 120.0
    """Seconds of silence after which an answer is given up."""
    simulator: SimConfig | None = None
    """Settings of the simulator beside those the session gives it."""
    retries: int = len(BACK_OFF_SECONDS)
    """How often a live send without evidence (429, 5xx, timeout) is tried again."""

    def __post_init__(self) -> None:
        """Raises UsageError for what is neither the simulator nor a URL."""
        if self.is_live:
            parse_target(self.url)

    @property
    def is_live(self) -> bool:
        """Whether it goes over a network connection."""
        return self.url != SIMULATOR

    @property
    def is_loopback(self) -> bool:
        """Whether it stays on this machine, and so costs nothing."""
        return not self.is_live or is_loopback_name(
            parse_target(self.url).hostname or ""
        )


def utc_now() -> str:
    """The time of day: "2026-11-21T03:14:15.123Z"."""
    now = datetime.now(UTC)
    return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Engine:
    """All that front ends call."""

    def __init__(
        self,
        *,
        clock: Clock = time.monotonic,
        now: Callable[[], str] = utc_now,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
        sleep: Callable[[float], object] = asyncio.sleep,
    ) -> None:
        self.clock = clock
        self.now = now
        self.new_id = new_id
        self._sleep = sleep
        self.dialects: dict[str, Sequence[str]] = {}
        """Path → what the command line says that its steps speak."""

    @cached_property
    def keeper(self) -> Keeper:
        """Writes sessions and runs down."""
        from sigscope.engine.sessions.runkeeper import Keeper

        return Keeper(now=self.now, tool=TOOL)

    # --- Opening ---------------------------------------------------------------------

    def open(
        self,
        path: str | Path,
        wanted: str | None = None,
        *,
        called: str | None = None,
        skims: bool = False,
    ) -> Document:
        """Open a session file or a recording of a known format, with the runs that were
        made from it before. `called`: how messages name it. `skims`: of a large one
        read the heads alone at first; it has to be followed, which reads it in full.
        Raises InputError."""
        from sigscope.engine.sessions.document import Document
        from sigscope.engine.sessions.opener import open_file
        from sigscope.engine.sessions.runkeeper import recall

        session = open_file(Path(path), wanted, called, skims=skims)
        recall(session)
        document = Document(session)
        texts = self.dialects.get(str(path))
        return document.named(texts) if texts else document

    def maybe_open_small(self, path: str | Path) -> Document | None:
        """A session file that is read in a few milliseconds; None where reading may
        take longer, has something to recover, or fails."""
        from sigscope.engine.sessions.opener import is_small

        try:
            return self.open(path) if is_small(Path(path)) else None
        except (SigscopeError, RecursionError, MemoryError):
            return None  # opened as all others are, it says why

    def save_as(
        self,
        document: Document,
        path: Path,
        *,
        title: str | None = None,
        force: bool = False,
        stand_ins: bool = False,
        content: bool = False,
    ) -> Counter[str]:
        """Write the whole session to a new file; tell what was removed, by kind.

        `stand_ins` replaces every signature by one of the same length and alphabet,
        `content` every text by one that says nothing.
        Raises WouldOverwrite and InputError.
        """
        return self.keeper.save_as(
            document,
            path,
            title=title,
            force=force,
            stand_ins=stand_ins,
            content=content,
        )

    def export(
        self,
        document: Document,
        path: Path,
        *,
        format: str,
        step: int | None = None,
        run: int | None = None,
        force: bool = False,
        stand_ins: bool = False,
        content: bool = False,
    ) -> Exported:
        """Write a document in another form (`exports.FORMATS`) to a new file.

        `step` and `run` choose what is written; formats that are about the whole
        session ("session", "report") take neither. Secrets are left out in every
        format; `stand_ins` and `content` as in `save_as`. Raises WouldOverwrite,
        UsageError and InputError.
        """
        from sigscope.engine.export.exports import (
            Exported,
            format_named,
            refuse_choice,
            refuse_source,
        )
        from sigscope.engine.export.newfile import refuse_existing, write_new

        refuse_source(document, path)
        form = format_named(format)
        lacks: tuple[str, ...] = ()
        if form.write is None:
            refuse_choice(form, step, run)
            removed = self.save_as(
                document, path, force=force, stand_ins=stand_ins, content=content
            )
            size = path.stat().st_size
        else:
            if not force:
                refuse_existing(path)
            pieces, removed, lacks = self.render(
                document,
                format=format,
                step=step,
                run=run,
                stand_ins=stand_ins,
                content=content,
            )
            size = write_new(path, pieces, force=force, executable=form.is_script)
        return Exported(
            path=str(path),
            format=format,
            size=size,
            removed=removed,
            removed_before=document.session.redaction,
            lacks=lacks,
        )

    def render(
        self,
        document: Document,
        *,
        format: str,
        step: int | None = None,
        run: int | None = None,
        stand_ins: bool = False,
        content: bool = False,
    ) -> Rendered:
        """The same, not written yet; not for session files."""
        from sigscope.engine.export.exports import render

        return render(
            document,
            format,
            step=step,
            run=run,
            stand_ins=stand_ins,
            content=content,
            tool=TOOL,
        )

    def rename(
        self, path: Path, *, title: str | None = None, tags: Sequence[str] | None = None
    ) -> Session:
        """Give a session file another title, other tags, or both. Appends a line; what
        is in the file stays. Raises InputError and UsageError."""
        return self.keeper.rename(path, title=title, tags=tags)

    def write_new(
        self, session: Session, path: Path, *, force: bool = False
    ) -> Counter[str]:
        """Write a session that was put together under an id of its own; tell what was
        removed. Raises WouldOverwrite and InputError."""
        from sigscope.engine.sessions.document import Document

        session.id = session.id or self.new_id()
        return self.keeper.save_as(Document(session), path, force=force)

    def write_calibration(
        self,
        session: Session,
        path: Path,
        *,
        known: Sequence[str] = (),
        force: bool = False,
    ) -> tuple[Counter[str], tuple[str, ...]]:
        """Write what `calibrate` has gathered, redacted as far as it goes; tell what
        was removed, and what the file tells otherwise. `known`: keys to take out that
        it does not tell as such. Raises WouldOverwrite and
        InputError."""
        from sigscope.engine.sessions.document import Document

        session.id = session.id or self.new_id()
        document = Document(session)
        removed = self.keeper.save_as(
            document, path, force=force, stand_ins=True, content=True, known=known
        )
        return removed, self.prove(document, path)

    def prove(self, document: Document, path: Path) -> tuple[str, ...]:
        """What a redacted copy of a document tells otherwise than the document.

        Empty where ledger and findings are the same. Costs reading the copy.
        """
        from sigscope.engine.export.proof import differences

        return differences(document, document.over(self.open(path).session))

    def verify(
        self, old: Document, new: Document, *, is_strict: bool = False
    ) -> Verification:
        """Whether what was found in an old recording is gone from a new one of the same
        conversation. `is_strict`: warnings count beside errors, too."""
        from sigscope.verification import JudgedRecording, verify

        before, after = (
            JudgedRecording(
                readings=document.readings,
                ledger=document.ledger,
                findings=document.findings,
            )
            for document in (old, new)
        )
        return verify(before, after, is_strict=is_strict)

    def decline(self, document: Document) -> Decline:
        """How readable reasoning goes from turn to turn, and why it fades if it does.
        Parses every body once."""
        from sigscope.timeline.decline import decline_of

        return decline_of(document.readings, document.ledger, document.findings)

    # --- Sending again ---------------------------------------------------------------

    def predict(
        self, document: Document, order: Order, base: SimConfig | None = None
    ) -> Judgement | None:
        """What the simulator says to a request, without sending it."""
        from sigscope.engine.sending.sender import foretell

        return foretell(document, order, base)

    def why_unsent(self, document: Document, order: Order) -> str:
        """Why the simulator cannot be asked about a request, and there is no use in
        trying; "" where it can."""
        from sigscope.engine.sending.simulation import service_of
        from sigscope.upstreams.simulator.services import registry as services

        reading = document.reading(order.step)
        if reading.exchange.request is None:
            return f"step {order.step} has no request: there is nothing to send"
        name = service_of(reading)
        if services.named(name or "") is not None:
            return ""
        spoken = f"which {name} is not" if name else "which is not known"
        return f"the simulator has to know what step {order.step} speaks, {spoken}"

    def doubt_of(
        self,
        document: Document,
        step: int,
        base: SimConfig | None = None,
        edits: Sequence[Edit] = (),
    ) -> str:
        """Why the simulator's acceptance of a refused step with edits tells nothing; ""
        if it does."""
        from sigscope.engine.sending.controls import doubt_of

        return doubt_of(document, step, base, edits)

    def rules_voice(self, document: Document, order: Order) -> RulesVoice | None:
        """What the rules say to the same; None where they do not know the dialect."""
        from sigscope.engine.sending.voices import rules_voice

        return rules_voice(document, order)

    async def replay(
        self,
        document: Document,
        order: Order,
        target: Target,
        *,
        keeps: bool = True,
    ) -> AsyncGenerator[SendProgress | Run]:
        """Send a step again; yield progress and runs. Every attempt is a run, kept at
        once, a cancelled one too; the last one yielded is the result. `keeps`: else
        nothing is written, and runs have no number. Raises EditError and UsageError
        before anything is sent, and InputError where a live answer could not be
        kept."""
        from sigscope.engine.sending.sender import foretell, is_worth_repeating, send

        request, upstream = self._aim(document, order, target)
        if keeps and target.is_live:
            self.keeper.expect(document)
        predicted = foretell(document, order, target.simulator)
        rules = self.rules_voice(document, order)
        attempts = 1 + (target.retries if target.is_live else 0)
        secrets = (target.key,) if target.key else ()

        def keep(run: Run) -> Run:
            return self.keeper.keep_run(document, run, secrets) if keeps else run

        for attempt in range(1, attempts + 1):
            run: Run | None = None
            sent = send(
                document,
                order,
                upstream,
                request,
                predicted=predicted,
                rules=rules,
                base=target.simulator,
                at=self.now,
                attempt=attempt,
                salvage=keep,
            )
            async with aclosing(sent) as items:
                async for item in items:
                    if isinstance(item, Run):
                        run = keep(item)
                        yield run
                    else:
                        yield item
            if run is None or not is_worth_repeating(run) or attempt == attempts:
                return
            await self._wait(pause_after(attempt))

    async def _wait(self, seconds: float) -> None:
        waiting = self._sleep(seconds)
        if hasattr(waiting, "__await__"):
            await waiting

    def _aim(
        self, document: Document, order: Order, target: Target
    ) -> tuple[Request, Upstream]:
        from sigscope.engine.sending.sender import prepare
        from sigscope.engine.sending.simulation import (
            Simulated,
            config_for,
            default_path,
        )

        request, _ = prepare(document, order)
        reading = document.reading(order.step)
        if not target.is_live:
            config = config_for(document, reading, target.simulator)
            return request, Simulated(config, self.clock, default_path(reading))
        # httpx costs 60 ms to import; only those who send live pay.
        from sigscope.engine.sending.keyheader import key_header_at
        from sigscope.upstreams.live import Live

        path = default_path(reading)
        is_nowhere = not split_url(request.url).path and not path
        request = aim(request, target.url, path)
        if is_nowhere and not split_url(request.url).path.strip("/"):
            raise UsageError(
                f"step {order.step} names no path, and its dialect is not known: give"
                " the whole URL of the endpoint (--to https://host/path, S on the"
                " screens), or say what it speaks with --dialect NAME"
            )
        if target.key is not None:
            name = target.key_header or key_header_at(request.url, reading.dialect)
            headers = with_key(request.headers, target.key, name)
            request = replace(request, headers=headers)
        known = request.headers
        more = [line for line in target.headers if header(known, line[0]) is None]
        request = replace(request, headers=(*known, *more))
        live = Live(request.url, self.clock, read_seconds=target.timeout)
        return request, live


def pause_after(attempt: int) -> float:
    """Seconds before the next try, where an attempt told nothing."""
    return BACK_OFF_SECONDS[min(attempt, len(BACK_OFF_SECONDS)) - 1]


def key_from(name: str | None) -> str | None:
    """The value of an environment variable that holds a key. Raises UsageError."""
    if name is None:
        return None
    value = os.environ.get(name, "").strip()
    if not value:
        raise UsageError(f"the environment variable {name} is not set, or is empty")
    if not value.isascii() or not value.isprintable() or " " in value:
        raise UsageError(
            f"the environment variable {name} holds no key: there are blanks, line"
            " breaks or characters beyond ASCII in it"
        )
    return value
