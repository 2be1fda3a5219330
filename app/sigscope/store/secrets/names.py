"""Names that announce a secret: of headers, JSON members, URL and form parameters.

A name is taken apart into words, whatever its spelling (`api_key`, `apiKey`,
`X-Api-Key`), and judged by its last ones. "token" alone announces nothing: usage,
log probabilities and paging call their things so.
"""

from __future__ import annotations

import re

_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")

_LAST = frozenset(
    {
        "apikey",
        "accesskey",
        "secretkey",
        "apisecret",
        "clientsecret",
        "password",
        "passwd",
        "passphrase",
        "authorization",
        "cookie",
        "accesstoken",
        "refreshtoken",
        "idtoken",
        "authtoken",
        "sessiontoken",
        "bearertoken",
    }
)
_LAST_TWO = frozenset(
    {
        "api-key",
        "access-key",
        "secret-key",
        "account-key",
        "subscription-key",
        "master-key",
        "private-key",
        "signing-key",
        "virtual-key",
        "api-secret",
        "client-secret",
        "app-secret",
        "access-token",
        "refresh-token",
        "id-token",
        "auth-token",
        "bearer-token",
        "session-token",
        "security-token",
        "github-token",
        "copilot-token",
        "oauth-token",
        "csrf-token",
        "xsrf-token",
        "set-cookie",
        "amz-signature",
        "amz-credential",
        "goog-signature",
        "goog-credential",
        "client-assertion",
        "jwt-assertion",
    }
)
_ALONE_IN_URLS = frozenset(
    {
        "key",
        "token",
        "sig",
        "signature",
        "code",
        "auth",
        "secret",
        "assertion",
        "code-verifier",
        "device-code",
        "subject-token",
        "actor-token",
    }
)
_HEADERS = frozenset(
    {
        "x-api-token",
        "x-token",
        "x-vault-token",
        "x-secret",
        "x-key",
        "x-auth",
        "helicone-auth",
    }
)
_NO_SECRET_HEADERS = frozenset({"idempotency-key", "x-idempotency-key"})


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]


def is_secret_name(name: str) -> bool:
    """Whether a JSON member or an assignment of this name holds a secret."""
    words = _words(name)
    return bool(words) and (words[-1] in _LAST or "-".join(words[-2:]) in _LAST_TWO)


def is_secret_parameter(name: str) -> bool:
    """The same for a parameter of a URL or a form, where names are shorter."""
    return is_secret_name(name) or "-".join(_words(name)) in _ALONE_IN_URLS


def is_secret_header(name: str) -> bool:
    """The same for a header. Counts and limits of tokens are none."""
    lower = name.lower()
    if lower in _NO_SECRET_HEADERS:
        return False
    return lower in _HEADERS or is_secret_name(lower)
