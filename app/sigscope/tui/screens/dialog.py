"""What dialogs share: a box in the middle, and a key that closes it."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from sigscope.tui.hint import TITLE
from sigscope.tui.keymap import NO_KEY, key_on
from sigscope.tui.notices import take_back

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer | None]):
    """A modal box. Its answer is None when it is closed without one."""

    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        background: $background 60%;
        & > .box {
            width: 76;
            max-width: 96%;
            height: auto;
            max-height: 90%;
            padding: 1 2;
            background: $surface;
            border: round $border;
            border-title-color: $primary;
            border-title-style: bold;
            border-subtitle-color: $ink-dim;
        }
        .label { color: $ink-dim; height: auto; }
        .words { height: auto; margin-bottom: 1; }
        .problem { color: $error; height: auto; display: none; }
        .problem.-shown { display: block; }
        .buttons { height: 1; align-horizontal: right; margin-top: 1; }
        .buttons Button { margin-left: 2; min-width: 10; background: $panel;
                          color: $foreground; }
        .buttons Button.-primary { background: $panel; color: $ink-accent; }
        .buttons Button:focus, .buttons Button.-primary:focus {
            background: $primary; color: $background; text-style: bold; }
        .buttons Button:ansi { border-left: ascii ansi_default !important;
                               border-right: ascii ansi_default !important; }
        .buttons Button:focus:ansi, .buttons Button.-primary:focus:ansi {
            background: ansi_default; color: $ink-accent; text-style: bold reverse; }
        Input { margin-bottom: 1; border: none; height: 1; padding: 0 1;
                background: $panel; }
        Input:ansi { border-left: ascii ansi_default; }
        Input:focus { border: none; background: $row-selected-background; }
        RadioSet, RadioSet:focus { width: 100%; margin-bottom: 1; border: none;
                                   background: $surface; padding: 0; }
        Choice, Check, Check:focus { background: $surface; border: none; padding: 0; }
        RadioSet > RadioButton { background: $surface; }
        RadioSet > RadioButton > .toggle--button,
        ToggleButton > .toggle--button { color: $ink-dim; background: $surface; }
        ToggleButton:ansi > .toggle--button,
        ToggleButton.-on:ansi > .toggle--button { background: ansi_default; }
        RadioSet > RadioButton.-on > .toggle--button,
        ToggleButton.-on > .toggle--button { color: $ink-accent;
                                             background: $surface; }
        ToggleButton:disabled > .toggle--label { color: $ink-faint; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="dialog.close",
                tooltip="Close without doing anything"),
    ]  # fmt: skip

    def on_mount(self) -> None:
        """The first advice would hide buttons where there is little room."""
        take_back(self.app, TITLE)

    def ways(self, *before: str, closes: str = "closes", dot: str = " · ") -> str:
        """What the lower border says: "enter writes · esc closes", with the user's
        keys. Nothing is said of what has none: the palette does not open here."""
        said = (*before, f"{key_on(self, 'dialog.close')} {closes}")
        return dot.join(way for way in said if not way.startswith(NO_KEY))

    def action_close(self) -> None:
        """Close without an answer."""
        self.dismiss(None)
