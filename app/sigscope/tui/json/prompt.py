"""One line at the foot of the pane to type a search, a path, a value or a name into."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Literal

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Label

from sigscope.records import dataclass

Purpose = Literal["search", "path", "value", "name"]

_WORDS: dict[Purpose, tuple[str, str]] = {
    "search": ("/", "text, or re:pattern"),
    "path": ("path", "/messages/2, or part of a name"),
    "value": ("value", "JSON"),
    "name": ("name", "of the new field"),
}


class PromptLine(Input):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Take it", id="json.prompt-take",
                tooltip="Take what was typed"),
    ]  # fmt: skip

    async def action_submit(self) -> None:
        """Tell the prompt at once: what is typed next must not overtake the answer."""
        prompt = self.parent
        assert isinstance(prompt, Prompt)
        prompt.answer(self.value)


class Prompt(Horizontal):
    """Hidden until it is asked something; a line to type into is dear, so there is none
    before that."""

    DEFAULT_CSS = """
    Prompt {
        dock: bottom;
        height: 1;
        display: none;
        background: $panel;
        &.-open { display: block; }
        & > Label { width: auto; padding: 0 1 0 0; text-style: bold; }
        & > Input { width: 1fr; border: none; height: 1; padding: 0;
                    background: $panel; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Cancel", id="json.prompt-close",
                tooltip="Close without doing anything"),
    ]  # fmt: skip

    @dataclass
    class Typed(Message):
        """The text has changed."""

        purpose: Purpose
        text: str

    @dataclass
    class Answered(Message):
        """Enter was pressed; or, with None, escape."""

        purpose: Purpose
        text: str | None

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._purpose: Purpose = "search"

    def lay_out(self) -> Iterable[Widget]:
        """What is asked, and the answer."""
        yield Label("/")
        yield PromptLine(compact=True, select_on_focus=True)

    def ask(self, purpose: Purpose, text: str) -> None:
        """Open, with a text to begin with."""
        self._purpose = purpose
        word, hint = _WORDS[purpose]
        if not self.children:
            self.mount(*self.lay_out())
        self.query_one(Label).update(word)
        field = self.query_one(Input)
        field.placeholder = hint
        with field.prevent(Input.Changed):
            field.value = text
        self.add_class("-open")
        field.focus()

    def takes(self, key: events.Key) -> bool:
        """Type a letter that came before the line had the focus."""
        letter = key.character if key.is_printable and self.has_class("-open") else None
        if letter:
            self.query_one(Input).insert_text_at_cursor(letter)
        return bool(letter)

    def answer(self, text: str | None) -> None:
        """Close, with what was typed; None: with nothing."""
        self.remove_class("-open")
        self.post_message(self.Answered(self._purpose, text))

    def action_close(self) -> None:
        """Close without doing anything."""
        self.answer(None)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.has_class("-open"):
            self.post_message(self.Typed(self._purpose, event.value))
