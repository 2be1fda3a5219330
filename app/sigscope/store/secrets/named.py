"""Secrets that are told by the name before them: `api_key = ...`, `"token": "..."`."""

from __future__ import annotations

import re
import string
from collections.abc import Generator, Iterator

from sigscope.store.secrets.assignments import (
    BARE_VALUE,
    SCHEMES,
    find_beside_user,
    is_apart,
    is_in_next_member,
    is_listed,
    may_be_of_program,
    values_after,
)
from sigscope.store.secrets.carriers import is_carried
from sigscope.store.secrets.credentials import find_credentials, is_dense
from sigscope.store.secrets.documents import find_after_oauth
from sigscope.store.secrets.jars import find_after_cookie
from sigscope.store.secrets.looks import (
    has_all_kinds,
    is_given_by_hand,
    is_mixed,
    is_phrase,
    looks_secret,
)
from sigscope.store.secrets.names import (
    Name,
    is_secret_header,
    is_secret_parameter,
    is_secret_variable,
    name_of,
)
from sigscope.store.secrets.options import find_option
from sigscope.store.secrets.presence import Presence
from sigscope.store.secrets.shapes import is_user_and_password
from sigscope.store.secrets.values import (
    is_call,
    is_kept_back,
    is_made_of_words,
    is_metavariable,
    is_name_of_secret,
    is_of_program,
    is_path_of_names,
)
from sigscope.store.secrets.words import ESCAPE_BEFORE

_Span = tuple[int, int]

