"""Secrets that are known by their look.

A key with a prefix and an alphabet is a row in `vendors.toml`; what needs more than
that is a line in `SHAPES`. What was read of each, and where, is told in that table.
"""

from __future__ import annotations

import base64
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sigscope.records import dataclass
from sigscope.store.secrets.values import is_made_of_words


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretShape:
    kind: str
    """What the report calls it."""
    starts: tuple[bytes, ...]
    """Texts of which one begins every match; a search for these is fast."""
    pattern: re.Pattern[bytes]
    """The whole secret; the groups `keep` and `end`, if any, are left as they stand."""
    is_weak: bool
    """A signature could begin like this by chance."""
    accept: Callable[[bytes], bool]
    """A last look at what matched."""


def looks_random(secret: bytes) -> bool:
    """Tells `sk-3fA9...` from `sk-loading-spinner`, a name made of words."""
    has_digit = any(byte in b"0123456789" for byte in secret)
    has_words = b"-" in secret or b"_" in secret
    return has_digit and (not has_words or secret != secret.lower())


def _ends_in_digits(secret: bytes) -> bool:
    """Tells `sk-sp-0f3b...` from a name in small letters."""
    return (
        re.fullmatch(rb"(?=(?:[a-z]*[0-9]){6})[a-z0-9]{24,}", secret[-24:]) is not None
    )


