"""Secrets in URLs inside texts: users, passwords, and the paths of webhooks.

postgres://me:s3cr3t@db.example/x
https://ghp-like-token@github.com/o/r.git
https://hooks.zapier.com/hooks/catch/1/abc...
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.store.secrets.looks import looks_secret
from sigscope.store.secrets.presence import Presence
from sigscope.store.secrets.values import is_made_of_words

_Span = tuple[int, int]

_USER = re.compile(
    rb"""://[^\s/?#@"'\\<>:]{0,256}:(?P<secret>(?!\$)(?:[^\s/?#@"'\\<>*$]|\*(?!\*)|\$(?![{(])){4,256})@"""
)
_TOKEN = re.compile(rb"://(?P<secret>[\w.~%+=-]{20,512})(?::[^\s/?#@\"'\\<>]{0,256})?@")
"""A token in the place of the user: of GitHub, Sentry, Azure DevOps."""
_DATABASE = re.compile(rb"(?:postgres|mysql|mongodb|redis|amqp|mariadb|mssql)[\w+]*\Z")
_WITH_SIGNS = re.compile(
    rb"""://[^\s/?#@"'\\<>:]{0,64}:(?!\d{1,5}[/?#])(?P<secret>(?!\$)(?:[^\s/"'\\<>*$,{}\[\]():]|\*(?!\*)|\$(?![{(])){4,64})@"""
    rb"""(?=[\w-]+(?:\.[\w-]+){0,6}(?::\d|[/"'\\\s,;)]|\Z))"""
)
"""As people write it into any URL, who do not spell out `#` and `@`."""
_ANY_PASSWORD = re.compile(
    rb"""://[^\s/?#@"'\\<>:]{0,64}:(?P<secret>(?!\$)(?:(?!://)[^\s"'\\<>*$,{}\[\]]|\*(?!\*)|\$(?![{(])){4,128})@"""
    rb"""(?=[\w.-]+(?::\d|[/?"'\\\s,;)]|\Z))"""
)
"""As people write it into a DSN, who do not spell out `/`, `#` and `@`."""
_PLACEHOLDERS = frozenset(
    b"password passwd secret username postgres yourpassword mypassword changeme"
    b" dbpassword placeholder passphrase accesstoken".split()
)
_TEMPLATE = re.compile(rb"\{.*\}|\[.*\]|%\w+%|REDACTED|&lt;.*&gt;|[^\[]{1,40}\]")
"""`://{USER}:{PASSWORD}@`, `://user[:password]@`"""
_LONG = 10
"""Small letters alone from which a password is one and no example."""
_WEBHOOK = re.compile(
    rb"""://(?:(?:[\w-]+\.)?discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d+/|"""
    rb"""hooks\.zapier\.com/hooks/(?:catch|standard)/\d+/(?=\w{6})|"""
    rb"""events\.pagerduty\.com/(?:integration|generic)/|hc-ping\.com/|"""
    rb"""sctapi\.ftqq\.com/|api\.day\.app/(?=\w{22}\b)|[\w.-]+/hooks/(?=[a-z0-9]{26}\b)|"""
    rb"""[\w.-]+/hooks/\w{17}/(?=\w{43,64}\b)|api\.flock\.com/hooks/sendMessage/|"""
    rb"""alert\.victorops\.com/integrations/generic/\d+/alert/|"""
    rb"""[\w.-]+\.googleapis\.com/(?:resumable/)?upload/[^\s"'\\]{0,512}?[?&]upload_id=|"""
    rb"""hook\.(?:[\w-]+\.)?(?:make|integromat)\.com/|"""
    rb"""calendar\.google\.com/calendar/ical/[^\s/"'\\]{1,128}/private-|"""
    rb"""maker\.ifttt\.com/trigger/[^\s/"'\\]{1,128}/(?:json/)?with/key/|"""
    rb"""open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/|"""
    rb"""outlook\.office(?:365)?\.com/webhook/|"""
    rb"""[\w-]+\.tines\.com/webhook/\w+/|"""
    rb"""[\w-]+\.g\.alchemy\.com/(?:nft/)?v\d/|"""
    rb"""[\w-]+\.infura\.io/(?:ws/)?v3/|"""
    rb"""rpc\.ankr\.com/\w{1,32}/|[\w.-]+\.quiknode\.pro/|"""
    rb"""api\.netlify\.com/build_hooks/|"""
    rb"""api\.vercel\.com/v1/integrations/deploy/\w{1,64}/|"""
    rb"""[\w.:-]+/(?:api/)?webhook/(?=[0-9a-f]{64}\b|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-)|"""
    rb"""api\.telegram\.org/(?:file/)?bot(?=\d+:))(?P<secret>[\w@/-]{14,512}|\d+:[\w-]{30,64}|\w{6,13}\b)"""
)
"""Each is what its service's documentation of webhooks, or of its API, shows."""


