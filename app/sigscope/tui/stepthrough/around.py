"""Lines around the panes of the step-through screen, and its raw event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import var

from sigscope.tui.json.tree import JsonTree
from sigscope.tui.lines import Line
from sigscope.tui.panes.oneliners import OneLine
from sigscope.tui.stepthrough.headline import Where, lay_footing, lay_where


class HeadLine(OneLine):
    """Where the player is."""

    where: var[Where] = var(Where(), init=False)

    def watch_where(self) -> None:
        self.refresh()

    def spans(self, cells: int) -> Line:
        return lay_where(self.where, cells, self.symbols)


class FootLine(OneLine):
    """The field under the cursor, what changed; or an answer."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._said: tuple[Any, ...] = ("", (), None, "")

    def say(self, *said: Any) -> None:
        """Say something else."""
        if said != self._said:
            self._said = said
            self.refresh()

    def spans(self, cells: int) -> Line:
        pointer, changes, happening, told = self._said
        return lay_footing(pointer, changes, happening, told, cells, self.symbols)


class RawTree(JsonTree):
    """The JSON of the event one stands at."""

    HELP = "The event as it came. w asks where the field under the cursor went."

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "follow", "Where it went", id="stepping.follow",
                tooltip="Go to the field of the message that this one went into"),
    ]  # fmt: skip

    @dataclass
    class Followed(Message):
        """The user asks where a field went."""

        pointer: str

    def action_follow(self) -> None:
        """The screen knows where it went."""
        leaf = self.leaf()
        if leaf is not None:
            self.post_message(self.Followed(leaf.pointer))