_STEMS = {
    stem: re.compile(rest) if rest else None
    for stem, rest in (
        (b"key", rb"(?:_?base|-data|s|_(?:b64|base64|hex))?"),
        *((stem, b"") for stem in b"token assertion jwt bearer verifier".split()),
        *((stem, b"") for stem in b"otp _pat session device_code psk -team".split()),
        (b"secret", rb"(?:[_ ]?id|[-_]?string|[-_]?binary|[-_]?text)?"),
        (
            b"pass",
            rb"(?:words?|wd|phrase|code|wort|e)?(?:_?confirm(?:ation)?|_?v?\d)?",
        ),
        (b"pw", rb"d?"),
        (b"auth", rb"(?:orization)?"),
        (b"cookie", rb"s?"),
        (b"credential", rb"s?"),
        (b"-u", rb"(?:ser)?"),
    )
}
"""What names end with, and with what behind it: a search for each costs a
millisecond and more for a megabyte."""
_LONGEST_NAME = 64
_LETTERS = (string.ascii_letters + string.digits + "_-").encode()
_VAGUE_LEAST = 20
"""Bytes from which the value of a name that is not telling enough may be a secret."""
_FORM_PART = re.compile(
    rb"""(?:\\*["'])?(?:;[^\r\n\\]{0,200})?(?:(?:\r?\n|(?:\\+r)?\\+n)[\w-]+:[^\r\n\\]{0,200}){0,8}"""
    rb"""(?:\r?\n|(?:\\+r)?\\+n){2}(?P<secret>(?:[^\r\n\\"]|\\/){4,})"""
)
"""A field of multipart/form-data (RFC 7578): `name="api_key"`, an empty line, the
value."""
_FORM_NAME = re.compile(rb"""[; ]name=(?:\\*["'])?\Z""")
_VALUE_FIRST = re.compile(
    rb"""value\\*["']?\s{0,9}[:=]\s{0,9}\\*["']"""
    + SCHEMES
    + rb"""(?P<secret>[^"'\\\s]{4,512})\\*["']\s{0,9},?\s{0,9}"""
    rb"""\\*["']?(?:name|key|id)\\*["']?\s{0,9}[:=]\s{0,9}\\*["']\Z"""
)
"""`"value":"...","name":"api_key"`"""
_COOKIES = re.compile(
    rb"""\\*["']?(?:\s*+,\s*+\\*["']value\\*["']\s?:\s*+|\s*+[:=,]\s*+|\s++)"""
    rb"""\[?\s*+\\*["']?"""
    rb"""(?P<pairs>(?:[\w.$-]{1,64}=(?:\\*")?[^;\s"'\\]{0,4096}(?:\\*";)?;?\s?){1,64})"""
)
_PAIR = re.compile(rb"""([\w.$-]{1,64})=(?:\\*")?([^;\s"'\\]*)""")
_ATTRIBUTES = frozenset(
    b"path domain expires max-age samesite priority version".split()
)
_NONE_BEHIND = {
    "passwd": re.compile(rb"/etc/\Z"),
    "secret": re.compile(rb":\d{12}:\Z"),
}
"""Behind these a name is none of a secret: `/etc/passwd`, and
`arn:aws:secretsmanager:us-east-1:123456789012:secret:name`."""
_TOLD_BEFORE = {
    "passe": re.compile(rb"(?i:mot de )\Z"),
    "key": re.compile(
        rb"""api\.\Z|\\*"(?:type\\*"\s{0,9}:\s{0,9}\\*"(?:api|api_?key)"""
        rb"""|username\\*"\s{0,9}:\s{0,9}\\*"[\w.-]{1,64}"""
        rb"""|provider\\*"\s{0,9}:\s{0,9}\\*"[\w.-]{1,40})"""
        rb"""\\*"\s{0,9},\s{0,9}\\*"\Z"""
        rb"""|(?:crypt|encryption|[jJ]wt|JWT)\\*["']\s?(?::|=>)\s?[\[{]"""
        rb"""(?:\s|\\+[nrt]){0,40}\\*["']\Z"""
    ),
}
"""What stands before a name that tells nothing alone: in French, in Java's properties,
of opencode's auth.json (`{"type":"api","key":...`, opencode.ai/docs/providers), and
of settings of ASP.NET and Magento (`"Jwt": {"Key": ...`)."""
_FINGERPRINT = re.compile(rb"(?:0x)?[0-9A-F]{40}")
"""Of a key of OpenPGP (RFC 9580), whom it tells and no secret."""
_SAID = ("key", "token", "pat")
_SAID_BEFORE = re.compile(
    rb"(?:(?<![\w-])|(?<=\\[nrt]))(?:api|access|bearer|secret|auth|private|encryption|signing|"
    rb"aes|hmac|jwt|license|master|service|deploy|consumer|my|your|stripe|openai|anthropic|"
    rb"gemini|github|gitlab|azure|aws|slack|sendgrid|mailgun|datadog|generated|new|"
    rb"this|recovery|backup) \Z",
    re.IGNORECASE,
)
_OF_KEYS = (b"api", b"access", b"bearer", b"secret", b"auth")
"""Words before a key after which it opens something, whatever it looks like."""
_SAID_BELOW = re.compile(
    rb"""(?:[ ][^\n\\:"'=]{1,80})?:(?:\r?\n|(?:\\+r)?\\+n)(?:\s|\\+[rnt]){0,24}"""
    rb"""(?P<secret>[\w+/~-]{20,512}={0,2})(?=\s|\\|"|\Z)"""
)
"""`Your API key is:`, and the key on the next line"""
_SAID_KEY = re.compile(
    rb"""(?:[ ]\([^()\n\\]{1,40}\)"""
    rb"""|[ ](?:has been |was )?(?:created|generated|issued))?"""
    rb"""(?:[ ](?:is[ ])?(?:not[ ]valid|invalid|incorrect|expired))?"""
    rb"""(?:\*\*)?[ \t]?[:-]?(?:\*\*)?[ \t]"""
    rb"""(?:(?:is|was|=|(?:provided|header|given):):? )?[\[<(]?\\*["'`]?(?:0x)?"""
    rb"""(?P<secret>[\w+/~-]{20,512}={0,2})(?=[\s\\"'`,;)\]>]|\.?(?:\s|\Z|["'\\]))"""
)
"""`API key 0f3b... is not valid`"""
_PAIR_OF_AUTH = re.compile(
    rb"""(?:\s?=?\s?\(|\\*["']\s?:\s?\[\s?)\\*["'][^"'\\]{1,64}\\*["'],"""
    rb"""\s?(?:Some\()?\\*["']"""
    rb"""(?P<secret>(?!\$)(?:[^\s"'\\$<{]|\$(?![{(])){6,256})(?=\\*["'])"""
)
"""`auth=("me", "...")`, `SetBasicAuth("me", "...")` (requests.readthedocs.io,
pkg.go.dev/net/http)"""
_DOTS = re.compile(rb"""\.{4,60}(?P<secret>[^\s"'\\.*<$][^\s"'\\]{5,127})""")
"""`password........................s3cr3t` of HikariCP."""
_BECAME = re.compile(rb"""\\*"[ ]->[ ]\\*"(?P<secret>[^\s"\\]{4,512})(?=\\*")""")
"""`password = "..." -> "..."` of Terraform's plans."""
_IS_ASKED = re.compile(rb"""(?<!\?)\?(?:\s|\\n){1,6}\\*["']\Z""")
"""`is_hidden ? "password" : "text"`"""
_QUOTES = (b'"', b"'")
_CLOSING = (*_QUOTES, b"\\")
_BEFORE_FIELDS = (*_QUOTES, b"=")


