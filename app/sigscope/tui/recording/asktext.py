"""A dialog that asks for a line of text."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Static

from sigscope.errors import SigscopeError
from sigscope.tui.screens.dialog import Dialog


class AskText(Dialog[str]):
    """Asks for one line; answers it once `check` has nothing against it."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        title: str,
        words: str,
        text: str,
        button: str,
        check: Callable[[str], object] = lambda _: None,
    ) -> None:
        """`check` raises SigscopeError with what is wrong."""
        super().__init__()
        self._title = title
        self._words = words
        self._text = text
        self._button = button
        self._check = check

    def compose(self) -> ComposeResult:
        """Words, a line, what is wrong with it."""
        with Vertical(classes="box") as box:
            box.border_title = self._title
            box.border_subtitle = self.ways()
            yield Static(self._words, classes="words", markup=False)
            yield Input(self._text)
            yield Static("", classes="problem", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Cancel", compact=True, id="no")
                yield Button(self._button, compact=True, variant="primary", id="yes")

    @on(Input.Submitted)
    @on(Button.Pressed, "#yes")
    def _answer(self) -> None:
        text = self.query_one(Input).value.strip()
        try:
            self._check(text)
        except SigscopeError as error:
            problem = self.query_one(".problem", Static)
            problem.update(str(error))
            problem.add_class("-shown")
        else:
            self.dismiss(text)

    @on(Button.Pressed, "#no")
    def _cancel(self) -> None:
        self.dismiss(None)
