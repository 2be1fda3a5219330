"""Which dialect an exchange speaks: header before host, path and body."""

from __future__ import annotations

from typing import Any

import pytest

from sigscope.dialects.base import Match, Probe
from sigscope.dialects.registry import DIALECTS, named, recognise
from sigscope.exchange import Headers

CHAT = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}

MESSAGES = {**CHAT, "max_tokens": 9, "system": "You help."}


def probe(url: str = "", request: Any = None, response: Any = None, **headers: str):
    sent = tuple((k.replace("_", "-"), v) for k, v in headers.items())
    return Probe(
        url=url,
        request_headers=sent,
        response_headers=sent,
        request=lambda: request,
        response=lambda: response,
    )


@pytest.mark.parametrize(
    ("url", "headers", "name"),
    [
        ("https://api.githubcopilot.com/chat/completions", (), "copilot-chat"),
        ("https://openrouter.ai/api/v1/chat/completions", (), "openrouter"),
        ("https://api.openai.com/v1/responses", (), "responses"),
        ("https://api.deepseek.com/chat/completions", (), "deepseek"),
        ("http://h/v1/messages", (("anthropic-version", "1"),), "anthropic"),
        ("http://h/v1/messages", (), "anthropic"),
    ],
)
def test_where_the_address_tells_bodies_are_not_looked_at(
    url: str, headers: Headers, name: str
) -> None:
    def look() -> None:
        raise AssertionError

    found = recognise(
        Probe(url=url, request_headers=headers, request=look, response=look)
    )
    assert found[0] is named(name)


