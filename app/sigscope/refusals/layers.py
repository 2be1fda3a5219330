"""One layer of an error: the message somebody wrote, and what they wrapped in it."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace

from sigscope.conversation import Json
from sigscope.records import dataclass
from sigscope.refusals.literals import find_literal

PAGE_CHARS = 400
"""Characters of an HTML page's words that are kept as its message."""

_LITELLM = re.compile(
    r"\s*(?P<names>(?:litellm\.\w+:\s*)+)"
    r"(?:(?P<provider>\w+?)_?Exception\b(?:[ ]\w+Error)?\s*[-:]?\s*)?"
)
_CAPTIONS = (
    (re.compile(r"upstream error:\s*$", re.I), "upstream error after text"),
    (re.compile(r"request failed: \d+\s*$", re.I), "VS Code's “Request Failed”"),
    (re.compile(r"got status: \d+[^{]*$", re.I), "client's “got status”"),
    (re.compile(r"error code: \d+ - $", re.I), "OpenAI SDK's exception"),
)
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body)\b", re.I
)
_UNSEEN = re.compile(r"<(script|style|svg)\b.*?</\1\s*>|<!--.*?-->", re.I | re.S)
_TAG = re.compile(r"<[^>]*>")
_TITLE = re.compile(r"<title[^>]*>(.*?)</title\s*>", re.I | re.S)

_NAMING = ("error", "errors", "detail", "error_message", "errorMessage")
"""Keys that only errors have."""
_COMPANIONS = frozenset(
    ("code", "status", "statusCode", "type", "__type", "error_type", "request_id")
)
"""Keys that tell an error's `message` from anybody else's."""
_MESSAGES = (
    "message",
    "detail",
    "error_message",
    "errorMessage",
    "description",
    "title",
)
"""Keys of the message, the likeliest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """What one of those an error passed through had to say."""

    text: str = ""
    """Its message; empty where it only wrapped."""
    code: str = ""
    """Its own code, status word or error type."""
    param: str = ""
    """The field of the request that it names, in its own spelling."""
    provider: str = ""
    """Who it says raised the error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peeled:
    """A layer taken off, and what was under it."""

    layer: Layer
    inner: Json = None
    """None where nothing more is inside."""
    how: tuple[str, ...] = ()
    """How the inner value was wrapped, from the outside in."""


def is_error(value: Json) -> bool:
    """Whether an object, or an array of them, looks like somebody's error.

    A `message` alone may be anybody's, a user's words in a quoted history among them.
    """
    if isinstance(value, list):
        return any(is_error(item) for item in value[:8] if isinstance(item, dict))
    if isinstance(value, str):
        return bool(value.strip())
    if not isinstance(value, dict):
        return False
    if any(value.get(key) for key in _NAMING):
        return True
    return bool(value.get("message")) and (
        len(value) == 1 or not _COMPANIONS.isdisjoint(value)
    )


# --- Text ---------------------------------------------------------------------------


def peel_text(text: str) -> Peeled:
    """A message: a page, a known prefix, a literal within words, or only words."""
    text = text.strip()
    if _HTML.match(text):
        return Peeled(layer=Layer(text=_page_words(text)), how=("HTML page",))
    prefix = _LITELLM.match(text)
    if prefix and prefix.end() < len(text):
        return _peel_litellm(text, prefix)
    found = find_literal(text, is_error)
    if found is None:
        return Peeled(layer=Layer(text=text))
    before, after = text[: found.start].rstrip(), text[found.end :].strip(" .\n'\"")
    words = " … ".join(piece for piece in (before, after) if piece)
    if found.kind == "JSON":
        how = _caption(text[: found.start]) if words else "JSON in a string"
    else:
        how = found.kind
    return Peeled(layer=Layer(text=words), inner=found.value, how=(how,))


def _peel_litellm(text: str, prefix: re.Match[str]) -> Peeled:
    names = tuple(name for name in re.split(r":\s*", prefix["names"]) if name)
    layer = Layer(
        text=prefix[0].strip().removesuffix("-").strip(),
        provider=prefix["provider"] or "",
    )
    return Peeled(layer=layer, inner=text[prefix.end() :], how=names)


def _caption(before: str) -> str:
    for pattern, caption in _CAPTIONS:
        if pattern.search(before):
            return caption
    return "JSON after text"


def _page_words(text: str) -> str:
    """Title and visible words of a page, in one line; a heading that is the title is
    told once."""
    title = _TITLE.search(text)
    body = _TAG.sub(" ", _UNSEEN.sub(" ", _TITLE.sub(" ", text)))
    words = [html.unescape(title[1])] if title else []
    words.append(html.unescape(body))
    plain = [" ".join(word.split()) for word in words]
    if plain[-1].startswith(plain[0]):
        plain = plain[-1:]
    line = ": ".join(word for word in plain if word) or "a page without words"
    return line if len(line) <= PAGE_CHARS else line[: PAGE_CHARS - 1] + "…"


# --- Arrays and objects ---------------------------------------------------------------