def find_named(data: bytes, lo: int, lower: bytes, seen: Presence) -> Iterator[_Span]:
    """`lower`: the part to look through, which begins at `lo`, in small letters."""
    for stem, rest in _STEMS.items():
        if (stem[:1] in b"_-" and lower.find(stem[:1]) < 0) or not seen.has(stem):
            continue
        done = 0
        place = lower.find(stem)
        while place >= 0:
            end = lo + place + len(stem)
            ending = rest.match(lower, end - lo) if rest else None
            end = lo + ending.end() if ending else end
            if end >= done and data[end : end + 1] in _AFTER_NAMES:
                for span in _named(data, end):
                    done = span[1]
                    yield span
                    became = _BECAME.match(data, done)
                    if became and is_kept_back(became["secret"], 4):
                        done = became.end()
                        yield became.span("secret")
            place = lower.find(stem, place + 1)


_AFTER_NAMES = frozenset(bytes((byte,)) for byte in b"\"'\\=: >\t\n\r<,|(?]*`.}") | {
    b""
}


def _named(data: bytes, end: int) -> Iterator[_Span]:
    """The secrets whose name ends here, if there are any."""
    start = _begin_of_name(data, end)
    name = name_of(data[start:end].decode("ascii", "replace"))
    if data.startswith(b"....", end):  # of a list of settings
        dots = _DOTS.match(data, end)
        if name.is_password and dots and _DIGIT.search(dots["secret"]):
            yield dots.span("secret")
        return
    if data.startswith(b"`", end):  # of Markdown
        if name.text[:1] == "-":
            return
        end += 1
    if name.lower.endswith(_OF_HEADERS) and (yield from _of_header(data, end, name)):
        return
    if name.text[:1] == "-" and data[end : end + 1] == b"=":
        name = name_of(_after_dashes(name.text))
    is_telling = name.is_telling or name.text == "--token"
    if name.lower in _SAID and data[start - 1 : start] == b" ":
        said = _SAID_BEFORE.search(data, max(0, start - 12), start)
        if said:
            if (yield from _in_sentence(data, end)):
                return
            if said[0][:-1].lower() in _OF_KEYS:
                start, name, is_telling = said.start(), name_of("api-key"), True
    if name.text in _NONE_BEHIND and _NONE_BEHIND[name.text].search(
        data, max(0, start - 16), start
    ):
        return
    if name.lower in _TOLD_BEFORE:
        is_telling = _is_told_before(data, start, name.lower)
        if name.text == "key" and data[start - 4 : start] == b"api.":
            start -= 4  # of Java's properties
    if data[start - 1 : start] in _QUOTES and _IS_ASKED.search(data, start - 8, start):
        return
    if data[start - 1 : start] in _BEFORE_FIELDS:
        part = _form_part(data, start, end)
        if part:
            if is_secret_parameter(name.text) and is_kept_back(part["secret"], 4):
                yield part.span("secret")
            return
    is_vague = name.is_vague or (name.is_secret_header and data[end : end + 1] == b":")
    if is_telling or name.is_variable or is_vague:
        span = _valued(data, start, end, name, is_telling)
    else:
        span = find_option(data, start, end, name.text)
        span = span or _maybe_short(data, end, name.text)
    if span:
        yield span


