"""JSON texts for properties: sound ones with any spelling, and broken ones."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from sigscope.jsontext import JsonText, Node

SPACES = st.text(" \t\n\r", max_size=2)

KEYS = st.sampled_from(["a", "b", "id", "", "a/b", "m~n", "~#1", "é", "x y", "*", "0"])
"""Few, so that they repeat."""

STRINGS = st.one_of(
    KEYS.map(json.dumps),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(
        lambda text: json.dumps(text, ensure_ascii=False)
    ),
    st.lists(
        st.sampled_from(
            [r"\"", r"\\", r"\/", r"\n", r"\u00e9", r"\ud83d\ude00", "[", "}", ",", "'"]
        ),
        max_size=6,
    ).map(lambda pieces: '"' + "".join(pieces) + '"'),
)

SCALARS = st.one_of(
    STRINGS,
    st.sampled_from(["0", "-0", "1.50", "1e3", "12345678901234567890", "0.1E-2"]),
    st.sampled_from(["true", "false", "null"]),
)


@st.composite
def _array(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    items = [
        draw(SPACES) + draw(inner) + draw(SPACES)
        for _ in range(draw(st.integers(0, 4)))
    ]
    return "[" + (",".join(items) or draw(SPACES)) + "]"


@st.composite
def _object(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    def member() -> str:
        key = json.dumps(draw(KEYS), ensure_ascii=draw(st.booleans()))
        pieces = ("", key, "", ":", "", draw(inner), "")
        return "".join(piece or draw(SPACES) for piece in pieces)

    items = [member() for _ in range(draw(st.integers(0, 4)))]
    return "{" + (",".join(items) or draw(SPACES)) + "}"


VALUES = st.recursive(
    SCALARS, lambda inner: _array(inner) | _object(inner), max_leaves=20
)

CONTAINERS = _array(VALUES) | _object(VALUES)

JSON = st.tuples(SPACES, VALUES | CONTAINERS, SPACES).map("".join).map(str.encode)
"""Sound JSON with any white space, escapes, repeated keys."""

PIECES = st.lists(
    st.sampled_from(
        [
            *"[]{},:\"'\\ \n",
            "[[",
            "]]",
            '"a"',
            '{"a":',
            "1",
            "tru",
            "null",
            "NaN",
            "\x00",
        ]
    ),
    max_size=24,
).map(lambda pieces: "".join(pieces).encode())
"""What has the letters of JSON and seldom its grammar."""


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Sound JSON with a piece cut out and another put in."""
    text = draw(JSON)
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 6)))
    return text[:start] + draw(PIECES | st.binary(max_size=3)) + text[end:]


ANYTHING = st.one_of(mutated(), PIECES, st.binary(max_size=60), JSON)


def nodes(document: JsonText) -> list[Node]:
    """Every node of a document, parents before children."""
    found = [document.root]
    for node in found:
        found += document.children(node)
    return found


def pairs(text: bytes) -> Any:
    """Like `json.loads`, with objects as tuples of pairs: nothing is lost."""
    return json.loads(text, object_pairs_hook=tuple)
