"""Bodies of a HAR entry.

A request body is `postData.text`, or `postData.params` of a form; a response body is
`content.text`, in base64 where `content.encoding` says so. Lone surrogates are bytes
that mitmproxy could not read as UTF-8, and become those bytes again.
"""

from __future__ import annotations

from pathlib import PurePath
from urllib.parse import urlencode

from sigscope.capture.bodies import Found, rebuilt
from sigscope.capture.shape import Tree, mapping, sequence, text, whole
from sigscope.capture.source import Source, parse_json, read_file
from sigscope.capture.values import base64_bytes, headers_of, text_bytes
from sigscope.errors import InputError
from sigscope.wire.headers import Headers, header

_READ_AS = (("latin-1", "strict"), ("windows-1252", "sigscope-c1"))


def request_body(asked: dict[str, Tree], source: Source) -> Found:
    """What the client sent, and a remark where it is not as it was on the wire."""
    posted = mapping(asked.get("postData"))
    body, remark = _content(posted, source)
    if not body:
        # HTTP Toolkit keeps binary request bodies here.
        body, remark = _content(mapping(asked.get("_content")), source)
    params = sequence(posted.get("params"))
    if not body and params:
        return _form(params)
    if not body and not remark and (whole(asked.get("bodySize")) or 0) > 0:
        return b"", "the recording leaves out the body"
    return body, remark or _misread(body, headers_of(asked.get("headers")))


def _misread(body: bytes, headers: Headers) -> str:
    """A remark where the length tells that the bytes were others: mitmproxy takes a
    JSON body with a UTF-16 mark for UTF-16, whatever follows."""
    length = header(headers, "content-length") or ""
    if not body or not length.isdigit() or header(headers, "content-encoding"):
        return ""
    if len(body) == int(length):
        return ""
    return f"{length} bytes were sent; the text in the recording has {len(body)}"


def response_body(answered: dict[str, Tree], source: Source) -> Found:
    """What came back, and a remark where it is not as it was on the wire."""
    content = mapping(answered.get("content"))
    body, remark = _content(content, source)
    size = whole(content.get("size")) or 0
    if not body and not remark and size > 0:
        comment = text(content.get("comment"))
        reason = f" ({comment})" if comment else ""
        return b"", f"the recording leaves out the body of {size} bytes{reason}"
    if body and not (remark or content.get("encoding")):
        headers = headers_of(answered.get("headers"))
        if found := _misspelled(text(content.get("text")), size, headers):
            return found
    if body or remark:
        # mitmproxy writes the size before decoding, which small bodies stay below.
        is_coded = header(headers_of(answered.get("headers")), "content-encoding")
        if len(body) < size and not (remark or is_coded or content.get("encoding")):
            return body, f"the recording has {len(body)} bytes of a body of {size}"
        return body, remark
    if content.get("text") is None and answered.get("status") == 200:
        return b"", "the recording holds no body"
    return b"", ""


def _misspelled(spelled: str, size: int, headers: Headers) -> Found | None:
    """The bytes of a text that was UTF-8 and was read as another charset; None if it
    was not.

    mitmproxy reads all text as Latin-1 that names no charset and is not JSON (source:
    its net/http/headers.py, infer_content_encoding), Chrome as windows-1252 (156, seen
    in its exports): event streams above all. The size proves it; of a coded body, whose
    size may be another, it is only very likely.
    """
    if spelled.isascii() or len(text_bytes(spelled)) == size:
        return None
    if "charset" in (header(headers, "content-type") or "").lower():
        return None
    for charset, errors in _READ_AS:
        try:
            body = spelled.encode(charset, errors)
            body.decode("utf-8")
        except UnicodeError:
            continue
        if len(body) == size:
            return body, ""
        if header(headers, "content-encoding"):
            return body, f"the text had been read as {charset}; it is UTF-8 again"
    return None


def _content(content: dict[str, Tree], source: Source) -> Found:
    value = content.get("text", content.get("textJSON"))
    if isinstance(value, dict | list):
        return rebuilt(value)
    spelled = text(value)
    if not spelled:
        return _attached(text(content.get("_file")), source)
    is_base64 = text(content.get("encoding")).lower() == "base64"
    if (is_base64 or content.get("_isBinary") is True) and spelled.startswith("["):
        pieces = _polly_pieces(spelled, is_base64)
        if pieces is not None:
            return pieces, ""
    if not is_base64:
        return text_bytes(spelled), ""
    data = base64_bytes(spelled)
    if data is None:
        return text_bytes(spelled), "the body is no base64, as the recording says"
    return data, ""


def _polly_pieces(spelled: str, is_base64: bool) -> bytes | None:
    """Polly.js keeps binary bodies as a JSON list of pieces, in base64 or hex."""
    pieces = [text(piece) for piece in sequence(parse_json(spelled)[0])]
    out: list[bytes] = []
    for piece in pieces:
        try:
            data = base64_bytes(piece) if is_base64 else bytes.fromhex(piece)
        except ValueError:
            return None
        if data is None:
            return None
        out.append(data)
    return b"".join(out) if out else None


def _attached(name: str, source: Source) -> Found:
    """A body that Playwright wrote into a file beside the HAR."""
    if not name:
        return b"", ""
    if PurePath(name).name != name:
        return b"", f"the body is in another folder, {name!r}, which is not read"
    try:
        return read_file(source.path.parent / name), ""
    except InputError as error:
        return b"", f"the body is in another file: {error}"


def _form(params: list[Tree]) -> Found:
    pairs = [mapping(param) for param in params]
    named = [(text(pair.get("name")), text(pair.get("value"))) for pair in pairs]
    body = urlencode(named, errors="surrogatepass").encode("ascii")
    if any("fileName" in pair for pair in pairs):
        return body, "rebuilt from form fields; attached files are not in the recording"
    return body, "rebuilt from form fields; its bytes are not in the recording"
