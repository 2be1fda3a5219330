"""The JSON documents of a subject, each made once. Pure."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from sigscope.edits.apply import apply
from sigscope.edits.records import Edit
from sigscope.exchange import Headers
from sigscope.jsontext import JsonText, dumps
from sigscope.reader import Reading
from sigscope.tui.json.source import JsonSource
from sigscope.utf8 import to_bytes

_KEPT = 8
"""Documents kept, so that going back and forth between steps reads nothing anew."""

_SECRET = ("authorization", "cookie", "api-key", "apikey", "token", "secret")


class Documents:
    """Sources for readings and for edited requests."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[int, str], tuple[Reading, JsonSource | None]] = (
            OrderedDict()
        )
        self._edited: tuple[Reading, tuple[Edit, ...], JsonSource] | None = None

    def request(self, reading: Reading) -> JsonSource | None:
        """The request body; None if there is none."""
        return self._keep(reading, "request", _request)

    def response(self, reading: Reading) -> JsonSource | None:
        """The response body, put together where it was streamed; None if it is no
        JSON."""
        return self._keep(reading, "response", _response)

    def edited(self, base: Reading, edits: Sequence[Edit]) -> JsonSource | None:
        """The request body with edits. Raises EditError."""
        source = self.request(base)
        if source is None:
            return None
        wanted = tuple(edits)
        kept = self._edited
        if kept and kept[0] is base and kept[1] == wanted:
            return kept[2]
        made = JsonSource(JsonText(apply(wanted, source.document)))
        self._edited = (base, wanted, made)
        return made

    def _keep(
        self, reading: Reading, which: str, make: Callable[[Reading], JsonSource | None]
    ) -> JsonSource | None:
        key = (id(reading), which)
        if key not in self._made:
            self._made[key] = (reading, make(reading))
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key][1]


def _request(reading: Reading) -> JsonSource | None:
    data = reading.request_body.data
    return JsonSource(reading.request_text) if data.strip() else None


def _response(reading: Reading) -> JsonSource | None:
    if reading.is_streamed:
        if reading.assembler is None:
            return None
        return JsonSource(JsonText(to_bytes(dumps(reading.response_json))))
    data = reading.response_body.data
    if reading.framing != "json" and data.lstrip()[:1] not in (b"{", b"["):
        return None
    return JsonSource(reading.response_text) if data.strip() else None


def request_note(reading: Reading) -> str:
    """Why there is no request to show."""
    if reading.exchange.request is None:
        return "the recording holds no request"
    return "the request has no body"


def response_note(reading: Reading) -> str:
    """Why there is no response to show as JSON."""
    if reading.exchange.response is None:
        other = reading.exchange.sent_as
        where = f"step {other} was sent in its place" if other else "none is recorded"
        return f"no response: {where}"
    if not reading.response_body.data.strip():
        return "the response has no body"
    if reading.is_streamed:
        return "no known dialect: the stream is not put together; see Events"
    return "the response is not JSON; see Raw"


def request_title(reading: Reading) -> str:
    """ "POST /chat/completions"."""
    request = reading.exchange.request
    if request is None:
        return ""
    from sigscope.store.secrets.marker import shown_url  # dear; not in a first paint

    path = shown_url(request.url)
    if "://" in path:
        path = "/" + path.split("://", 1)[1].partition("/")[2]
    return f"{request.method} {path.partition('?')[0]}".strip()


def response_title(reading: Reading) -> str:
    """ "200 OK, put together from 31 events"."""
    response = reading.exchange.response
    if response is None:
        return ""
    words = [str(response.status or ""), response.reason]
    title = " ".join(filter(None, words)) or "response"
    if reading.is_streamed:
        title += f", put together from {len(reading.events):,} events"
    return title


def head_lines(reading: Reading, side: str) -> tuple[str, ...]:
    """Request or status line, headers, and a blank line. Credentials are not shown."""
    from sigscope.store.secrets.marker import shown_url

    request, response = reading.exchange.request, reading.exchange.response
    if side == "request" and request is not None:
        first = (
            f"{request.method} {shown_url(request.url)} {request.http_version}".strip()
        )
        headers = request.headers
    elif side == "response" and response is not None:
        words = [response.http_version, str(response.status or ""), response.reason]
        first = " ".join(filter(None, words))
        headers = response.headers
    else:
        return ()
    lines = [line for line in (first, *_header_lines(headers)) if line]
    return (*lines, "") if lines else ()


def _header_lines(headers: Headers) -> list[str]:
    return [f"{name}: {_harmless(name, value)}" for name, value in headers]


def _harmless(name: str, value: str) -> str:
    bare = name.lower()
    if any(word in bare for word in _SECRET) and value:
        return f"({len(value)} characters, not shown)"
    return value
