"""The least that a Textual application can be: what its first paint costs at best."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static


class Empty(App[None]):
    """One line of text."""

    def compose(self) -> ComposeResult:
        """The word that the bench waits for."""
        yield Static("painted")


if __name__ == "__main__":
    Empty().run()