def answer(**message: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": {"role": "assistant", **message}}]}


@pytest.mark.parametrize(
    ("given", "name", "match"),
    [
        (probe("https://api.githubcopilot.com/chat/completions"),
         "copilot-chat", Match.HOST),
        (probe("https://api.business.githubcopilot.com/chat/completions"),
         "copilot-chat", Match.HOST),
        (probe("http://127.0.0.1:8910/chat/completions",
               copilot_integration_id="vscode-chat"), "copilot-chat", Match.HEADER),
        (probe("", CHAT, answer(reasoning_opaque="x")), "copilot-chat", Match.ANSWERED),
        # As in 0xPlaygrounds/rig, tests/cassettes/copilot, which name no host.
        (probe("/chat/completions", CHAT, {**answer(content="x"), "copilot_usage": {}}),
         "copilot-chat", Match.ANSWERED),
        (probe("/chat/completions", CHAT,
               [{"choices": [], "prompt_filter_results": []},
                {"choices": [{"delta": {"content": "a"}}]},
                {"choices": [{"delta": {}}], "copilot_usage": {}}]),
         "copilot-chat", Match.ANSWERED),
        (probe("https://openrouter.ai/api/v1/chat/completions"),
         "openrouter", Match.HOST),
        (probe("", None, answer(reasoning_details=[{"type": "reasoning.text"}])),
         "openrouter", Match.ANSWERED),
        (probe("/api/v1/chat/completions", CHAT, {"provider": "Google", "choices": []}),
         "openrouter", Match.PATH),
        (probe("/api/v1/chat/completions", CHAT, {"error": {"code": 400}}),
         "openrouter", Match.PATH),
        (probe("/api/v1/chat/completions", CHAT), "openrouter", Match.PATH),
        (probe("http://localhost:1/v1/chat/completions", CHAT,
               {"provider": "Google", "choices": [{"native_finish_reason": "STOP"}]}),
         "openrouter", Match.ANSWERED),
        (probe("http://x:4000/chat/completions", x_litellm_call_id="1"),
         "litellm", Match.HEADER),
        (probe("http://x:4000/v1/chat/completions", CHAT,
               answer(provider_specific_fields={})), "litellm", Match.ANSWERED),
        (probe("", None, answer(tool_calls=[
            {"function": {"provider_specific_fields": {"thought_signature": "A"}}}])),
         "litellm", Match.ANSWERED),
        (probe("http://x/v1/chat/completions", CHAT,
               {"error": {"message": "litellm.BadRequestError: no"}}),
         "litellm", Match.ANSWERED),
        (probe("http://x/v1/chat/completions", CHAT,
               [{"choices": [{"delta": {"content": "a"}}]},
                {"error": {"message": "boom", "type": "None", "param": "None",
                           "code": "500"}}]), "litellm", Match.ANSWERED),
        (probe("http://x/v1/chat/completions", CHAT,
               [{"error": "Error: litellm.exceptions.BadRequestError: no"}]),
         "litellm", Match.ANSWERED),
        (probe("http://x/v1/chat/completions",
               {"messages": [{"role": "assistant", "tool_calls": [
                   {"id": "call_1__thought__AAAA"}]}]}), "litellm", Match.ASKED),
        (probe("https://g.example/v1beta/models/gemini-3-pro:streamGenerateContent"),
         "gemini", Match.PATH),
        (probe("/models/gemini-3-pro:generateContent"), "gemini", Match.PATH),
        (probe("https://x/v1/projects/p/locations/l/publishers/google/models/g:"
               "generateContent"), "gemini", Match.PATH),
        (probe("https://cloudcode-pa.googleapis.com/v1internal:streamGenerateContent"),
         "gemini", Match.PATH),
        (probe("https://g.example/v1beta/models/gemini-3-pro%3AgenerateContent"),
         "gemini", Match.PATH),
        (probe("https://g.example/llm", {"contents": [{"parts": [{"text": "hi"}]}]}),
         "gemini", Match.ASKED),
        (probe("https://copilot-api.octo.ghe.com/chat/completions"),
         "copilot-chat", Match.HOST),
        (probe("", {"contents": [{"parts": [{"text": "hi"}]}]}), "gemini", Match.ASKED),
        (probe("", None, [{"candidates": []}]), "gemini", Match.ANSWERED),
        (probe("https://api.anthropic.com/v1/messages"), "anthropic", Match.PATH),
        (probe("/v1/messages?beta=true", CHAT), "anthropic", Match.PATH),
        (probe("/v1/messages/count_tokens", CHAT), "anthropic", Match.PATH),
        (probe("https://openrouter.ai/api/v1/messages", CHAT),
         "anthropic", Match.PATH),
        (probe("https://api.githubcopilot.com/v1/messages", CHAT,
               copilot_integration_id="vscode-chat"), "anthropic", Match.PATH),
        (probe("http://x:4000/v1/messages", CHAT, x_litellm_call_id="1"),
         "anthropic", Match.PATH),
        (probe("http://x/anthropic/messages", CHAT, anthropic_version="2023-06-01"),
         "anthropic", Match.HEADER),
        (probe("", CHAT, anthropic_version="2023-06-01"), "anthropic", Match.HEADER),
        (probe("https://x/v1/projects/p/locations/l/publishers/anthropic/models/"
               "claude-sonnet-4%4020250514:streamRawPredict"),
         "anthropic", Match.PATH),
        (probe("https://x/model/us.anthropic.claude-haiku-4-5-v1%3A0/invoke"),
         "anthropic", Match.PATH),
        (probe("https://x/model/arn%3Aaws%3Abedrock%3Aprofile%2Fmine/"
               "invoke-with-response-stream",
               {"anthropic_version": "bedrock-2023-05-31", "messages": []}),
         "anthropic", Match.PATH),
        (probe("", MESSAGES), "anthropic", Match.ASKED),
        (probe("", {"messages": [{"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t", "content": "a"}]}]}),
         "anthropic", Match.ASKED),
        (probe("http://x/llm", {**CHAT, "tools": [{"name": "ls", "input_schema": {}}]}),
         "anthropic", Match.ASKED),
        (probe("", None, {"type": "message", "role": "assistant", "content": []}),
         "anthropic", Match.ANSWERED),
        (probe("", None, [{"type": "ping"}, {"type": "message_start", "message": {}}]),
         "anthropic", Match.ANSWERED),
        (probe("", CHAT, {"type": "error", "error": {"type": "overloaded_error"}}),
         "anthropic", Match.ANSWERED),
        (probe("", None, {"promptFeedback": {"blockReason": "SAFETY"}}),
         "gemini", Match.ANSWERED),
    ],
)  # fmt: skip
def test_the_surest_sign_decides(given: Probe, name: str, match: Match) -> None:
    dialect, how = recognise(given)
    assert dialect is not None
    assert (dialect.name, how) == (name, match)


