"""Controls of dialogs whose state is seen without colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Checkbox, RadioButton, RadioSet


class Choices(RadioSet):
    """Several, one of which is on: moving chooses, enter is done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Take", False, id="dialog.take",
                tooltip="Take it as it is"),
    ]  # fmt: skip

    @dataclass
    class Taken(Message):
        """Enter was pressed."""

    def action_next_button(self) -> None:
        """Choose the next one."""
        super().action_next_button()
        self.action_toggle_button()

    def action_previous_button(self) -> None:
        """Choose the one before."""
        super().action_previous_button()
        self.action_toggle_button()

    def action_take(self) -> None:
        """Tell."""
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
