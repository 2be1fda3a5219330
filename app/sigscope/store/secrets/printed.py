r"""Secrets that commands print: a line of its own, or the result of a call.

    $ gh auth token                         {"command":"op read op://v/i/password"}}]},
    0f3b...                                 {"type":"tool_result", ..., "content":"..."}

What stands alone says nothing; the command before it does. Read on 2026-11-24: those of
`vault kv get` (developer.hashicorp.com/vault/docs/commands/kv/get) and `gcloud secrets
versions access` (cloud.google.com/sdk/gcloud/reference/secrets/versions/access). The
others are from memory of their manuals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.store.secrets.names import is_secret_name, is_secret_variable
from sigscope.store.secrets.presence import Presence

_Span = tuple[int, int]

_COMMANDS = (
    # What each has in it, and what goes before and after that.
    (
        b"secret",
        rb"(?:keyvault |/run/|get-|get )\Z",
        rb" show|s/|-value|s? [^\n\"]{0,120}-o[= ]?(?:json|go-t)",
    ),
    (b"secrets ", rb"\Z", rb"get |versions access"),
    (b"secret-tool lookup", rb"\Z", rb""),
    (b" token", rb"(?:auth|create)\Z", rb"\b"),
    (b"auth:token", rb"\Z", rb"\b"),
    (b"-token", rb"(?:print-(?:access|identity)|get-access)\Z", rb"\b"),
    (
        b"password",
        rb"(?:initial-|get-login-|bw get |find-generic-|find-internet-)\Z",
        rb"\b",
    ),
    (b"pass show ", rb"\Z", rb""),
    (b"op ", rb"(?<!\w)\Z", rb"(?:read|item get|signin) "),
    (b"bw unlock ", rb"\Z", rb""),
    (b"ssm get-parameter", rb"\Z", rb""),
    (b"wg gen", rb"\Z", rb"(?:key|psk)"),
    (b"openssl rand", rb"\Z", rb""),
    (b"pwgen ", rb"\Z", rb""),
    (b"get-authorization-token ", rb"\Z", rb"[^\n]{0,160}--output text"),
    (
        b"cat ",
        rb"\Z",
        rb"[\w./~-]{0,160}(?i:pass(?:word)?|secret|token|master\.key)(?=[\s\\\"])",
    ),
    (b"output -raw ", rb"\Z", rb"\w{0,64}(?i:pass|secret|token|key|cred)"),
    (b" -field", rb"(?:kv get|read)(?: -mount[= ][\w./-]{1,48})?\Z", rb""),
    (b"keyring get ", rb"\Z", rb""),
    (b"getpass()", rb"\Z", rb""),
)
_PATTERNS = tuple(
    (mark, re.compile(before), re.compile(after)) for mark, before, after in _COMMANDS
)
_NAMED = (
    (b"printenv ", re.compile(rb"(\w{2,64})(?=[\s\\\"])")),
    (b"echo ", re.compile(rb"""\\*["']?\$\{?(\w{2,64})\}?\\*["']?(?=[\s\\\"])""")),
    (b"> GET ", re.compile(rb"((?:[\w.-]{1,40}:){0,4}\w{2,64})(?=[\s\\])")),
    (b"getItem(", re.compile(rb"""\\*["']([\w.-]{2,64})\\*["']\)""")),
)
"""Commands that print what they are given the name of."""
_LINE = re.compile(
    rb"""(?:[^\n\\><;&]|\\+["']){0,240}+(?:;\s?echo)?(?:\r?\n|(?:\\+r)?\\+n)"""
    rb"""\\*["']?(?P<secret>[^\s"'\\]{8,4096})(?=\s|\\|["']|\Z)"""
    rb"""(?![ \t]+[^\s])"""
)
"""Up to the end of the command's line, and the next one."""
_CALL_END = re.compile(
    rb"""[^\n\\><;&"]{0,160}(?:\\*'[^\n\\><;&"]{0,40})?\\*"(?=[\]},\\])"""
)
_RESULT = re.compile(
    rb"""(?:content|output|text|stdout|result)\\*"\s?:\s?\\*"(?:\{\\*"output\\*":\s?\\*")?"""
    rb"""(?P<secret>[^\s"'\\]{8,4096})(?:\\+n)?(?=\\*")"""
)
"""What came of the call: the first result behind it."""
_BEGIN_OF_RESULT = re.compile(
    rb"""(?:(?<=")content|(?<=")output|(?<=")text|stdout|(?<=")result)(?=\\*"\s?:\s?\\*")"""
)
_BEFORE = 72
"""Bytes before a mark that decide."""
_NEAR = 600
"""Bytes behind a call in which its result begins."""
_NO_SECRET = re.compile(
    rb"[$<{\[%*/.(>#=-].*|https?:.*|.*[/:]\d+|[\w.-]+\.\w{1,4}:?", re.DOTALL
)
"""A prompt, a mask, a path, an address, the name of a file."""


def find_in_prints(data: bytes, lo: int, hi: int, seen: Presence) -> Iterator[_Span]:
    """What commands printed that stand in a part of a text. Costs a search for each."""
    for mark, before, after in _PATTERNS:
        place = data.find(mark, lo, hi) if seen.may_have(mark) else -1
        while place >= 0:
            end = place + len(mark)
            rest = after.match(data, end)
            if rest and before.search(data, max(0, place - _BEFORE), place):
                yield from _after(data, rest.end())
            place = data.find(mark, end, hi)
    for command, pattern in _NAMED:
        place = data.find(command, lo, hi) if seen.may_have(command) else -1
        while place >= 0:
            name = pattern.match(data, place + len(command))
            if name and _is_secret(
                name[1].rpartition(b":")[2].decode("ascii", "replace")
            ):
                yield from _after(data, name.end())
            place = data.find(command, place + len(command), hi)


def _is_secret(name: str) -> bool:
    return is_secret_variable(name) or is_secret_name(name) or name == "token"


def _after(data: bytes, end: int) -> Iterator[_Span]:
    value = _LINE.match(data, end)
    if value is None and (call := _CALL_END.match(data, end)):
        newline = data.find(b"\n", call.end(), call.end() + _NEAR)
        high = newline if newline >= 0 else call.end() + _NEAR
        begin = _BEGIN_OF_RESULT.search(data, call.end(), high)
        value = _RESULT.match(data, begin.start()) if begin else None
    if value and _is_printed(value["secret"]):
        yield value.span("secret")


def _is_printed(value: bytes) -> bool:
    has_digit = any(byte in b"0123456789" for byte in value)
    has_letter = any(chr(byte).isalpha() for byte in value)
    return has_digit and has_letter and not _NO_SECRET.fullmatch(value)
