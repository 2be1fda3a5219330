"""A desk without a screen: work waits until a test does it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sigscope.engine.engine import Engine
from sigscope.engine.sessions.document import Document
from sigscope.engine.settings.places import shipped
from sigscope.tui.debugger.desk import Loudness
from sigscope.tui.debugger.model import DebuggerModel
from sigscope.tui.debugger.sessionreader import SessionReader
from sigscope.tui.keynames import in_words
from sigscope.tui.keytable import commands

SHIPPED = {each.id: in_words(each.keys[0]) for each in commands() if each.keys}


class FakeDesk:
    """A `Desk` that notes what it is asked for."""

    width = 120

    def __init__(self) -> None:
        self.told: list[str] = []
        self.answers: list[Any] = []
        """What the next dialogs are answered with."""
        self.asked: list[Any] = []
        """Dialogs that were shown."""
        self.tasks: dict[str, Callable[[], Awaitable[object]]] = {}
        self.cancelled: list[str] = []
        self.keys = dict(SHIPPED)
        """Keys by command, as they are named in words."""
        self._aside: dict[str, Callable[[], Callable[[], object]]] = {}

    def tell(
        self,
        words: str,
        *,
        title: str = "",
        severity: Loudness = "information",
        timeout: float = 4,
    ) -> None:
        self.told.append(f"{title}: {words}" if title else words)

    def take_back(self, title: str) -> None:
        self.told = [each for each in self.told if not each.startswith(f"{title}: ")]

    def key(self, command: str) -> str:
        return self.keys[command]

    def once_painted(self, call: Callable[[], object]) -> None:
        call()

    def later(self, call: Callable[..., object], *given: Any) -> None:
        call(*given)

    def aside(
        self,
        group: str,
        work: Callable[[], Any],
        done: Callable[[Any], object],
        failed: Callable[[str], object] | None = None,
    ) -> None:
        def begin() -> Callable[[], object]:
            try:
                found = work()
            except Exception as error:
                if failed is None:
                    raise
                words = str(error)
                return lambda: failed(words)
            return lambda: done(found)

        self._aside[group] = begin

    def is_over(self) -> bool:
        return False

    def begin(self, group: str, work: Callable[[], Awaitable[object]]) -> None:
        self.tasks[group] = work

    def cancel(self, group: str) -> None:
        self.cancelled.append(group)

    async def ask(self, dialog: Any) -> Any:
        self.asked.append(dialog)
        return self.answers.pop(0) if self.answers else None

    # --- What a test does ------------------------------------------------------------

    @property
    def waiting(self) -> set[str]:
        """Groups in which something is to be done."""
        return set(self._aside)

    def do(self, group: str) -> Callable[[], object]:
        """Do the work of a group; the answer tells what came of it."""
        return self._aside.pop(group)()

    def rest(self) -> None:
        """Do all there is, until nothing is left."""
        while self._aside:
            self.do(next(iter(self._aside)))()


def model_of(name_or_document: str | Document, desk: FakeDesk) -> DebuggerModel:
    """The model of a bundled session, or of a document; not begun."""
    engine = Engine()
    document = name_or_document
    if isinstance(document, str):
        path = shipped("sessions") / f"{document}.session.jsonl"
        document = engine.open(str(path))
    return DebuggerModel(engine, document, desk)


def studied(
    name_or_document: str | Document,
) -> tuple[DebuggerModel, FakeDesk, SessionReader]:
    """The same, begun and read to the end."""
    desk = FakeDesk()
    model = model_of(name_or_document, desk)
    reader = SessionReader(model, desk)
    model.begin()
    reader.study()
    desk.rest()
    return model, desk, reader
