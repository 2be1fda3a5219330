"""A question with two or three answers; the first one is the safe one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from sigscope.tui.screens.dialog import Dialog
from sigscope.tui.shown import shown


class Question(Dialog[str]):
    """Answers the key of the button that was pressed; None where it was closed, which
    means as much as the first one."""

    DEFAULT_CSS = """
    Question { & > .box { height: auto; } #about { height: auto; max-height: 10; } }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down,l,j", "app.focus_next", "Next", False, id="dialog.right",
                tooltip="Next answer"),
        Binding("left,up,h,k", "app.focus_previous", "Previous", False,
                id="dialog.left", tooltip="Previous answer"),
        Binding("q", "close", "Close", False, id="dialog.quit",
                tooltip="Close without doing anything"),
    ]  # fmt: skip

    def __init__(
        self, title: str, words: str, answers: Sequence[tuple[str, str]]
    ) -> None:
        """`answers`: key and label; the first one has the focus."""
        super().__init__()
        self._title = title
        self._words = words
        self._answers = answers

    def compose(self) -> ComposeResult:
        """What it is about, and the answers."""
        with Vertical(classes="box") as box:
            box.border_title = Content(shown(self._title))
            box.border_subtitle = self.ways("enter answers")
            words = shown(self._words, lines=True)
            yield Static(words, id="about", classes="words", markup=False)
            with Horizontal(classes="buttons"):
                for key, label in self._answers:
                    yield Button(
                        Content(shown(label)), compact=True, id=f"answer-{key}"
                    )

    def on_mount(self) -> None:
        """Enter gives the first answer."""
        self.query(Button).first().focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss((event.button.id or "").removeprefix("answer-"))