_UUID = re.compile(rb"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def is_uuid(text: bytes) -> bool:
    """Whether it is a UUID, which services give out as keys."""
    return _UUID.fullmatch(text) is not None


def is_user_and_password(text: bytes) -> bool:
    """Whether base64 stands for `user:password` (RFC 7617)."""
    text = text.rstrip(b"=")
    try:
        plain = base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except ValueError:
        return False
    try:
        return b":" in plain and plain.decode().isprintable()
    except UnicodeDecodeError:
        return False


def make_shape(
    kind: str,
    starts: str,
    pattern: str,
    *,
    is_weak: bool = False,
    accept: Callable[[bytes], bool] = bool,
) -> SecretShape:
    """`starts`: parted by `|`, or by blanks where there is none; one that has blanks
    has a `|` behind it."""
    return SecretShape(
        kind=kind,
        starts=tuple(
            start.encode()
            for start in starts.split("|" if "|" in starts else None)
            if start
        ),
        pattern=re.compile(pattern.encode()),
        is_weak=is_weak,
        accept=accept,
    )


SHAPES: tuple[SecretShape, ...] = (
    make_shape("Anthropic key", "sk-ant-", r"(?P<keep>sk-ant-)[\w-]{16,}"),
    make_shape("OpenRouter key", "sk-or-", r"(?P<keep>sk-or-(?:v1-)?)[\w-]{16,}"),
    make_shape(
        "OpenAI key",
        "sk-proj- sk-svcacct- sk-admin- sk-None-",
        r"(?P<keep>sk-(?:proj|svcacct|admin|None)-)[\w-]{16,}",
    ),
    make_shape(
        "sk- key",  # OpenAI's older ones, DeepSeek, Moonshot, LiteLLM and others
        "sk-",
        r"(?P<keep>sk-)[\w-]{16,200}",
        is_weak=True,
        accept=lambda secret: looks_random(secret[3:]) or _ends_in_digits(secret[3:]),
    ),
    make_shape(  # in public repositories on 2026-11-24
        "LM Studio key", "sk-lm-", r"(?P<keep>sk-lm-)[A-Za-z0-9]{8}:[A-Za-z0-9]{20}"
    ),
    make_shape("Google API key", "AIza", r"(?P<keep>AIza)[\w-]{35}"),
    make_shape("Google API key", "AQ.Ab", r"(?P<keep>AQ\.)[\w-]{30,}"),
    make_shape("Google access token", "ya29.", r"(?P<keep>ya29\.)[\w.-]{16,}"),
    make_shape(
        "Google refresh token", "1//0", r"(?P<keep>1//0)[\w-]{30,}", is_weak=True
    ),
    make_shape(
        "GitHub token",
        "gho_ ghu_ ghp_ ghs_ ghr_",
        r"(?P<keep>gh[ousrp]_)(?:(?:\d+_)?eyJ[\w.-]{20,}|[A-Za-z0-9]{20,}(?![A-Za-z0-9_])"
        r"|(?=\w{0,255}\d)\w{36,255})",
    ),
    make_shape("GitHub token", "github_pat_", r"(?P<keep>github_pat_)\w{20,}"),
    make_shape(
        "Copilot token",
        "tid=",
        r"""(?P<keep>tid=)[\w-]{6,};[^"'\\\s,<>()]{16,}""",
    ),
    make_shape("xAI key", "xai-", r"(?P<keep>xai-)[A-Za-z0-9][\w-]{39,}"),
    make_shape("Groq key", "gsk_", r"(?P<keep>gsk_)[A-Za-z0-9]{32,}"),
    make_shape("Hugging Face token", "hf_", r"(?P<keep>hf_)[A-Za-z0-9]{30,}"),
    make_shape("NVIDIA key", "nvapi-", r"(?P<keep>nvapi-)[\w-]{40,}"),
    make_shape("Perplexity key", "pplx-", r"(?P<keep>pplx-)[A-Za-z0-9]{32,}"),
    make_shape("Cerebras key", "csk-", r"(?P<keep>csk-)[A-Za-z0-9]{32,}"),
    make_shape(
        "Voyage AI key",
        "pa-",
        r"(?P<keep>pa-)[\w-]{40,60}",
        is_weak=True,
        accept=lambda secret: looks_random(secret[3:]),
    ),
    make_shape("Replicate token", "r8_", r"(?P<keep>r8_)(?=[\w-]{0,64}\d)[\w-]{32,64}"),
    make_shape(
        "Bedrock key",
        "ABSKQmVkcm9ja0FQSUtleS",  # ABSK, and base64 of "BedrockAPIKey-"
        r"(?P<keep>ABSKQmVkcm9ja0FQSUtleS)[\w+/-]{16,}={0,2}",
    ),
    make_shape(
        "AWS access key", "AKIA ASIA", r"(?P<keep>A[KS]IA)[A-Z0-9]{16}", is_weak=True
    ),
    make_shape(
        "GitLab token", "glpat-", r"(?P<keep>glpat-)[\w-]{20,}(?:\.\w{2}\.\w{9})?"
    ),
    make_shape(
        "Slack token", "xoxb- xoxp- xoxa- xoxs-", r"(?P<keep>xox[bpas]-)[\w-]{20,}"
    ),
    make_shape("PyPI token", "pypi-AgE", r"(?P<keep>pypi-)[\w-]{40,}"),
    make_shape(
        "Slack cookie",  # percent-encoded where it is sent
        "xoxd-",
        r"(?P<keep>xoxd-)(?:[\w+/-]|%[0-9A-Fa-f]{2}){20,}={0,2}",
    ),
    make_shape(
        "Stripe client secret",  # https://docs.stripe.com/api/payment_intents/object
        "pi_ seti_",
        r"(?P<keep>(?:pi|seti)_[A-Za-z0-9]{14,40}_secret_)[A-Za-z0-9]{20,}",
    ),
    make_shape(
        "ClickUp or Klaviyo key",  # "kingfisher", "trufflehog" of vendors.toml
        "pk_",
        r"(?P<keep>pk_)(?:[0-9a-z]{34}|[A-Za-z0-9]{6}_[0-9a-f]{34}|\d{6,9}_[0-9A-Za-z]{32})",
    ),
    make_shape(
        "Salesforce session",  # "trufflehog", betterleaks
        "AQ AR",
        r"(?<=00D[A-Za-z0-9]{12}!)(?P<keep>A[QR])[\w.]{60,260}",
    ),
    make_shape(
        "Login with Amazon token",  # https://developer.amazon.com/docs/login-with-amazon
        "IwEB",
        r"(?<=Atz[ar]\|)(?P<keep>IwEB)[\w-]{60,}",
    ),
    make_shape(
        "k3s token",  # https://docs.k3s.io/cli/token
        "K10",
        r"(?P<keep>K10)[0-9a-f]{64}::\w{2,32}:[0-9a-f]{16,64}",
    ),
    make_shape(
        "JSON web token",
        "eyJ",
        r"(?P<keep>eyJ)[\w-]{8,}\.[\w-]*\.[\w-]{8,}(?:\.[\w-]+)*",
        is_weak=True,
    ),
    make_shape(
        "bearer token",
        "bearer",
        r"(?P<keep>(?:Bearer|bearer|BEARER)(?:\s|%20|\+)+)[\w.~+/-]{20,}={0,2}",
        is_weak=True,
        accept=lambda secret: looks_random(secret[7:]),
    ),
    make_shape(
        "Okta token",  # developer.okta.com/docs/guides/create-an-api-token
        "SSWS",
        r"(?P<keep>SSWS(?:\s|%20|\+)+)[\w-]{30,}",
    ),
    make_shape(
        "basic credentials",
        "basic",
        r"(?P<keep>[Bb]asic(?:\s|%20|\+)+)[A-Za-z0-9+/]{8,}={0,2}",
        is_weak=True,
        accept=lambda secret: is_user_and_password(re.split(rb"\s|%20", secret)[-1]),
    ),
    make_shape(
        "private key",  # RFC 4716
        "SSH2",
        r"(?<=---- BEGIN )(?P<keep>SSH2 [A-Z ]*PRIVATE KEY ----"
        r"(?:(?:\s|\\+[rn])*[A-Z][A-Za-z0-9-]{1,30}: [^\r\n\\]{1,120}){0,8})"
        r"[^-]{32,}(?P<end>---- END)",
    ),
    make_shape(
        "private key",  # the.earth.li/~sgtatham/putty/0.83/htmldoc/AppendixC.html
        "Private-Lines: ",
        r"(?P<keep>Private-Lines: \d{1,3}(?:\s|\\+[rn])+)"
        r"(?:[A-Za-z0-9+/=]|(?:\s|\\+[rn])(?!Private)){32,}",
    ),
    make_shape(
        "password of a command",
        "curl",
        r"""(?P<keep>curl\s(?:[^\n|;&"']{0,200}\s)?-[a-zA-Z]{0,12}u\s?\\*["']?"""
        r"""[^\s:"'\\]{1,128}:)[^\s"'\\$<>{}*]{6,256}""",
    ),
    make_shape(
        "key of a command",  # docs.stripe.com/api/authentication: a key, no password
        "curl",
        r"""(?P<keep>curl\s(?:[^\n|;&"']{0,200}\s)?-[a-zA-Z]{0,12}u\s?\\*["']?)"""
        r"""(?=[\w.-]{0,128}\d)[\w.-]{16,200}(?P<end>:)(?=\\*["']?\s|\\|["']|\Z)""",
    ),
    make_shape(
        "password of a command",  # docs.docker.com/reference/cli/docker/login
        "echo",
        r"""(?P<keep>echo\s(?:-n\s)?\\*["']?)[^\s"'\\|$]{8,512}"""
        r"""(?=\\*["']?\s?\|[^|\n]{0,80}(?:(?:pass\w{0,6}|token|key|secret)-stdin"""
        r"""|passwd [^|\n]{0,60}-stdin|sudo (?:-\w+ )*-S|secret put|vercel env add))""",
    ),
    # From here to `npmAuthIdent` from memory of the commands' manuals, but for
    # chpasswd(8), openssl-passphrase-options(1), and the pages of smbclient, rpcclient
    # and `gh auth login` of https://github.com/tldr-pages/tldr, read on 2026-11-23.
    make_shape(
        "password of a command",
        "echo printf",
        r"""(?P<keep>(?:echo|printf)\s(?:-[en]{1,2}\s|\\*["']%s(?:\\+n)?\\*["']\s)?\\*["']?"""
        r"""(?:[\w.-]{1,64}:)?)"""
        r"""(?=[^\s"'\\|$]{0,64}\d)[^\s"'\\|$:]{8,512}"""
        r"""(?:\\+n[^\s"'\\|$:]{8,512})?(?=(?:\\+n)?\\*["']?\s?\|[^|\n]{0,80}"""
        r"""(?:chpasswd|(?:smb)?passwd(?! [^|\n]*-stdin)"""
        r"""|(?:pass\w{0,6}|token|key|secret)-stdin"""
        r"""|passwd [^|\n]{0,60}-stdin|with-token|data-file=-|secret put))""",
    ),
    make_shape(
        "password of a command",
        "pass:",
        r"""(?:(?<=-pass )|(?<=-passin )|(?<=-passout )|(?<=-pass ')|(?<=-pass "))"""
        r"""(?P<keep>pass:)[^\s"'\\$<{]{4,128}""",
    ),
    make_shape(
        "password of a command",
        "sqlplus smbclient rpcclient lftp",
        r"""(?P<keep>(?:sqlplus\s(?:-\w{1,9}\s){0,3}\\*["']?\w{1,64}/"""
        r"""|(?:smbclient|rpcclient)\s[^\n;|&]{0,200}?-U\s?\\*["']?[\w.\\/-]{1,64}%"""
        r"""|lftp\s(?:[^\n;|&]{0,80}\s)?-u\s?[\w.@-]{1,64},))"""
        r"""(?=[^\s"'\\]{0,64}\d)[^\s/@"'\\$<{]{6,128}""",
    ),
    make_shape(
        "password of a command",
        "mysql",
        r"""(?P<keep>mysql(?:dump|admin|import|show)?\s(?:[^\n;|&"']{0,160}\s)?-p\\*["']?)"""
        r"""(?!\d{1,5}:\d|ython)(?=[^\s"'\\]{0,64}\d)[^\s"'\\$<{|;&][^\s"'\\<{|;]{5,127}""",
    ),
    make_shape(
        "password of a command",
        "/pass:|net user ",
        r"""(?P<keep>/pass:|net user \w{1,64} )(?=[^\s"'\\]{0,64}\d)"""
        r"""[^\s"'\\$<{/|][^\s"'\\<{|]{5,127}""",
    ),
    make_shape(
        "key of a command",
        "vault login|vault operator|cargo login|cloudflared service",
        r"""(?P<keep>(?:vault (?:login|operator unseal)|cargo login"""
        r"""|cloudflared service install) \\*["']?)[\w+/.-]{20,}={0,2}""",
    ),
    make_shape(
        "key of a command",
        "gh secret|gh secrets",
        r"""(?P<keep>gh secret set [\w-]{1,100} (?:--body[= ]|-b\s?)\\*["']?)"""
        r"""[^\s"'\\$<{]{8,512}""",
    ),
    make_shape(
        "key of a command",
        "poetry config|poetry self",
        r"""(?P<keep>poetry config (?:--\w{1,20} )?"""
        r"""(?:http-basic\.\S{1,64} \S{1,64}|pypi-token\.\S{1,64}) )"""
        r"""[^\s"'\\$<{]{8,512}""",
    ),
    make_shape(
        "password of a service",
        "user |USER |setuser |SETUSER ",
        # An ACL of Redis, with the rules that follow in its file: `the user of it on
        # >10 machines` is none.
        r"""(?P<keep>(?:user|USER|(?P<set>setuser|SETUSER)) \S{1,64} on >)"""
        r"""(?![=>])(?=[^\s"'\\]{0,64}\d)[^\s"'\\$<{]{6,128}"""
        r"""(?(set)|(?=[^\n\\]{0,200} (?:[~+&%(-]|all|reset|nopass)))""",
    ),
    make_shape(
        "password of a device",
        "snmp-server rocommunity rwcommunity tacacs-server radius-server",
        r"""(?P<keep>(?:snmp-server community|r[ow]community|"""
        r"""(?:tacacs|radius)-server (?:host \S{1,64} )?key(?: [07])?) )"""
        r"""(?=[^\s"'\\]{0,64}\d)[^\s"'\\$<{]{6,64}""",
    ),
    make_shape(
        "session of a command",
        "BW_SESSION OP_SESSION_ FASTLANE_SESSION",
        r"""(?P<keep>(?:(?:BW|FASTLANE)_SESSION|OP_SESSION_\w{1,40})=\\*["']?)"""
        r"""[\w+/-]{30,}={0,2}""",
    ),
    make_shape(
        "key of a package manager",
        "github-oauth gitlab-oauth gitlab-token bearer",
        r"""(?P<keep>(?:git(?:hub|lab)-(?:oauth|token)|bearer)\\*["']\s?:\s?\{\s{0,40}\\*["']"""
        r"""[\w.-]{1,128}\\*["']\s?:\s?\\*["'])(?=[\w-]{0,254}\d)[\w-]{16,255}""",
    ),
    make_shape(
        "key of a package manager",
        "npmAuthIdent",
        r"""(?P<keep>npmAuthIdent:\s?\\*["']?(?:[\w.-]{1,64}:)?)[^\s"'\\$<{]{6,512}""",
    ),
    make_shape(
        "password in a page",
        "type=",
        r"""(?P<keep>type=\\*["']password\\*["'][^<>]{0,200}?\svalue=\\*["'])"""
        r"""[^\s"'\\<>]{4,128}(?=\\*["'])""",
    ),
    make_shape(
        "password in a page",
        "Password password",
        r"""(?P<keep>[Pp]assword(?:\]?\\*["']\]?\\*["']?\s?\}?\){1,2}"""
        r"""\.(?:fill|type|send_keys|sendKeys|pressSequentially)\("""
        r"""|(?: textbox| field| input)?\\*["'],\s?(?:\\*["'](?:type|ref)\\*["']\s?:"""
        r"""\s?\\*["'][^"'\\]{0,40}\\*["'],\s?){1,3}\\*["'](?:text|value)\\*["']\s?:\s?)"""
        r"""\\*["'])(?=[^\s"'\\]{0,64}\d)[^\s"'\\$<{]{6,128}(?=\\*["'])""",
    ),
    make_shape(
        "password in a page",
        "fill(",
        r"""(?P<keep>fill\(\\*["'][^\n(),]{0,60}assword[^\n(),]{0,8}\\*["'],\s?\\*["'])"""
        r"""[^\s"'\\$<{]{6,128}(?=\\*["'])""",
    ),
    make_shape(
        "password in code",
        # learn.microsoft.com/powershell/module/microsoft.powershell.security
        "ConvertTo-SecureString",
        r"""(?P<keep>ConvertTo-SecureString(?:\s-String)?\s{1,4}\\*["']?)(?!-)[^\s"'\\$()]{6,256}""",
    ),
    make_shape(
        "password in code",  # docs.pydantic.dev/latest/api/types
        "SecretStr(",
        r"""(?P<keep>SecretStr\(b?\\*["'])(?!\*)[^\s"'\\$<{]{8,512}(?=\\*["'])""",
    ),
    make_shape(
        "password in code",  # curl.se/libcurl/c/CURLOPT_USERPWD.html
        "CURLOPT_USERPWD",
        r"""(?P<keep>CURLOPT_USERPWD\s?,\s?\\*["'][^\s:"'\\]{1,64}:)[^"'\\$<{]{6,256}(?=\\*["'])""",
    ),
    make_shape(
        "password of a database",  # dev.mysql.com/doc/refman/8.4/en/create-user.html
        "IDENTIFIED",
        r"""(?P<keep>IDENTIFIED (?:WITH \w{1,40} )?BY (?:PASSWORD )?\\*["'])"""
        r"""(?![%:?$<{])[^"'\\]{4,128}(?=\\*["'])""",
    ),
    make_shape(
        "password of a database",  # docs.oracle.com/en/database/oracle/jdbc
        "oracle:thin:",
        r"""(?P<keep>oracle:thin:[^\s/:@"'\\]{1,64}/)[^\s/"'\\$<{]{4,128}(?=@)""",
    ),
    make_shape(
        "key of a command",  # docs.wandb.ai/ref/cli/wandb-login
        "wandb",
        r"""(?P<keep>wandb login (?:--relogin )?\\*["']?)[0-9a-f]{40}""",
    ),
    make_shape(
        "password of a login",
        # IMAP, SMTP (RFC 9051, RFC 4954), Redis, IRC (RFC 1459), and as people say it.
        "LOGIN |AUTH |NICK |login with |Login with |creds: |credentials: "
        "|credentials are |created: ",
        r"""(?P<keep>(?:(?<=\d )LOGIN \\*"?[\w.@-]{1,64}\\*"? \\*"?"""
        r"""|AUTH (?:PLAIN |[\w.-]{1,64} )?"""
        r"""|NICK [\w.@-]{1,64}(?:\r?\n|(?:\\+r)?\\+n)PASS (?:oauth:)?"""
        r"""|(?:[Ll]ogin with|creds:|credentials:|credentials are|created:)"""
        r""" [\w.@-]{1,64} ?[/:] ?))"""
        r"""(?=[^\s"'\\]{0,64}\d)(?=[^\s"'\\]{0,64}(?:[A-Z@#!$%^&*]|[a-z]-[a-z]+-|[a-z0-9]{24}))"""
        r"""(?=[^\s"'\\]{0,64}[a-z])[^\s"'\\$<{/:,;)]{8,128}(?=\\|["'\s,.]|\Z)""",
    ),
    make_shape(
        "password of a login",
        "_AUTH|HTPASSWD|_CREDENTIALS|authValue",
        r"""(?P<keep>(?:(?<=BASIC)_AUTH|(?<=HTTP)_AUTH|HTPASSWD|_CREDENTIALS"""
        r"""|authValue\\*")\s?[=:]\s?\\*["']?[\w.@-]{1,64}[:/])"""
        r"""(?=[^\s"'\\]{0,64}\d)[^\s"'\\$<{/:@]{8,128}""",
    ),
    make_shape(
        "password of a device",  # from memory of the manuals of routers
        "isakmp key |wpa-psk |ascii-text ",
        r"""(?P<keep>(?:isakmp key(?: \d)?|wpa-psk ascii(?: \d)?|ascii-text) """
        r"""\\*["']?)"""
        r"""(?=[^\s"'\\]{0,64}\d)[^\s"'\\<{]{8,128}""",
    ),
    make_shape(
        "private key",  # as Hardhat and Ganache print and take them
        " 0x|accounts",
        r"""(?P<keep>(?:(?<=\(\d\)) |accounts: ?\[ ?\\*["'])0x)"""
        r"""[0-9a-f]{64}(?![0-9a-f])""",
    ),
    make_shape(
        "key of second factors",  # github.com/google/google-authenticator-android
        "otpauth-migration://",
        r"(?P<keep>otpauth-migration://offline\?data=)[\w%+/=-]{20,2048}",
    ),
    make_shape(
        "password of a network",  # github.com/zxing/zxing/wiki/Barcode-Contents
        "WIFI:",
        r"""(?P<keep>WIFI:(?:[STH]:[^;"]{0,64};){0,3}P:)(?:[^;\s"\\]|\\++[;:,]?){8,63}+(?=;)""",
    ),
    make_shape(
        "AWS signature",
        "Signature=",
        r"(?P<keep>Signature=)[0-9a-fA-F]{64}",
    ),
    make_shape(
        "webhook",
        "hooks.slack.com/",
        r"(?P<keep>hooks\.slack\.com/(?:services|workflows|triggers)/)[\w/]{24,}",
    ),
    make_shape(
        "webhook",
        "discord.com/api/webhooks/",
        r"(?P<keep>discord\.com/api/webhooks/\d+/)[\w-]{24,}",
    ),
    make_shape(
        "webhook",
        "webhookb2/",
        r"(?P<keep>webhookb2/)[\w@/-]{24,}",
    ),
    make_shape(
        "password hash",  # crypt(5)
        "$",
        r"(?P<keep>\${1,2}(?:1|2[aby]|[5-8]|g?y|apr1|[SPH]|argon2i?d?)\${1,2}(?:v=\d+\${1,2})?"
        r"(?:rounds=\d+\${1,2}|\d\d\${1,2}|j\w{1,8}\${1,2}|m=\d+,t=\d+,p=\d+\${1,2})?)"
        r"(?:[./\w+]{1,86}\${1,2})?[./A-Za-z0-9+]{22,86}",  # doubled: of Compose
    ),
    make_shape(
        "X bearer token",  # "betterleaks" of vendors.toml
        "AAAAAAAAAAAAAAAAAAAAA",
        r"(?P<keep>A{21,22})(?![A])(?:[A-Za-z0-9]|%[0-9A-F]{2}){80,100}",
        is_weak=True,
    ),
    make_shape(
        "bot token",
        "AA",
        r"(?<=[0-9]{8}:)(?P<keep>)AA[\w-]{33}(?![\w-])",
    ),
    make_shape(
        "bot token",  # https://docs.discord.com/developers/reference#authentication
        "MT MD Mj Mz ND NT NZ Nj Nz OD OT",
        r"(?P<keep>)(?:M[TDjz]|N[DTZjz]|O[DT])[\w-]{22,26}\.[\w-]{6}\.[\w-]{27,40}",
        is_weak=True,
    ),
)
"""What a prefix and an alphabet do not tell, each looked for by its own beginning."""

_LONGEST = 2048
"""Characters of a key of no stated length; without a bound, what is no key at last
would be looked through again from each beginning."""
_ALPHABETS = {
    "alnum": "[A-Za-z0-9]",
    "alnum_": "[A-Za-z0-9_]",
    "hex-": "[0-9a-fA-F-]",
    "upper": "[A-Z0-9]",
    "word": r"[\w-]",
    "dotted": r"[\w.=~:-]",
    "base64": r"[\w+/-]",
    "any": r"[\w.+/=~:-]",
}


_TABLES = tomllib.loads(
    Path(__file__).with_name("vendors.toml").read_text(encoding="utf-8")
)


def _by_length() -> dict[int, re.Pattern[bytes]]:
    found: dict[int, list[str]] = {}
    for number, row in enumerate(_TABLES["whole"]):
        sizes = [int(size) for size in row["size"].split()]
        for size in range(sizes[0], sizes[-1] + 1):
            found.setdefault(size, []).append(f"(?P<row{number}>{row['pattern']})")
    return {size: re.compile("|".join(rows).encode()) for size, rows in found.items()}


BY_LENGTH = _by_length()
"""Keys that are one word of a known length, without a beginning of their own."""


def kind_of_whole(match: re.Match[bytes]) -> str:
    """What the report calls a key that a pattern of `BY_LENGTH` matched."""
    row = _TABLES["whole"][int((match.lastgroup or "").removeprefix("row"))]
    return f"{row['vendor']} key"


def _of_row(row: dict[str, Any]) -> SecretShape:
    alphabet, least, *most = row["shape"].split()
    starts = sorted(row["prefix"], key=len, reverse=True)
    kept = "|".join(re.escape(start) for start in starts)
    count = f"{{{least},{most[0] if most else _LONGEST}}}"
    padding = "={0,3}" if alphabet == "base64" else ""
    return make_shape(
        f"{row['vendor']} key",
        " ".join(starts),
        f"(?P<keep>{kept}){_ALPHABETS[alphabet]}{count}{padding}",
        is_weak=row.get("weak", False),
        accept=_is_given_out,
    )


def _is_given_out(secret: bytes) -> bool:
    """Whether it is no name of words, and has a digit, or capitals and small letters in
    a mix that no name has (tokens of Hugging Face are letters alone)."""
    if is_made_of_words(secret, least=4):
        return False
    capitals = sum(1 for byte in secret if 65 <= byte <= 90)
    return 3 * capitals > len(secret) >= 24 or any(
        byte in b"0123456789" for byte in secret
    )


_APART = (
    "tid=",
    "sk-lm-",
    "----",
    "Signature=",
    "hooks.",
    "discord.",
    "webhook",
    "SSWS",
    "$",
    "SSH2",
    "Private-Lines",
    "curl",
    "echo",
    *("ConvertTo-", "SecretStr", "CURLOPT", "IDENTIFIED", "oracle:"),
    *("wandb", "WIFI:", "pass:", "sqlplus", "mysql", "/pass:", "vault ", "gh "),
    *("poetry", "user ", "snmp-server", "BW_SESSION", "github-oauth", "npmAuthIdent"),
    *("type=", "Password", "fill(", "LOGIN ", "_AUTH", "isakmp", " 0x", "otpauth-"),
)
"""What begins a shape that is no word, or has a word before it."""


def _is_apart(shape: SecretShape) -> bool:
    return shape.starts[0].decode().startswith(_APART)


SCHEMES: tuple[SecretShape, ...] = tuple(
    shape for shape in SHAPES if shape.starts[0] in (b"bearer", b"basic")
)
"""Shapes that are looked for in small letters."""
APART: tuple[SecretShape, ...] = tuple(shape for shape in SHAPES if _is_apart(shape))
"""Shapes that are looked for by their beginnings."""
WORDS: tuple[SecretShape, ...] = (
    *(s for s in SHAPES if s not in SCHEMES and not _is_apart(s)),
    *(_of_row(row) for row in _TABLES["key"]),
)
"""Shapes that begin a long word, which are all looked for at once."""


def _by_beginning() -> dict[bytes, tuple[tuple[bytes, SecretShape], ...]]:
    found: dict[bytes, list[tuple[bytes, SecretShape]]] = {}
    for shape in WORDS:
        for start in shape.starts:
            found.setdefault(start[:2], []).append((start, shape))
    return {start: tuple(shapes) for start, shapes in found.items()}


BY_BEGINNING = _by_beginning()
"""`WORDS` by their first two bytes, with the text that begins them."""
