"""Whose API an exchange used: by headers, host and path of the service's own."""

from __future__ import annotations

import pytest

from sigscope.dialects.base import Match, Probe
from sigscope.dialects.registry import DIALECTS, named, service_at
from sigscope.dialects.services import AZURE, CODEX, COPILOT, SERVICES, surest
from sigscope.exchange import Exchange, Request
from sigscope.reader import Reading

GENERATE = "/v1beta/models/gemini-3-pro:generateContent"


def probe(url: str, *asked: tuple[str, str], told: tuple[str, ...] = ()) -> Probe:
    answers = tuple((name, "1") for name in told)
    return Probe(url=url, request_headers=asked, response_headers=answers)


@pytest.mark.parametrize(
    ("dialect", "given", "service"),
    [
        ("gemini", probe(f"https://generativelanguage.googleapis.com{GENERATE}"),
         "ai-studio"),
        ("gemini", probe(f"https://us-central1-aiplatform.googleapis.com{GENERATE}"),
         "vertex"),
        ("gemini", probe("http://localhost:1/v1internal:generateContent"),
         "code-assist"),
        ("gemini", probe(f"http://localhost:4000{GENERATE}",
                         told=("x-litellm-call-id",)), "litellm"),
        ("gemini", probe(f"https://gateway.example{GENERATE}"), None),
        ("copilot-chat", probe("http://localhost:1/chat/completions"), "copilot"),
        ("openrouter", probe("https://openrouter.ai/api/v1/chat/completions"),
         "openrouter"),
        ("litellm", probe("https://proxy.example/v1/chat/completions"), "litellm"),
    ],
)  # fmt: skip
def test_a_dialect_tells_whose_api_it_is(
    dialect: str, given: Probe, service: str | None
) -> None:
    found = named(dialect)
    assert found is not None
    assert found.service(given) == service


@pytest.mark.parametrize(
    ("host", "service"),
    [
        ("api.business.githubcopilot.com", "copilot"),
        ("copilot-api.octo.ghe.com", "copilot"),
        ("notgithubcopilot.com", None),
        ("notopenrouter.ai", None),
        ("eu.openrouter.ai", "openrouter"),
        ("chatgpt.com", "codex"),
        ("mine.openai.azure.com", "azure"),
        ("openai.azure.com.example", None),
        ("bedrock-runtime.us-east-1.amazonaws.com", "bedrock"),
        ("", None),
    ],
)
def test_a_host_tells_whose_api_it_is(host: str, service: str | None) -> None:
    found = service_at(host)
    assert (found.name if found else None) == service


def test_the_surest_sign_counts_then_the_order_of_the_record() -> None:
    here = probe(
        "https://mine.openai.azure.com/openai/v1/responses",
        ("Copilot-Integration-Id", "x"),
    )
    assert surest((AZURE, COPILOT), here) == (COPILOT, Match.HEADER)
    codex = probe("http://localhost:1/backend-api/codex/responses")
    assert surest((AZURE, CODEX), codex) == (CODEX, Match.PATH)


def test_a_step_without_a_dialect_is_told_by_its_host() -> None:
    def service(url: str) -> str | None:
        return Reading(Exchange(request=Request(url=url))).service

    assert service("https://api.groq.com/openai/v1/embeddings") == "groq"
    assert service("https://gateway.example/openai/v1/embeddings") is None


def test_names_of_services_are_told_apart() -> None:
    assert len({service.name for service in SERVICES}) == len(SERVICES)
    assert all(dialect.services for dialect in DIALECTS)
