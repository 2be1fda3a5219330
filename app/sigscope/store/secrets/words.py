"""Keys that are words: with a beginning of their own, or known by length and pattern.

A key stands alone: nothing of the base64 alphabets may touch it, so that no match
begins or ends inside a signature.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from sigscope.store.secrets.alphabet import Alphabet
from sigscope.store.secrets.carriers import is_carried
from sigscope.store.secrets.glued import find_glued
from sigscope.store.secrets.secret import Secret
from sigscope.store.secrets.shapes import (
    BY_BEGINNING,
    BY_LENGTH,
    SecretShape,
    kind_of_whole,
)
from sigscope.store.secrets.values import is_made_of_words

_Span = tuple[int, int]

_BASE64 = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
)
_ESCAPE = re.compile(rb"(?:\\(?:[bfnrt]|u[0-9a-fA-F]{4})|%(?:20|22|26|3D|3d))\Z")
_LONGEST_PATH = 2048
"""Bytes of a word from which it is no path or name of parts: what looks like a key
inside would do so by chance."""
_SHORTEST_WORD = 16
_LEAST_KEY, _LEAST_HEX = 20, 32
"""Letters of what is a key by the name of its service alone."""
_WORDS = Alphabet((string.ascii_letters + string.digits + "_.~+/-").encode())
ESCAPE_BEFORE = re.compile(rb"[bfnrt]|u[0-9a-fA-F]{4}")
"""What belongs to a backslash before a word, and not to the word."""
_INNER = re.compile(rb"[./~=]")
_SERVICE = re.compile(
    rb"(?<![A-Za-z0-9])(?:AIRTABLE|ALGOLIA|ANTHROPIC|CLAUDE|CLOUDFLARE|COHERE|DATADOG|DEEPSEEK"
    rb"|DIGITALOCEAN|ELEVENLABS|FIREWORKS|GEMINI|GITHUB|GITLAB|GROQ|HEROKU|HUGGINGFACE|LANGSMITH"
    rb"|LINEAR|MAILGUN|MISTRAL|NETLIFY|NOTION|NPM|OPENAI|OPENROUTER|PERPLEXITY|PINECONE|POSTHOG"
    rb"|REPLICATE|RESEND|SENDGRID|SENTRY|SHOPIFY|SLACK|STRIPE|SUPABASE|TAVILY|TOGETHER|TWILIO"
    rb"|VERCEL|XAI)(?:_(?:ADMIN|DEV|LIVE|PROD|PRODUCTION|SANDBOX|STAGING|TEST))?\Z"
)
"""A variable that is called after a service alone holds what opens it, if it is a
variable of the environment and its value is random."""
_BEFORE_VALUE = b"\"'\\ :="
_SUMS = (b"sha256=", b"sha384=", b"sha512=", b"sha256-", b"sha384-", b"sha512-")
"""Before the sum of a file: of wheels (PEP 376), of lock files (www.w3.org/TR/SRI)."""


def find_words(data: bytes, lo: int, hi: int) -> Iterator[Secret]:
    """Keys with a prefix: all long words are looked at once, whatever is known of."""
    done = lo
    dull: set[bytes] = set()
    """Words in which no key begins: a stream repeats its ids in every event."""
    for start, end in _words(data, lo, hi):
        if data[start - 7 : start] in _SUMS or data.startswith(_SUMS, start):
            continue
        is_dull = end - start < _LONGEST_PATH and (
            data[start - 1 : start] not in (b"\\", b"%")
        )
        word = data[start:end]
        if _is_of_service(data, start, word):
            yield Secret(start=start, end=end, kind="key of a service")
            done = end
            continue
        if is_dull and word in dull:
            continue
        places = [_after_escape(data, start)]
        wholes = BY_LENGTH.get(end - places[0] - (word[-1:] == b"."))
        whole = wholes and wholes.match(data, places[0])
        if whole and _is_whole(data, whole, end) and start >= done:
            yield Secret(
                start=whole.start(), end=whole.end(), kind=kind_of_whole(whole)
            )
            done = whole.end()
            continue
        if end - start < _LONGEST_PATH:
            places += (m.end() for m in _INNER.finditer(data, start, end))
        for place in places:
            if place < done or place >= hi:
                is_dull = False
                continue
            for text, shape in BY_BEGINNING.get(data[place : place + 2], ()):
                if not data.startswith(text, place):
                    continue
                is_dull = False
                match = shape.pattern.match(data, place)
                if match and stands_alone(data, match, shape):
                    yield Secret(
                        start=match.end("keep"), end=match.end(), kind=shape.kind
                    )
                    done = match.end()
                    break
        if end - start < _LONGEST_PATH:
            for place, key in find_glued(data, start, end):
                is_dull = False
                if lo <= place < hi and key.start >= done:
                    yield key
                    done = key.end
        if is_dull:
            dull.add(word)


def _is_of_service(data: bytes, start: int, word: bytes) -> bool:
    if data[start - 1 : start] not in (b"=", b'"', b"'", b" "):
        return False
    before = data[max(0, start - 48) : start]
    name = before.rstrip(_BEFORE_VALUE)
    if not name[-1:].isupper() or _SERVICE.search(name) is None:
        return False
    between = before[len(name) :]
    is_set = b"=" in between or (b":" in between and between[-1:] != b"=")
    digits = sum(byte in b"0123456789" for byte in word)
    is_mixed = word not in (word.lower(), word.upper()) or len(word) >= _LEAST_HEX
    return (
        is_set
        and len(word) >= _LEAST_KEY
        and digits >= 3
        and is_mixed
        and (not is_made_of_words(word) and b"/" not in word[:2])
    )


def _is_whole(data: bytes, match: re.Match[bytes], end: int) -> bool:
    """Whether a key is all of the word that ends here, and no signature."""
    is_all = match.end() >= end - data.startswith(b".", match.end())
    return is_all and not is_carried(data, match.start())


def _words(data: bytes, lo: int, hi: int) -> Iterator[_Span]:
    """The long words that begin in a part, no longer than it matters: the one word of a
    large body of base64 begins in each of its parts, and goes on to its end."""
    high = hi + _LONGEST_PATH
    for start, end in _WORDS.stretches(data, _SHORTEST_WORD, lo, high):
        if start >= hi:
            return
        yield start, min(end, start + _LONGEST_PATH)


def _after_escape(data: bytes, start: int) -> int:
    """Where a word begins that `\n`, `\u0022` or `%22` may stand before."""
    before = data[start - 1 : start]
    if before == b"\\":
        escape = ESCAPE_BEFORE.match(data, start)
        return escape.end() if escape else start
    return start + 2 if before == b"%" else start


def stands_alone(data: bytes, match: re.Match[bytes], shape: SecretShape) -> bool:
    start, end = match.span()
    after = data[end : end + 1]
    if after == b"/":
        before = data[start - 1 : start]
        is_segment = before == b"/" and _begins_segment(data, start, shape)
        if not is_segment and not _is_in_path(data, start):
            return False
    elif after and (data[end] in _BASE64 or after == b"="):
        return False
    if (
        start
        and data[start] != 0x5F  # `SMTP_AUTH`, of which it is the end
        and data[start - 1] in _BASE64
        and not _ESCAPE.search(data, max(0, start - 6), start)
        and not (data[start - 1] == 0x2F and _begins_segment(data, start, shape))
    ):
        return False
    if not shape.accept(match[0]):
        return False
    return not (shape.is_weak and is_carried(data, start))


def _begins_segment(data: bytes, start: int, shape: SecretShape) -> bool:
    """Whether a key begins behind this slash: no base64 has a slash and a dash or an
    underscore, so one with such a beginning is not within a signature."""
    is_marked = any(b"_" in text or b"-" in text for text in shape.starts)
    return is_marked or _is_in_path(data, start)


_NO_PATH = re.compile(rb"[^\w.~+/%:@;=-]")


def _is_in_path(data: bytes, start: int) -> bool:
    """Whether a place is in a path or a URL, whose segments stand alone."""
    if data[start - 1 : start] not in b"/.~=:":
        return False
    word = re.split(_NO_PATH, data[max(0, start - 512) : start])[-1]
    return word.startswith(b"/") or b"://" in word or b"=/" in word
