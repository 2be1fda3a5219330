"""Keys and passwords that options of commands are given, but for those of one command
alone (`commands`)."""

from __future__ import annotations

import re

from sigscope.store.secrets.assignments import OPTION_VALUE
from sigscope.store.secrets.credentials import is_dense
from sigscope.store.secrets.values import is_kept_back

_Span = tuple[int, int]

_KEY_OPTION = re.compile(rb"""[ =]\\*["']?(?P<secret>[\w-]{32,200})(?=\\|[\s"']|\Z)""")
_COMMAND_PASSWORD = re.compile(
    rb"""(?:\s+[^\s"'\\-][^\s"'\\]{0,64})?\s+-p\s?\\*["']?(?!\d{1,5}:\d)"""
    rb"""(?P<secret>(?!\$)(?:[^\s"'\\$<>{}|]|\$(?![{(])){6,256})"""
)


_OF_MYSQL = re.compile(rb"(?:mysql|mariadb)[\w-]*[ \t][^\n;|&]*\Z")
"""Whose `-p` has its password without a blank: what follows one is a database."""
_NEXT_STRING = re.compile(rb"""["'][\s,]*\\*["']""")
_GROUP = re.compile(rb"(?:[a-z_][a-z_-]*|\d+):(?:[a-z_][a-z_-]*|\d+)")
_RUNS_AS = re.compile(
    rb"\b(?:docker|podman|nerdctl|buildah|compose|kubectl|sudo|chroot)[ \t]"
    rb"(?![^\n;|&]*\b(?:curl|https?|login|wget)[ \t])[^\n;|&]*\Z"
)
"""`docker run -u user:group` (docs.docker.com/reference/cli/docker/container/run)"""


def find_option(data: bytes, start: int, end: int, name: str) -> _Span | None:
    """The key of `--key ...`, and the password of `curl -u name:password`,
    `mysql -u name -ppassword`, and `sshpass -p password`."""
    key = _KEY_OPTION.match(data, end) if name == "--key" else None
    if key and is_dense(key["secret"]) and is_kept_back(key["secret"], 32):
        return key.span("secret")
    if name not in ("-u", "--user", "--proxy-user", "sshpass") or (
        start and data[start - 1 : start] not in (b" ", b'"', b"'", b"n", b"\n", b"/")
    ):
        return None
    before = data[max(0, start - 200) : start]
    command = _COMMAND_PASSWORD.match(data, end)
    if command and is_kept_back(command["secret"], 6):
        is_apart = data[command.start("secret") - 1 : command.start("secret")] == b" "
        if is_apart and _OF_MYSQL.search(before):
            return None
        return command.span("secret")
    match = OPTION_VALUE.match(data, end)
    if match is None or b":" not in match["secret"] or match["secret"][:1] == b".":
        return None
    is_listed = data[start - 1 : start] in (b'"', b"'")
    if not is_listed and _NEXT_STRING.search(data, end, match.start("secret")):
        return None  # `"test": "vitest -u", "test:watch": ...`
    low = match.start("secret") + match["secret"].index(b":") + 1
    password = data[low : match.end()]
    if password.startswith((b":", b"//")):  # `-u Some::Name`, `-u redis://...`
        return None
    if _GROUP.fullmatch(match["secret"]) and _RUNS_AS.search(before):
        return None
    is_one = is_kept_back(password.lstrip(b"-"), 4)
    return (low, match.end()) if is_one else None
