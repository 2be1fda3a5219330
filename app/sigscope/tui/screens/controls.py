"""Controls of dialogs whose state is seen without colours."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Checkbox, RadioButton, RadioSet

from sigscope.records import dataclass


class Choices(RadioSet):
    """Several, one of which is on: moving chooses, enter is done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,right,j", "choose(1)", "Next", False, id="dialog.next",
                tooltip="Choose the next one"),
        Binding("up,left,k", "choose(-1)", "Previous", False, id="dialog.previous",
                tooltip="Choose the one before"),
        Binding("enter", "take", "Take", False, id="dialog.take",
                tooltip="Take it as it is"),
    ]  # fmt: skip

    @dataclass
    class Taken(Message):
        """Enter was pressed."""

    def on_mount(self) -> None:
        """Begin at the one that is on."""
        self.call_after_refresh(self._to_pressed)

    def _to_pressed(self) -> None:
        if self.pressed_index >= 0:
            self._selected = self.pressed_index

    def action_choose(self, by: int) -> None:
        """Choose the next or previous one."""
        if by > 0:
            self.action_next_button()
        else:
            self.action_previous_button()
        selected = self._selected
        if selected is not None and selected != self.pressed_index:
            self.action_toggle_button()

    def action_take(self) -> None:
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
