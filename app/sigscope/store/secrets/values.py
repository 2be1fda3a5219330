"""What stands where a secret would and is none: a placeholder, a type, a version, a sum
of a file, a path, a name that a program gives to something.

A secret that looks so is left; each form is one that ordinary text has, told beside it.
"""

from __future__ import annotations

import re

from sigscope.store.secrets.names import is_secret_name, is_secret_variable

MASKED = b"****"
"""What tells that a value was masked before."""
_NO_SECRETS = re.compile(
    rb"[*$<{\[%].*|\#\{.*|&lt;.*"  # a mask, a variable, a placeholder, a template
    rb"|[\w-]{0,40}\$\{.*"
    rb"|arn:.*|file:.*|[a-z][a-z0-9+.-]{1,20}://.*|AWS4-HMAC-SHA256|(?:proxy-)?authorization"
    rb"|string|boolean|number|object|required|optional|redacted|removed"
    rb"|sha(?:1|224|256|384|512)[-:=].*"  # www.w3.org/TR/SRI, as lock files have it
    rb"|v?\d{1,9}(?:\.\d{1,9})+(?:[-+/~].{0,60})?"  # a version, an address, an OID
    rb"|\d{4}-\d\d-\d\d(?:[t ][\d:.]{5,18}(?:z|[+-]\d\d:?\d\d)?)?"  # a date
    rb"|(?:[a-z]{2,8}-){0,3}(?:aes|ecdsa|md|rsa|sha|utf)-?\d{1,4}(?:-[a-z]{2,6})?"
    rb"|x(?:-[a-z]{1,12}){1,4}(?:-?v?\d)?"  # a header
    rb"|0x[0-9a-f]{1,16}[ul]{0,3}"  # a number of C
    rb"|-(?:-[a-z][\w-]*|[a-z][a-z-]*)[\d.]*\W{0,3}"  # the next option
    rb"|projects/[\w.-]+/.*"  # cloud.google.com/apis/design/resource_names
    # docs.docker.com/build/building/secrets: `--secret id=...,src=...`
    rb"|(?:id|source)=[\w.-]+(?:,(?:src|source|env|type|target)=.*)?|type=(?:file|env),.*"
    rb"|.*\[\^?(?:a-z|0-9|\\{1,9}w)[^\]]{0,80}\].*"  # a pattern
    rb"|\(\?(?:[:=!>]|<[=!]|P[<=>]).*"  # a group of one
    # docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html
    rb"|(?-i:(?:[a-z]{2,6}\.)?[a-z0-9]+\.[a-z0-9.-]+-v\d{1,2}(?::\d{1,3}k?)?)"
    rb"|258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, section 1.3
    rb"|(?:~|\.{1,2}|/(?:app|data|etc|home|mnt|opt|path|root|run|secrets|srv|tmp|users|"
    rb"usr|var|work|workspace))/[\w./ @+-]*"
    rb"|/[\w./-]+\.(?:pem|key|pfx|p12|json|txt|crt)",
    re.DOTALL | re.IGNORECASE,
)
_PLACE = re.compile(rb"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,10}/[\w./:@+-]+")
"""`github.com/o/r/v2/sdk`, `ghcr.io/o/image:sha-23fa0dd`"""
_FILE = re.compile(rb"[\w.@~-]*(?:/[\w.@~-]+)+(?:\.\w{1,5}|/)")
"""What a program of tests says after PASS."""
_CALL = re.compile(rb"[A-Za-z_][\w.]*\(.*", re.DOTALL)
_PATH_OF_NAMES = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
"""`ed25519.Ed25519PrivateKey`"""
_SETTING = re.compile(
    rb"(?:process|env|environ|os|import|self|this|config|cfg|settings|options|opts|args|"
    rb"ctx|req|request|props|params|secrets|vars|exports|module|var|local|data)\.[\w.]+"
)
_CAPITALS = re.compile(rb"_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_TYPE = re.compile(
    rb"[A-Z][A-Za-z0-9]*(?:Key|Secret|Token|Password|Credential)(?:s|Types?)?"
)
"""`Ed25519PublicKey`, `NSThumbnail1024x1024SizeKey`"""
_PIECES = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_HUMP = re.compile(rb"_|\.|[a-z]-?\d*[A-Z]|[A-Z]{2}\d*[A-Z][a-z]|\d-?[A-Z][a-z]{2}")
_LEAST_WORD, _FEWEST, _ABBREVIATION = 3, 2, 4
_LONGEST = 2048
"""Bytes of a name, or of a call in a line."""
_UNSAID = re.compile(
    rb"[a-z]*[jqvxz][bcdfghjklmnpqrstvwxz]|[bcdfghjklmnpqrstvwxz]{2}[jqvxz]|"
    rb"[bcdfghjkmpqtvwxz]{4}|[aeiou]{4}|q[^u]|\A[bcdfghjklmnpqrtvwxz]{3}(?<!sch)"
)
"""What no English word has: letters that another never follows."""


