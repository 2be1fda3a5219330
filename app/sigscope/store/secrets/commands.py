"""Passwords that commands are given with an option of one letter.

`-P` or `-a` alone says nothing: the command before it on the line does. Read on
2026-11-23: the manuals of ssh-keygen(1), zip(1), unzip(1) and curl(1), and of
https://github.com/tldr-pages/tldr the pages of 7z, 7za, rar, twine, security, http,
redis-cli, htpasswd and `gh auth login`. From memory: sqlcmd, bcp, unrar, valkey-cli,
ldap*, kubectl, doctl, wrangler, pass, vercel, and the logins of docker and its like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigscope.store.secrets.jars import find_after_option
from sigscope.store.secrets.presence import Presence
from sigscope.store.secrets.values import is_kept_back

_Span = tuple[int, int]

_PASSWORD = (
    rb"""\\*["']?(?:[\w.@-]{1,64}[:=])?"""
    rb"""(?P<secret>(?!\$)(?=[^\s"'\\]{0,64}\d)(?:[^\s"'\\$<>{}|]|\$(?![{(])){6,128})"""
)
_VALUE = re.compile(rb"[ \t]{0,4}" + _PASSWORD)
_GLUED = re.compile(_PASSWORD)
_IN_BATCH = re.compile(
    rb"""[a-zA-Z]{0,4}[ \t]+[^\s"'\\]{1,128}[ \t]+[^\s"'\\]{1,64}[ \t]+\\*["']?"""
    rb"""(?P<secret>[^\s"'\\$<>{}|]{6,128})"""
)
"""`htpasswd -bc FILE NAME PASSWORD`"""
_PRINTED = re.compile(
    rb"""[a-zA-Z]{0,4}[ \t]+[^\s"'\\]{1,64}[ \t]+\\*["']?"""
    rb"""(?P<secret>[^\s"'\\$<>{}|]{6,128})"""
)
"""`htpasswd -nb NAME PASSWORD`"""
_AFTER_PERCENT = re.compile(rb"[ \t]?[^\s\"'\\%]{1,64}%" + _PASSWORD)
"""`-U NAME%PASSWORD`"""
_AFTER_COLON = re.compile(rb":" + _PASSWORD)
_SETTING = re.compile(rb"[ \t]+\w{1,64}=" + _PASSWORD)
"""`doppler secrets set NAME=VALUE`"""
_SNMP = rb"snmp(?:walk|get|getnext|bulkwalk|bulkget|set|table|trap|inform)"
_REGISTRIES = rb"docker|podman|nerdctl|buildah|skopeo|helm registry"
_COMMANDS = (
    (
        b" -P",
        rb"sqlcmd|bcp|zip|unzip|ssh-keygen|ipmitool|mosquitto_(?:pub|sub)"
        rb"|security import",
        _VALUE,
    ),
    # learn.microsoft.com/sql/tools/sqlcmd, .../bcp-utility; linux.die.net/man/1/zip
    (b" -a ", rb"redis-cli|valkey-cli|https?|xhs?", _VALUE),
    # redis.io/docs/latest/develop/tools/cli; httpie.io/docs/cli/authentication
    (
        b" -w ",
        rb"ldap(?:search|add|modify|delete|whoami|passwd|compare)|security",
        _VALUE,
    ),
    # openldap.org/software/man.cgi?query=ldapsearch
    (b" -p", rb"7z|7za|rar|unrar", _GLUED),
    # 7-zip.opensource.jp/chm/cmdline/switches/password.htm
    (
        b" -p",
        rb"twine|security|(?:%b) login|hydra|medusa|nxc|rdesktop" % _REGISTRIES,
        _VALUE,
    ),
    # twine.readthedocs.io
    (b" -N", rb"ssh-keygen", _VALUE),
    (b" --pass ", rb"redis-cli|valkey-cli|curl", _VALUE),
    (b" --from-literal=", rb"create secret generic", _VALUE),
    (b" -t ", rb"doctl auth init", _VALUE),
    (
        b" <<<",
        rb"gh auth login|(?:wrangler|docker|podman) secret (?:put|create)|pass insert"
        rb"|vercel env add|docker login",
        _VALUE,
    ),
    (b" -pw ", rb"plink|pscp|psftp", _VALUE),
    (b" /p:", rb"xfreerdp", _VALUE),
    (b" /p ", rb"signtool", _VALUE),
    (b" -k ", rb"openssl enc|dotnet nuget push", _VALUE),
    (b" -t ", rb"codecov|influx", _VALUE),
    (b" --totp ", rb"oathtool", _VALUE),
    (b" --proxyauth ", rb"mitm(?:proxy|dump|web)", _VALUE),
    (b" obscure ", rb"rclone", _VALUE),
    (b" <<< ", rb"sudo (?:-\w{1,9} ){0,3}-\w{0,9}S|vncpasswd", _VALUE),
    (b" --pat ", rb"[\w./-]{1,64}", _VALUE),
    (b"storepass ", rb"keytool|jarsigner", _VALUE),
    (b" -b", rb"htpasswd", _IN_BATCH),
    (b" -nb", rb"htpasswd", _PRINTED),
    # httpd.apache.org/docs/2.4/programs/htpasswd.html
    # Of 2026-11-24, from memory: usermod(8), snmpcmd(1), winrs, schtasks, net(8) of
    # Samba, learn.microsoft.com: az keyvault secret set.
    (b" -p", rb"usermod|useradd", _VALUE),
    (b" -A ", _SNMP, _VALUE),
    (b" -X ", _SNMP, _VALUE),
    (b" -c ", _SNMP, _VALUE),
    (b" -p", rb"winrs|winrm", _AFTER_COLON),
    (b" /rp ", rb"schtasks(?:\.exe)?", _VALUE),
    (b" -U", rb"net rpc|net ads|smbget|winexe", _AFTER_PERCENT),
    (b" --value ", rb"az keyvault secret set", _VALUE),
    (b" secrets set", rb"doppler|fly|flyctl|supabase", _SETTING),
)
_BY_MARK = {
    mark: tuple(
        (
            re.compile(rb"(?:\A|[^\w.-]|\\n)(?:%b)(?=[ \t])[^\n;|&]{0,200}\Z" % names),
            value,
        )
        for other, names, value in _COMMANDS
        if other == mark
    )
    for mark, _, _ in _COMMANDS
}
_AROUND = 240


