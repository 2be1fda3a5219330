"""What dialogs share: a box in the middle, esc closes it."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

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
        .buttons { height: auto; align-horizontal: right; margin-top: 1; }
        .buttons Button { margin-left: 2; }
        Input { margin-bottom: 1; }
        RadioSet { width: 100%; margin-bottom: 1; background: $surface; border: none;
                   padding: 0; }
        Checkbox { background: $surface; border: none; padding: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="dialog.close",
                tooltip="Close without doing anything"),
    ]  # fmt: skip

    def action_close(self) -> None:
        """Close without an answer."""
        self.dismiss(None)
