"""Broken inputs made of sound ones.

Bytes are flipped, cut, doubled and swapped with those of other seeds; words that
decoders look for are put in; JSON keeps its braces often enough to get past the door.
Nothing here depends on what is being tried.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

LARGEST = 48 * 1024
"""Bytes of an ordinary input; a slow decoder is found by `swollen`."""
SWOLLEN = 1024 * 1024

_WORDS: tuple[bytes, ...] = (
    b"\\u", b"\\ud83d", b"\\udc80", b"\\u00", b"\\u202e", b"\\", b"\\\\", b'"', b"'",
    b"\xff", b"\xfe\xff", b"\xed\xa0\xbd", b"\xed\xb2\x80", b"\xc3", b"\xf0\x9f",
    b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\xe2\x80\xa8", b"\x00", b"\x1b[31m", b"\x1b]0;",
    b"\x7f", b"\x85", b"\r\n", b"\n\n", b"\r", b"\n", b"\t", b" ",
    b"data:", b"event:", b"data: [DONE]\n\n", b"id:", b"retry:", b":",
    b"{", b"}", b"[", b"]", b"{}", b"[]", b",", b"null", b"true", b"-0", b"1e999",
    b"-1", b"0", b"9" * 40, b"9" * 400, b"9" * 5000, b"NaN", b"Infinity", b"1.0",
    b"[[[[[[[[",
    b"%", b"%ff", b"%00", b"%u0041", b"?", b"&", b"=", b"#", b";", b"//", b"http://[",
    b"http://[::1", b"https://h:99999999/", b"://", b"..", b"$", b"`", b"^", b"$'",
    b"thoughtSignature", b"thought_signature", b"reasoning_opaque",
    b"reasoning_details", b"tool_calls", b"__thought__",
    b"skip_thought_signature_validator", b"Authorization: ", b"base64,",
    b"Bearer sk-proj-0123456789abcdefghijABCDEFGHIJ",
    b"Content-Encoding: gzip", b"gzip", b"\x1f\x8b\x08", b"x\x9c", b"H4sI",
    b"!!binary ", b"&a [*a, *a]", b"*a", b"&a", b"<<: *a", b"? ", b"--- ", b"|2-",
    b"!!python/none", b"9999-12-31T23:59:59Z", b"0001-01-01T00:00:00+14:00",
    b"Thu, 99 Xxx 0000",
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, 1e308, "", " ", "\ud83d", "\udc80", "\x00",
    "\u202e", "a" * 300, "/", "~", "%ff", "http://[", "\\u", [], {}, [[]], [{}],
    {"type": {}}, {"id": []},
    {"": ""}, "e30=", "AAAA", [None], "2026-01-01T00:00:00Z", -(10**20), "1e999",
)  # fmt: skip


class Mutator:
    """Draws inputs; the same seed draws the same ones."""

    def __init__(self, seed: int, pool: Sequence[bytes]) -> None:
        self.random = random.Random(seed)
        self.pool = list(pool)
        """Inputs to start from. Those that did something new are added."""

    def draw(self) -> bytes:
        """One more input."""
        return self.mutated(self.random.choice(self.pool))

    def mutated(self, data: bytes) -> bytes:
        """An input changed in one to six places."""
        if self.random.random() < 0.35:
            data = self._changed_tree(data)
        for _ in range(self.random.choice((1, 1, 1, 2, 3, 6))):
            data = self._changed(data)
        return data[:LARGEST]

    def swollen(self) -> bytes:
        """An input of a megabyte: what takes the square of its length shows."""
        data = self.draw()
        if not data:
            data = b"["
        start = self.random.randrange(len(data))
        size = self.random.choice((1, 1, 2, 7, 40, 400))
        piece = data[start : start + size] or b"["
        if self.random.random() < 0.4:
            piece = self.random.choice(_WORDS)
        many = piece * (SWOLLEN // len(piece))
        return data[:start] + many + data[start:]

    def _changed(self, data: bytes) -> bytes:
        draw = self.random
        at = draw.randint(0, len(data))
        size = draw.choice((1, 1, 2, 4, 16, 200))
        match draw.randrange(12):
            case 0 if data:
                at = min(at, len(data) - 1)
                return data[:at] + bytes((draw.randrange(256),)) + data[at + 1 :]
            case 1:
                return data[:at] + data[at + size :]
            case 2:
                return data[:at]
            case 3:
                return data[:at] + data[at : at + size] * draw.randint(2, 9) + data[at:]
            case 4:
                other = draw.choice(self.pool)
                other_at = draw.randint(0, len(other))
                return data[:at] + other[other_at:]
            case 5:
                other = draw.choice(self.pool)
                other_at = draw.randint(0, len(other))
                return data[:at] + other[other_at : other_at + size] + data[at:]
            case 6:
                return data[:at] + draw.randbytes(size) + data[at:]
            case 7:
                word = draw.choice(_WORDS)
                return data[:at] + word + data[at + len(word) :]
            case 8 if draw.random() < 0.1:
                return draw.choice(_WORDS) * size
            case _:
                return data[:at] + draw.choice(_WORDS) + data[at:]

    def _changed_tree(self, data: bytes) -> bytes:
        """JSON, or one of its lines, with one value changed; else as it is."""
        lines = data.split(b"\n") if b"\n{" in data else [data]
        number = self.random.randrange(len(lines))
        try:
            tree = json.loads(lines[number])
            lines[number] = self._spelled(self._put(tree))
        except (ValueError, RecursionError):
            return data
        return b"\n".join(lines)

    def _put(self, tree: Any) -> Any:
        draw = self.random
        spot: Any = tree
        while isinstance(spot, dict | list) and spot:
            keys = list(spot) if isinstance(spot, dict) else range(len(spot))
            key = draw.choice(keys)
            inner = spot[key]
            if not (isinstance(inner, dict | list) and inner) or draw.random() < 0.15:
                match draw.randrange(4):
                    case 0:
                        del spot[key]
                    case 1 if isinstance(spot, dict):
                        spot[draw.choice(("", "role", "id", key + "\ud800"))] = inner
                    case _:
                        spot[key] = draw.choice(_VALUES)
                return tree
            spot = inner
        return draw.choice(_VALUES)

    def _spelled(self, tree: Any) -> bytes:
        plain = self.random.random() < 0.5
        text = json.dumps(tree, ensure_ascii=plain, separators=(",", ":"))
        return text.encode("utf-8", "surrogatepass")
