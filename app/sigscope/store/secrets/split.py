"""Secrets that a stream brings in pieces, none of which looks like one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sigscope.store.pieces import Joined, joined_texts, patched, patches
from sigscope.store.secrets.encoded import DEEPEST, find_all
from sigscope.store.secrets.finding import Secret
from sigscope.wire.events import Event


def mask_split(
    data: bytes, events: Iterable[Event], known: Sequence[str] = ()
) -> tuple[bytes, Counter[str]]:
    """A stream with such secrets masked, and how many of each kind there were.

    `known`: secrets that are looked for, whatever they look like.

    Of texts that came in one piece nothing is masked: their secrets are found in the
    bytes. A secret that shares no byte with a seam counts too, as what makes it one
    (`sk-` before it) may stand in the piece before.
    """
    removed: Counter[str] = Counter()
    for joined in joined_texts(events):
        if len(joined.pieces) < 2:
            continue
        found = [*_secrets_of(joined, known)]
        if found:
            removed.update(secret.kind for secret in found)
            spans = [(secret.start, secret.end) for secret in found]
            data = patched(data, patches(joined, spans, _star))
    return data, removed


def _secrets_of(joined: Joined, known: Sequence[str]) -> Iterator[Secret]:
    """Its secrets, in characters of the joined text."""
    text = joined.text
    # With its name before it, so that a member which carries signatures is known.
    before = f"{json.dumps(joined.name)}:".encode() + b'"'
    body = text.encode("utf-8", "replace")
    for secret in find_all(before + body + b'"', known, DEEPEST):
        low, high = secret.start - len(before), secret.end - len(before)
        if low < 0 or high > len(body):
            continue
        start = len(body[:low].decode("utf-8", "replace"))
        end = start + len(body[low:high].decode("utf-8", "replace"))
        yield Secret(start=start, end=end, kind=secret.kind)


def _star(unit: bytes) -> bytes:
    """Line ends stay, as in whole secrets."""
    return unit if unit in (b"\\n", b"\\r", b"\\t", b" ") else b"*" * len(unit)
