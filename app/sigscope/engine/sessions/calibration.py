"""Live runs that were answered otherwise than foretold, gathered in one session that
can be shown to strangers: the simulator and the rules are to learn from it.

What the redaction of session files leaves is taken out here: titles, stories, notes and
tags, all headers but those that tell what is spoken, hosts and projects that are
somebody's own, ids of users. Of each source only the conversation up to the run stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from sigscope.records import dataclass
from fnmatch import fnmatchcase
from urllib.parse import parse_qsl, urlencode

from sigscope.dialects.registry import SERVICES
from sigscope.edits.apply import apply
from sigscope.edits.records import Edit, Op
from sigscope.engine.sending.sender import SIMULATOR_HEADER
from sigscope.engine.sessions.arrangement import joined, only
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body, Exchange, Headers, Request, Response, header
from sigscope.jsontext import JsonText
from sigscope.runs import Run, Verdict
from sigscope.store.secrets.learner import Known
from sigscope.session import Session, Spoken, Step
from sigscope.upstreams.target import SIMULATOR
from sigscope.wire.bodies import decode
from sigscope.wire.urls import split_url

TITLE = "Live runs that were answered otherwise than foretold"
_KEPT_HEADERS = frozenset(
    {"content-type", "content-encoding", "transfer-encoding", "anthropic-version"}
)
_KEPT_QUERY = frozenset({"alt", "api-version"})
_SOMEBODYS = re.compile(r"(?<=/projects/)[^/]+|(?<=/deployments/)[^/]+")
_VERSION = re.compile(r"\d+(\.\d+)+[\w.-]*")
_USER_IDS = (
    "/user",
    "/metadata",
    "/safety_identifier",
    "/prompt_cache_key",
    "/litellm_session_id",
)
"""Members of request bodies that may name somebody; none is about reasoning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One live run that was answered otherwise than foretold."""

    source: str
    """The session it was made from, as the user calls it."""
    run: int
    """Its number there."""
    step: int
    said: str
    """What was foretold, and what came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """All of them in one session, not yet written."""

    session: Session | None = None
    """None where nothing disagrees."""
    cases: tuple[Disagreement, ...] = ()
    removed: Counter[str] = field(default_factory=Counter)
    """What was taken out, beside what the redaction takes out."""
    looked: int = 0
    """Live runs that were looked at."""
    keys: tuple[str, ...] = ()
    """What requests were sent with: an error answer may quote a key, and the headers
    that tell it as one do not go along."""


def calibrate(documents: Sequence[tuple[str, Document]]) -> Calibration:
    """Gather from sessions, each with its name. A run that several files hold counts
    once."""
    removed: Counter[str] = Counter()
    cases: list[Disagreement] = []
    parts: list[Session] = []
    seen: set[tuple[str, str]] = set()
    looked = 0
    known = Known()
    for name, document in documents:
        runs = []
        for run in document.runs:
            key = (run.at, run.exchange.digest)
            if not is_live(run) or key in seen:
                continue
            seen.add(key)
            looked += 1
            said = disagreement(run)
            if said:
                runs.append(run)
                cases.append(
                    Disagreement(source=name, run=run.number, step=run.step, said=said)
                )
        if runs:
            parts.append(_part(document, runs, removed))
            for exchange in (
                *(step.exchange for step in document.steps),
                *(run.exchange for run in document.runs),
            ):
                known.learn(exchange.request)
    if not parts:
        return Calibration(looked=looked)
    arranged = joined(parts, TITLE) if len(parts) > 1 else only(parts[0], _all(parts[0]))
    session = replace(arranged.session, title=TITLE)
    return Calibration(
        session=session,
        cases=tuple(cases),
        removed=removed,
        looked=looked,
        keys=known.secrets,
    )


def is_live(run: Run) -> bool:
    """Whether a service answered, and not a simulator."""
    response = run.exchange.response
    if run.upstream == SIMULATOR or response is None:
        return False
    return header(response.headers, SIMULATOR_HEADER) is None


def disagreement(run: Run) -> str:
    """In which the answer is another than the simulator, or the rules, foretold; ""
    where it is not, or tells nothing about the request."""
    if run.verdict is Verdict.UNCLEAR:
        return ""
    voices = []
    if run.contradiction:
        voices.append(f"the simulator foretold {run.predicted}")
    if run.rules is not None and run.rules.differs_from(run.status):
        voices.append(run.rules.words)
    return f"{'; '.join(voices)}; {run.status} came" if voices else ""


# --- What goes along ------------------------------------------------------------------


def _all(session: Session) -> list[int]:
    return [step.number for step in session.steps]


