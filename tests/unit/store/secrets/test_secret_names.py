"""Which names announce a secret."""

from __future__ import annotations

import pytest

from sigscope.store.secrets.names import (
    is_opaque_header,
    is_secret_header,
    is_secret_name,
    is_secret_parameter,
)

TELLING = """
  api_key apiKey API-KEY x-api-key OPENAI_API_KEY accessToken refresh_token
  clientSecret aws_secret_access_key password db_password Authorization sessionToken
  x-amz-security-token
"""
SILENT = """
  token max_tokens key primaryKey nextPageToken thoughtSignature signature data
  reasoning_opaque encrypted_content id total_tokens secretary
"""
SECRET_HEADERS = """
  Authorization Proxy-Authorization Cookie Set-Cookie x-api-key api-key x-goog-api-key
  X-Amz-Security-Token ocp-apim-subscription-key x-github-token
  cf-access-client-secret x-litellm-key x-my-company-auth private-token
  authentication x-user-jwt X-CSRF deployment-token x-zed-credentials x-session-token
"""
OTHER_HEADERS = """
  Content-Type x-ratelimit-remaining-tokens anthropic-ratelimit-tokens-limit
  x-amzn-bedrock-input-token-count Idempotency-Key X-Request-Id Host x-goog-api-client
  copilot-integration-id etag sec-websocket-key access-control-allow-credentials
  x-prompt-cache-key
"""


@pytest.mark.parametrize("name", TELLING.split())
def test_telling_names(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", SILENT.split())
def test_names_that_tell_nothing(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize("name", SECRET_HEADERS.split())
def test_secret_headers(name: str) -> None:
    assert is_secret_header(name)


@pytest.mark.parametrize("name", OTHER_HEADERS.split())
def test_headers_that_are_no_secret(name: str) -> None:
    assert not is_secret_header(name)


def test_short_names_count_in_urls() -> None:
    assert is_secret_parameter("key")
    assert is_secret_parameter("X-Amz-Signature")
    assert not is_secret_parameter("alt")
    assert not is_secret_parameter("monkey")
    assert is_secret_parameter("pwd")


def test_a_header_of_any_name_is_told_by_its_value() -> None:
    value = "aB3dE5gH7jK9mN1pQ3sT5vW7"
    assert is_opaque_header("x-access", value)
    assert is_opaque_header("x-my-thing", value)
    for name in ("x-request-id", "etag", "user-agent", "x-stainless-runtime"):
        assert not is_opaque_header(name, value)
    for plain in (value[:20], value.lower(), "application/json", "Some Words " * 3):
        assert not is_opaque_header("x-my-thing", plain)
