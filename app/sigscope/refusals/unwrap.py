"""From an error body to what it says: every wrapping taken off, every word kept.

Shapes (dialects.md 13, each seen in public reports): one-element arrays, `error`
objects of OpenAI, Google, Anthropic and OpenRouter, `metadata.raw` that ends in JSON,
`litellm.X: YException YError - b'{...}'` several times over, JSON in strings in JSON,
Python reprs, HTML pages, plain words, nothing at all.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from sigscope.conversation import Json
from sigscope.refusals.layers import (
    Layer,
    Peeled,
    peel_array,
    peel_object,
    peel_text,
)

MAX_LAYERS = 24
"""Wrappings taken off at most; three gateways in a row make about ten."""

MAX_CHARS = 32 * 1024
"""Of one layer's words; the longest real ones quote a request and have some 5,000."""


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
