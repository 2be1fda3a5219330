"""Every form of a secret, in every place, in every export: none survives.

A form is what services give out (`vendors.toml`, UUIDs, passwords); a place is a text
as clients, tools, files and logs write it. All are made up.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.engine.test_planted_secrets import readings_of

from sigscope.engine.engine import Engine
from sigscope.engine.export.exports import FORMATS
from sigscope.engine.sessions.document import Document
from sigscope.exchange import Body, Exchange, Request, Response
from sigscope.session import Session, Step
from sigscope.store import Redactor
from sigscope.store.secrets import shapes
from sigscope.store.secrets.masker import Masker, mask_form

pytestmark = pytest.mark.slow

SEED = "aB3dE5gH7jK9mN1pQ3sT5uV7wX9yZ2bC4fG6hJ8kL1nP3qR5tU7vW9xA2cD4eF6gH8jK1mN3pQ5"
HEX = "0f3b9a7c5d1e8264" * 6
UUID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
RANDOM = "Zq7xY4wLm2Kp9Rt5Bv8Nc3"

_LETTERS = {"hex-": HEX, "upper": SEED.upper()}


def form_of(prefix: str, shape: str) -> str:
    """A made-up key of this shape."""
    alphabet, least, *most = shape.split()
    size = int(most[0]) if most else int(least) + 4
    return prefix + (_LETTERS.get(alphabet, SEED) * 3)[:size]


_ROWS = tomllib.loads(
    Path(shapes.__file__).with_name("vendors.toml").read_text(encoding="utf-8")
)["key"]
FORMS = {
    prefix: form_of(prefix, row["shape"]) for row in _ROWS for prefix in row["prefix"]
} | {
    "sk-ant-": "sk-ant-api03-" + SEED,
    "sk-or-v1-": "sk-or-v1-" + HEX[:64],
    "sk-proj-": "sk-proj-" + SEED,
    "sk-": "sk-" + HEX[:32],
    "AIza": "AIza" + SEED[:35],
    "ya29.": "ya29." + SEED,
    "ghp_": "ghp_" + SEED[:36],
    "github_pat_": "github_pat_" + SEED[:60],
    "xai-": "xai-" + SEED[:60],
    "gsk_": "gsk_" + SEED[:50],
    "hf_": "hf_" + SEED[:34],
    "glpat-": "glpat-" + SEED[:20],
    "xoxb-": "xoxb-" + SEED[:40],
    "eyJ": f"eyJhbGciOiJIUzI1NiJ9.{SEED[:30]}.{SEED[30:]}",
    "AKIA": "AKIA" + SEED.upper()[:16],
}
"""Known by their look: hidden wherever they stand."""


@dataclass(frozen=True, kw_only=True)
class Place:
    name: str
    put: Callable[[str], str]


def place(name: str, template: str) -> Place:
    return Place(name=name, put=lambda key: template.replace("§", key))


ANYWHERE = (
    place("sentence", "the key is §, keep it"),
    place("alone", "§"),
    place("quoted", 'Incorrect API key provided: "§".'),
    place("angle", "<§>"),
    place("line", "first\n§\nlast"),
    place("markdown", "use `§` here"),
    place("query", "https://h.example/v1/models?key=§&alt=sse"),
    place("path", "https://h.example/v1/keys/§/models"),
    place("bare path", "GET /v1/keys/§/models HTTP/1.1"),
    place("last segment", "https://h.example/hook/§"),
    place("matrix", "https://h.example/v1;key=§/models"),
    place("fragment", "https://h.example/cb#access_token=§&state=1"),
    place("userinfo", "https://me:§@h.example/"),
    place("repeated", "https://h.example/?a=1&key=§&key=§"),
    place("websocket", "Sec-WebSocket-Protocol: realtime, insecure-api-key.§"),
    place("log", "2026-11-22T10:00:00Z DEBUG auth=§ ok"),
    place("bracketed", "headers=[Authorization:§]"),
)
"""Where a secret is found by its look alone."""

NAMED = (
    place("env", "OPENAI_API_KEY=§"),
    place("env any", "NAME_KEY=§"),
    place("export", "export SERVICE_TOKEN=§\n"),
    place("env quoted", 'MY_SECRET="§"'),
    place("env list", "run -e ZORK_KEY=§ image"),
    place("json", '{"api_key":"§"}'),
    place("json spaced", '{ "apiKey" : "§" }'),
    place("json bearer", '{"bearer":"§"}'),
    place("json token", '{"access_token": "§", "x": 1}'),
    place("json in json", json.dumps(json.dumps({"client_secret": "§"}))),
    place("yaml", "auth:\n  api_key: §\n  other: 1\n"),
    place("yaml list", "headers:\n  Authorization:\n  - Bearer §\n"),
    place("yaml quoted", "api_key: '§'\n"),
    place("toml", 'api_key = "§"\n'),
    place("ini", "[auth]\nsecret_key = §\n"),
    place("python repr", "{'api_key': '§', 'n': 1}"),
    place("python bytes", "{'api_key': b'§'}"),
    place("python list", "[('authorization', 'Bearer §')]"),
    place("python call", 'Client(api_key="§")'),
    place("ruby", "{:api_key => '§'}"),
    place("php", "['api_key' => '§']"),
    place("pairs", '[["x-api-key", "§"]]'),
    place("har param", '{"name":"api_key","value":"§"}'),
    place("har header", '{ "name": "Authorization", "value": "Bearer §" }'),
    place("otlp", '{"key":"api_key","value":{"stringValue":"§"}}'),
    place("otlp snake", '{"key":"x-api-key","value":{"string_value":"§"}}'),
    place("xml", "<Auth><ApiKey>§</ApiKey></Auth>"),
    place("xml spaced", '<api-key type="x">\n  §\n</api-key>'),
    place("xml namespace", "<a:Password>§</a:Password>"),
    place("xml cdata", "<password><![CDATA[§]]></password>"),
    place("xml attribute", '<c api-key="§"/>'),
    place("xml add", '<add key="ApiKey" value="§"/>'),
    place(
        "multipart",
        '--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n§\r\n--b--\r\n',
    ),
    place(
        "multipart typed",
        '--b\r\nContent-Disposition: form-data; name="token"\r\n'
        "Content-Type: text/plain\r\n\r\n§\r\n--b--\r\n",
    ),
    place("form", "grant_type=x&client_secret=§&scope=y"),
    place("form first", "client_secret=§&scope=y"),
    place("header", "x-api-key: §\r\nhost: h\r\n"),
    place("authorization", "Authorization: Bearer §"),
    place("token scheme", "Authorization: Token §"),
    place("folded", "Authorization: Bearer\r\n §"),
    place("curl", "curl -H 'x-api-key: §' https://h.example/"),
    place("curl user", "curl -u me:§ https://h.example/"),
    place("curl long", "curl --oauth2-bearer § https://h.example/"),
    place("option", "tool --api-key § --verbose"),
    place("option equals", "tool --api-key=§"),
    place("arguments", '["tool","--api-key","§"]'),
    place("cookie", "Cookie: theme=dark; session=§; n=1"),
    place("set-cookie", "Set-Cookie: sid=§; Path=/; HttpOnly"),
    place("amz", "https://b.example/o?X-Amz-Expires=60&X-Amz-Signature=§"),
    place("sas", "https://b.example/o?sv=2024&sig=§"),
    place("url token", "see https://h.example/dl?token=§ for it"),
    place("location", "Location: /cb?code_verifier=§&state=x"),
    place("dsn", "postgres://me:§@db.example/x"),
    place("yaml block", "api_key: |\n  §\n"),
    place("yaml folded", "api_key: >-\n  §\n"),
    place("yaml pair", "- name: SERVICE_KEY\n  value: §\n"),
    place("yaml quoted list", "x-api-key:\n      - '§'\n"),
    place("value first", '{"value": "§", "name": "api_key"}'),
    place("html input", '<input name="api_key" value="§">'),
    place("html value first", '<input value="§" name="csrf_token">'),
    place("html meta", '<meta name="csrf-token" content="§">'),
    place("plist", "<key>ApiKey</key><string>§</string>"),
    place("fish", "set -x SERVICE_KEY §"),
    place("powershell", "$env:SERVICE_KEY = '§'"),
    place("make", "SERVICE_KEY := §"),
    place("netrc", "machine h.example login me password §"),
    place("curl cookie", "curl -b 'session=§' https://h.example/"),
    place("backtick", "apiKey: `§`"),
    place("tnetstring", "13:authorization,99:Bearer §,]"),
    place("table", "| api_key | § |"),
    place("otlp dotted", '{"key":"http.header.x-api-key","value":{"stringValue":"§"}}'),
    place(
        "otlp list",
        '{"key":"http.header.authorization","value":{"arrayValue":{"values":'
        '[{"stringValue":"Bearer §"}]}}}',
    ),
    place("go map", "map[Authorization:[Bearer §] X:[y]]"),
    place("connection string", "Server=h;Uid=me;AccountKey=§;"),
    place("url matrix", "https://h.example/v1;key=§/models"),
)
"""Where the name tells that the value is a secret."""


def percent(text: str) -> str:
    return quote(text, safe="")


SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "percent": percent,
    "twice percent": lambda text: percent(percent(text)),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64url": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "gzip": lambda text: base64.b64encode(gzip.compress(text.encode() * 3)).decode(),
    "json": lambda text: json.dumps({"inner": text}),
    "json twice": lambda text: json.dumps({"a": json.dumps({"b": text})}),
    "unicode": lambda text: re.sub("[A-Ya-y]", lambda m: f"\\u{ord(m[0]):04x}", text),
    "hex escapes": lambda text: re.sub("[e-n]", lambda m: f"\\x{ord(m[0]):02x}", text),
    "entities": lambda text: re.sub("[e-n]", lambda m: f"&#x{ord(m[0]):x};", text),
}


def left_of(key: str, told: str) -> str:
    """The longest stretch of a key that a text still says."""
    size = 12
    for start in range(len(key) - size + 1):
        piece = key[start : start + size]
        if piece in told:
            return piece
    return ""


def core_of(form: str, key: str) -> str:
    """A key without what every key of its kind begins with."""
    if form == "eyJ":
        return key.partition(".")[2]
    return key.removeprefix(form).removeprefix("api03-")


def masked(text: str) -> str:
    return Masker().mask(text.encode())[0].decode()


@pytest.mark.parametrize("where", ANYWHERE, ids=lambda p: p.name)
def test_a_known_form_is_masked_in_every_place(where: Place) -> None:
    left = {}
    for form, key in FORMS.items():
        told = masked(json.dumps({"content": where.put(key)}))
        json.loads(told)
        if left_of(core_of(form, key), told):
            left[form] = told
    assert left == {}


@pytest.mark.parametrize("where", NAMED, ids=lambda p: p.name)
def test_a_named_secret_is_masked_whatever_it_looks_like(where: Place) -> None:
    left = []
    for key in (UUID, RANDOM, HEX[:32]):
        text = where.put(key)
        for whole in (json.dumps({"content": text}), text):
            told = masked(whole)
            assert len(told) == len(whole), (whole, told)
            if whole is not text:
                json.loads(told)
            if left_of(key, told):
                left.append(told)
    assert left == []


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_secret_is_masked_however_it_is_spelled(spelling: str) -> None:
    key = FORMS["tvly-"]
    left = []
    for where in (*ANYWHERE, *NAMED):
        text = SPELLINGS[spelling](where.put(key))
        for whole in (text, json.dumps({"content": f"see {text} there"})):
            told = readings_of(masked(whole))
            left += [(where.name, whole, t) for t in told if left_of(key[5:], t)]
    assert left == []


# --- Known from the header that carried it -------------------------------------------

HEADERS = (
    "Authorization: Bearer KEY",
    "Authorization: KEY",
    "Authorization: Token KEY",
    "Proxy-Authorization: Basic KEY",
    "x-api-key: KEY",
    "api-key: KEY",
    "X-Goog-Api-Key: KEY",
    "Ocp-Apim-Subscription-Key: KEY",
    "x-litellm-key: KEY",
    "X-Auth-Token: KEY",
    "Cookie: theme=dark; session=KEY",
)
QUOTES = (
    "bad KEY",
    '{"echo":"KEY"}',
    "prefixKEYsuffix",
    "auth/KEY/x",
    "KEY",
    "a=KEY&b",
    "\u00e9KEY\u00e9",
)


def exchanged(line: str, key: str, quote: str) -> Exchange:
    name, _, value = line.partition(": ")
    text = quote.replace("KEY", key)
    return Exchange(
        request=Request(
            method="POST",
            url="https://api.example/v1/chat/completions",
            headers=((name, value.replace("KEY", key)), ("x-note", text)),
            body=Body(json.dumps({"messages": [{"content": text}]}).encode()),
        ),
        response=Response(
            status=401,
            reason=text,
            headers=(("content-type", "application/json"), ("x-debug", text)),
            body=Body(json.dumps({"error": {"message": text}}).encode()),
            ending="complete",
        ),
        remarks=(text,),
    )


def seen(step: Step) -> str:
    exchange = step.exchange
    assert exchange.request
    assert exchange.response
    bodies = exchange.request.body.raw + exchange.response.body.raw
    return repr(step) + bodies.decode("utf-8", "replace")


SHORT = "q8z!w2#v"
"""A short cookie is no key: its name says nothing of it."""


@pytest.mark.parametrize("line", HEADERS)
def test_what_came_in_a_credential_header_is_a_key(line: str) -> None:
    keys = (UUID, RANDOM, HEX[:32], *(() if line.startswith("Cookie") else (SHORT,)))
    left = []
    for key, said in product(keys, QUOTES):
        step = Step(number=1, id="s", exchange=exchanged(line, key, said))
        told = seen(Redactor().step(step)[0])
        if key in told or left_of(key, told):
            left.append((key, said, told))
    assert left == []


@pytest.mark.parametrize("cut", [(0, 14), (4, 20), (8, 22), (-13, None)])
def test_parts_of_a_known_key_are_masked_from_twelve_characters(
    cut: tuple[int, int | None],
) -> None:
    part = RANDOM[slice(*cut)]
    step = Step(
        number=1,
        id="s",
        exchange=exchanged("x-api-key: KEY", RANDOM, "").__class__(
            request=exchanged("x-api-key: KEY", RANDOM, "").request,
            response=exchanged("x-api-key: KEY", RANDOM, f"no: {part}...").response,
        ),
    )
    assert not left_of(RANDOM, seen(Redactor().step(step)[0]))


def test_a_short_key_is_masked_in_fields_only() -> None:
    step = Step(
        number=1,
        id="s",
        exchange=exchanged(
            "x-api-key: KEY", "sk-1234", '{"api_key":"KEY"} is KEY of sk-12345'
        ),
    )
    told = seen(Redactor().step(step)[0])
    assert '\\"api_key\\":\\"*******\\"} is sk-1234 of sk-12345' in told


def test_a_placeholder_is_no_key() -> None:
    text = "anything goes, no key is not-needed"
    for key in ("anything", "not-needed"):
        step = Step(
            number=1, id="s", exchange=exchanged("Authorization: Bearer KEY", key, text)
        )
        assert text in seen(Redactor().step(step)[0])


def test_a_form_is_masked_by_its_short_names() -> None:
    data, _ = mask_form(b"token=abcd1234&user=me&code=zz11yy22")
    assert data == b"token=********&user=me&code=********"


# --- In every file --------------------------------------------------------------------

everywhere = st.sampled_from((*ANYWHERE, *NAMED))


@settings(max_examples=30, deadline=None)
@given(everywhere, st.sampled_from(sorted(FORMS)), st.sampled_from(sorted(SPELLINGS)))
def test_no_export_says_it(where: Place, form: str, spelling: str) -> None:
    key = FORMS[form]
    text = SPELLINGS[spelling](where.put(key))
    exchange = exchanged("x-api-key: KEY", UUID, text)
    session = Session(
        id="m",
        title="matrix",
        steps=(Step(number=1, id="s1", exchange=exchange),),
    )
    core = core_of(form, key)
    with tempfile.TemporaryDirectory() as folder:
        for each in FORMATS:
            path = Path(folder) / f"out{each.suffix}"
            step = 1 if each.is_of_one else None
            Engine().export(
                Document(session), path, format=each.name, step=step, force=True
            )
            told = path.read_bytes().decode("utf-8", "replace")
            assert UUID not in told
            for reading in readings_of(told):
                assert not left_of(core, reading), (each.name, text)