_DASHED = re.compile(
    b" -(?:%b)"
    % b"|".join(
        sorted((re.escape(m[2:]) for m in _BY_MARK if m[:2] == b" -"), reverse=True)
    )
)
"""All marks of one beginning, which are looked for at once."""
_OTHER_MARKS = tuple(mark for mark in _BY_MARK if mark[:2] != b" -")


def find_in_commands(data: bytes, lo: int, hi: int, seen: Presence) -> Iterator[_Span]:
    """The passwords whose option begins in a part of a text. Costs a search for each
    option, and a look at the line before it."""
    if seen.has(b" -"):
        for option in _DASHED.finditer(data, lo, hi):
            yield from _of_mark(data, option[0], option.start())
    for mark in _OTHER_MARKS:
        place = data.find(mark, lo, hi) if seen.may_have(mark) else -1
        while place >= 0:
            yield from _of_mark(data, mark, place)
            place = data.find(mark, place + len(mark), hi)


def _of_mark(data: bytes, mark: bytes, place: int) -> Iterator[_Span]:
    end = place + len(mark)
    if mark == b" -b":
        yield from find_after_option(data, end)
    for before, pattern in _BY_MARK[mark]:
        value = pattern.match(data, end)
        low = max(0, place - _AROUND)
        is_after = value and before.search(data, low, place + 1)
        if value and is_after and is_kept_back(value["secret"], 6):
            yield value.span("secret")
