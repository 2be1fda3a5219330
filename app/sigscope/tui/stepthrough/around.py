"""Lines around the panes of the step-through screen, and its raw event."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import var

from sigscope.records import dataclass
from sigscope.tui.borderlines import say_in_border
from sigscope.tui.json.tree import JsonTree
from sigscope.tui.lines import Line
from sigscope.tui.panes.oneliners import OneLine
from sigscope.tui.stepthrough.headline import Where, lay_footing, lay_where
from sigscope.tui.symbols import UNICODE, Symbols


class PaneBox(Vertical):
    """The frame of a pane: how a search in it stands, and figures, in its border."""

    symbols: var[Symbols] = var(UNICODE, init=False)
    _found = _figures = _said = ""

    def caption(self, figures: str) -> None:
        """Say other figures."""
        self._figures = figures
        self._tell()

    def tell_found(self, words: str) -> None:
        """Say how a search stands."""
        self._found = words
        self._tell()

    def _tell(self) -> None:
        words = filter(None, (self._found, self._figures))
        text = f" {self.symbols.dot} ".join(words)
        if self._said != text:
            self._said = text
            say_in_border(self, border_subtitle=Content(text))


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


class RawBox(PaneBox):
    """The frame of the JSON of the event one stands at."""

    HELP = (
        "The event as it came; of an answer in one piece all of it. {stepping.follow}"
        " asks where the field under the cursor went."
    )

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
        leaf = self.query_one(JsonTree).leaf()
        if leaf is not None:
            self.post_message(self.Followed(leaf.pointer))