def peel_array(items: list[Json]) -> Peeled:
    """Google's compatible endpoint wraps in an array of one; schema checkers list
    every complaint."""
    complaints = [_complaint(item) for item in items if isinstance(item, dict)]
    param = next((c.param for c in complaints if c.param), "")
    if param and all(complaint.text for complaint in complaints):
        words = "\n".join(complaint.text for complaint in complaints)
        return Peeled(layer=Layer(text=words, param=param), how=("list of complaints",))
    first = next((item for item in items if isinstance(item, dict | list)), None)
    how = "array of one" if len(items) == 1 else f"array of {len(items)}"
    return Peeled(layer=Layer(), inner=first, how=(how,) if first is not None else ())


def _complaint(item: dict[str, Json]) -> Layer:
    """One entry of a list as pydantic and zod make it. FastAPI begins the way with
    where it looked: in the body, in the query ..."""
    path = item.get("loc", item.get("path"))
    steps = path if isinstance(path, list) else []
    param = ".".join(map(str, steps[1:] if steps[:1] == ["body"] else steps))
    return Layer(text=_text(item.get("msg") or item.get("message")), param=param)


def peel_object(value: dict[str, Json]) -> Peeled:
    """An error object, or an envelope around one."""
    error = value.get("error")
    choice = _choice(value)
    if error is None and isinstance(choice.get("error"), dict):
        error = choice["error"]
    if isinstance(error, dict) and error:
        peeled = _peel_error(error)
        own = peeled.layer
        named = replace(
            own,
            provider=own.provider or _text(value.get("provider")),
            code=own.code or _text(choice.get("native_finish_reason")),
        )
        return replace(peeled, layer=named)
    if isinstance(error, list) and error:
        return Peeled(layer=Layer(), inner=error)
    if isinstance(error, str) and error:
        return _peel_named(value, error)
    for key in ("response", "body", "errors", "detail"):
        inner = value.get(key)
        if isinstance(inner, dict | list) and is_error(inner):
            return Peeled(layer=Layer(), inner=inner, how=(f"`{key}` of an object",))
    if not any(value.get(key) for key in _MESSAGES):
        for key, inner in value.items():
            if isinstance(inner, dict) and is_error(inner):
                return Peeled(
                    layer=Layer(), inner=inner, how=(f"`{key}` of an object",)
                )
    return _peel_error(value)


def _choice(value: dict[str, Json]) -> dict[str, Json]:
    """The first choice: OpenRouter reports an error of a stream there too."""
    choices = value.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}


def _peel_named(value: dict[str, Json], error: str) -> Peeled:
    """`error` is a string: the message (xAI), or a name beside one (OAuth, Nest)."""
    beside = next(
        (
            value[key]
            for key in ("message", "error_description", "details", "detail")
            if value.get(key) and isinstance(value[key], str | dict | list)
        ),
        None,
    )
    code = _code(value)
    if beside is None:
        peeled = peel_text(error)
        return replace(peeled, layer=replace(peeled.layer, code=code))
    return Peeled(layer=Layer(text=error, code=code), inner=beside)


def _peel_error(error: dict[str, Json]) -> Peeled:
    """The object that holds the message: OpenAI, Google, Anthropic, OpenRouter."""
    metadata = error.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    own = Layer(
        code=_code(error),
        param=_param(error),
        provider=_text(metadata.get("provider_name")),
    )
    message = next((error[key] for key in _MESSAGES if error.get(key)), None)
    raw = metadata.get("raw")
    said = raw.values() if isinstance(raw, dict) else (raw,)
    if any(isinstance(each, str | dict | list) and each for each in said):
        layer = replace(own, text=message if isinstance(message, str) else "")
        return Peeled(layer=layer, inner=raw, how=("OpenRouter metadata.raw",))
    if isinstance(message, dict | list):
        return Peeled(layer=own, inner=message, how=("object as message",))
    if not isinstance(message, str):
        cause = error.get("error") or error.get("details") or error.get("args")
        if is_error(cause):
            return Peeled(layer=own, inner=cause)
        return Peeled(layer=replace(own, text=_compact(error)))
    peeled = peel_text(message)
    layer = replace(own, text=peeled.layer.text)
    if peeled.layer.provider:
        layer = replace(layer, provider=layer.provider or peeled.layer.provider)
    return replace(peeled, layer=layer)


def _code(error: dict[str, Json]) -> str:
    """The telling one of code, status and type; numbers repeat the HTTP status."""
    for key in ("code", "status", "type", "__type", "error_type"):
        word = _text(error.get(key)).strip()
        if word and not word.isdigit() and word not in ("None", "error"):
            return word
    return ""


def _param(error: dict[str, Json]) -> str:
    """OpenAI's `param`, or the first field that Google's details name."""
    param = _text(error.get("param"))
    if param and param != "None":
        return param
    details = error.get("details")
    for detail in details if isinstance(details, list) else ():
        violations = detail.get("fieldViolations") if isinstance(detail, dict) else None
        for violation in violations if isinstance(violations, list) else ():
            field = violation.get("field") if isinstance(violation, dict) else None
            if isinstance(field, str) and field:
                return field
    return ""


def _compact(value: Json) -> str:
    """An object that says nothing readable is shown as it is."""
    try:
        line = json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return "an object nested too deeply to show"
    return line if len(line) <= PAGE_CHARS else line[: PAGE_CHARS - 1] + "…"


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
