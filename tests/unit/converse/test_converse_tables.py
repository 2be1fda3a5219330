"""Records from tables, and what is said about tables that do not fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from sigscope.converse.tables import TableError, build


@dataclass(frozen=True, kw_only=True)
class Inner:
    number: int = 0
    flag: bool = False


@dataclass(frozen=True, kw_only=True)
class Outer:
    name: str
    way: Literal["left", "right"] = "left"
    inner: Inner = Inner()
    many: tuple[Inner, ...] = ()
    ways: tuple[Literal["left", "right"], ...] = ()
    maybe: Literal["up"] | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    anything: Mapping[str, Any] = field(default_factory=dict)


def test_a_full_table_becomes_a_record() -> None:
    made = build(
        Outer,
        {
            "name": "x",
            "way": "right",
            "inner": {"number": 3, "flag": True},
            "many": [{"number": 1}, {}],
            "ways": ["left", "right"],
            "maybe": "up",
            "words": {"a": "b"},
            "anything": {"deep": {"list": [1, None]}},
        },
    )
    assert made == Outer(
        name="x",
        way="right",
        inner=Inner(number=3, flag=True),
        many=(Inner(number=1), Inner()),
        ways=("left", "right"),
        maybe="up",
        words={"a": "b"},
        anything={"deep": {"list": [1, None]}},
    )


def test_what_is_left_out_has_its_default() -> None:
    assert build(Outer, {"name": "x"}) == Outer(name="x")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({}, "'name' is missing"),
        ([], "is a list, not a table"),
        ({"name": 3}, "name: is a number, not text"),
        ({"name": "x", "wya": "left"}, "wya: there is no such field; did you mean"),
        ({"name": "x", "zzz": 1}, "zzz: there is no such field; there are name, way"),
        ({"name": "x", "way": "rihgt"}, "'rihgt' is not one of left, right; did you"),
        ({"name": "x", "way": True}, "way: True is not one of left, right"),
        ({"name": "x", "way": ["left"]}, "way: ['left'] is not one of"),
        ({"name": "x", "inner": 1}, "inner: is a number, not a table"),
        ({"name": "x", "inner": {"number": True}}, "inner.number: is true or false"),
        ({"name": "x", "inner": {"number": 1.5}}, "inner.number: is a number"),
        ({"name": "x", "inner": {"flag": 1}}, "inner.flag: is a number, not true or"),
        ({"name": "x", "many": {}}, "many: is a table, not a list"),
        ({"name": "x", "many": [{}, {"n": 1}]}, "many 2.n: there is no such field"),
        ({"name": "x", "ways": ["up"]}, "ways 1: 'up' is not one of left, right"),
        ({"name": "x", "words": {"a": 1}}, "words.a: is a number, not text"),
        ({"name": "x", "words": "a"}, "words: is text, not a table"),
        ({"name": "x", "maybe": "down"}, "maybe: 'down' is not one of up"),
    ],
)
def test_a_mistake_is_named_with_its_place(table: Any, said: str) -> None:
    with pytest.raises(TableError) as caught:
        build(Outer, table)
    assert said in str(caught.value)
