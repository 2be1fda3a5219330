"""What was used last, as much of it as may be kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

FEWEST = 3
"""How many are kept whatever their size: what is looked at together."""


class Latest(Generic[Key, Value]):
    """Values by key, the latest used, up to a sum of sizes. For several threads."""

    def __init__(
        self, limit: int, drop: Callable[[Value], object] | None = None
    ) -> None:
        """`limit`: in bytes, or whatever sizes are counted in. `drop` is told what is
        not kept any more; it may not ask for anything here."""
        self._limit = limit
        self._drop = drop
        self._size = 0
        self._kept: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """What was put there; None if it was not, or is not kept any more."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def put(self, key: Key, value: Value, size: int) -> Value:
        """Keep a value, the oldest ones no longer, and give it back."""
        with self._lock:
            old = self._kept.pop(key, None)
            self._size += size - (old[1] if old else 0)
            self._kept[key] = value, size
            while self._size > self._limit and len(self._kept) > FEWEST:
                oldest, its_size = self._kept.popitem(last=False)[1]
                self._size -= its_size
                if self._drop is not None:
                    self._drop(oldest)
        return value
