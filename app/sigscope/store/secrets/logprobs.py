"""Keys in log probabilities: told a token at a time, as a text and as its bytes.

    "logprobs": {"content": [{"token": "sk-", "bytes": [115, 107, 45], "logprob": -0.1},
                             {"token": "ant-", ...}, ...]}

OpenAI's, also of the older completions (`"tokens": ["sk-", "ant-"]`), and Gemini's
(`chosenCandidates`): platform.openai.com/docs/api-reference/chat,
ai.google.dev/api/generate-content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from sigscope.jsontext import JsonText, Node
from sigscope.wire.events import Event

_MARKS = b"logprob", b"logProb"
_LISTS = frozenset(
    {"chosenCandidates", "content", "logprobs", "refusal", "tokens", "topCandidates"}
)
_TOKEN = re.compile(
    rb'"token"\s{0,9}:\s{0,9}"(?P<text>(?:[^"\\]|\\.){1,256})"'
    rb'[^\[\]{}"]{0,80}(?:"logprob"[^\[\]{}"]{0,80})?"bytes"\s{0,9}:\s{0,9}'
    rb"\[(?P<bytes>[\d,\s]{1,4096})\]"
)
_SPELLED = re.compile(
    rb'"(?:bytes"\s{0,9}:\s{0,9}\[(?P<bytes>[\d,\s]{1,4096})\]'
    rb'|tokenId"\s{0,9}:\s{0,9}(?P<id>\d{1,9})\b)'
)
_STAR = ord("*")


def has_tokens(data: bytes) -> bool:
    """Whether an answer may tell tokens one by one. Costs two searches."""
    return any(mark in data for mark in _MARKS)


def token_lists(data: bytes) -> Iterator[list[Event]]:
    """The lists of tokens of an answer in JSON, each token as an event that brings a
    piece of the text."""
    document = JsonText(data)
    waiting = [(document.root, "")]
    while waiting:
        node, key = waiting.pop()
        children = document.children(node)
        if key in _LISTS and len(children) > 1 and _is_token(document, children[0]):
            # Not looked into: lists within one another would cost the square.
            yield [
                Event(
                    number=number,
                    start=child.start,
                    end=child.end,
                    data=data[child.start : child.end],
                    data_start=child.start,
                )
                for number, child in enumerate(children, 1)
            ]
            continue
        for child in children:
            if child.kind in ("array", "object"):
                below = document.key(child) if node.kind == "object" else ""
                waiting.append((child, below))


def _is_token(document: JsonText, node: Node) -> bool:
    names = ("token", "candidates")
    return node.kind == "string" or any(document.named(node, each) for each in names)


def mask_bytes(data: bytes) -> bytes:
    """The same answer with the numbers of bytes masked where the token beside them is:
    a star is 42 there, and a blank before it makes up for a third digit."""
    return _TOKEN.sub(_mask_numbers, data) if has_tokens(data) else data


def _mask_numbers(match: re.Match[bytes]) -> bytes:
    if b"*" not in match["text"]:
        return match[0]
    try:
        text = json.loads(b'"%b"' % match["text"]).encode("utf-8", "surrogatepass")
    except ValueError:
        return match[0]
    count = match["bytes"].count(b",") + 1
    is_all = not text.strip(b"*")
    if len(text) != count and not is_all:
        return match[0]
    stars = iter([True] * count if is_all else [byte == _STAR for byte in text])

    def masked(number: re.Match[bytes]) -> bytes:
        is_star = next(stars, False) and len(number[0]) > 1
        return b"42".rjust(len(number[0])) if is_star else number[0]

    numbers = re.sub(rb"\d+", masked, match["bytes"])
    low, high = match.span("bytes")
    begin = match.start()
    return match[0][: low - begin] + numbers + match[0][high - begin :]


def without_numbers(data: bytes) -> bytes:
    """A body of log probabilities without any number that spells a token: its bytes,
    and Gemini's `tokenId`. For those whose texts were masked."""
    return _SPELLED.sub(_hide_numbers, data) if has_tokens(data) else data


def _hide_numbers(match: re.Match[bytes]) -> bytes:
    if match["id"]:
        return match[0][: -len(match["id"])] + b"1" * len(match["id"])
    return re.sub(rb"\d{2,}", lambda each: b"42".rjust(len(each[0])), match[0])