_OF_HEADERS = ("cookie", "cookies", "auth", "credentials", "authorization")


def _of_header(data: bytes, end: int, name: Name) -> Generator[_Span, None, bool]:
    """What follows the name of a header that has a form of its own; whether that is
    all there is."""
    if name.lower.endswith(("cookie", "cookies")):
        yield from _find_cookies(data, end)
        yield from find_after_cookie(data, end)
        return True
    if name.lower.endswith("authorization"):
        spans = [*find_credentials(data, end)]
        yield from spans
        return bool(spans)
    pair = _PAIR_OF_AUTH.match(data, end)
    if pair and not pair["secret"].isalpha():
        yield pair.span("secret")
        return True
    yield from find_after_oauth(data, end)
    return False


def _in_sentence(data: bytes, end: int) -> Generator[_Span, None, bool]:
    """The key that a sentence tells, or the line below it; whether that is all there
    is."""
    key = _SAID_KEY.match(data, end)
    if key and _FINGERPRINT.fullmatch(key["secret"]):
        return True
    if key and _is_said(key["secret"]):
        yield key.span("secret")
        return True
    below = _SAID_BELOW.match(data, end)
    if below and is_dense(below["secret"]):
        yield below.span("secret")
        return True
    return False


def _valued(
    data: bytes, start: int, end: int, name: Name, is_telling: bool
) -> _Span | None:
    """The value of a name that may be one of a secret."""
    before = _value_before(data, start, end) or _value_said_before(data, start)
    value = data[slice(*before)] if before else b""
    if before and is_kept_back(value, 8) and (is_telling or looks_secret(value)):
        return before
    for match, least, is_sure in values_after(data, start, end, name):
        secret = match["secret"]
        if name.text.endswith("auth") and is_user_and_password(secret):
            return match.span("secret")  # of Docker's config.json, and .npmrc
        if not is_telling:
            is_short = name.is_variable or _is_thought_of(name, secret)
            is_mixed_token = name.lower.endswith("token") and is_mixed(secret)
            least = (
                16 if is_mixed_token else max(least, 8) if is_short else _VAGUE_LEAST
            )
        if not is_kept_back(secret, least) or _is_other(name, secret):
            continue
        if is_name_of_secret(secret) or _is_signature(data, match):
            continue
        if name.text[:1] == "-" and is_metavariable(secret):
            continue
        if name.text == "--token" and not (
            _DIGIT.search(secret) and secret[-1:] != b"."
        ):
            continue
        if is_apart(match) and is_phrase(secret):  # `getent passwd some-host-2`
            continue
        if may_be_of_program(match) and is_of_program(secret, name.is_password):
            continue
        if is_telling and (is_sure or _is_given_out(name, secret)):
            return match.span("secret")
        is_path = name.text.isupper() or data[start - 1 : start] == b"."
        is_in_list = len(secret) < 12 and is_listed(match) and not is_path
        if is_in_list and not (is_given_by_hand(secret) or has_all_kinds(secret)):
            continue
        least = 8 if name.is_variable or _is_password(name, secret) else 12
        if len(secret) >= least and looks_secret(secret, name.is_variable):
            return match.span("secret")
    return find_beside_user(data, start, end) if name.is_password else None