@pytest.mark.parametrize(
    "given",
    [
        probe(),
        probe("https://api.openai.com/v1/chat/completions", CHAT, answer(content="x")),
        probe("https://ai-gateway.vercel.sh/v1/chat/completions", CHAT,
              answer(reasoning_details=[{"type": "reasoning.text"}])),
        # Venice and Doubleword, as in 0xPlaygrounds/rig's cassettes, without a host.
        probe("/api/v1/chat/completions", CHAT,
              {**answer(reasoning_content="x"), "venice_parameters": {}}),
        probe("/api/v1/chat/completions", CHAT, [
            {"choices": [{"delta": {"content": "a"}}]}, None]),
        probe("/api/v1/chat/completions", CHAT, {"error": "no such model"}),
        probe("/v1/chat/completions", CHAT,
              answer(reasoning_details=[{"type": "reasoning.text"}])),
        probe("", None, answer(reasoning_details=[
            {"type": "reasoning.text", "format": "MiniMax-response-v1"}])),
        probe("/v1/chat/completions", CHAT | {"messages": [
            {"role": "assistant", "reasoning_details": []}]}),
        probe("https://api.githubcopilot.com/models"),
        probe("https://x/publishers/mistralai/models/codestral:rawPredict", CHAT),
        probe("https://x/model/amazon.titan-text/invoke", {"inputText": "hi"}),
        probe("https://api.openai.com/v1/threads/thread_1/messages", {"role": "user"}),
        probe("https://api.anthropic.com/v1/messages/batches", {"requests": []}),
        probe("https://api.anthropic.com/v1/complete", {"prompt": "hi"},
              {"type": "error", "error": {"type": "invalid_request_error"}}),
        probe("https://api.anthropic.com/v1/models", None,
              {"type": "error", "error": {"type": "authentication_error"}}),
        probe("/v1/files/file_1/content", None,
              {"type": "error", "error": {"type": "invalid_request_error"}}),
        probe("https://api.anthropic.com/v1/chat/completions", CHAT,
              anthropic_version="2023-06-01"),
        probe("https://x/model/anthropic.claude/converse",
              {"system": [{"text": "a"}], "max_tokens": 1,
               "messages": [{"role": "user", "content": [{"text": "hi"}]}]}),
        probe("https://generativelanguage.googleapis.com/v1beta/models/g:countTokens",
              {"contents": [{"parts": [{"text": "hi"}]}]}),
        probe("https://g.example/v1beta/cachedContents",
              {"contents": [{"parts": [{"text": "hi"}]}]}),
        probe("https://g.example/mail", {"contents": ["a"]}),
        probe("https://api.example/v1/chat/completions", CHAT,
              {"error": {"message": "no", "param": None, "code": "400"}}),
        probe("https://api.example/v1/chat/completions", CHAT,
              {"error": {"message": "see litellm.example for help"}}),
        probe("https://aiplatform.googleapis.com/v1/projects/p/endpoints/12/chat/"
              "completions", CHAT),
        probe("https://ollama.example/v1/chat/completions",
              CHAT | {"model": "deepseek-reasoner"}),
        probe("", CHAT | {"model": "deepseek-r1:8b"}),
        probe("", CHAT, [{"error": {"message": "no"}}]),
        probe("", "text"),
        probe("", ["a", 1, None]),
        probe("http://[broken", {"messages": None}),
    ],
)  # fmt: skip
def test_what_fits_no_dialect_has_none(given: Probe) -> None:
    assert recognise(given) == (None, Match.NO)


def test_every_dialect_has_a_name_of_its_own_and_is_found_by_it() -> None:
    names = [dialect.name for dialect in DIALECTS]
    assert len(set(names)) == len(names)
    for dialect in DIALECTS:
        assert named(dialect.name) is dialect
        carriers = [carrier.name for carrier in dialect.carriers]
        places = [
            (c.name, c.request, c.response, c.event, c.is_read)
            for c in dialect.carriers
        ]
        assert len(set(places)) == len(carriers)
    assert named("nothing") is None


@pytest.mark.parametrize(
    ("path", "model"),
    [
        ("/models/gemini-3-pro:generateContent", "gemini-3-pro"),
        ("/models/gemini-3-pro%3AstreamGenerateContent?alt=sse", "gemini-3-pro"),
        ("/v1beta/models/google/gemini-3-pro:generateContent", "gemini-3-pro"),
    ],
)
def test_the_model_is_read_from_the_path(path: str, model: str) -> None:
    gemini = named("gemini")
    assert gemini is not None
    assert gemini.conversation({}, f"https://g.example{path}").model == model
