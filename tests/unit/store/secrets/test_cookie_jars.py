"""Cookies outside of headers."""

from __future__ import annotations

import json

import pytest

from sigscope.store.secrets.masker import mask_answer, mask_text

KEY = "Zq7xY4wLm2Kp9Rt5Bv8Nc3"

KEPT_BY = (
    '{"name":"session","value":"§","domain":".x.org","path":"/"}',
    '{"domain":"x.org","name":"sessionid","httpOnly":true,"value":"§"}',
    '"cookies":[{"name":"a","value":"dark"},{"name":"sid","value":"§","path":"/"}]',
    "x.org\tTRUE\t/\tTRUE\t1790000000\tsessionid\t§",
    "#HttpOnly_.x.org\tTRUE\t/\tFALSE\t0\tauth_token\t§",
    'cookies={"theme": "dark", "session": "§"}',
    "cookies = {'sessionid': '§'}",
    'response.set_cookie(key="session", value="§")',
    "curl -s -b 'theme=dark; sid=§' https://x.org",
    "set-cookie: sid=§, theme=dark",
)


@pytest.mark.parametrize("text", KEPT_BY)
def test_a_cookie_is_masked_wherever_it_is_kept(text: str) -> None:
    said = text.replace("§", KEY)
    assert KEY not in mask_text(said)[0]
    within = json.dumps({"body": json.dumps({"content": f"$ run\n{said}\nend"})})
    masked, _ = mask_answer(within.encode())
    assert KEY.encode() not in masked
    assert json.loads(json.loads(masked)["body"])["content"].endswith("\nend")


@pytest.mark.parametrize(
    "text",
    [
        '{"name":"theme","value":"solarized-dark-and-more","domain":".x.org"}',
        "x.org\tTRUE\t/\tTRUE\t1790000000\tlocale\tde-DE-with-all-fallbacks",
        'cookies={"locale": "de-DE-with-all-fallbacks"}',
        "curl -b 'locale=de-DE-with-all-fallbacks' https://x.org",
        'cookies={"session": "${SESSION_FROM_THE_ENVIRONMENT_1}"}',
        '{"name":"x","value":"call_Zq7xY4wLm2Kp9Rt5Bv8Nc3","kind":"id"}',
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask_text(text)[0] == text


def test_of_cookies_with_commas_between_each_is_masked() -> None:
    """As several lines of Set-Cookie are joined (RFC 9110, 5.3)."""
    said = f"set-cookie: sid={KEY}, theme=dark, csrf={KEY}"
    stars = "*" * len(KEY)
    expected = f"set-cookie: sid={stars}, theme=dark, csrf={stars}"
    assert mask_answer(said.encode())[0].decode() == expected
