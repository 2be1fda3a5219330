"""A new session in the user's data folder: from a template, a profile, or pasted text.

Nothing is sent: the session has one step with a request and no answer, to be edited and
sent from there. Pasted text may be anything that can be imported (a curl command, HTTP
text, a HAR file), or a bare request body.
"""

from __future__ import annotations

import os
import re
from contextlib import closing
from pathlib import Path

from sigscope.engine.sessions.composition import RequestDraft, compose, session_of
from sigscope.engine.sessions.document import Document
from sigscope.engine.engine import Engine
from sigscope.engine.sessions.opener import open_file
from sigscope.engine.sessions.runkeeper import stem_of
from sigscope.engine.settings.places import SUFFIX, data_dir
from sigscope.errors import InputError, SigscopeError, UsageError, WouldOverwrite
from sigscope.exchange import Exchange
from sigscope.session import Session
from sigscope.store.inputfile import InputFile
from sigscope.utf8 import to_bytes

PASTED = "pasted text"
_REQUEST = re.compile(
    r"\A\s*(?:[$>%]\s+)?(?:curl(?:\.exe)?\s|(?:await\s+)?fetch\(|[A-Z]{3,7}\s+\S+\s+HTTP/)"
    r"|\A\s*[\[{].{0,20000}?\"(?:messages|contents|entries|interactions)\"\s*:\s*\["
    r"|\A\s*\[\s*\{\s*\"(?:role|parts)\"",
    re.DOTALL,
)
"""How texts with a request begin: a command, HTTP text, a body, a recording."""
_MOST_NAMES = 10_000


def start(engine: Engine, draft: RequestDraft, title: str = "") -> Path:
    """Compose a request and write it as a session. Raises UsageError and InputError."""
    request = compose(draft)
    title = title or draft.say[:80]
    session = session_of(Exchange(request=request), title=title, source="composed")
    for path in _names(title):
        try:
            engine.write_new(session, path)
        except WouldOverwrite:
            continue
        return path
    raise InputError("has no free name for a new session", path=str(_folder()))


def has_request(text: str) -> bool:
    """Whether a pasted text looks like a request or a recording, and not like an
    error alone."""
    return _REQUEST.search(text) is not None


def start_pasted(engine: Engine, text: str) -> Path:
    """Write what was pasted as a session. Raises UsageError, which says what can be
    pasted, and InputError.

    What is pasted may hold keys: importers read it from memory, and the session is
    redacted like every other.
    """
    data = to_bytes(text.strip())
    if not data:
        raise UsageError("nothing is pasted yet")
    with closing(InputFile()) as file:
        file.write(data)
        return _import(engine, file.path, data)


def _import(engine: Engine, path: Path, data: bytes) -> Path:
    try:
        session = open_file(path, None, PASTED)
    except InputError as problem:
        return _body(engine, data, problem)
    if not session.steps:
        raise UsageError("there is no request in what is pasted")
    return keep(engine, session)


def keep(engine: Engine, session: Session) -> Path:
    """Write a session under a free name. Raises InputError."""
    for out in _names(session.title):
        try:
            engine.save_as(Document(session), out)
        except WouldOverwrite:
            continue
        return out
    raise InputError("has no free name for a new session", path=str(_folder()))


def _body(engine: Engine, data: bytes, problem: InputError) -> Path:
    """A body that no importer knows, if a dialect does."""
    try:
        return start(engine, RequestDraft(body=data), PASTED)
    except SigscopeError:
        why = problem.problem.splitlines()[0].rstrip(".")
        raise UsageError(
            f"{why}; paste a curl command, HTTP text, a HAR file, or the"
            " JSON body of a request"
        ) from None


def _folder() -> Path:
    return data_dir() / "sessions"


def _names(title: str) -> list[Path]:
    """Free names, as far as can be seen, the plainest first."""
    stem = stem_of(title) or "session"
    paths = (
        _folder() / f"{stem}{f'-{number}' if number > 1 else ''}{SUFFIX}"
        for number in range(1, _MOST_NAMES)
    )
    free: list[Path] = []
    for path in paths:
        if not os.path.lexists(path):
            free.append(path)
            if len(free) == 3:  # another program may take one meanwhile
                break
    return free
