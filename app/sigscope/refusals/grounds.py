"""What a refusal is about: the request, the key, a limit, or the service's health.

The innermost layer that tells decides, since gateways answer in other statuses than the
service behind them; the HTTP status is asked last. Sources of the words: the error
pages of the providers (platform.openai.com/docs/guides/error-codes,
docs.claude.com/en/api/errors, ai.google.dev/gemini-api/docs/troubleshooting,
openrouter.ai/docs/api-reference/errors, docs.aws.amazon.com/bedrock error codes).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from sigscope.refusals.layers import Layer


class Ground(StrEnum):
    """What an error answer complains of."""

    REQUEST = "request"
    """Of this request, as far as anybody says; also where nothing tells."""
    ACCESS = "access"
    """Of the key, its rights, or the place it is used from: 401, 403."""
    LIMIT = "limit"
    """Of too many requests, a quota or a bill: 402, 429."""
    SERVICE = "service"
    """Of itself: 408, 425, 499, 5xx, overload, time-outs."""
    RECORDER = "recorder"
    """Nothing: no service answered, `sigscope record` did in its place."""


def _table(**words: str) -> Mapping[str, Ground]:
    return {
        word: Ground(ground) for ground, line in words.items() for word in line.split()
    }


CODES = _table(
    request="invalidargument notfound notfounderror outofrange failedprecondition"
    " invalidprompt contextlengthexceeded modelnotfound invalidrequestbody"
    " validationexception unsupportedparameter unsupportedvalue"
    " requesttoolarge stringabovemaxlength badrequesterror",
    access="authenticationerror unauthenticated permissiondenied permissionerror"
    " invalidapikey unauthorized forbidden accessdeniedexception accessdenied"
    " expiredtokenexception unrecognizedclientexception incorrectapikeyprovided"
    " missingapikey apikeyinvalid invalidtoken tokenexpired",
    limit="ratelimiterror ratelimitexceeded ratelimitreached insufficientquota"
    " resourceexhausted quotaexceeded billingerror billinghardlimitreached"
    " throttlingexception toomanyrequests servicequotaexceededexception"
    " insufficientcredits",
    service="overloadederror engineoverloadederror unavailable internal apierror"
    " servererror internalservererror internalerror timeouterror deadlineexceeded"
    " aborted serviceunavailable serviceunavailableexception badgateway"
    " gatewaytimeout internalserverexception modeltimeoutexception"
    " modelstreamerrorexception modelnotreadyexception apiconnectionerror"
    " timeout",
)
"""Codes, status words and error types, in lower case without signs."""

_WORDS = (
    (Ground.REQUEST, r"requires moderation|input was flagged|content policy"),
    (
        Ground.ACCESS,
        r"api.?key (?:is )?(?:not valid|invalid|expired|not found|missing)"
        r"|(?:invalid|incorrect|missing|no|malformed) (?:x-)?api.?key"
        r"|user location is not supported|token has expired",
    ),
    (Ground.LIMIT, r"credit balance is too low|exceeded your current quota"),
)
"""Words that tell where the code beside them does not, or says another thing: Google
answers 400 INVALID_ARGUMENT to a wrong key, Anthropic 400 to an empty account."""
_SAID = tuple((ground, re.compile(regex, re.I)) for ground, regex in _WORDS)

_BY_US = "sigscope record"
_OURS = frozenset(
    {
        "upstream_unreachable", "upstream_timeout", "upstream_gave_no_answer",
        "dropped", "no_upstream", "no_access", "not_a_forward_proxy",
        "websocket_not_recorded", "malformed_request",
    }
)  # fmt: skip
"""Codes of `recorder.answers`."""

_SIGNS = re.compile(r"[^a-z0-9]+")
_STRICT = {401: Ground.ACCESS, 403: Ground.ACCESS, 402: Ground.LIMIT, 429: Ground.LIMIT}
_HEALTH = frozenset({408, 425, 499})
_VAGUE = "invalidrequesterror"
"""OpenAI's type of nearly every error, that of a wrong key among them."""


def ground_of(
    layers: Sequence[Layer],
    wrappings: Sequence[str],
    status: int | None,
    inner_status: int | None = None,
) -> Ground:
    """What an error is about.

    `inner_status` is the number that the body itself gives: a stream that began with
    200 brings its error's own.
    """
    if any(_BY_US in layer.text and layer.code in _OURS for layer in layers):
        return Ground.RECORDER
    for layer in reversed(layers):
        for ground, regex in _SAID:
            if regex.search(layer.text):
                return ground
        code = _plain(layer.code)
        if code in CODES:
            return CODES[code]
    for name in reversed(wrappings):
        found = _by_exception(name)
        if found is not None:
            return found
    numbers = [n for n in (inner_status, status) if n is not None and n >= 400]
    is_vague = any(_plain(layer.code) == _VAGUE for layer in layers)
    if is_vague and not any(number in _STRICT for number in numbers):
        return Ground.REQUEST
    return ground_of_status(numbers[0]) if numbers else Ground.REQUEST


def ground_of_status(status: int) -> Ground:
    """What a status alone tells."""
    if status in _STRICT:
        return _STRICT[status]
    is_health = status >= 500 or status in _HEALTH
    return Ground.SERVICE if is_health else Ground.REQUEST


def _by_exception(name: str) -> Ground | None:
    """LiteLLM's names of exceptions: `litellm.RateLimitError`."""
    return CODES.get(_plain(name.rpartition(".")[2]))


def _plain(word: str) -> str:
    return _SIGNS.sub("", word.lower())
