"""Controls of dialogs whose state is seen without colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Checkbox, RadioButton, RadioSet


class Choices(RadioSet):
    """Several, one of which is on: space chooses, enter chooses and is done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Take", False, id="dialog.take",
                tooltip="Choose this, and be done"),
    ]  # fmt: skip

    @dataclass
    class Taken(Message):
        """Enter was pressed."""

    def action_take(self) -> None:
        """Choose what the cursor is on, and tell."""
        self.action_toggle_button()
        self.post_message(self.Taken())


class Choice(RadioButton):
    """One of several: "(*) this", "( ) that"."""

    ON = "(*)"

    @property
    def _button(self) -> Content:
        style = self.get_visual_style("toggle--button")
        return Content.styled(self.ON if self.value else "( )", style)


class Check(Checkbox):
    """On or off: "[x] this", "[ ] that"."""

    @property
    def _button(self) -> Content:
        style = self.get_visual_style("toggle--button")
        return Content.styled("[x]" if self.value else "[ ]", style)
