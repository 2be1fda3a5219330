"""Variables for what was removed: `Bearer [removed]` → `Bearer $OPENROUTER_API_KEY`.

The names are those that the services' own documentation and SDKs use; Copilot's and
LiteLLM's have no fixed one, so theirs say whose they are.
"""

from __future__ import annotations

import re

from sigscope.dialects.registry import KEY_HEADERS, named, service_at
from sigscope.dialects.services import Variable
from sigscope.wire.urls import split_url

HEADER_MARK = "[removed]"
"""What stands in a header where a secret was (see `store.secrets.marker`)."""
URL_MARK = "REMOVED"
"""The same in a URL."""


Text = tuple[str | Variable, ...]
"""A text with variables in it."""

_KEY_PARAMETERS = frozenset({"key", "api_key", "api-key", "apikey", "access_token"})
_IN_URL = re.compile(
    rf"(?P<user>(?<=://){URL_MARK}(?=@))|(?<=[?&;#])(?P<name>[^=&;#]+)={URL_MARK}(?=[&;#]|$)"
)


def key_variable(url: str, dialect: str | None) -> Variable:
    """The variable for the key of a service: by its host, else the one that is usual
    for the dialect."""
    host = split_url(url).host.partition(":")[0]
    known = named(dialect or "")
    services = known.services if known else ()
    service = service_at(host) or next(iter(services), None)
    variable = service.key_variable if service else None
    return variable or Variable("API_KEY", "your key")


def header_text(name: str, value: str, key: Variable) -> Text:
    """A header's value, with a variable where its secret was."""
    if HEADER_MARK not in value:
        return (value,) if value else ()
    lower = name.lower()
    if lower == "cookie":
        return (Variable("COOKIE", "the whole Cookie header"),)
    variable = key if lower in KEY_HEADERS else _named(name, f"the header {name}")
    return _woven(value.split(HEADER_MARK), variable)


def url_text(url: str, key: Variable) -> Text:
    """A URL, with variables where its secrets were."""
    pieces: list[str | Variable] = []
    done = 0
    for found in _IN_URL.finditer(url):
        name = found["name"]
        if name is None:
            variable = Variable("URL_USER", "user and password, as in user:password")
        elif name.lower() in _KEY_PARAMETERS:
            variable = key
        else:
            variable = _named(name, f"the parameter {name} of the URL")
        start = found.end() - len(URL_MARK)
        pieces += (url[done:start], variable)
        done = found.end()
    return tuple(piece for piece in (*pieces, url[done:]) if piece)


def variables(*texts: Text) -> tuple[Variable, ...]:
    """The variables in texts, each once, in order."""
    found = (piece for text in texts for piece in text if isinstance(piece, Variable))
    return tuple({each.name: each for each in found}.values())


def merged(text: Text) -> Text:
    """The same with neighbouring pieces of plain text joined."""
    found: list[str | Variable] = []
    for piece in text:
        if found and isinstance(piece, str) and isinstance(found[-1], str):
            found[-1] += piece
        else:
            found.append(piece)
    return tuple(found)


def _named(name: str, hint: str) -> Variable:
    word = re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_") or "SECRET"
    word = f"_{word}" if word[0].isdigit() else word
    return Variable(word, re.sub(r"[^\w .:-]", "_", hint, flags=re.ASCII))


def _woven(pieces: list[str], variable: Variable) -> Text:
    text: list[str | Variable] = [pieces[0]]
    for piece in pieces[1:]:
        text += (variable, piece)
    return tuple(piece for piece in text if piece)
