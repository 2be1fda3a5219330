"""Export: which format, to which file. Says what was written and removed."""

from __future__ import annotations

import re
from os.path import realpath
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Checkbox, Input, RadioSet, Static
from textual.worker import Worker, WorkerState, get_current_worker

from sigscope.characters import printable
from sigscope.engine.engine import Engine
from sigscope.engine.export.exports import FORMATS, Format
from sigscope.engine.sessions.document import Document
from sigscope.errors import SigscopeError, WouldOverwrite
from sigscope.tui.keymap import key_on
from sigscope.tui.screens.controls import Check, Choice, Choices
from sigscope.tui.screens.dialog import Dialog
from sigscope.tui.views.headline import name_of


class ExportDialog(Dialog[str]):
    """Answers with what was written, in words."""

    class Wrote(Message):
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
        for_sharing: bool = False,
    ) -> None:
        super().__init__()
        self._is_for_sharing = for_sharing
        self._engine = engine
        self._document = document
        self._step = step
        self._run = run
        self._is_writing = False
        """A second order would find the file of the first, and say that it exists."""

    def compose(self) -> ComposeResult:
        """Format, file, options."""
        with Vertical(classes="box") as box:
            box.border_title = "Redact" if self._is_for_sharing else "Export"
            with Choices(id="format") as forms:
                key = key_on(forms, "dialog.take")
                box.border_subtitle = self.ways(f"{key} writes")
                for number, form in enumerate(FORMATS):
                    yield Choice(form.words, value=number == 0, id=form.name)
            yield Static("file", classes="label")
            yield Input(self._suggest(FORMATS[0]), id="path")
            yield Check(
                "replace signatures by stand-ins, for sharing",
                value=self._is_for_sharing,
                id="masked",
            )
            yield Check("mask what people and models said", id="content")
            yield Check("replace the file if it exists", id="force")
            yield Static("", classes="problem", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Cancel", compact=True, id="cancel")
                yield Button("Write", compact=True, variant="primary", id="write")

    def _suggest(self, form: Format) -> str:
        name = name_of(self._document.session)
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:48] or "session"
        if form.is_of_one:
            which = f"run-{self._run}" if self._run else f"step-{self._step}"
            stem = f"{stem}-{which}"
        own = self._document.session.path
        if own and realpath(own) == realpath(f"{stem}{form.suffix}"):
            stem = f"{stem}-copy"
        return f"{stem}{form.suffix}"

    @property
    def _form(self) -> Format:
        pressed = self.query_one(RadioSet).pressed_button
        name = pressed.id if pressed else None
        return next((form for form in FORMATS if form.name == name), FORMATS[0])

    @on(RadioSet.Changed)
    def _other_format(self, event: RadioSet.Changed) -> None:
        event.stop()
        field = self.query_one("#path", Input)
        known = {self._suggest(form) for form in FORMATS}
        if field.value in known:
            field.value = self._suggest(self._form)

    @on(Input.Submitted)
    @on(Choices.Taken)
    @on(Button.Pressed, "#write")
    def _begin(self) -> None:
        path = Path(self.query_one("#path", Input).value.strip()).expanduser()
        if self._is_writing:
            return
        if not path.name:
            self._say("name a file to write to")
            return
        self._is_writing = True
        self._write(
            self._form,
            path,
            force=self.query_one("#force", Checkbox).value,
            masked=self.query_one("#masked", Checkbox).value,
            content=self.query_one("#content", Checkbox).value,
        )

    @work(thread=True, exclusive=True, group="export")
    def _write(
        self, form: Format, path: Path, *, force: bool, masked: bool, content: bool
    ) -> None:
        # A session file and a report tell the whole story; a script tells one request.
        one = form.is_of_one
        try:
            told = self._engine.export(
                self._document,
                path,
                format=form.name,
                step=self._step if one and self._run is None else None,
                run=self._run if one else None,
                force=force,
                stand_ins=masked,
                content=content,
            )
            outcome: Message = self.Wrote(str(told))
        except WouldOverwrite as error:
            there = f"{printable(error.path)} exists already"
            outcome = self.Failed(f"{there}; tick the box above to replace it")
        except SigscopeError as error:
            outcome = self.Failed(str(error))
        except OSError as error:
            outcome = self.Failed(f"{path}: {error.strerror or error}")
        if not get_current_worker().is_cancelled:
            self.post_message(outcome)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """It failed, which the application tells."""
        event.stop()
        if event.state is WorkerState.ERROR:
            self._is_writing = False
            self._say("it failed, and is not written")

    @on(Wrote)
    def _wrote(self, message: Wrote) -> None:
        message.stop()
        self.dismiss(message.words)

    @on(Failed)
    def _failed(self, message: Failed) -> None:
        message.stop()
        self._is_writing = False
        self._say(message.words)

    def _say(self, words: str) -> None:
        problem = self.query_one(".problem", Static)
        problem.update(words)
        problem.add_class("-shown")

    @on(Button.Pressed, "#cancel")
    def _cancel(self) -> None:
        self.dismiss(None)
