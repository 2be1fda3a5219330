"""Export: which format, to which file. Says what was written and removed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Checkbox, Input, RadioSet, Static
from textual.worker import get_current_worker

from sigscope.engine import exporting
from sigscope.engine.document import Document
from sigscope.engine.engine import Engine
from sigscope.errors import SigscopeError
from sigscope.tui import figures
from sigscope.tui.screens.controls import Check, Choice, Choices
from sigscope.tui.screens.dialog import Dialog
from sigscope.tui.views.headline import name_of

FORMATS = tuple((form.name, form.suffix, form.words) for form in exporting.FORMATS)
OF_STEP = frozenset(form.suffix for form in exporting.FORMATS if form.is_of_one)
OF_ONE = frozenset(form.name for form in exporting.FORMATS if form.is_of_one)


class ExportDialog(Dialog[str]):
    """Answers with what was written, in words."""

    DEFAULT_CSS = """
    ExportDialog {
        & > .box { padding: 0 2; max-height: 100%; overflow-y: auto; }
        RadioSet, Input { margin-bottom: 0; }
    }
    """

    class Wrote(Message):
        """The file is there."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    class Failed(Message):
        """The file could not be written."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    def __init__(
        self,
        engine: Engine,
        document: Document,
        *,
        step: int | None,
        run: int | None,
    ) -> None:
        super().__init__()
        self._engine = engine
        self._document = document
        self._step = step
        self._run = run

    @property
    def _export(self) -> Callable[..., Any] | None:
        found = getattr(self._engine, "export", None)
        return found if callable(found) else None

    def compose(self) -> ComposeResult:
        """Format, file, options."""
        with Vertical(classes="box") as box:
            box.border_title = "Export"
            box.border_subtitle = "enter writes · esc closes"
            with Choices(id="format"):
                for number, (name, _, words) in enumerate(FORMATS):
                    missing = name != "session" and self._export is None
                    yield Choice(words, value=number == 0, id=name, disabled=missing)
            yield Static("file", classes="label")
            yield Input(self._suggest(FORMATS[0][1]), id="path")
            yield Check("replace signatures by stand-ins, for sharing", id="masked")
            yield Check("replace the file if it exists", id="force")
            yield Static("", classes="problem", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Cancel", compact=True, id="cancel")
                yield Button("Write", compact=True, variant="primary", id="write")

    def _suggest(self, suffix: str) -> str:
        name = name_of(self._document.session)
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:48] or "session"
        if suffix in OF_STEP and self._step is not None:
            stem = f"{stem}-step-{self._step}"
        return f"{stem}{suffix}"

    @property
    def _format(self) -> tuple[str, str, str]:
        pressed = self.query_one(RadioSet).pressed_button
        name = pressed.id if pressed else "session"
        return next(row for row in FORMATS if row[0] == name)

    @on(RadioSet.Changed)
    def _other_format(self, event: RadioSet.Changed) -> None:
        event.stop()
        field = self.query_one("#path", Input)
        known = {self._suggest(suffix) for _, suffix, _ in FORMATS}
        if field.value in known:
            field.value = self._suggest(self._format[1])

    @on(Input.Submitted)
    @on(Choices.Taken)
    @on(Button.Pressed, "#write")
    def _begin(self) -> None:
        path = Path(self.query_one("#path", Input).value.strip()).expanduser()
        if not path.name:
            self._say("name a file to write to")
            return
        self._write(
            self._format[0],
            path,
            force=self.query_one("#force", Checkbox).value,
            masked=self.query_one("#masked", Checkbox).value,
        )

    @work(thread=True, exclusive=True, group="export")
    def _write(self, name: str, path: Path, *, force: bool, masked: bool) -> None:
        try:
            words = self._do_write(name, path, force=force, masked=masked)
            outcome: Message = self.Wrote(words)
        except SigscopeError as error:
            outcome = self.Failed(str(error))
        except OSError as error:
            outcome = self.Failed(f"{path}: {error.strerror or error}")
        if not get_current_worker().is_cancelled:
            self.post_message(outcome)

    def _do_write(self, name: str, path: Path, *, force: bool, masked: bool) -> str:
        if name == "session" and self._export is None:
            removed = self._engine.save_as(
                self._document, path, force=force, stand_ins=masked
            )
            gone = figures.joined(f"{n} {what}" for what, n in removed.items())
            return f"{path}" + (f"; removed: {gone}" if gone else "")
        assert self._export is not None
        is_of_one = name in OF_ONE
        told = self._export(
            self._document,
            path,
            format=name,
            step=self._step if is_of_one else None,
            run=self._run if is_of_one else None,
            force=force,
            stand_ins=masked,
        )
        return str(told)

    @on(Wrote)
    def _wrote(self, message: Wrote) -> None:
        message.stop()
        self.dismiss(message.words)

    @on(Failed)
    def _failed(self, message: Failed) -> None:
        message.stop()
        words = message.words
        if "--force" in words:
            words = words.replace("give --force", "tick the box above")
        self._say(words)

    def _say(self, words: str) -> None:
        problem = self.query_one(".problem", Static)
        problem.update(words)
        problem.add_class("-shown")

    @on(Button.Pressed, "#cancel")
    def _cancel(self) -> None:
        self.dismiss(None)
