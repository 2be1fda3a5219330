"""Keys typed while the program starts, kept for the screen they are meant for."""

from __future__ import annotations

from collections.abc import Iterable

from textual.events import Key

AT_ONCE = frozenset({"ctrl+q", "ctrl+c"})
"""Keys that end the program, whatever it is at."""
MOST = 64
"""Keys that are kept; who types more leans on the keyboard."""


class KeptKeys:
    """Takes keys until the first screen can answer them, then gives them back."""

    def __init__(self) -> None:
        self._keys: list[Key] = []
        self._is_starting = True

    def takes(self, key: Key, answered: Iterable[str]) -> bool:
        """Whether a key is kept; not one that what is on show answers already."""
        if not self._is_starting or key.key in AT_ONCE or key.key in answered:
            return False
        if len(self._keys) < MOST:
            self._keys.append(Key(key.key, key.character))
        return True

    def release(self) -> list[Key]:
        """What was typed, once; from now on keys go their way."""
        keys, self._keys, self._is_starting = self._keys, [], False
        return keys
