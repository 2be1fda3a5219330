"""Keeping runs: in the session's own file, or in one made for it.

Recordings of other tools and the bundled sessions are never written to. The first run
made from one of those begins a session file in the user's data folder, which later runs
of the same source go on with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from os.path import exists, isfile
from pathlib import Path

from sigscope import store
from sigscope.conversation import SignatureKind
from sigscope.engine.sessions.document import Document
from sigscope.engine.sessions.reservations import notes_of
from sigscope.engine.settings.places import SUFFIX, data_dir, is_shipped_session
from sigscope.errors import InputError, UsageError, WouldOverwrite
from sigscope.runs import Run
from sigscope.session import Problem, Session, Spoken, Step
from sigscope.store.private import make_private_folder
from sigscope.store.room import expect_append
from sigscope.store.secrets.masker import mask_text
from sigscope.utf8 import to_bytes

MARK = "[removed]"
SIGNATURE = "signature"
"""The kind of what a stand-in was put for."""


class Keeper:
    """Writes runs down as they are made."""

    def __init__(self, *, now: Callable[[], str], tool: str) -> None:
        self._now = now
        self._tool = tool

    def keep_run(
        self, document: Document, run: Run, secrets: Sequence[str] = ()
    ) -> Run:
        """Number a run, append it to the session's file and add it to the document.

        `secrets` go nowhere, wherever in the run they stand.
        Raises InputError where no file can be written, UsageError where the file is of
        an older format; the run is then in the document
        all the same, among its `unkept`, so that nothing that was paid for is lost.
        """
        session = document.session
        for secret in secrets:
            run = replace(
                run,
                error=(run.error or "").replace(secret, MARK) or None,
                contradiction=run.contradiction.replace(secret, MARK),
            )
        try:
            run = self._append(session, run, store.Redactor(known=secrets))
        except BaseException:  # an interrupt and a fault of ours cost no answer either
            run = _numbered(run, session.runs)
            session.runs.append(run)
            document.unkept.add(run.number)
            raise
        if all(other.number != run.number for other in session.runs):
            session.runs.append(run)  # unless who follows the file has seen it there
        return run

    def expect(self, document: Document) -> None:
        """Make sure that a run can be kept before it costs anything. Makes the file
        that keeps those of a read-only source. Raises InputError, and UsageError where
        the file is of an older format."""
        session = document.session
        own, path = _writable(session), own_file(session)
        try:
            if not own and not exists(path):
                self._begin(session, path)
            expect_append(own or str(path))
        except InputError as error:
            raise InputError(
                f"{error.problem}; nothing was sent, for the answer could not be kept."
                " Write the session to a file of your own first (sigscope import"
                " FILE --out NEW)",
                path=error.path,
            ) from error

    def _append(self, session: Session, run: Run, redactor: store.Redactor) -> Run:
        writer = self._writer(session, redactor)
        with writer.locked() as file:
            known = {r.number for r in session.runs}
            number = max(known, default=0) + 1
            while file.has_run(number):
                number += 1
            run = replace(run, number=number)
            writer.append_run(run)
        return run

    def save_as(
        self,
        document: Document,
        path: Path,
        *,
        title: str | None = None,
        force: bool = False,
        stand_ins: bool = False,
        content: bool = False,
        known: Sequence[str] = (),
    ) -> Counter[str]:
        """Write the whole session to a new file; tell what was removed, by kind."""
        if path == Path("-"):
            raise UsageError("a session file cannot go to standard output; name a file")
        session = replace(
            document.session,
            title=title or document.session.title,
            created_at=document.session.created_at or self._now(),
            tool=document.session.tool or self._tool,
            notes=[*document.session.notes, *notes_of(document.session, self._now())],
            # The steps go along, as they are then: no run has to know them again.
            runs=[replace(run, recording="") for run in document.session.runs],
        )
        redactor = redactor_for(
            document, stand_ins=stand_ins, content=content, known=known
        )
        _make_folder(path)
        removed = store.save_session(session, str(path), redactor=redactor, force=force)
        if stand_ins:
            removed[SIGNATURE] += len(signature_texts(document))
        if not (stand_ins or content):
            document.unkept.clear()
        return removed

    def keep_spoken(self, document: Document, line: Spoken) -> Spoken:
        """Write down what a step or an endpoint speaks, where its runs go, and add it
        to the document's session. Raises InputError and UsageError."""
        session = document.session
        line = replace(line, at=self._now())
        with self._writer(session, store.Redactor()) as writer:
            writer.append_spoken(line)
        session.spoken.append(line)
        return line

    def rename(
        self, path: Path, *, title: str | None, tags: Sequence[str] | None
    ) -> Session:
        """Append another title, other tags, or both to a session file."""
        if is_shipped_session(path):
            raise UsageError(
                f"{path} comes with sigscope and is never changed; save it as a file of"
                " your own first (sigscope import NAME --out FILE)"
            )
        with store.SessionWriter.reopen(str(path)) as writer, writer.locked() as file:
            session = file.session
            unique = tuple(dict.fromkeys(session.tags if tags is None else tags))
            new_title = session.title if title is None else title
            writer.append_about(new_title, unique, self._now())
            return session

    def _writer(
        self, session: Session, redactor: store.Redactor
    ) -> store.SessionWriter:
        own = _writable(session)
        if own:
            return store.SessionWriter.reopen(own, redactor=redactor)
        path = own_file(session)
        if exists(path) or not self._begin(session, path):
            _add_runs(session, store.open_session(str(path)))
        return store.SessionWriter.reopen(str(path), redactor=redactor)

    def _begin(self, session: Session, path: Path) -> bool:
        """Make the file that keeps the runs of a read-only source. False where another
        program has made it meanwhile."""
        _make_folder(path)
        stored = replace(
            session,
            runs=[],
            created_at=session.created_at or self._now(),
            tool=session.tool or self._tool,
        )
        try:
            store.save_session(stored, str(path))
        except WouldOverwrite:
            return False
        return True