_LEAST_SIGNATURE = 64
"""Letters of what `{"id":"tool_0_get_password","data":"..."}` may carry; what is called
encrypted may have any."""


def _is_signature(data: bytes, match: re.Match[bytes]) -> bool:
    start, end = match.span("secret")
    is_one = (
        end - start >= _LEAST_SIGNATURE or b"encrypted_" in data[match.start() : start]
    )
    return is_one and is_in_next_member(match) and is_carried(data, start)


def _begin_of_name(data: bytes, end: int) -> int:
    """Where the name that ends here begins; here, if there is none."""
    before = data[max(0, end - _LONGEST_NAME) : end]
    start = end - len(before) + len(before.rstrip(_LETTERS))
    if data[start - 1 : start] == b"\\":
        escape = ESCAPE_BEFORE.match(data, start, end)
        start = escape.end() if escape else start
    return start


def _after_dashes(name: str) -> str:
    """A variable that a line of a diff takes away, or a compiler is given."""
    plain = name.lstrip("-")
    plain = plain.removeprefix("D") if name.startswith("-D") else plain
    return plain if is_secret_variable(plain) else name


def _is_said(value: bytes) -> bool:
    """Whether what follows `my key` in a sentence is one, and no name of a thing."""
    return is_dense(value) and looks_secret(value) and is_kept_back(value, 16)


def _is_told_before(data: bytes, start: int, name: str) -> bool:
    """Whether what stands before a name says whose it is. A look at the last bytes
    spares most of the search."""
    last = data[start - 1 : start]
    if last in _QUOTES:
        between = data[max(0, start - 32) : start].rstrip(b"\\\"'")
        last = between.rstrip()[-1:]
    if last not in b",. {[n":
        return False
    before = data[max(0, start - 80) : start]
    if last in b"{[n" and not any(w in before for w in (b"crypt", b"wt", b"WT")):
        return False
    return _TOLD_BEFORE[name].search(before) is not None


def _form_part(data: bytes, start: int, end: int) -> re.Match[bytes] | None:
    low = max(0, start - 12)
    is_near = data.rfind(b"name=", low, start) >= 0
    is_field = is_near and _FORM_NAME.search(data, low, start)
    return _FORM_PART.match(data, end) if is_field else None


def _value_before(data: bytes, start: int, end: int) -> _Span | None:
    """The value that stands before its name in a list of pairs."""
    if data[start - 1 : start] not in _QUOTES or data[end : end + 1] not in _CLOSING:
        return None
    place = data.rfind(b"value", max(0, start - 600), start)
    match = _VALUE_FIRST.match(data, place, start) if place >= 0 else None
    return match.span("secret") if match else None


_SAID_FIRST = re.compile(
    rb"""\\*["'`](?P<secret>[^\s"'`\\$<{]{8,256})\\*["'`][ ](?:as|for)[ ]\\*["'`]?\Z"""
)
"""`invalid value '...' for API_KEY`"""
_LEAST_SAID = 8


def _value_said_before(data: bytes, start: int) -> _Span | None:
    near = data[max(0, start - 8) : start]
    if b" as " not in near and b" for " not in near:
        return None
    said = _SAID_FIRST.search(data, max(0, start - 280), start)
    if said is None or not is_kept_back(said["secret"], _LEAST_SAID):
        return None
    value = said["secret"]
    is_random = looks_secret(value) and not is_made_of_words(value)
    if is_random or is_given_by_hand(value):
        return said.span("secret")
    return None


_SHORT = frozenset({"key", "token", "sig", "auth", "secret", "session"})


def _maybe_short(data: bytes, end: int, name: str) -> _Span | None:
    """`key=...` outside of a URL, where the value is long and random."""
    if name not in _SHORT or data[end : end + 1] != b"=":
        return None
    match = BARE_VALUE.match(data, end)
    if match is None or not is_kept_back(match["secret"], 16):
        return None
    if b"." in match["secret"] and b"+" in match["secret"]:
        return None  # a sum of a program's; base64 has no full stop
    return match.span("secret") if looks_secret(match["secret"]) else None