def is_kept_back(secret: bytes, least: int) -> bool:
    """Whether a value is one, and no mask, type or placeholder."""
    return (
        len(secret) >= least
        and MASKED not in secret
        and not _NO_SECRETS.fullmatch(secret)
    )


def is_made_of_words(value: bytes, least: int = _LEAST_WORD) -> bool:
    """Whether it is a name of several words, which may have numbers in it: letters in a
    row are three on average, and can be said; of base62 they are one or two.

    `least`: another average, where what stands before is that of a key.
    """
    if not _HUMP.search(value):
        return False
    pieces = _PIECES.findall(value)
    letters = sum(map(len, pieces))
    digits = sum(byte in b"0123456789" for byte in value)
    return (
        len(pieces) >= _FEWEST
        and letters >= least * len(pieces)
        and digits <= letters
        and all(map(_can_be_said, pieces))
    )


def is_said(value: bytes) -> bool:
    """Whether its letters can be said, as those of names can."""
    pieces = _PIECES.findall(value)
    letters = sum(map(len, pieces))
    return letters >= _LEAST_WORD * len(pieces) and all(map(_can_be_said, pieces))


def _can_be_said(piece: bytes) -> bool:
    """Whether letters are a word or an abbreviation, and not such at random."""
    return len(piece) <= _ABBREVIATION or not _UNSAID.search(piece)


def is_path_of_names(value: bytes) -> bool:
    """Whether it is a place in a program: `examples.remote_snapshot.s3_client`."""
    return _PATH_OF_NAMES.fullmatch(value) is not None and is_made_of_words(value)


def is_call(value: bytes) -> bool:
    """Whether it begins a call of a function: `data.decode(`."""
    return _CALL.fullmatch(value) is not None


def is_name_of_secret(value: bytes) -> bool:
    """Whether it is what a variable is called that has the secret: `MY_API_KEY`."""
    return is_secret_variable(value.decode("ascii", "replace"))


def is_metavariable(value: bytes) -> bool:
    """Whether it stands for the value of an option: `--password=PASSWORD`."""
    plain = value.rstrip(b"]),.").decode("utf-8", "replace").rstrip("’”‐")
    is_word = plain.replace("_", "").isalpha() and plain.isupper()
    return is_word and (plain == "STRING" or is_secret_name(plain))


_LABEL = re.compile(
    rb"(?:my|new|old|your|user|db)?[_-]?(?:secret|pass|pwd)[\w-]{0,12}|.*\.\.\.",
    re.IGNORECASE,
)


def is_label(value: bytes) -> bool:
    """Whether it is a name of what stands there: `SecretStr`, `this.form.password`."""
    return (
        _SETTING.fullmatch(value) is not None
        or _LABEL.fullmatch(value) is not None
        or is_secret_name(value.decode("utf-8", "replace"))
    )


def is_of_program(value: bytes, is_password: bool) -> bool:
    """Whether a bare value is a name of a program: of a setting, a type, a constant, a
    place. A password may look like most of them."""
    if len(value) > _LONGEST:
        return False
    if _SETTING.fullmatch(value) or _FILE.fullmatch(value):
        return True
    if is_password:
        return False
    is_name = any(form.fullmatch(value) for form in (_PATH_OF_NAMES, _CAPITALS, _TYPE))
    return (
        (is_name and is_made_of_words(value))
        or _PLACE.fullmatch(value) is not None
        or is_call(value)
    )
