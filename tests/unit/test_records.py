"""Records behave as the standard library's dataclasses do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import math
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import pytest

from sigscope.records import record


@record(frozen=True, slots=True, kw_only=True)
class Point:
    """A frozen record with slots."""

    x: int
    y: int = 2
    words: list[str] = field(default_factory=list)
    note: str = field(default="", compare=False, repr=False)


def _classes(make: Callable[..., Any]) -> dict[str, Any]:
    """The same classes, made by either decorator."""

    @make(frozen=True, slots=True, kw_only=True)
    class Frozen:
        a: int
        b: str = "b"
        c: tuple[int, ...] = field(default=(), compare=False)
        kind: ClassVar[str] = "kind"

    @make(frozen=True, slots=True)
    class Below(Frozen):
        d: int = 4

    @make(frozen=True)
    class Loose:
        a: int
        b: str = "b"

        @cached_property
        def doubled(self) -> int:
            return self.a * 2

    @make
    class Open:
        a: int
        b: list[int] = field(default_factory=list, repr=False)
        late: int = field(init=False)
        set_by_itself: int = field(init=False, default=3)

        def __post_init__(self) -> None:
            self.late = self.a + 1

    @make(slots=True, eq=False)
    class Alone:
        a: int
        b: str = "b"

    @make(frozen=True, slots=True, order=True)
    class Ordered:
        a: int
        b: str = "b"

    @make(frozen=True, slots=True)
    class Own:
        a: int
        b: str = "b"

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    @make(frozen=True, slots=True)
    class Nothing:
        pass

    @make(frozen=True, slots=True)
    class OwnEquality:
        a: int
        b: str = "b"

        def __eq__(self, other: object) -> bool:
            return True

    @make(frozen=True, slots=True)
    class Single:
        a: float = math.nan

    return {name: one for name, one in locals().items() if isinstance(one, type)}


OURS, THEIRS = _classes(record), _classes(dataclasses.dataclass)


def _result(work: Callable[[], object]) -> object:
    try:
        return work()
    except (TypeError, AttributeError) as error:
        return type(error), str(error)


def _looks(cls: Any) -> list[object]:
    """What can be seen of a class from outside."""
    has_fields = cls.__name__ != "Nothing"  # without any, Python 3.11 trips over itself
    arguments = {"a": 1} if has_fields else {}
    one, other = cls(**arguments), cls(**arguments)

    def assign() -> object:
        one.a = 5
        return one.a

    def delete() -> object:
        del one.a
        return hasattr(one, "a")

    return [
        repr(one),
        [each.name for each in fields(one)],
        asdict(one),
        one == other,
        one != other,
        one == (cls(math.nan) if cls.__name__ == "Single" else other),
        one == 1,
        _result(lambda: one < other) if cls.__name__ == "Ordered" else None,
        _result(lambda: hash(one) == hash(other)),
        _result(lambda: one == replace(one, b="z")),
        _result(lambda: one == replace(one, c=(1,))),
        _result(lambda: repr(replace(one, b="z"))),
        repr(_result(cls)),
        _result(lambda: cls(1, 2, 3, 4, 5, 6)),
        _result(lambda: cls(unheard_of=1)),
        repr(copy.deepcopy(one)),
        cls.__match_args__,
        [str(each) for each in inspect.signature(cls).parameters.values()]
        if cls.__name__ != "Open"  # what is made anew has another name
        else [*inspect.signature(cls).parameters],
        cls.__dataclass_params__.frozen,
        getattr(one, "doubled", None),
        _result(assign) if has_fields else None,
        _result(delete) if has_fields else None,
    ]


@pytest.mark.parametrize("name", OURS)
def test_a_record_looks_like_the_standard_one(name: str) -> None:
    assert _looks(OURS[name]) == _looks(THEIRS[name])


def test_a_constructor_is_compiled_when_it_is_first_needed() -> None:
    @record(frozen=True, slots=True)
    class Late:
        a: int

    before = Late.__init__
    assert (Late(1).a, Late(2).a) == (1, 2)
    assert Late.__init__ is not before
    assert Late.__init__.__code__.co_varnames == ("self", "a")


def test_a_default_is_made_anew_for_each() -> None:
    first, second = Point(x=1), Point(x=1)
    first.words.append("one")
    assert second.words == []
    assert Point(x=1, words=["given"]).words == ["given"]


def test_a_frozen_record_survives_copies_and_pickles() -> None:
    point = Point(x=1, words=["a"], note="kept")
    for again in (copy.copy(point), pickle.loads(pickle.dumps(point))):
        assert again == point
        assert again.note == "kept"


def test_a_frozen_record_stays_as_it_is() -> None:
    point = Point(x=1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2
    with pytest.raises(FrozenInstanceError):
        del point.x


def test_a_record_that_holds_itself_can_be_shown() -> None:
    point = Point(x=1)
    point.words.append(point)  # type: ignore[arg-type]
    assert repr(point) == "Point(x=1, y=2, words=[...])"


def test_the_standard_decorator_goes_on_from_a_record_and_the_other_way_round() -> None:
    def heir(base: Any, **members: object) -> Any:
        kinds = {name: type(value) for name, value in members.items()}
        return type("Heir", (base,), {**members, "__annotations__": kinds})

    theirs: Any = dataclasses.dataclass(frozen=True)(heir(Point, z=3))
    ours: Any = record(frozen=True, order=True)(heir(theirs, name="n"))
    last: Any = record(frozen=True)(heir(ours, end=1))
    assert repr(last(x=1)) == "Heir(x=1, y=2, words=[], z=3, name='n', end=1)"
    with pytest.raises(FrozenInstanceError):
        last(x=1).z = 4
    for make in (record, dataclasses.dataclass):
        with pytest.raises(TypeError, match="cannot inherit non-frozen"):
            make(heir(Point))