def _find_cookies(data: bytes, end: int) -> Iterator[_Span]:
    """The values of `Cookie: a=1; b=2`."""
    found = _COOKIES.match(data, end)
    if found is None:
        return
    is_apart = data[end : found.start("pairs")].isspace()
    for pair in _PAIR.finditer(data, *found.span("pairs")):
        is_attribute = pair[1].lower() in _ATTRIBUTES
        is_short = len(pair[2]) <= _LONGEST_NAME
        is_listed = is_short and pair[2][-1:] == b","
        is_argument = (is_listed and not looks_secret(pair[2][:-1])) or (
            pair[2].rstrip(b"):") == pair[1]
        )
        if is_attribute or is_argument or is_call(pair[2]):
            continue
        if is_apart and not (
            _DIGIT.search(pair[2]) or is_secret_header(_text(pair[1]))
        ):
            continue
        if is_kept_back(pair[2], 8):
            yield pair.start(2), pair.end(2) - is_listed


def _text(name: bytes) -> str:
    return name.decode("ascii", "replace")


def _is_password(name: Name, value: bytes) -> bool:
    """Whether a short value may be one: of letters and digits."""
    return name.is_password and not (value.isdigit() or value.isalpha())


_NO_NAME = re.compile(rb"(?:[A-Za-z]{2,}-){2,}[A-Za-z]{2,}\d{2,6}")
"""Words of which the last one ends in digits: a secret is called `app-tls-2`."""
_GROUPS = re.compile(
    rb"(?=(?:.*?(?:[a-z]\d|\d[a-z]).*?[-_]){2})[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+){2,}",
)
"""`tok-5h2k-9d8s-77ab`"""
_DIGIT = re.compile(rb"\d")
_PUNCTUATION = re.compile(rb"[@#!$%^&*?]")


def _is_given_out(name: Name, value: bytes) -> bool:
    """Whether the value of a telling name is a key in small letters with dashes, or a
    password of letters and signs."""
    digits = len(value) - len(value.translate(None, b"0123456789"))
    if (len(value) >= 20 and digits >= 6) or _GROUPS.fullmatch(value):
        return True
    if len(value) >= 20 and digits and len(_PUNCTUATION.findall(value)) >= 2:
        return True  # of Django
    if name.lower.endswith("secret"):
        return _NO_NAME.fullmatch(value) is not None
    return _is_signed(name, value) or (_is_password(name, value) and is_phrase(value))


def _is_signed(name: Name, value: bytes) -> bool:
    """Whether a value is a password with signs in it."""
    return _is_password(name, value) and _PUNCTUATION.search(value) is not None


def _is_thought_of(name: Name, value: bytes) -> bool:
    """The same, or one in which letters and digits alternate."""
    is_verdict = name.text == "PASS"  # of a test
    return _is_signed(name, value) or (
        _is_password(name, value) and is_mixed(value) and not is_verdict
    )


_FOLDER = re.compile(rb"[/~]|[A-Za-z]:|\\\\")
_ONE_WORD = re.compile(
    rb"[\w-]{20,}(?::[\w+/-]{24,})?={0,2}|[A-Za-z0-9+/]{40,}={0,2}|base64:\S+"
)


def _is_other(name: Name, value: bytes) -> bool:
    """Whether a value is none for its name: a folder (`PWD=/home/me`), or what is
    called `..._key` of a store, a path or a sentence."""
    if name.lower in ("pwd", "oldpwd"):
        return _FOLDER.match(value) is not None
    if not name.is_telling and is_path_of_names(value):
        return True
    if name.is_telling or name.is_variable:
        return False
    if _FINGERPRINT.fullmatch(value):
        return True
    is_key = name.lower.endswith(("key", "pat"))
    return is_key and not _ONE_WORD.fullmatch(value)