_BEFORE_NETWORK = re.compile(
    rb"""(?:[\s"'=`\\]|\A)n?[\w.-]{1,64}:(?P<secret>(?!\$)(?:[^\s"'\\<>{}*$]|\$(?![{(])){6,128})\Z"""
)
_SEGMENT = re.compile(
    rb"""://[\w.:-]{1,253}(?:/[\w.~%@+-]{1,64}){0,5}?/"""
    rb"""(?:(?:t|reset|reset[-_]password|password[-_/]reset|verify|verify[-_]email|confirm|"""
    rb"""activate|invite|invitations?|accept[-_]invit\w{1,7}|magic(?:[-_]link)?|unsubscribe"""
    rb"""|(?P<key>(?:api[-_]?)?(?:key|token|secret)s?))"""
    rb"""/(?P<secret>[\w.~-]{20,512})(?=[/?#\s"'\\<>)]|\Z)"""
    rb"""|\(S\((?P<session>[a-z0-9]{24})\)\))"""
)
"""What a link sent by mail opens; tokens of conda (docs.anaconda.com); what a path
calls a key; and sessions without cookies (learn.microsoft.com/dotnet/api/
system.web.httpcookiemode)."""
_ID = re.compile(rb"[0-9a-fA-F-]+|[1-9A-HJ-NP-Za-km-z]{32,44}")
"""Of a key: `/keys/7c9e6679-...` of a service that manages some, a digest of one; what
Solana calls a token (solana.com/docs/core/accounts), which everybody reads."""
_NETWORK = (b"@tcp(", b"@unix(")
"""`me:...@tcp(host:3306)/x` (github.com/go-sql-driver/mysql#dsn-data-source-name)"""
_PROXY = re.compile(
    rb"""(?:trojan|hysteria2?|hy2|anytls)://(?P<secret>[^\s/?#@"'\\<>:*]{6,128})@"""
)
"""Schemes of which the user is the password (github.com/trojan-gfw/trojan-url)."""


def find_in_addresses(data: bytes, lo: int, hi: int, seen: Presence) -> Iterator[_Span]:
    """The secrets of the URLs that begin in a part of a text, but for parameters."""
    place = data.find(b"://", lo, hi)
    while place >= 0:
        yield from _of(data, place)
        place = data.find(b"://", place + 3, hi)
    for mark in _NETWORK:
        place = data.find(mark, lo, hi) if seen.may_have(mark) else -1
        while place >= 0:
            before = _BEFORE_NETWORK.search(data, max(0, place - 200), place)
            if before and not _is_example(before["secret"]):
                yield before.span("secret")
            place = data.find(mark, place + 5, hi)


def _of(data: bytes, place: int) -> Iterator[_Span]:
    hook = _WEBHOOK.match(data, place)
    if hook:
        yield hook.span("secret")
        return
    proxy = _PROXY.search(data, max(0, place - 9), place + 140)
    if proxy and proxy.start("secret") == place + 3:
        yield proxy.span("secret")
        return
    segment = _SEGMENT.match(data, place)
    if segment:
        group = "session" if segment["session"] else "secret"
        is_id = segment["key"] and _ID.fullmatch(segment["secret"])
        if not is_id and _is_random(segment[group]):
            yield segment.span(group)
    token = _TOKEN.match(data, place)
    is_user = data.endswith(b"ssh", 0, place) or (token and b"%40" in token["secret"])
    if token and not is_user and looks_secret(token["secret"]):
        yield token.span("secret")
    is_database = _DATABASE.search(data, max(0, place - 24), place)
    pattern = _ANY_PASSWORD if is_database else _WITH_SIGNS
    match = pattern.match(data, place) or _USER.match(data, place)
    is_syntax = match and b"[" in data[place : match.start("secret")]
    if match and not is_syntax and not _is_example(match["secret"]):
        yield match.span("secret")


_ADDRESS_OF_CHAIN = re.compile(rb"0x[0-9a-fA-F]{40}")
"""Of an account or a contract, which everybody reads (eips.ethereum.org, EIP-55)."""


def _is_random(segment: bytes) -> bool:
    """Whether a segment of a path is none of words: letters and digits alternate."""
    digits = sum(byte in b"0123456789" for byte in segment)
    return (
        digits >= 3
        and looks_secret(segment)
        and not (is_made_of_words(segment) or _ADDRESS_OF_CHAIN.fullmatch(segment))
    )


def _is_example(password: bytes) -> bool:
    """Whether it stands for a password in an example: a word, a template."""
    if _TEMPLATE.fullmatch(password):
        return True
    if not (password.islower() and password.isalpha()):
        return False
    return len(password) < _LONG or password in _PLACEHOLDERS
