"""A dialog to paste a request into."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static, TextArea

from sigscope.tui.keymap import key_on
from sigscope.tui.screens.dialog import Dialog


class PasteDialog(Dialog[str]):
    """Answers the text. What it is, whoever asked finds out; `problem` is why the text
    of last time was nothing."""

    DEFAULT_CSS = """
    PasteDialog {
        & > .box { width: 100; height: 90%; }
        TextArea { height: 1fr; border: none; padding: 0; background: $panel; }
        TextArea:focus { border: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2,ctrl+g", "take", "Take", False, priority=True, id="pasting.take",
                tooltip="Make a session of what is pasted"),
    ]  # fmt: skip

    def __init__(self, text: str = "", problem: str = "") -> None:
        super().__init__()
        self._text = text
        self._problem = problem

    def compose(self) -> ComposeResult:
        """A field of several lines."""
        with Vertical(classes="box") as box:
            box.border_title = "New session from pasted text"
            box.border_subtitle = self.ways(f"{key_on(self, 'pasting.take')} takes it")
            yield Static(
                "a curl command, HTTP text, a HAR file, or the JSON body of a request",
                classes="label",
            )
            yield TextArea(self._text, id="text", tab_behavior="focus")
            problem = Static(self._problem, classes="problem", markup=False)
            problem.set_class(bool(self._problem), "-shown")
            yield problem
            with Horizontal(classes="buttons"):
                yield Button("Cancel", compact=True, id="cancel")
                yield Button("Take it", compact=True, variant="primary", id="take")

    @on(Button.Pressed, "#take")
    def action_take(self) -> None:
        """Answer."""
        self.dismiss(self.query_one(TextArea).text)

    @on(Button.Pressed, "#cancel")
    def _cancel(self) -> None:
        self.dismiss(None)
