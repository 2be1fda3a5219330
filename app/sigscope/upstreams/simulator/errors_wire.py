"""Error answers: the same body, printed and typed as each service does."""

from __future__ import annotations

import json

from sigscope.upstreams.simulator import texts
from sigscope.upstreams.simulator.checks import copilot, gemini
from sigscope.upstreams.simulator.config import Dialect
from sigscope.upstreams.simulator.records import Json, Judgement, Refusal
from sigscope.upstreams.simulator.speech.voice import Answer, compact

_JSON = ("content-type", "application/json")
_GOOGLE = ("content-type", "application/json; charset=UTF-8")


def refuse(judgement: Judgement, *, sse: bool) -> Answer:
    """The answer to a refused request."""
    is_array = judgement.streams and not sse
    return print_error(
        judgement.dialect, judgement.status, judgement.body, is_array=is_array
    )


def print_error(
    dialect: str, status: int, body: Json, *, is_array: bool = False
) -> Answer:
    """Google indents, and puts the error of an array stream into an array."""
    if dialect == "gemini":
        body = [body] if is_array else body
        text = json.dumps(body, indent=2, ensure_ascii=False) + "\n"
        headers = (_GOOGLE,)
    else:
        text = compact(body)
        headers = (_JSON,)
    data = text.encode(errors="backslashreplace")
    return Answer(status=status, headers=headers, pieces=(data,))


def refuse_key(dialect: Dialect | None) -> Answer:
    """401 in the service's own words."""
    if dialect == "gemini":
        body = gemini.wrap(texts.NO_KEY_GOOGLE.refuse())
    elif dialect == "openrouter":
        body = _plain(texts.NO_KEY_OPENROUTER.refuse())
    elif dialect == "litellm":
        message = texts.NO_KEY_LITELLM.text
        kinds = {"type": "auth_error", "param": "None", "code": "401"}
        body = {"error": {"message": message, **kinds}}
    elif dialect == "copilot-chat":
        body = copilot.wrap(texts.NO_KEY_COPILOT.refuse())
    else:
        body = {"error": {"message": "this simulator wants its key", "code": 401}}
    return print_error(dialect or "", 401, body)


def _plain(refusal: Refusal) -> Json:
    return {"error": {"message": refusal.message, "code": refusal.status}}


def own_error(status: int, message: str) -> Answer:
    """An error of the simulator itself, not of the service it imitates."""
    return print_error("", status, {"error": {"message": message, "code": status}})
