"""One request as a shell script that runs curl.

    : "${OPENROUTER_API_KEY:?set it to your OpenRouter key}"
    curl --silent --show-error --include --no-buffer --globoff \\
      'https://openrouter.ai/api/v1/chat/completions' \\
      --header 'Authorization: Bearer '"$OPENROUTER_API_KEY" \\
      --data-raw '{"model": ...}'

For any POSIX sh. curl sends exactly the recorded headers: those that it would add of
its own are switched off. A body goes as an argument while it is text and short enough
for one (Linux takes 128 KiB); else it is piped in, in base64 where it is no text.
`--data-raw` and `--data-binary @-` change no byte (curl's manual page).
"""

from __future__ import annotations

import base64

from sigscope.dialects.services import Variable
from sigscope.export.keys import Text, merged
from sigscope.export.records import ScriptedRequest
from sigscope.export.request import Outgoing, opening, outgoing
from sigscope.utf8 import is_utf8, to_bytes

MOST_INLINE = 100_000
"""Bytes of a body that are given as an argument."""
_ADDED_BY_CURL = ("Accept", "User-Agent", "Content-Type")
_JOIN = b" \\\n  "


def curl_script(sent: ScriptedRequest) -> bytes:
    """The script. Where anything in it is not as recorded, a comment says so."""
    what = outgoing(sent)
    pipe, body = _body(what)
    head = [_comment(line) for line in opening(sent, what)]
    if pipe:
        head.append(_comment("The body is piped in, as it is long or no text."))
    needs = [
        f': "${{{each.name}:?set it to {each.hint}}}"'.encode()
        for each in what.variables
    ]
    options = [
        b"curl --silent --show-error --include --no-buffer --globoff",
        *_request(what),
        *_headers(what),
        *body,
    ]
    command = pipe + _JOIN.join(options)
    return b"\n".join([b"#!/bin/sh", *head, *needs, command, b""])


def _comment(text: str) -> bytes:
    """One line, whatever the recording put into the text."""
    return b"# " + "".join(c if c.isprintable() else "?" for c in text).encode()


def _request(what: Outgoing) -> list[bytes]:
    options = [_quoted(what.url, "utf-8")]
    if what.method == "HEAD":
        options.append(b"--head")
    elif what.method != ("POST" if what.body else "GET"):
        options.append(b"--request " + _quoted((what.method,)))
    if "/." in "".join(part for part in what.url if isinstance(part, str)):
        options.append(b"--path-as-is")
    return options


def _headers(what: Outgoing) -> list[bytes]:
    options = []
    for name, value in what.headers:
        # Without a semicolon curl takes an empty header for one to leave out.
        line: Text = (f"{name}: ", *value) if value else (f"{name};",)
        options.append(b"--header " + _quoted(line))
        if name.lower() == "accept-encoding":
            options.append(b"--compressed")
    given = {name.lower() for name, _ in what.headers}
    added = [name for name in _ADDED_BY_CURL if name.lower() not in given]
    if len(what.body) > 1024 * 1024:
        added.append("Expect")
    return options + [f"--header '{name}:'".encode() for name in added]


def _body(what: Outgoing) -> tuple[bytes, list[bytes]]:
    """What to run before curl, and curl's option."""
    if not what.body:
        return b"", ([b"--data-raw ''"] if what.method == "POST" else [])
    if b"\0" in what.body or not is_utf8(what.body):
        text = base64.b64encode(what.body)
        pipe = b"printf %s '" + text + b"' | base64 -d | "
    elif len(what.body) > MOST_INLINE:
        pipe = b"printf %s " + quote(what.body) + b" | "
    else:
        return b"", [b"--data-raw " + quote(what.body)]
    return pipe, [b"--data-binary @-"]


def _quoted(text: Text, encoding: str = "latin-1") -> bytes:
    """A text in quotes; variables are in double ones, which sh expands."""
    return b"".join(
        f'"${piece.name}"'.encode()
        if isinstance(piece, Variable)
        else quote(_wire(piece, encoding))
        for piece in merged(text)
    )


def _wire(text: str, encoding: str) -> bytes:
    """As it was on the wire: headers are latin-1 where they can be."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return to_bytes(text)


def quote(data: bytes) -> bytes:
    """Single quotes, in which sh changes nothing."""
    return b"'" + data.replace(b"'", b"'\\''") + b"'"
