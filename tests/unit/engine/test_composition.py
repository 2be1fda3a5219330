"""Requests from templates and pasted bodies."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sigscope.converse.speeches.registry import names
from sigscope.engine.sending.firststep import FirstRequest, ask
from sigscope.engine.sessions.composition import RequestDraft, compose
from sigscope.engine.settings.profiles import Profile
from sigscope.errors import UsageError
from sigscope.exchange import header
from sigscope.reader import Reading

DIALECTS = names()


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_every_template_is_accepted_and_answered_with_a_signature(
    dialect: str,
) -> None:
    request = compose(RequestDraft(dialect=dialect))
    exchange, source = await ask(
        FirstRequest(request=request, dialect=dialect, to="simulator")
    )
    assert source == "simulated"
    assert exchange.response is not None
    assert exchange.response.status == 200
    reading = Reading(exchange, number=1)
    assert reading.dialect is not None
    assert reading.dialect.name == dialect
    assert reading.received


def body(draft: RequestDraft) -> Any:
    return json.loads(compose(draft).body.raw)


def test_the_draft_fills_the_template() -> None:
    draft = RequestDraft(
        dialect="openrouter",
        say="h\u00e9 \ud83d",
        system="S",
        model="m",
        stream=False,
        tools=False,
        headers=(("X-Title", "t"), ("Content-Type", "application/json; v=1")),
    )
    request = compose(draft)
    tree = json.loads(request.body.raw.decode("utf-8", "surrogatepass"))
    assert tree["model"] == "m"
    assert tree["stream"] is False
    assert [m["content"] for m in tree["messages"]] == ["S", "h\u00e9 \ud83d"]
    assert "tools" not in tree
    assert header(request.headers, "x-title") == "t"
    kinds = [v for n, v in request.headers if n.lower() == "content-type"]
    assert kinds == ["application/json; v=1"]


def test_gemini_names_model_and_method_in_the_url() -> None:
    streamed = compose(RequestDraft(dialect="gemini", model="gemini-2.5-pro")).url
    assert streamed.endswith("/gemini-2.5-pro:streamGenerateContent?alt=sse")
    whole = compose(RequestDraft(dialect="gemini", stream=False)).url
    assert whole.endswith(":generateContent")
    assert body(RequestDraft(dialect="gemini", say="x"))["contents"][0]["parts"] == [
        {"text": "x"}
    ]


@pytest.mark.parametrize(
    "raw", [b'{"messages":[ ],"model":"m","stream":false}', b"{torn", b"\xff\x00"]
)
def test_a_pasted_body_is_taken_byte_for_byte(raw: bytes) -> None:
    assert compose(RequestDraft(dialect="litellm", body=raw)).body.raw == raw


def test_the_dialect_of_a_body_is_seen_from_it_or_asked_for() -> None:
    contents = b'{"contents":[{"role":"user","parts":[{"text":"x"}]}]}'
    assert "generativelanguage" in compose(RequestDraft(body=contents)).url
    with pytest.raises(UsageError, match="fits no dialect"):
        compose(RequestDraft(body=b'{"messages":[]}'))
    with pytest.raises(UsageError, match="name a --dialect"):
        compose(RequestDraft())
    with pytest.raises(UsageError, match="'morse' is not one of"):
        compose(RequestDraft(dialect="morse"))


def test_a_profile_gives_url_model_and_headers() -> None:
    profile = Profile(
        name="p",
        url="http://127.0.0.1:9/base",
        dialect="litellm",
        model="own",
        headers=(("x-team", "a"),),
    )
    request = compose(RequestDraft(profile=profile))
    assert request.url == "http://127.0.0.1:9/base/v1/chat/completions"
    assert header(request.headers, "x-team") == "a"
    assert json.loads(request.body.raw)["model"] == "own"
    assert compose(RequestDraft(profile=profile, url="https://u/x")).url.startswith(
        "https://u"
    )


async def test_a_profile_without_its_key_sends_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    profile = Profile(
        name="p", url="http://127.0.0.1:9", dialect="litellm", key_env="NO_SUCH_KEY"
    )
    request = compose(RequestDraft(profile=profile))
    with pytest.raises(UsageError, match="NO_SUCH_KEY of the profile p"):
        await ask(FirstRequest(request=request, profile=profile))


async def test_an_upstream_that_is_not_there_leaves_the_request_and_a_remark() -> None:
    request = compose(RequestDraft(dialect="litellm"))
    question = FirstRequest(request=request, to="http://127.0.0.1:1", key="k")
    exchange, source = await ask(question)
    assert source == "live"
    assert exchange.response is None
    assert exchange.request is not None
    assert exchange.request.url == "http://127.0.0.1:1/v1/chat/completions"
    assert header(exchange.request.headers, "authorization") == "Bearer k"
    assert "cannot connect" in exchange.remarks[0]
