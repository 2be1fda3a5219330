"""A dialog with one line to fill in."""

from __future__ import annotations

from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from sigscope.tui.screens.dialog import Dialog
from sigscope.tui.shown import shown


class LineDialog(Dialog[str]):
    """Answers what was typed; stays open while `problem_of` finds fault with it."""

    def __init__(
        self,
        title: str,
        label: str,
        *,
        value: str = "",
        hint: str = "",
        done: str = "takes it",
        field: str = "line",
        problem_of: Callable[[str], str] = lambda text: "",
    ) -> None:
        """`hint`: shown while the line is empty; `done`: what enter does; `field`: the
        id of the line."""
        super().__init__()
        self._title = title
        self._label = label
        self._value = value
        self._hint = hint
        self._done = done
        self._field = field
        self._problem_of = problem_of

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = Content(shown(self._title))
            box.border_subtitle = self.ways(f"enter {self._done}")
            yield Static(shown(self._label), classes="label", markup=False)
            yield Input(shown(self._value), placeholder=self._hint, id=self._field)
            yield Static("", classes="problem", markup=False)

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        problem = self._problem_of(text)
        if not problem:
            # What was left as it is shown is left as it is.
            self.dismiss(self._value if text == shown(self._value).strip() else text)
            return
        told = self.query_one(".problem", Static)
        told.update(shown(problem))
        told.add_class("-shown")
