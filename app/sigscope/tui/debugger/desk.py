"""What the parts of a screen ask of it: time, threads, questions, words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from textual.screen import Screen

T = TypeVar("T")
Loudness = Literal["information", "warning", "error"]


class Desk(Protocol):
    """Where a part hands in what takes long. Of each group only the newest counts."""

    @property
    def width(self) -> int:
        """Cells of a line."""

    def tell(
        self,
        words: str,
        *,
        title: str = "",
        severity: Loudness = "information",
        timeout: float = 4,
    ) -> None:
        """Say something in passing, for some seconds."""

    def take_back(self, title: str) -> None:
        """What was told under this title is so no longer."""

    def key(self, command: str) -> str:
        """What to press for a command, to be named in words."""

    def once_painted(self, call: Callable[[], object]) -> None:
        """Call it when what was changed so far is on the screen."""
        ...

    def later(self, call: Callable[..., object], *given: Any) -> None:
        """Call when there is time; may be called from a thread."""

    def aside(
        self,
        group: str,
        work: Callable[[], T],
        done: Callable[[T], object],
        failed: Callable[[str], object] | None = None,
    ) -> None:
        """Work in a thread; then be called with what came of it, unless something
        newer of the group has begun. What it raises is told; `failed` is called with
        the words, for what would wait for it for ever."""

    def is_over(self) -> bool:
        """Whether the work aside that asks this has been given up."""

    def begin(self, group: str, work: Callable[[], Awaitable[object]]) -> None:
        """Begin a task; an older one of the group is cancelled."""

    def cancel(self, group: str) -> None:
        """Cancel what is going on in a group."""

    async def ask(self, dialog: Screen[T]) -> T | None:
        """Show a screen, and wait for its answer. Call it in a task."""