def _part(document: Document, runs: Sequence[Run], removed: Counter[str]) -> Session:
    """The runs with those they were made from, and the steps before."""
    by_number = {run.number: run for run in document.runs}
    kept: dict[int, Run] = {}
    for run in runs:
        each: Run | None = run
        while each is not None:
            kept[each.number] = each
            each = by_number.get(each.parent) if each.parent is not None else None
    steps: set[int] = set()
    for run in runs:
        steps |= _before(document, run.step)
    session = document.session
    removed["session (title, story, notes, tags)"] += 1
    bare = replace(
        session,
        title="",
        story="",
        notes=[],
        tags=(),
        steps=tuple(_bare_step(step, removed) for step in session.steps),
        runs=[_bare_run(kept[number], removed) for number in sorted(kept)],
        spoken=[
            # With its host and headers gone, a step has to say what it speaks.
            Spoken(dialect=reading.dialect.name, at="", step=reading.number)
            for reading in document.readings
            if reading.dialect is not None
        ],
    )
    arranged = only(bare, steps)
    dropped = len(session.steps) - len(steps)
    if dropped:
        removed["step that no such run was made from"] += dropped
    return arranged.session


def _before(document: Document, step: int) -> set[int]:
    """A step, and those of its conversation before it."""
    found = {step}
    thread = document.ledger.thread_of.get(step)
    while thread is not None:
        found |= {each for each in thread.steps if each <= step}
        parent = thread.parent if thread.kind == "fork" else None
        step = parent or 0
        thread = document.ledger.thread_of.get(parent) if parent else None
    return found


def _bare_step(step: Step, removed: Counter[str]) -> Step:
    return replace(
        step, title="", source="", exchange=_bare(step.exchange, removed)
    )


def _bare_run(run: Run, removed: Counter[str]) -> Run:
    return replace(
        run,
        title="",
        upstream=_bare_url(run.upstream, removed),
        exchange=_bare(run.exchange, removed),
        recording="",
    )


def _bare(exchange: Exchange, removed: Counter[str]) -> Exchange:
    request, response = exchange.request, exchange.response
    return replace(
        exchange,
        request=request and _bare_request(request, removed),
        response=response and _bare_response(response, removed),
        remarks=(),
        mended=None,
    )


def _bare_request(request: Request, removed: Counter[str]) -> Request:
    body = _bare_body(request, removed)
    headers = _bare_headers(request.headers, removed)
    if body is not request.body:  # it is written plainly
        headers = tuple(h for h in headers if h[0].lower() != "content-encoding")
    return replace(
        request, url=_bare_url(request.url, removed), headers=headers, body=body
    )


def _bare_response(response: Response, removed: Counter[str]) -> Response:
    return replace(response, headers=_bare_headers(response.headers, removed))


def _bare_body(request: Request, removed: Counter[str]) -> Body:
    """Without ids of users; the rest is spelled as it was."""
    data = decode(request.body.raw, request.headers).data
    text = JsonText(data)
    named = [p for p in _USER_IDS if text.maybe_locate(p) is not None]
    if text.is_broken or not named:
        return request.body
    removed["id of a user or session"] += len(named)
    return Body(apply([Edit(op=Op.DROP, pointer=each) for each in named], text))


def _bare_headers(headers: Headers, removed: Counter[str]) -> Headers:
    """Those that tell what is spoken; of a service's own only that they were there."""
    found = []
    for name, value in headers:
        low = name.lower()
        if low in _KEPT_HEADERS or any(low in s.request_headers for s in SERVICES):
            found.append((name, value))
        elif any(low.startswith(s.answer_headers) for s in SERVICES):
            is_version = _VERSION.fullmatch(value.strip()) is not None
            found.append((name, value if is_version else "1"))
        else:
            removed["header"] += 1
    return tuple(found)


def _bare_url(url: str, removed: Counter[str]) -> str:
    """Whose API it is stays to be seen, whose account is not."""
    parts = split_url(url)
    host = _bare_host(parts.host.partition(":")[0])
    path = _SOMEBODYS.sub("x", parts.path)
    query = urlencode(
        [pair for pair in parse_qsl(parts.query) if pair[0] in _KEPT_QUERY]
    )
    made = f"{parts.scheme}://{host}" if parts.scheme and host else ""
    made += path + (f"?{query}" if query else "")
    if made != url:
        removed["host, project or query of a URL"] += 1
    return made


def _bare_host(host: str) -> str:
    """A known service's own, with what is somebody's in it taken out."""
    for pattern in (pattern for service in SERVICES for pattern in service.hosts):
        if host == pattern:
            return host
    for pattern in (pattern for service in SERVICES for pattern in service.hosts):
        if fnmatchcase(host, pattern):
            return pattern.replace("*", "x")
    return "host.invalid" if host else ""


def calibration_table(
    found: Calibration, file: str | None, removed: Counter[str], other: Sequence[str]
) -> dict[str, object]:
    """What `calibrate --json` prints; `file`: None where nothing was written."""
    return {
        "format": 1,
        "file": file,
        "live_runs": found.looked,
        "cases": [
            {"source": c.source, "run": c.run, "step": c.step, "said": c.said}
            for c in found.cases
        ],
        "removed": dict(found.removed + removed),
        "differences": list(other),
        "sent": False,
    }
