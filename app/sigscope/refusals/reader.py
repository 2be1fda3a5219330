"""From a step's answer to what its error says: the one entry of this package."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sigscope.conversation import Json
from sigscope.reader import Reading
from sigscope.refusals.dialects import wording_of
from sigscope.refusals.grounds import Ground, ground_of
from sigscope.refusals.locate import locate
from sigscope.refusals.mentions import find_mentions
from sigscope.refusals.patterns import PatternHit, find_rules
from sigscope.refusals.places import Located
from sigscope.refusals.records import Refusal, RefusalMatch
from sigscope.refusals.unwrap import Unwrapped, beside, unwrap
from sigscope.utf8 import readable

PAGE_BYTES = 256 * 1024
"""Of an answer in words or a page, what is looked at for an error."""


def read_refusal(reading: Reading) -> Refusal | None:
    """What the error of an answer says; None where the answer is no error.

    An error is an answer without success (status 300 and up), an error object in a
    body that came with 200, or one in an event of a stream. A finish reason is none:
    the rules judge those. Costs one look at the events of a stream. Never raises.
    """
    status = reading.status
    if reading.exchange.response is None:
        return None
    found = _find_event(reading) if reading.is_streamed else None
    if status is not None and not 200 <= status < 300:
        is_event = found is not None and reading.framing != "json-list"
        body = found[1] if found and is_event else _text(reading)
        return _refusal(reading, body, None)
    if found is not None:
        event, body = found
        return _refusal(reading, body, event)
    if reading.is_streamed:
        return None
    body = reading.response_json
    if is_error_body(body) or _is_page(reading):
        return _refusal(reading, body or _text(reading), None)
    return None


def _text(reading: Reading) -> str:
    """The body as text; of a huge one that is no JSON, what tells most: its start."""
    data = reading.response_body.data
    if len(data) > PAGE_BYTES and data.lstrip()[:1] not in (b"{", b"["):
        data = data[:PAGE_BYTES]
    return readable(data)


def _is_page(reading: Reading) -> bool:
    """A chat request that was answered with words or a page: some proxy spoke."""
    return reading.is_page and reading.dialect is not None


def _find_event(reading: Reading) -> tuple[int, Json] | None:
    """The first event of a stream that is an error, and what it holds."""
    for event, data in zip(reading.events, reading.event_data, strict=True):
        if is_error_body(data) or (event.name == "error" and event.data.strip()):
            body = data if data is not None else readable(event.data)
            return event.number, body
    return None


def is_error_body(data: Json) -> bool:
    """Whether a body or an event that came with 200 is an error all the same."""
    if isinstance(data, list):
        return len(data) == 1 and is_error_body(data[0])
    if not isinstance(data, dict):
        return False
    inner = data.get("response")
    return (
        any(_is_said(holder.get("error")) for holder in (data, *_choices(data)))
        or data.get("type") == "error"
        or (isinstance(inner, dict) and _is_said(inner.get("error")))
    )


def _is_said(error: Json) -> bool:
    """An `error` member with something in it; `null`, `{}` and `""` are none."""
    return isinstance(error, dict | list | str) and bool(error)


def _choices(data: dict[str, Json]) -> Iterator[dict[str, Json]]:
    choices = data.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, dict):
            yield choice


# --- Making the refusal ---------------------------------------------------------------


def _refusal(reading: Reading, body: Json, event: int | None) -> Refusal:
    found = _unwrap(body, reading)
    text = found.text or found.code or _bare_status(reading)
    matches = _matches(reading, found, event)
    is_placed = any(match.pointers for match in matches)
    named = Located() if is_placed else find_mentions(reading, found.layers)
    inner = _inner_status(body) if isinstance(body, dict | list) else None
    return Refusal(
        status=reading.status if reading.status is not None or event is None else 200,
        text=text,
        code=found.code,
        layers=found.wrappings,
        provider=found.provider,
        texts=found.texts or (text,),
        matches=matches,
        event=event,
        ground=_ground(reading, found, inner),
        pointers=named.pointers,
        note=named.note,
    )


def _ground(reading: Reading, found: Unwrapped, inner: int | None) -> Ground:
    """A page under a status of success is some proxy's: it judged no request."""
    status = reading.status
    if status is not None and status < 300 and _is_page(reading):
        return Ground.SERVICE
    return ground_of(found.layers, found.wrappings, status, inner)


def _inner_status(body: Json) -> int | None:
    """The HTTP status that an error inside a body or an event gives as its own."""
    if isinstance(body, list):
        return _inner_status(body[0]) if body else None
    holders = (body, *_choices(body)) if isinstance(body, dict) else ()
    errors = [h.get("error") for h in holders]
    for error in (e for e in errors if isinstance(e, dict)):
        for key in ("code", "status", "http_code", "status_code"):
            number = str(error.get(key))
            if number.isdecimal() and 400 <= int(number[:4]) < 600:
                return int(number)
    return None


def _unwrap(body: Json, reading: Reading) -> Unwrapped:
    """An error taken apart; where its own words are no rule's, an error beside them
    may speak."""
    found = unwrap(body)
    dialect = _dialect(reading)
    if find_rules(found.layers, dialect):
        return found
    others = (other for other in beside(body) if find_rules(other.layers, dialect))
    return next(others, found)


def _dialect(reading: Reading) -> str:
    return reading.dialect.name if reading.dialect else ""


def _bare_status(reading: Reading) -> str:
    response = reading.exchange.response
    reason = response.reason if response else ""
    return f"{reason} (empty body)" if reason else "an empty body"


def _matches(
    reading: Reading, found: Unwrapped, event: int | None
) -> tuple[RefusalMatch, ...]:
    """The dialect's own rule before that of the service behind it."""
    dialect = _dialect(reading)
    wording = wording_of(dialect)
    matches: dict[str, RefusalMatch] = {}
    for hit in find_rules(found.layers, dialect):
        match = _match(hit, reading)
        own = wording.behind.get(match.rule)
        if own and own not in matches:
            matches[own] = replace(match, rule=own)
        matches.setdefault(match.rule, match)
    _share_places(matches)
    if event is not None and wording.in_stream:
        note = "the error came inside a stream that began well"
        matches.setdefault(
            wording.in_stream, RefusalMatch(rule=wording.in_stream, note=note)
        )
    return tuple(matches.values())


def _match(hit: PatternHit, reading: Reading) -> RefusalMatch:
    located = locate(hit, reading)
    return RefusalMatch(
        rule=hit.pattern.rule,
        pointers=located.pointers,
        note=located.note,
        numbers=tuple(int(g["n"]) for g in hit.groups if g.get("n")),
        fits=located.fits,
    )


def _share_places(matches: dict[str, RefusalMatch]) -> None:
    """OpenRouter's own words name no place; Google's, which it quotes, do."""
    own = matches.get("ORT-1")
    if own is None or own.pointers:
        return
    for rule in ("GEM-1", "GEM-2", "GEM-3"):
        quoted = matches.get(rule)
        if quoted and quoted.pointers:
            matches["ORT-1"] = replace(quoted, rule="ORT-1")
            return