def redactor_for(
    document: Document,
    *,
    stand_ins: bool = False,
    content: bool = False,
    known: Sequence[str] = (),
) -> store.Redactor:
    """Takes out secrets, also those `known`; signatures and content if asked."""
    redactor = _redactor_for(
        document, stand_ins=stand_ins, content=content, known=known
    )
    for exchange in (
        *(step.exchange for step in document.steps),
        *(run.exchange for run in document.runs),
    ):
        redactor.learn(exchange.request)
    return redactor


def _redactor_for(
    document: Document, *, stand_ins: bool, content: bool, known: Sequence[str]
) -> store.Redactor:
    kinds = frozenset(SignatureKind) - ({SignatureKind.TEXT} if content else set())
    replaced = None
    if stand_ins:
        key = to_bytes(document.session.id)
        replaced = store.StandIns(key, signature_texts(document))
    if not content:
        return store.Redactor(replaced, known=known)
    held = signature_texts(document, kinds)
    if replaced:
        held = (*held, *map(replaced.stand_in, held))
    return store.Redactor(replaced, store.ContentMask(held), known=known)


def _make_folder(path: Path) -> None:
    try:
        make_private_folder(path.parent)
    except OSError as error:
        raise InputError(
            f"the folder cannot be made: {error.strerror}", path=str(path.parent)
        ) from error


def signature_texts(
    document: Document, kinds: Collection[SignatureKind] = frozenset(SignatureKind)
) -> tuple[str, ...]:
    """Every different signature text of a session, received or sent."""
    texts = [
        text
        for signature in document.ledger.signatures
        if signature.kind in kinds
        for text in (
            signature.value,
            *(place.sighting.value for place in signature.received),
            *(place.sighting.value for place in signature.sent),
        )
    ]
    # What is followed by name and shape may be a signature; nobody needs its bytes.
    texts += [f.value for f in document.opaque_fields if not f.is_reference]
    for step in document.steps:
        came = document.client_reading(step.number) if step.exchange.mended else None
        texts += [s.value for s in came.sent if s.kind in kinds] if came else []
    return tuple(dict.fromkeys(texts))


def is_shipped(session: Session) -> bool:
    """Whether a session is one of those that come with sigscope."""
    return is_shipped_session(session.path) if session.path else False


def own_file(session: Session) -> Path:
    """The file in the data folder that keeps the runs of a read-only source."""
    if session.path and is_shipped(session):
        name = f"runs-of-{Path(session.path).name.removesuffix(SUFFIX)}"
    else:
        stem = stem_of(session.title)
        name = "-".join(part for part in (stem, session.id[-12:]) if part)
    return data_dir() / "sessions" / f"{name}{SUFFIX}"


def stem_of(title: str) -> str:
    """A file's name after a title; "" where it has no letters. A title may quote a
    key, above all that of a recording of another tool."""
    title = mask_text(title)[0].lower()
    return re.sub(r"[^a-z0-9]+", "-", title).strip("-")[:40].strip("-")


def recall(session: Session, *, runs: bool = True) -> None:
    """Add what a read-only source was called before, and the runs made from it.

    Costs reading the file that keeps them, if there is one; one that cannot be read is
    reported among the problems, for the recording itself can be.
    """
    path = own_file(session)
    if _writable(session) or not isfile(path):
        return
    try:
        kept = store.open_session(str(path))
        session.spoken = list(kept.spoken)
        stale = _add_runs(session, kept) if runs else []
        if stale:
            session.problems = (*session.problems, _forsaken(stale, path))
    except InputError as error:
        problem = Problem(message=f"runs made before cannot be read: {error}")
        session.problems = (*session.problems, problem)


def _add_runs(session: Session, kept: Session) -> list[Run]:
    """Add the runs that are kept elsewhere; give back those that were made from other
    bytes than the session has, which are left where they are."""
    known = {run.number for run in session.runs}
    now = {step.number: step for step in session.steps}
    then = {step.number: step for step in kept.steps}
    stale = []
    for run in kept.runs:
        if not _is_of(run, now.get(run.step), then.get(run.step)):
            stale.append(run)
        elif run.number not in known:
            session.runs.append(run)
    return stale


def _is_of(run: Run, now: Step | None, then: Step | None) -> bool:
    """Whether a run was made from a step as it is now. An earlier sigscope wrote down
    no digest: then the copy of the step tells, from which secrets were taken out."""
    if now is None:
        return False
    if run.recording or then is None:
        return run.recording in ("", now.exchange.digest)
    shown, _ = store.Redactor().step(now)
    copies = (now.exchange.digest, shown.exchange.digest)
    return then.exchange.digest in copies


def _forsaken(stale: Sequence[Run], path: Path) -> Problem:
    numbers = ", ".join(str(run.number) for run in stale)
    steps = ", ".join(str(step) for step in sorted({run.step for run in stale}))
    return Problem(
        message=f"made before from another recording of this step, and not used:"
        f" run{'s' * (len(stale) > 1)} {numbers}; kept in {path}",
        where=f"step{'s' * (',' in steps)} {steps}",
    )


def kept_path(session: Session) -> str:
    """The file that runs of this session are written to."""
    return _writable(session) or str(own_file(session))


def _writable(session: Session) -> str | None:
    """The session file itself; None for a foreign recording or a bundled session."""
    is_own = session.format == "session" and not is_shipped(session)
    return session.path if is_own else None


def _numbered(run: Run, runs: list[Run]) -> Run:
    return replace(run, number=max((r.number for r in runs), default=0) + 1)
