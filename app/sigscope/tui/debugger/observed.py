"""Fields whose changes are told to whoever observes their holder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")
Observer = Callable[[str], object]
"""Is called with the name of what changed."""


class Observable:
    """Has observed fields. Observers are called at once, in the order they came."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}
        self._observers: list[Observer] = []

    def observe(self, observer: Observer) -> None:
        """Have changes told from now on."""
        self._observers.append(observer)

    def forget(self, observer: Observer) -> None:
        """Have nothing told to it any more."""
        self._observers.remove(observer)

    def tell(self, what: str) -> None:
        """Tell observers that something changed, or happened."""
        for observer in tuple(self._observers):
            observer(what)


class Observed(Generic[T]):
    """A field of an `Observable`. Setting what it is already changes nothing."""

    def __init__(self, first: T) -> None:
        self._first = first
        self._name = ""

    def __set_name__(self, owner: type[Observable], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, holder: None, owner: type[Observable]) -> Observed[T]: ...

    @overload
    def __get__(self, holder: Observable, owner: type[Observable]) -> T: ...

    def __get__(
        self, holder: Observable | None, owner: type[Observable]
    ) -> T | Observed[T]:
        if holder is None:
            return self
        found: T = holder._values.get(self._name, self._first)
        return found

    def __set__(self, holder: Observable, value: T) -> None:
        now = holder._values.get(self._name, self._first)
        if value is now or value == now:
            return
        holder._values[self._name] = value
        holder.tell(self._name)
