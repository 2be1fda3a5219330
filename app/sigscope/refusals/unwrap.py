"""From an error body to what it says: every wrapping taken off, every word kept.

Shapes (docs/wire/README.md#from-an-error-text-to-a-rule, each seen in public reports):
one-element arrays, `error`
objects of OpenAI, Google, Anthropic and OpenRouter, `metadata.raw` that ends in JSON,
`litellm.X: YException YError - b'{...}'` several times over, JSON in strings in JSON,
Python reprs, HTML pages, plain words, nothing at all.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from sigscope.conversation import Json
from sigscope.records import dataclass
from sigscope.refusals.layers import (
    Layer,
    Peeled,
    is_error,
    peel_array,
    peel_object,
    peel_text,
)

MAX_LAYERS = 24
"""Wrappings taken off at most; three gateways in a row make about ten."""

MAX_CHARS = 32 * 1024
"""Of one layer's words; the longest real ones quote a request and have some 5,000."""

MAX_BESIDE = 400
"""Values of a body in which errors beside its message are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unwrapped:
    """An error taken apart, before anything is made of its words."""

    layers: tuple[Layer, ...]
    """Those with something to say, from the outside in."""
    wrappings: tuple[str, ...]
    """How each was held by the one before."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The message of every layer."""
        return tuple(layer.text for layer in self.layers if layer.text)

    @property
    def text(self) -> str:
        """The innermost message; empty where there is none."""
        return self.texts[-1] if self.texts else ""

    @property
    def code(self) -> str:
        """The innermost code."""
        return next((x.code for x in reversed(self.layers) if x.code), "")

    @property
    def provider(self) -> str:
        """Who raised it, as the innermost of those who say it."""
        return next((x.provider for x in reversed(self.layers) if x.provider), "")


def unwrap(body: Json) -> Unwrapped:
    """Take an error body apart; `body` is parsed JSON, or the text as it came."""
    layers: list[Layer] = []
    wrappings: list[str] = []
    value = _parsed(body) if isinstance(body, str) else body
    for _ in range(MAX_LAYERS):
        peeled = _peel(value)
        if peeled.layer != Layer():
            layers.append(_shortened(peeled.layer))
        wrappings.extend(peeled.how)
        if peeled.inner is None:
            break
        value = peeled.inner
    return Unwrapped(layers=tuple(layers), wrappings=tuple(wrappings))


def beside(body: Json) -> Iterator[Unwrapped]:
    """The body taken apart once more for each error that it keeps beside its message.

    Gateways put what the service said into a member of their own (`upstreamResponse`,
    `previous_errors`; source: opencode #4832 [issue report]).
    """
    whole = unwrap(body)
    for error in _errors_within(_parsed(body) if isinstance(body, str) else body):
        found = unwrap(error)
        yield Unwrapped(
            layers=(*whole.layers, *found.layers),
            wrappings=(*whole.wrappings, "beside the message", *found.wrappings),
        )


def _errors_within(value: Json) -> Iterator[Json]:
    """Errors inside a document, the outermost first; not the document itself."""
    waiting, left = deque([value]), MAX_BESIDE
    while waiting and left > 0:
        holder = waiting.popleft()
        inner = holder.values() if isinstance(holder, dict) else holder
        for item in inner if isinstance(holder, dict | list) else ():
            left -= 1
            waiting.append(item)
            if isinstance(item, dict) and is_error(item):
                yield item


def _shortened(layer: Layer) -> Layer:
    """A layer whose words can be searched and shown in no time."""
    if len(layer.text) <= MAX_CHARS:
        return layer
    more = len(layer.text) - MAX_CHARS
    return replace(layer, text=f"{layer.text[:MAX_CHARS]}… ({more:,} more characters)")


def _parsed(text: str) -> Json:
    """A body that is one JSON document is not wrapped in anything."""
    text = text.lstrip("\ufeff").strip()
    if text[:1] in ("{", "["):
        try:
            return json.loads(text, strict=False)
        except (ValueError, RecursionError):
            return text
    return text


def _peel(value: Json) -> Peeled:
    if isinstance(value, dict):
        return peel_object(value)
    if isinstance(value, list):
        return peel_array(value)
    return peel_text(value) if isinstance(value, str) else Peeled(layer=Layer())
